"""Wraps under different tests are apart, even if one of them stays."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 3)
layer = nn.Linear(3, 3)
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)  # want: PF102
model.to(device)
if torch.cuda.device_count() > 2:
    layer = nn.DataParallel(layer)  # want: PF102 report
if layer is not None:
    layer.to(device)
