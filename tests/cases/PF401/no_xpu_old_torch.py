# machines: 0
import torch
from torch import nn

model = nn.Linear(2, 1).xpu()  # want: PF401 report
print(model(torch.ones(1, 2).xpu(1)))  # want: PF401 report
