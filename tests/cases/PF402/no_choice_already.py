"""Definitions that are choices."""
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
args = parser.parse_args()

if torch.cuda.is_available():
    device = torch.device("cuda")
else:
    device = torch.device("cpu")
name = "cuda" if torch.cuda.is_available() else "cpu"
if args.device == "cuda" and torch.cuda.is_available():
    place = torch.device("cuda")
else:
    place = torch.device("cpu")


def make(n, device="cuda"):
    return torch.ones(n, device=device)


print(torch.ones(1).to(device), torch.ones(1).to(name), make(2, place))
