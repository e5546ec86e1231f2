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
    if args.ngpu > 0:  # want: PF403
        model.cuda()
    x = torch.ones(1, 2)
    if args.ngpu > 0:  # want: PF403
        x = x.cuda()
    if args.ngpu > 1:
        model = nn.DataParallel(model)
    return model(x)


def listed(args):
    model = nn.Linear(2, 1)
    x = torch.ones(1, 2)
    if len(args.gpu_ids) > 0:  # want: PF403
        model, x = model.cuda(), x.cuda()
    return model(x)


def one(args):
    model = nn.Linear(2, 1)
    x = torch.ones(1, 2)
    if args.ngpu == 1:  # want: PF403 unsafe
        model.cuda()
        x = x.cuda()
    return model(x)


def none(args):
    x = torch.ones(1, 2)
    if args.ngpu == 0:  # want: PF403
        y = torch.zeros(1, 2)
    else:
        y = torch.zeros(1, 2).cuda()
    return x.sum() + y.sum().item()


print(some(args).shape, listed(args).shape, one(args).shape, none(args))
