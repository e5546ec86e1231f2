# options: unsafe
"""The body of a class runs with the file: a test for CUDA in it comes before the variable is written."""
import os

import torch
from torch import nn


class Config:
    device = "cuda" if torch.cuda.is_available() else "cpu"  # want: PF402 unsafe


def main():
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"
    print(nn.Linear(2, 1).to(Config.device)(torch.ones(1, 2).to(Config.device)))


main()
