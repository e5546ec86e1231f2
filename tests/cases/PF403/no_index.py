import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int)
parser.add_argument("--rank", type=int)
args = parser.parse_args()
model = nn.Linear(4, 1)
if args.gpu is not None:  # want: PF403 report
    model = model.cuda(args.rank)
if torch.cuda.is_available():  # want: PF403 report
    model = model.cuda(args.gpu)
print(model)
