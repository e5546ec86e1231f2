"""The file makes more than one GPU the current one."""
import torch


def run(x, rank, other):
    torch.cuda.set_device(rank)
    y = torch.relu(x).cuda(rank)  # want: PF401 display
    torch.cuda.set_device(other)
    return y
