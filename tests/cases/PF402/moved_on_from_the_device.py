# rules: PF401,PF402
# options: unsafe
"""The module leaves `device` for CUDA on purpose and comes back: the two are not the same."""
import torch
from torch import nn


def settings():
    return {"device": "cpu"}


device = settings()["device"]
net = nn.Linear(2, 1).to(device)
data = torch.ones(1, 2, device=device)
if data.dtype == torch.float16:
    net.to("cuda")  # want: PF402 unsafe
    out = net(data.cuda())  # want: PF401 unsafe
    net.to(device)
else:
    out = net(data)
print(out.shape)
# before: clean: nothing here is of half precision
