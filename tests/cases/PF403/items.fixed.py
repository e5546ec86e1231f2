# options: unsafe
"""Options in a dict are flags like any other."""
# run: train(vars(parser.parse_args([])))
# run: train(vars(parser.parse_args(["--use-cuda"] if torch.cuda.is_available() else [])))
# run: print(Agent({"cuda": torch.cuda.is_available()}).act(torch.ones(2)))
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--use-cuda", action="store_true")


def train(args):
    args["use_cuda"] = args["use_cuda"] and torch.cuda.is_available()
    model = nn.Linear(2, 1)
    device = torch.device("cuda" if args["use_cuda"] else "cpu")
    # want: PF403
    model.to(device)
    for step in range(3):
        x = torch.ones(1, 2) * step
        # want: PF403
        x = x.to(device)
        print(model(x).shape)


class Agent:
    def __init__(self, opt):
        torch.manual_seed(1)
        self.opt = opt
        self.model = nn.Linear(2, 1)
        device = torch.device("cuda" if opt["cuda"] else "cpu")
        # want: PF403
        self.model.to(device)

    def act(self, x):
        device = torch.device("cuda" if self.opt["cuda"] else "cpu")
        # want: PF403 unsafe
        x = x.to(device)
        return self.model(x.view(-1)).item()
