# options: target-torch=1.11
"""torch.amp is a package since torch 1.12; before, autocast is in torch itself."""
import torch
from torch.cuda.amp import autocast  # want: PF404 report

with autocast():
    print(torch.ones(2).sum())
