"""What goes under the flag that its module was placed under meets it there, whatever other devices there are."""
# machines: 0,1
import sys
import torch
import torch.nn as nn

use_cuda = len(sys.argv) > 1
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
where = torch.device("cuda" if use_cuda else "cpu")

net = nn.Linear(3, 3)
if use_cuda:
    net.cuda()
x = torch.ones(2, 3).to(where)
print(net(x).sum().item())

a = torch.ones(2, 3)
a = a.cuda() if use_cuda else a
b = torch.ones(2, 3).to(a.device)
print((a + b).sum().item())
