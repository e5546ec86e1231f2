# options: unsafe
# rules: PF401
"""A file that forks has no device of the module level: an object keeps its own, made where its constructor says CUDA; a function has one."""
from multiprocessing import Process

import torch
from torch import nn


class Reader:
    def __init__(self, size):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = nn.Linear(size, 2).to(self.device)  # want: PF401
        self.size = size

    def read(self, n):
        return self.net(torch.ones(n, self.size, device=self.device)).sum().item()  # want: PF401


class Lazy:
    def __init__(self, size):
        self.size = size

    def made(self):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return nn.Linear(self.size, 2).to(device)  # want: PF401 unsafe

    def read(self, n):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return torch.ones(n, self.size, device=device).sum().item()  # want: PF401 unsafe


def work():
    print(Reader(3).read(2) is not None, Lazy(3).read(2), Lazy(2).made() is not None)


if __name__ == "__main__":
    process = Process(target=work)
    process.start()
    process.join()
# run: work()
