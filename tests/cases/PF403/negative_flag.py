"""The other way round: --cpu."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--cpu", action="store_true")
opt = parser.parse_args()

model = nn.Linear(4, 1)
if not opt.cpu:  # want: PF403
    model.cuda()
x = torch.randn(2, 4)
x = x if opt.cpu else x.cuda()  # want: PF403
print(model(x))
# machines: 1,2
