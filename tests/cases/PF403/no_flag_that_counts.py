"""A number that is compared with one is another question than whether it is none."""
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", type=int, default=0)
args = parser.parse_args()
device = torch.device("cuda" if args.cuda else "cpu")
net = nn.Linear(3, 2).to(device)
x = torch.randn(4, 3).to(device)
scale = torch.ones(2)
if args.cuda == 1:  # want: PF403 unsafe
    scale = scale.cuda()
print((net(x) * scale.to(device)).sum())

# arguments: --cuda 2
# machines: 2
