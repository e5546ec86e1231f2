"""A flag that nothing is placed under does not decide where this goes: it went to the GPU without it."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args()
if args.cuda:
    torch.cuda.manual_seed(3)
device = torch.device("cuda")  # want: PF402
print(nn.Linear(2, 1).to(device))
