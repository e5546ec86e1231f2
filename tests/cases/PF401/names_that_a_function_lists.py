# The function returns all of its names: a new local device would be among them.
import torch


def collect(n):
    x = torch.ones(n).cuda()  # want: PF401 report
    y = x * 2
    return locals()


print(sorted(collect(2)))
