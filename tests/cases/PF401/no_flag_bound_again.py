# rules: PF401, PF403
"""The flag is another one by then."""
import torch
import torch.nn as nn

use_cuda = True
net = nn.Linear(3, 1)
if use_cuda:  # want: PF403 report
    net.cuda()
use_cuda = False
x = torch.ones(2, 3).cuda()  # want: PF401 unsafe
print(net(x).sum().item())
