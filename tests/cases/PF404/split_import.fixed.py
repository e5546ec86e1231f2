# options: target-torch=2.4
"""The class of the scaler is handed on: its import stays."""
import torch
from torch.amp import autocast as cast
from torch.cuda.amp import GradScaler  # want: PF404 # want: PF404 report

kinds = [GradScaler]
scaler = kinds[0](init_scale=2.0)
with cast("cuda", enabled=False):
    print(torch.ones(1), scaler)
