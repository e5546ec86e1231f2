"""The scaler has no new name in the oldest torch to support."""
import torch
from torch.amp import autocast as cast
from torch.cuda.amp import GradScaler  # want: PF404 # want: PF404 report

scaler = GradScaler(2.0)
with cast("cuda", enabled=False):
    print(torch.ones(1), scaler)
