"""In one arm the operand is a number, or something unknown; a name is no dtype; nothing reads the device of a part of an argument."""
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, scale=None, weights=None, target=None):
        if scale is None:
            scale = 2.0
        first = torch.zeros(3) * scale
        if target is not None:
            weights = weights.to(target)
        second = torch.zeros(3) + (1.0 if weights is None else weights.sum().item())
        return x, first.sum().item(), second.sum().item()


class Typed(nn.Module):
    def forward(self, outputs, sizes, dtype):
        strides = []
        for size in sizes:
            strides.append(torch.full((1, size), 2.0))
        return outputs * torch.cat(strides, dim=1).type(dtype)


class Saved(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tables):
        ctx.tables = tables
        return tables[0]

    @staticmethod
    def backward(ctx, grad):
        rows = ctx.tables.rows
        return grad, torch.cat([rows, torch.arange(4)])


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = Net().to(device)
