# rules: PF401, PF403
# options: unsafe
"""Two flags, and a move under neither: the device of one of them is not where the net lies."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--disable-cuda", action="store_true")
parser.add_argument("--extra-cuda", action="store_true")
args = parser.parse_args([])
net = nn.Linear(3, 3)
if not args.disable_cuda:  # want: PF403 report
    net.cuda()
print(net(torch.zeros(3).cuda()))  # want: PF401 unsafe
y = torch.zeros(3)
if args.extra_cuda:  # want: PF403 unsafe
    y = y.cuda()
z = torch.zeros(3)
if args.extra_cuda:  # want: PF403 unsafe
    z = z.cuda()
# not run: without CUDA it wants its option
# again: PF403
