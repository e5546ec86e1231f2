"""The guard warns where the flag says no, and seeds where it says yes: nothing is placed under it."""
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
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # want: PF402
print(nn.Linear(2, 1).to(device))
