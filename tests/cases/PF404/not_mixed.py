# options: target-torch=2.2
"""torch 2.2 has no torch.amp.GradScaler: autocast keeps its old name as well, in each way to name it."""
import torch
from torch.cuda import amp
from torch.cuda.amp import autocast  # want: PF404 report

net = torch.nn.Linear(2, 2)
scaler = torch.cuda.amp.GradScaler()  # want: PF404 report
with autocast():
    print(net(torch.ones(2)).sum())
with torch.cuda.amp.autocast(enabled=False):  # want: PF404 report
    print(net(torch.ones(2)).sum())
with amp.autocast():  # want: PF404 report
    print(net(torch.ones(2)).sum())
