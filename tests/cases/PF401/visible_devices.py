"""CUDA must not be asked before the visible GPUs are chosen."""
import os

import torch
from torch import nn

BATCH = 4
os.environ["CUDA_VISIBLE_DEVICES"] = "1"


def batch():
    return torch.randn(BATCH, 3).cuda()  # want: PF401


model = nn.Linear(3, 1).cuda()  # want: PF401
print(model(batch()))
# machines: 0,2
