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
    if args["use_cuda"]:  # want: PF403
        model.cuda()
    for step in range(3):
        x = torch.ones(1, 2) * step
        if args["use_cuda"]:  # want: PF403
            x = x.cuda()
        print(model(x).shape)


class Agent:
    def __init__(self, opt):
        torch.manual_seed(1)
        self.opt = opt
        self.model = nn.Linear(2, 1)
        if opt["cuda"]:  # want: PF403
            self.model.cuda()

    def act(self, x):
        if self.opt["cuda"]:  # want: PF403 unsafe
            x = x.cuda()
        return self.model(x.view(-1)).item()
