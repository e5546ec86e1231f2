# options: unsafe
"""To ask whether there is CUDA before the visible GPUs are chosen makes that choice count for nothing."""
import os

import torch
from torch import nn

device = torch.device("cuda")  # want: PF402 unsafe


def main(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu
    chosen = torch.device("cuda")  # want: PF402 unsafe
    return nn.Linear(3, 3).to(chosen)(torch.zeros(3, device=device))


if __name__ == "__main__":
    main("0")
