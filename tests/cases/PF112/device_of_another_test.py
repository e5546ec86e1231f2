# rules: PF112
"""The device further down answers another question than the test that decides where the input lies."""
# machines: 0
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", action="store_true")
args = parser.parse_args([])

x = torch.ones(2, 3)
weight = torch.ones(3)
net = nn.Linear(3, 3)  # want: PF112 report
if args.gpu:
    x = x.cuda()
else:
    x = x.cpu()
print(net(x).shape, (x * weight).shape)
where = torch.device("cpu" if args.gpu else "cuda")
if torch.cuda.is_available():
    x = x.to(where)
