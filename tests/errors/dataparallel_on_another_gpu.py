# message: RuntimeError: module must have its parameters and buffers on device cuda:0 (device_ids[0]) but found one of them on device: cuda:1
# rules: PF104
# devices: 2
# fix: none
import torch
from torch import nn

model = nn.Linear(4, 2).to("cuda:1")
model = nn.DataParallel(model)
model(torch.randn(8, 4))
