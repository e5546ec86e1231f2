# The chain places the module, or the method is one of another object that makes it.
import torch
from torch import nn
from somewhere import builder

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2).to(device)
teacher = nn.Linear(4, 2).eval().to(device).requires_grad_(False)
other = builder(nn.Linear).eval()
x = torch.ones(3, 4).to(device)
with torch.no_grad():
    print(net(x).shape, teacher(x).shape, other(x))
