# rules: PF401, PF402, PF403
"""An unguarded use goes with the flag where it meets what lies on the CPU without it; else that is taken for granted."""
# arguments: --cuda
# machines: 1,2
# before: clean: with its flag and CUDA it runs
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args()
net = nn.Linear(3, 1)
if args.cuda:  # want: PF403
    net.cuda()
x = torch.ones(2, 3).cuda()  # want: PF401
print(net(x).sum().item())


def apart():
    return torch.ones(2).cuda()  # want: PF401 unsafe


if torch.cuda.is_available():
    print(apart().is_cuda)
