"""They are chosen in main: every function asks when it runs."""
import os
import sys

import torch
from torch import nn


def batch(n):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.randn(n, 3).to(device)  # want: PF401


def main(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu
    model = nn.Linear(3, 1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    for _ in range(2):
        print(model.to(device)(batch(2)))  # want: PF401


if __name__ == "__main__":
    main(sys.argv[1])
# arguments: 0
