"""Parentheses around the statement belong to what is assigned."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)
x = torch.randn(4, 3)
x = (x.to(device))  # want: PF303
y = torch.randn(4, 3)
y = (  # want: PF303
    y.to(device)  # before it is used
)
z, w = torch.randn(4, 3), torch.randn(4, 3)
z, w = (z.to(device), w.to(device))  # want: PF303
((z.cpu()))  # want: PF303 unsafe, warning
print(net(x).shape, net(y).shape, net(z).shape, net(w).shape)
