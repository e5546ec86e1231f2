# options: unsafe
# run: print(Trainer(torch.cuda.is_available()).add(nn.Linear(2, 1)) is not None)
"""CUDA and something else, asked once in a function under a flag of its own: the device honours the flag, the other question stays."""
import torch
from torch import nn


class Trainer:
    def __init__(self, use_cuda):
        self.use_cuda = use_cuda

    def add(self, critic=None):
        critic = nn.Linear(2, 1) if critic is None else critic
        if critic is not None:  # want: PF403 unsafe
            device = torch.device("cuda" if self.use_cuda else "cpu")
            critic.to(device)
        return critic


if torch.cuda.is_available():
    torch.cuda.manual_seed(1)
