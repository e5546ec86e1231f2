# machines: 0
# after: unsafe
import intel_extension_for_pytorch as ipex
import torch
from torch import nn

device = torch.device("xpu" if torch.xpu.is_available() else "cpu")

model = ipex.optimize(nn.Linear(2, 1))
model = model.xpu()  # want: PF401 unsafe
net = nn.Linear(2, 1).to(device)  # want: PF401
print(net(torch.ones(1, 2).to(device, non_blocking=True)))  # want: PF401
