# What is handed to `fill` may be another answer after it: the device stands before, the guard behind.
import torch
from torch import nn

from options import Options, fill

args = Options()
device = torch.device("cuda" if args.cuda else "cpu")
fill(args)


def build():
    net = nn.Linear(2, 2)
    if args.cuda:  # want: PF403 report
        net.cuda()
    return net


if __name__ == "__main__":
    build()
