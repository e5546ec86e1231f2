# not run: nothing may change
"""The called object may be no module, or use nothing of its device with its inputs."""
import torch
from problems import Problem


def value(device):
    f_ = Problem(dim=2)
    f_ = f_.to(device=device)
    grid = torch.ones(4, 2)
    return f_(grid)


def sampled(device, draw):
    start = torch.ones(4, 2).to(device)
    noise = torch.ones(4, 2)
    return draw(start), draw(noise)
