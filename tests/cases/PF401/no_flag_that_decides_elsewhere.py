"""The device follows the flag; what goes to the GPU without asking it, and meets nothing that does, went there without the flag."""
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args()
device = torch.device("cuda" if args.cuda else "cpu")
net = nn.Linear(3, 1).to(device)
print(net(torch.ones(2, 3).to(device)).sum().item())
apart = torch.ones(2).cuda()  # want: PF401 unsafe
print(apart.is_cuda)
