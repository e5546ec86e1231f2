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
# want: PF403
model = model.to(device)


class Attack:
    def __init__(self, model, device="cuda"):
        self.model = model
        self.device = device

    def run(self, x):
        # want: PF403 unsafe
        x = x.to(self.device)
        self.model = self.model.to(self.device)
        return self.model(x)


def predict(args):
    net = nn.Linear(2, 1)
    x = torch.ones(1, 2)
    device = torch.device("cuda" if args.device == "gpu" else "cpu")
    # want: PF403
    net.to(device)
    x = x.to(device)
    return net(x)


print(Attack(model, device).run(torch.ones(1, 2)).shape, predict(args).shape)

wide = torch.nn.Linear(2, 1)
dev = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
# want: PF403 unsafe
wide = wide.to(dev)
