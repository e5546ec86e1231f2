"""The script has a flag of its own, that nothing is placed under: what goes to the GPU goes there without it."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
args = parser.parse_args()
args.cuda = not args.no_cuda and torch.cuda.is_available()

torch.manual_seed(1)
if args.cuda:
    torch.cuda.manual_seed(1)


def features(x):
    return x.view(x.size(0), -1).cuda()  # want: PF401


model = nn.Linear(6, 1).cuda()  # want: PF401
print(model(features(torch.randn(2, 2, 3))))
