# options: target-torch=2.3
import torch
from torch import nn
from torch.amp import autocast, GradScaler  # want: PF404

scaler = GradScaler("cuda", init_scale=2.0)
with autocast("cuda"):
    print(nn.Linear(2, 1)(torch.ones(1, 2)), scaler.is_enabled())
