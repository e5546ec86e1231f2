"""Named for CUDA, and a method that a class offers; or with another arm that does something else."""
import torch
from torch import nn


class Pipeline:
    def __init__(self):
        self.model = nn.Linear(2, 1)

    def cuda(self):
        if torch.cuda.is_available():
            self.model.cuda()
        return self

    def to_gpu(self):
        if torch.cuda.is_available():
            self.model.cuda()


def to_cuda(x, use_cuda):
    if use_cuda:  # want: PF403 report
        if isinstance(x, list):
            return [t.cuda() for t in x]
        else:
            return x.double().cuda()
    else:
        return x


def cuda(x, use_cuda):
    if use_cuda:  # want: PF403 report
        if x.pop() is not None:
            return x.cuda()
        else:
            return x.cuda()
    else:
        return x
