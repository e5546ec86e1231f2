"""Asking how many devices there are, as a yes or no, asks whether there is CUDA."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(2, 1)
# want: PF403
model.to(device)
x = torch.ones(1, 2)
# want: PF403
x = x.to(device)
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)
print(model(x).shape)
