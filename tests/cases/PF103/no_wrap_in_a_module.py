"""What a module wraps in its own code is placed with it, by whoever has it."""
import torch
from torch import nn
from unseen import Base


class Expert(nn.Module):
    def __init__(self, cfg, device="cuda", multi_gpu=False):
        super().__init__()
        self.device = device
        self.model = nn.Linear(cfg["n"], 2)
        if multi_gpu:
            self.model = torch.nn.DataParallel(self.model)

    def forward(self, x):
        x = x.to(self.device)
        return self.model(x)


def wrapped(net):
    return nn.DataParallel(net)


class Helped(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.device = device
        self.model = wrapped(nn.Linear(3, 2))

    def forward(self, x):
        return self.model(x.to(self.device))


class Open(Base):
    def __init__(self, device):
        self.device = device
        self.model = nn.DataParallel(nn.Linear(3, 2))

    def predict(self, x):
        return self.model(x.to(self.device))
