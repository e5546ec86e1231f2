"""The module leaves the device on purpose: what meets it later says nothing about the device."""
import torch
from torch import nn


def settings():
    return {"device": "cpu"}


device = settings()["device"]
net = nn.Linear(2, 1).to(device)
data = torch.ones(1, 2, device=device)
if data.dtype == torch.float16:
    net.cuda()  # want: PF401 unsafe
    print(net(data.cuda()))  # want: PF401 unsafe
    net.to(device)
print(net(data).shape)
