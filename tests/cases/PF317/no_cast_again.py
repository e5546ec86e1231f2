import torch
from torch import nn

device = torch.device("mps" if torch.backends.mps.is_available() else "cpu")
net = nn.Linear(2, 1).double()
net.float()
net.to(device)
x = torch.ones(2)
x.double()
x = x.to(device)
print(net, x)
