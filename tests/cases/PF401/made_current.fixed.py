"""The GPU that is named was made the current one before."""
import argparse

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def run(rank, x):
    torch.cuda.set_device(rank)
    model = nn.Linear(2, 1)
    model.to(device)  # want: PF401
    return model(x.to(device, non_blocking=True))  # want: PF401


def asked(rank, x):
    if torch.cuda.is_available():
        torch.cuda.set_device(rank)
    return torch.relu(x).to(device=device)  # want: PF401


parser = argparse.ArgumentParser()
parser.add_argument("--rank", type=int, default=0)
rank = parser.parse_args().rank
print(run(rank, torch.ones(1, 2)).shape, asked(rank, torch.ones(1)).sum().item())
# after: all
