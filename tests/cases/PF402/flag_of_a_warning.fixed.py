"""The guard warns where the flag says no, and uses CUDA in its else: the flag is what CUDA depends on, not its opposite."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args()
if not args.cuda:
    print("you should probably run with --cuda")
else:
    torch.cuda.manual_seed(3)
device = torch.device("cuda" if args.cuda else "cpu")  # want: PF402
print(nn.Linear(2, 1).to(device))
