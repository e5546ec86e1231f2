# options: unsafe
"""A guard that asks what a device is called: the device itself, or the flag that it is."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--device", choices=["cpu", "gpu"], default="gpu" if torch.cuda.is_available() else "cpu")
args = parser.parse_args()
device = "cuda" if torch.cuda.is_available() else "cpu"

model = nn.Linear(2, 1)
if device == "cuda":  # want: PF403
    model = model.cuda()


class Attack:
    def __init__(self, model, device="cuda"):
        self.model = model
        self.device = device

    def run(self, x):
        if self.device == "cuda":  # want: PF403 unsafe
            x = x.cuda()
            self.model = self.model.cuda()
        return self.model(x)


def predict(args):
    net = nn.Linear(2, 1)
    x = torch.ones(1, 2)
    if args.device == "gpu":  # want: PF403
        net.cuda()
        x = x.cuda()
    return net(x)


print(Attack(model, device).run(torch.ones(1, 2)).shape, predict(args).shape)

wide = torch.nn.Linear(2, 1)
dev = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
if dev == "cuda":  # want: PF403 unsafe
    wide = wide.cuda()
