"""That there is not one GPU, or that it is not number 1, does not say that there is none."""
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--n_gpu", type=int, default=2)
args = parser.parse_args()

net = nn.Linear(3, 2).cuda()
out = net(torch.randn(4, 3).cuda())
if args.n_gpu == 1:
    out = out + torch.ones(2).cuda()
else:
    out = out + torch.ones(2).cuda()  # want: PF302
print(out)

# machines: 1,2
