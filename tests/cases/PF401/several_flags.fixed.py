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
DEVICE = torch.device("cuda" if not args.disable_cuda else "cpu")
device = torch.device("cuda" if args.extra_cuda else "cpu")
net = nn.Linear(3, 3)
if not args.disable_cuda:  # want: PF403 report
    net.cuda()
print(net(torch.zeros(3, device=DEVICE)))  # want: PF401 unsafe
y = torch.zeros(3)
# want: PF403 unsafe
y = y.to(device)
z = torch.zeros(3)
# want: PF403 unsafe
z = z.to(device)
# not run: without CUDA it wants its option
# again: PF403
