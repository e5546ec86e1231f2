# not run: the helpers are not at hand
import torch
import torch.nn as nn

from helpers import weight_groups

net = nn.Linear(4, 2)
groups = weight_groups(net, 0.01)
optimizer = torch.optim.AdamW(groups, lr=0.1)  # want: PF201
if torch.cuda.is_available():
    net.cuda()

other = nn.Linear(4, 2)
late = torch.optim.SGD(weight_groups(other, 0.0), lr=0.1)  # want: PF201 report
other.to("cuda")
optimizer.step()
late.step()
