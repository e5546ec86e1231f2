# options: unsafe
"""A definition with a number apart, and one with the number of the user's option: both fail without CUDA."""
# machines: 0,2
import argparse

import torch
from torch import nn


def first():
    return torch.device("cuda", 0) if torch.cuda.is_available() else torch.device("cpu")  # want: PF402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", type=int, default=1)
    args = parser.parse_args()
    device = torch.device(f"cuda:{args.gpu}" if torch.cuda.is_available() else "cpu")  # want: PF402 unsafe
    model = nn.Linear(2, 1).to(device)
    again = nn.Linear(1, 1).to(
        "cuda:" + str(args.gpu) if torch.cuda.is_available() else "cpu"
    )  # want: PF402 unsafe
    return again(
        model(
            torch.ones(
                1, 2, device=f"cuda:{args.gpu}" if torch.cuda.is_available() else "cpu"
            )
        )
    )  # want: PF402 unsafe


print(main().shape, torch.ones(1, device=first()).shape)
