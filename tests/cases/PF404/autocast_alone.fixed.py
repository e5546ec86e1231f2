# options: target-torch=1.12
"""A file without GradScaler takes autocast from torch.amp as soon as it is there."""
import torch
from torch.amp import autocast  # want: PF404

net = torch.nn.Linear(2, 2)
with autocast("cuda"):
    print(net(torch.ones(2)).sum())
