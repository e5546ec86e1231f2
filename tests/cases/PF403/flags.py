"""The device honours the very flag of the guard."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
parser.add_argument("--cpu", action="store_true")
args = parser.parse_args()
args.cuda = not args.no_cuda and torch.cuda.is_available()
torch.manual_seed(3)
if args.cuda:
    torch.cuda.manual_seed(3)


def batch():
    x = torch.randn(3, 4)
    if args.cuda:  # want: PF403
        x = x.cuda()
    return x


model = nn.Linear(4, 1)
if args.cuda:  # want: PF403
    model = model.cuda()
print(model(batch()))
