"""The other way round: --cpu."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--cpu", action="store_true")
opt = parser.parse_args()
device = torch.device("cuda" if not opt.cpu else "cpu")

model = nn.Linear(4, 1)
# want: PF403
model.to(device)
x = torch.randn(2, 4)
x = x.to(device)  # want: PF403
print(model(x))
# machines: 1,2
