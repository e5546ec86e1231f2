"""The option chooses among the GPUs, 0 is no choice; without it the current one was used, and still is."""
import argparse

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=0)
args = parser.parse_args()

if args.gpu:
    torch.cuda.set_device(args.gpu)

net = nn.Linear(3, 2).to(device)  # want: PF401
x = torch.ones(4, 3)
loss = net(x.to(device)).sum()  # want: PF401
print(loss.item(), net.weight.device)
# numbers: it says where the weights lie
