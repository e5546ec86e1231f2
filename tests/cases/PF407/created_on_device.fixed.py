"""A type that is given a list or a size creates a tensor of that type on the device; one that may be given data is moved."""
# run: print(reduce(2.0).item(), count(torch.ones(2, 3)).sum().item(), filled(4).sum().item(), mask(torch.tensor([1, 3])).shape)
import numpy as np
import torch


def reduce(scalar):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.tensor([scalar], dtype=torch.float32, device=device)  # want: PF407


def count(x):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    total = torch.ones(x.size(0), dtype=torch.int64, device=device)  # want: PF407
    halves = torch.zeros(2, 3, dtype=torch.float16, device=device)  # want: PF407
    more = torch.empty(x.shape[1], 2, dtype=torch.int32, device=device).fill_(5)  # want: PF407
    bits = torch.tensor([[i, i + 1] for i in range(2)], dtype=torch.uint8, device=device)  # want: PF407
    data = torch.FloatTensor(np.ones(3)).to(device)  # want: PF407
    pair = torch.FloatTensor((2, 3)).to(device)  # want: PF407
    return total.sum() + halves.sum() + more.sum() + bits.sum() + data.sum() + pair.sum()


def filled(n):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.zeros(len(range(n)), dtype=torch.float32, device=device)  # want: PF407


def mask(lengths):
    longest = torch.max(lengths).item()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.arange(0, longest, dtype=torch.int64, device=device)  # want: PF407
