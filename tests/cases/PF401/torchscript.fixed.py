"""TorchScript compiles no variable of the file: a compiled function takes the device of a tensor."""
# run: print(shift(torch.ones(3)), Net()(torch.ones(2, 3)).shape, eager())
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def scaled(x):
    return x * torch.ones(3, device=x.device)


@torch.jit.script
def shift(x):
    return scaled(x) + torch.zeros(3, device=x.device)  # want: PF401


class Block(nn.Module):
    def forward(self, x):
        return x + torch.ones(3, device=x.device)  # want: PF401


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def grid(self, x):
        return torch.arange(3, device=x.device) * x  # want: PF401

    def forward(self, x):
        return self.block(x) * self.grid(x)


def eager():
    return torch.ones(3, device=device)  # want: PF401


scripted = torch.jit.script(Net())
