import torch
from torch import nn

device = torch.device("cuda:1")
model = nn.Linear(3, 2)
model = nn.DataParallel(model, device_ids=[0, 1])  # want: PF104 report
model.to(device)
print(model(torch.ones(4, 3).to(device)).sum().item())
