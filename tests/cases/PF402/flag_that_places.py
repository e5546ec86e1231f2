"""A device beside a flag that places: it was CUDA without it, too."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args()
net = nn.Linear(2, 1)
if args.cuda:
    net.cuda()
device = torch.device("cuda")  # want: PF402 unsafe
print(torch.ones(2).to(device))
