"""The device at hand is one GPU, and not made the current one."""
import sys

import torch
from torch import nn


def main(rank):
    device = torch.device(f"cuda:{rank}")
    model = nn.Linear(2, 1).to(device)
    print(model, torch.ones(1, 2).cuda())  # want: PF401 report


def maybe(x, device=None):
    return torch.relu(x).cuda(), device  # want: PF401 report


if __name__ == "__main__":
    main(int(sys.argv[1]))
