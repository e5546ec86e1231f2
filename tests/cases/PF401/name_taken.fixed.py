"""`device` means something else here."""
import torch
from torch import nn

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")

device = 17  # the sensor
model = nn.Linear(2, 1).to(DEVICE)  # want: PF401
print(device, model(torch.ones(1, 2, device=DEVICE)))  # want: PF401
