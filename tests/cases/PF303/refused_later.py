"""Moves that are thrown away, and something that follows refuses the tensor where it is."""
import torch


def centred(n):
    rows = torch.rand(n, 2).cuda()
    mean = torch.zeros(2)
    mean.cuda()  # want: PF303
    return rows - mean


def summed(n):
    total = torch.zeros(2, device="cuda")
    for _ in range(n):
        part = torch.ones(2)
        part.cuda()  # want: PF303
        total += part
    return total


# machines: 1,2
# run: print(centred(3).shape, summed(2))
