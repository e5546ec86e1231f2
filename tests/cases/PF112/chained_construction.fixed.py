# The module is made by a call whose result goes through a method that returns the module.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2).to(device)
teacher = nn.Linear(4, 2).eval().requires_grad_(False).to(device)  # want: PF112
x = torch.ones(3, 4).to(device)
with torch.no_grad():
    print(net(x).shape, teacher(x).shape)
