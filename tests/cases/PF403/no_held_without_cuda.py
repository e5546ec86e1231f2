"""Moved only where CUDA is, and made or there only where CUDA is: without CUDA the guard read nothing."""
import torch
from torch import nn

use_cuda = torch.cuda.is_available()


def made():
    if use_cuda:
        net = nn.Linear(2, 1)
        print("large")
    y = torch.ones(2)
    if use_cuda:  # want: PF403 report
        net = net.cuda()
    return y


def none(batches):
    weight = None
    if use_cuda and batches:
        weight = torch.ones(2)
    if use_cuda:  # want: PF403 unsafe
        weight = weight.cuda()
    return weight


class Loss:
    def __init__(self):
        self.weight = None
        if use_cuda:
            self.weight = torch.ones(3)

    def place(self):
        if use_cuda:  # want: PF403 unsafe
            self.weight = self.weight.cuda()


def beside(head=None, tail=None):
    if use_cuda:  # want: PF403 unsafe
        torch.cuda.manual_seed(1)
        if head is not None:
            head = head.cuda()
            tail = tail.cuda()
    return type(head), type(tail)


print(made(), none([1]), Loss().place(), beside(torch.ones(1), torch.ones(1)))
