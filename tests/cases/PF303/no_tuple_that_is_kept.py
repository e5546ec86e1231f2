"""What is assigned as a tuple is one, and stays it."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)
x = torch.randn(4, 3)
pair = (x.to(device),)
x = (x.to(device),)
print(net(pair[0]).shape, net(x[0]).shape)
