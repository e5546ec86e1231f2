"""A comma behind a move makes a tuple of it, which the assignment must not keep."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)
x = torch.randn(4, 3)
x.to(device),  # want: PF303
y = torch.randn(4, 3)
(y.to(device),)  # want: PF303
print(net(x).shape, net(y).shape)
