"""A state is loaded before a placement that depends on something else than whether there is a GPU: it may not happen in the same run."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--resume", action="store_true")
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--fresh", action="store_true")
args = parser.parse_args()
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def one(state):
    model = nn.Linear(3, 2)
    optimizer = torch.optim.Adam(model.parameters())  # want: PF203 warning
    if args.resume:
        optimizer.load_state_dict(state)
    if args.fresh:
        model.to(device)
    return model, optimizer


def two(state):
    model = nn.Linear(3, 2)
    optimizer = torch.optim.Adam(model.parameters())  # want: PF203
    if args.resume:
        optimizer.load_state_dict(state)
    if args.cuda:
        model.to(device)
    return model, optimizer


def run(model, optimizer):
    where = next(model.parameters()).device
    model(torch.ones(2, 3).to(where)).sum().backward()
    optimizer.step()
    return optimizer.state_dict()


state = run(*two(None)) if not args.resume else None
plain = nn.Linear(3, 2)
state = state or run(plain, torch.optim.Adam(plain.parameters()))
run(*one(state)), run(*two(state))
# arguments: --resume --cuda
