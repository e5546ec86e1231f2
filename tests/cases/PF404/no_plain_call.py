# options: target-torch=2.4
"""Uses that are no calls, or calls with arguments from elsewhere."""
import torch
from torch.cuda.amp import autocast  # want: PF404 report

OPTIONS = {"enabled": False}
context = autocast
with context():
    print(torch.ones(1))
scaler = torch.cuda.amp.GradScaler(**OPTIONS)  # want: PF404 report
