"""A batch for a module that is placed under a flag goes to the device of that flag, and to no other."""
# machines: 0,1
# before: clean: no argument is given
import sys
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

use_cuda = len(sys.argv) > 1
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.ones(4, 3), torch.ones(4, 3)), batch_size=2)

net = nn.Linear(3, 3)
if use_cuda:
    net = net.cuda()
for x, _ in loader:  # want: PF301 report
    print(net(x).sum().item())

where = torch.device("cuda" if use_cuda else "cpu")
other = nn.Linear(3, 3)
if use_cuda:
    other = other.cuda()
for x, _ in loader:  # want: PF301
    x = x.to(where)
    print(other(x).sum().item())
