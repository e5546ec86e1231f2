"""A flag that says no, and warns: the device is right under it."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
args = parser.parse_args()
if torch.cuda.is_available() and args.no_cuda:
    print("CUDA is there, and not asked for")
device = torch.device("cpu" if args.no_cuda or not torch.cuda.is_available() else "cuda")
print(nn.Linear(2, 1).to(device))
