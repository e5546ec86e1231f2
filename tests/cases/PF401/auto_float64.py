# options: target-torch=2.7 device-idiom=auto
import torch
from torch import nn

model = nn.Linear(2, 1).double().cuda()  # want: PF401
print(model(torch.ones(1, 2, dtype=torch.float64).cuda()))  # want: PF401
