"""No safe fix makes a device beside a test for CUDA that keeps its moves: of the function, of the object, of the module level."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--use_cuda", action="store_true")
args = parser.parse_args([])


def load(path):
    return torch.load(path)


net = load("net.pt")
if args.use_cuda:  # want: PF403 unsafe
    net.cuda()
x = torch.ones(2, 3)
if args.use_cuda:  # want: PF403 unsafe
    x = x.cuda()
print(net(x))


def shake(result, is_cuda, plain):
    if plain:
        return result if not is_cuda else (result[0].cuda(), result[1].cuda())  # want: PF403 report
    alpha = torch.rand(1)
    beta = torch.rand(1)
    if is_cuda:  # want: PF403 unsafe
        alpha = alpha.cuda()
        beta = beta.cuda()
    return alpha, beta


class Trainer:
    def __init__(self, use_cuda):
        self.use_cuda = use_cuda
        self.criterion = nn.CrossEntropyLoss()
        if self.use_cuda:  # want: PF403 unsafe
            self.criterion.cuda()

    def update(self, units):
        if self.use_cuda:  # want: PF403 unsafe
            units = units.cuda()
        return self.criterion(units, units)

    def predict(self):
        ones = torch.ones(2)
        if self.use_cuda:  # want: PF403 unsafe
            ones = ones.cuda()
        return ones
# files: net.pt
