"""Warnings that ask for a GPU, too, say nothing of what CUDA depends on: availability alone decides."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--no-cuda", action="store_true")
args = parser.parse_args()
if torch.cuda.is_available() and not args.cuda:
    print("you should probably run with --cuda")
if torch.cuda.is_available() and args.no_cuda:
    print("CUDA is there, and not asked for")
if not args.cuda or not torch.cuda.is_available():
    print("this will take long")
if not args.cuda:
    if torch.cuda.is_available():
        print("you should probably run with --cuda")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # want: PF402
print(nn.Linear(2, 1).to(device))
