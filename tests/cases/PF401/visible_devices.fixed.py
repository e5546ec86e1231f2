"""CUDA must not be asked before the visible GPUs are chosen."""
import os

import torch
from torch import nn

BATCH = 4
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def batch():
    return torch.randn(BATCH, 3).to(device)  # want: PF401


model = nn.Linear(3, 1).to(device)  # want: PF401
print(model(batch()))
# machines: 0,2
