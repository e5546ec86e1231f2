"""What the module is called with lies where a flag chooses, and that may be the CPU with a GPU at hand."""
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
on_gpu = False
chosen = torch.device("cuda") if on_gpu else torch.device("cpu")


def start():
    net = nn.Linear(3, 3)  # want: PF112 unsafe
    side = torch.device("cuda") if on_gpu else torch.device("cpu")
    return net(torch.ones(2, 3).to(side))


def same():
    net = nn.Linear(3, 3)  # want: PF112
    return net(torch.ones(2, 3).to(device))


print(start().sum().item(), same().sum().item())
