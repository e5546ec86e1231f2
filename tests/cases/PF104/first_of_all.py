import torch
from torch import nn

model = nn.DataParallel(nn.Linear(3, 2).to("cuda:1"))  # want: PF104 report
print(model(torch.ones(4, 3)).sum().item())
