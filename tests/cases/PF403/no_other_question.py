"""Tests that ask something else."""
import torch
from torch import nn

model = nn.Linear(4, 1)
x = torch.randn(2, 4)
for epoch in range(2):
    if epoch > 3 and torch.cuda.is_available():  # want: PF403 note
        x = x.cuda()
    if x.is_cuda:  # want: PF403 unsafe
        model = model.cuda()
    if torch.cuda.is_available() and x.size(0) > 8:  # want: PF403 note
        model.cuda()
