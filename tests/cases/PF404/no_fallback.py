# options: target-torch=2.4
"""Several ways to have the name."""
import torch

try:
    from torch.amp import GradScaler
except ImportError:
    from torch.cuda.amp import GradScaler

try:
    from torch.cuda.amp import autocast  # want: PF404 report
except ImportError:
    pass

with autocast():
    print(GradScaler(), torch.ones(1))
