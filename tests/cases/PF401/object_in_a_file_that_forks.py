# options: unsafe
# rules: PF401
"""A file that forks has no device of the module level: an object keeps its own, made where its constructor says CUDA; a function has one."""
from multiprocessing import Process

import torch
from torch import nn


class Reader:
    def __init__(self, size):
        self.net = nn.Linear(size, 2).cuda()  # want: PF401
        self.size = size

    def read(self, n):
        return self.net(torch.ones(n, self.size).cuda()).sum().item()  # want: PF401


class Lazy:
    def __init__(self, size):
        self.size = size

    def made(self):
        return nn.Linear(self.size, 2).cuda()  # want: PF401 unsafe

    def read(self, n):
        return torch.ones(n, self.size).cuda().sum().item()  # want: PF401 unsafe


def work():
    print(Reader(3).read(2) is not None, Lazy(3).read(2), Lazy(2).made() is not None)


if __name__ == "__main__":
    process = Process(target=work)
    process.start()
    process.join()
# run: work()
