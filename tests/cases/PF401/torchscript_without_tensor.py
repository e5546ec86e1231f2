"""A compiled function that has no tensor, or only functions of Python to ask, stays as it is."""
import torch
from torch import nn


def zeros(n: int):
    return torch.zeros(n).cuda()  # want: PF401 report


class Table(torch.jit.ScriptModule):
    def __init__(self):
        super().__init__()
        self.n = 3

    @torch.jit.script_method
    def forward(self, n: int):
        return torch.zeros(n).cuda()  # want: PF401 report


class Net(nn.Module):
    def rows(self, n: int):
        return torch.arange(n).cuda()  # want: PF401 report

    @torch.jit.ignore
    def report(self, n: int):
        print(n)

    def forward(self, n: int):
        return self.rows(n)


@torch.jit.script_if_tracing
def ones(n: int, x: int = 1):
    return torch.ones(n).cuda() * x  # want: PF401 report


compiled = torch.jit.script(zeros)
net = torch.jit.script(Net())
