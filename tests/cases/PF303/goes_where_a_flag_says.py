"""Module and tensor go where the same flag says."""
import torch
from torch import nn

debug = False
where = torch.device("cpu" if debug or not torch.cuda.is_available() else "cuda")
net = nn.Linear(3, 2).to(where)
y = torch.ones(4, 3)
y.to(where)  # want: PF303
print(net(y).sum().item())
