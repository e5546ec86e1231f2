"""The flag's opposite has a warning of its own, the device asks the flag."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args()
if torch.cuda.is_available() and not args.cuda:
    print("you should probably run with --cuda")
if not args.cuda:
    device = torch.device("cpu")
else:
    device = torch.device("cuda")
print(nn.Linear(2, 1).to(device))
