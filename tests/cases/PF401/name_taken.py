"""`device` means something else here."""
import torch
from torch import nn

device = 17  # the sensor
model = nn.Linear(2, 1).cuda()  # want: PF401
print(device, model(torch.ones(1, 2).cuda()))  # want: PF401
