"""The name stays, its value becomes a choice."""
import torch
from torch import nn

device = torch.device("cuda")  # want: PF402
OTHER = 'cuda'  # want: PF402


class Runner:
    def __init__(self):
        self.device = torch.device("cuda:0")  # want: PF402
        self.net = nn.Linear(2, 1).to(self.device)


def local(x):
    dev = "cuda:0"  # want: PF402
    return x.to(dev)


print(nn.Linear(2, 1).to(device)(torch.ones(1, 2).to(OTHER)), Runner().net, local(torch.ones(1)))
