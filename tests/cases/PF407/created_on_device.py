"""A type that is given a list or a size creates a tensor of that type on the device; one that may be given data is moved."""
# run: print(reduce(2.0).item(), count(torch.ones(2, 3)).sum().item(), filled(4).sum().item(), mask(torch.tensor([1, 3])).shape)
import numpy as np
import torch


def reduce(scalar):
    return torch.cuda.FloatTensor([scalar])  # want: PF407


def count(x):
    total = torch.cuda.LongTensor(x.size(0)).fill_(1)  # want: PF407
    halves = torch.cuda.HalfTensor(2, 3).fill_(0)  # want: PF407
    more = torch.cuda.IntTensor(x.shape[1], 2).fill_(5)  # want: PF407
    bits = torch.cuda.ByteTensor([[i, i + 1] for i in range(2)])  # want: PF407
    data = torch.cuda.FloatTensor(np.ones(3))  # want: PF407
    pair = torch.cuda.FloatTensor((2, 3))  # want: PF407
    return total.sum() + halves.sum() + more.sum() + bits.sum() + data.sum() + pair.sum()


def filled(n):
    return torch.cuda.FloatTensor(len(range(n))).zero_()  # want: PF407


def mask(lengths):
    longest = torch.max(lengths).item()
    return torch.arange(0, longest, out=torch.cuda.LongTensor(longest))  # want: PF407
