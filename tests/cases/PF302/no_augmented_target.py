"""The target of an augmented assignment is no expression that can be moved in place."""
# not run: the error stays
import torch


def summed(n):
    total = torch.zeros(2)
    for _ in range(n):
        part = torch.ones(2).cuda()
        total += part  # want: PF302 report
    return total


def of_an_item(n):
    totals = [torch.zeros(2)]
    part = torch.ones(2).cuda()
    totals[0] += part  # want: PF302 report
    return totals
