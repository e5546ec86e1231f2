"""What is placed under a flag of its own does not lie on the device of another question, nor on the flag."""
# machines: 0,1
# before: clean: no argument is given
import sys
import torch
import torch.nn as nn

use_cuda = len(sys.argv) > 1
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

net = nn.Linear(3, 3)
if use_cuda:
    net.cuda()
x = torch.ones(2, 3)
print(net(x).sum().item())  # want: PF302 report

a = torch.ones(2, 3)
a = a.cuda() if use_cuda else a
b = torch.ones(2, 3)
print((a + b.to(a.device)).sum().item())  # want: PF302
c = torch.ones(2, 3)
if not use_cuda:
    pass
else:
    c = c.cuda()
print((c * torch.ones(3).to(c.device)).sum().item())  # want: PF302


def follow():
    where = torch.device("cuda" if use_cuda else "cpu")
    layer = nn.Linear(3, 3)
    if use_cuda:
        layer = layer.cuda()
    z = torch.ones(2, 3, device=where)  # want: PF302
    return layer(z)


print(follow().sum().item())


def either_way():
    u = torch.ones(2, 3)
    if not use_cuda:
        u = u.cpu()
    else:
        u = u.cuda()
    v = torch.ones(2, 3)
    return v.to(u.device) + u  # want: PF302


print(either_way().sum().item())
