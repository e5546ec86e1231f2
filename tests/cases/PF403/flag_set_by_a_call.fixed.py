"""A function that is handed the options may set the flag: the device is defined below its call."""
import argparse

import torch
from torch import nn


def prepare(options):
    options.cuda = options.cuda and torch.cuda.is_available()
    return "log"


def show(options):
    return str(options.cuda)


class Keeper:
    def __init__(self, options):
        self.cuda = options.cuda


parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args(["--cuda"])
log = prepare(args)
device = torch.device("cuda" if args.cuda else "cpu")
shown, keeper = show(args), Keeper(args)
net = nn.Linear(3, 3)
# want: PF403
net.to(device)
x = torch.zeros(3)
# want: PF403
x = x.to(device)
print(log, shown, keeper, net(x).shape)
