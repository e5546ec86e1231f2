"""Asking how many devices there are, as a yes or no, asks whether there is CUDA."""
import torch
from torch import nn

model = nn.Linear(2, 1)
if torch.cuda.device_count() > 0:  # want: PF403
    model.cuda()
x = torch.ones(1, 2)
if torch.cuda.device_count():  # want: PF403
    x = x.cuda()
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)
print(model(x).shape)
