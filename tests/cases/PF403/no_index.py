import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int)
args = parser.parse_args()
model = nn.Linear(4, 1)
if args.gpu is not None:  # want: PF403 report
    model = model.cuda(args.gpu)
if torch.cuda.is_available():  # want: PF403 report
    model = model.cuda(args.gpu)
print(model)
