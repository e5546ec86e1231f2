import torch
from torch import nn

from settings import device

net = nn.Linear(8, 2)
net.to(device)
net = nn.DataParallel(net)  # want: PF102
# run: print(net(torch.ones(2, 8).to(device)).shape)
