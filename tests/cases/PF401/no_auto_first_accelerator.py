# options: target-torch=2.6 device-idiom=auto
import torch
from torch import nn

device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else torch.device("cpu")
model = nn.Linear(2, 1).to(device)
print(model(torch.ones(1, 2, device=device)))
