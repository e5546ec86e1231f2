"""The option chooses among the GPUs; without it the current one was used, and still is."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=-1)
args = parser.parse_args()

if args.gpu >= 0:
    torch.cuda.set_device(args.gpu)

net = nn.Linear(3, 2).cuda()  # want: PF401
x = torch.ones(4, 3)
loss = net(x.cuda()).sum()  # want: PF401
print(loss.item(), net.weight.device)
# numbers: it says where the weights lie
