"""Other arms that run with CUDA only."""
import torch
from torch import nn

net = nn.Linear(4, 2)
cpu_only = False
if cpu_only or not torch.cuda.is_available():
    print("on the CPU")
else:
    net.cuda()
if not torch.cuda.is_available():
    print("on the CPU")
else:
    net = net.cuda()
if torch.cuda.is_available():
    if torch.cuda.device_count() > 1 and not cpu_only:
        net = nn.DataParallel(net.cuda())
    else:
        net = net.cuda()
flag = 1
if flag == 0 or cpu_only:
    print("on the CPU")
gpu = 1
if gpu != 1:
    print("on the CPU")
else:
    net = net.cuda()
