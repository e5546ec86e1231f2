"""self.device and args.device."""
import argparse

import torch
from torch import nn


class Solver:
    def __init__(self, model):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)

    def step(self, x):
        x = x.view(-1, 4).to(self.device)  # want: PF401
        return self.model(x)


def run(args):
    x = torch.ones(2, 4, device=args.device)  # want: PF401
    return Solver(nn.Linear(4, 1)).step(x)


if __name__ == "__main__":
    args = argparse.ArgumentParser().parse_args()
    args.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    print(run(args))
