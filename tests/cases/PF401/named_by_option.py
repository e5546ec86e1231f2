# options: device-name=dev
import torch
from torch import nn

model = nn.Linear(2, 1).cuda()  # want: PF401
print(model(torch.ones(1, 2).cuda()))  # want: PF401
