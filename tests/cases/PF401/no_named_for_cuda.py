"""Named for CUDA: what a class offers, what passes arguments on, what does more than move what it is given."""
import torch
from torch import nn

net = nn.Linear(2, 1)


class Rigid:
    def __init__(self, rots):
        self.rots = rots

    def cuda(self):
        return Rigid(self.rots.cuda())  # want: PF401 note

    def to_gpu(self):
        self.rots = self.rots.cuda()  # want: PF401 note


def cuda(obj, *args, **kwargs):
    return obj.cuda(*args, **kwargs)  # want: PF401 note


def to_gpu():
    net.cuda()  # want: PF401 note


def check_to_cuda(x):
    assert x.cuda().is_cuda  # want: PF401 report


def compare_cpu_to_gpu(x):
    return (x.cuda().cpu() - x).abs().max()  # want: PF401 report


def train_gpu(x):
    return torch.relu(x).cuda()  # want: PF401 report


def collect_gpu(part):
    return torch.tensor(part).cuda()  # want: PF401 report
