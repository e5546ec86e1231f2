import torch
import torch.nn as nn

model = nn.DataParallel(nn.Linear(6, 2))
print(model(torch.randn(4, 6)).sum())
