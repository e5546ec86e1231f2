# options: unsafe
"""How many GPUs to use, as a yes or no, is the script's own flag."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--ngpu", type=int, default=torch.cuda.device_count())
parser.add_argument("--gpu_ids", type=int, nargs="*", default=list(range(torch.cuda.device_count())))
args = parser.parse_args()


def some(args):
    model = nn.Linear(2, 1)
    device = torch.device("cuda" if args.ngpu > 0 else "cpu")
    # want: PF403
    model.to(device)
    x = torch.ones(1, 2)
    # want: PF403
    x = x.to(device)
    if args.ngpu > 1:
        model = nn.DataParallel(model)
    return model(x)


def listed(args):
    model = nn.Linear(2, 1)
    x = torch.ones(1, 2)
    device = torch.device("cuda" if len(args.gpu_ids) > 0 else "cpu")
    # want: PF403
    model, x = model.to(device), x.to(device)
    return model(x)


def one(args):
    model = nn.Linear(2, 1)
    x = torch.ones(1, 2)
    device = torch.device("cuda" if args.ngpu == 1 else "cpu")
    # want: PF403 unsafe
    model.to(device)
    x = x.to(device)
    return model(x)


def none(args):
    x = torch.ones(1, 2)
    device = torch.device("cpu" if args.ngpu == 0 else "cuda")
    y = torch.zeros(1, 2, device=device)
    return x.sum() + y.sum().item()


print(some(args).shape, listed(args).shape, one(args).shape, none(args))
