"""Functions that are called cuda do what they are called."""
import torch


def cuda(x, flag=True):
    return x.float().cuda()  # want: PF401 note


def to_gpu(x):
    return x.view(-1).cuda(non_blocking=True)  # want: PF401 note


def train_gpu(x):
    return torch.relu(x).cuda()  # want: PF401 report


class Ops:
    cuda = staticmethod(cuda)


print(Ops.cuda(torch.ones(1)), cuda(torch.ones(2)))
