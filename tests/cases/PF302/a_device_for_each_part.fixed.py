# A program that gives each part a device of its own: the one that is not known may be the CPU, and is here.
# before: clean: the device of the head is the CPU
# machines: 1,2
import argparse

import torch
import torch.nn as nn


def place(part):
    if part == "head":
        return torch.device("cpu")
    return torch.device("cuda")


parser = argparse.ArgumentParser()
parser.add_argument("--head-device", default="cpu")
parser.add_argument("--body-device", default="cuda")
args = parser.parse_args()

x = torch.ones(2, 3)
head = nn.Linear(3, 2).to(args.head_device)
body = nn.Linear(3, 3).to(args.body_device)
print(head(x.to(args.head_device)).shape, body(x.to(args.body_device)).shape)  # want: PF302 safe, warning

y = torch.ones(2, 3)
tail = nn.Linear(3, 2).to(place("head"))
trunk = nn.Linear(3, 3).to(place("trunk"))
print(tail(y.to(place("head"))).shape, trunk(y.to(place("trunk"))).shape)  # want: PF302 safe, warning
