"""A flag of a module, and a value that meets its input on some paths only: on the others the callers may rely on the flag."""
# run: g = torch.cuda.is_available(); net = Net(g).to("cuda" if g else "cpu")
# run: x = torch.ones(2, 3).to("cuda" if g else "cpu"); print(net(x)[1].sum().item(), net(x, True)[0].sum().item())
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, use_gpu=False):
        super().__init__()
        self.use_gpu = use_gpu

    def extra_repr(self):
        return f"use_gpu={self.use_gpu}"

    def forward(self, x, moved=False):
        shift = torch.zeros(x.size(0), 3)
        if self.use_gpu:  # want: PF403 unsafe
            shift = shift.cuda()
        if moved:
            x = x + shift
        return x, shift
