# options: unsafe
"""Every call gives the flag, or what is made here goes with it."""
# run: Trainer(torch.cuda.is_available()).step(torch.ones(3, 2))
# run: print(accuracy(torch.eye(3), torch.zeros(3).long(), False), noisy(torch.ones(2), torch.cuda.is_available()))
import torch
import torch.nn as nn


class Trainer:
    def __init__(self, use_cuda=False):
        self.use_cuda = use_cuda
        self.net = nn.Linear(2, 2)
        device = torch.device("cuda" if use_cuda else "cpu")
        # want: PF403
        self.net.to(device)

    def step(self, x):
        device = torch.device("cuda" if self.use_cuda else "cpu")
        # want: PF403 unsafe
        x = x.to(device)
        return self.net(x).sum().backward()


def accuracy(output, target, cuda=False):
    device = torch.device("cuda" if cuda else "cpu")
    # want: PF403 unsafe
    target = target.to(device)
    return (output.max(1)[1] == target.view(-1)).float().mean()


def noisy(x, cuda=False):
    noise = torch.ones(2)
    device = torch.device("cuda" if cuda else "cpu")
    # want: PF403 unsafe
    x = x.to(device)
    noise = noise.to(device)
    return x.sum() + noise.sum()


def run(output, target, use_cuda):
    return accuracy(output, target, use_cuda)
