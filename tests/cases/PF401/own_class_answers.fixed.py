"""What the code does with it, a class of the file answers as well, which has a `.cuda()` of its own and no `.to()`."""
# machines: 1,2
# before: clean: the classes of its own need a GPU, and are what is run
# run: print(run(Embedder()).item(), feed(nn.Linear(2, 1)).shape, grow(torch.ones(1, 2)).item(), kept(Batch()).shape)
import torch
from torch import nn


class Embedder:
    def __init__(self):
        self.rows = torch.ones(2)

    def cuda(self):
        self.rows = self.rows.cuda()  # want: PF401 note

    def train(self):
        self.training = True

    def __call__(self, x):
        return (self.rows * x).sum()


class Batch:
    def __init__(self):
        self.data = torch.ones(2)

    def cuda(self):
        self.data = self.data.cuda()  # want: PF401 note
        return self

    def size(self):
        return self.data.size()


def run(net):
    net.cuda()  # want: PF401 unsafe
    net.train()
    return net(torch.ones(2).cuda())  # want: PF401 unsafe


def feed(net):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)  # want: PF401
    net.zero_grad()
    return net(torch.ones(1, 2, device=device))  # want: PF401


def grow(x):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = x.to(device)  # want: PF401
    return (x * 2).sum()


def kept(batch):
    batch = batch.cuda()  # want: PF401 unsafe
    print(batch.size())
    return batch.data
