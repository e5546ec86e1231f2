"""A guard whose other arm stops the program: there is no way around the GPU here."""
import sys

import torch
from torch import nn


def load(model):
    if torch.cuda.is_available():
        model = model.cuda()
    else:
        raise RuntimeError("this kernel requires a GPU")
    return model


def describe(use_cuda):
    net = nn.Linear(3, 3)
    if use_cuda:
        net = net.cuda()
    else:
        print("warning: running on the CPU, this will be slow")
    return net


def main():
    torch.manual_seed(127)
    net = describe(torch.cuda.is_available())
    print("parameters", sum(p.numel() for p in net.parameters()))
    try:
        load(nn.Linear(2, 2))
    except RuntimeError as error:
        print("refused:", error)
        return 0
    print("loaded")
    return 0


if __name__ == "__main__":
    sys.exit(main())
