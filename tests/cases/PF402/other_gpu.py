# options: unsafe
"""A definition names one particular GPU: its choice keeps the number."""
# machines: 0,2
import torch
from torch import nn


def main():
    device = 'cuda:1'  # want: PF402 unsafe
    model = nn.Linear(2, 1).to(device)
    return model(torch.ones(1, 2).to(device))


print(main().shape)
