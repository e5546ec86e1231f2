# machines: 0
# after: unsafe
import intel_extension_for_pytorch as ipex
import torch
from torch import nn

model = ipex.optimize(nn.Linear(2, 1))
model = model.xpu()  # want: PF401 unsafe
net = nn.Linear(2, 1).xpu()  # want: PF401
print(net(torch.ones(1, 2).xpu(non_blocking=True)))  # want: PF401
