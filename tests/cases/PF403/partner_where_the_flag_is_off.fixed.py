"""What meets a tensor that lies on the CPU where the flag is off lies there, too; a 0-dim tensor meets anything."""
# machines: 0
# run: print(joined(torch.ones(3, 3)), multiplied(torch.ones(3, 3)), of_a_length(torch.ones(3)), literal(torch.ones(3)), by_a_number(), filled(2.0), shaped(3))
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
args = parser.parse_args([])
use_cuda = not args.no_cuda and torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")


def joined(x):
    mask = torch.ones(3, 3, device=device)
    x = torch.cat([x, mask])
    # want: PF403
    x = x.to(device)
    return x


def multiplied(x):
    mask = torch.ones(3, 3).to(device)
    x = x * mask
    # want: PF403
    x = x.to(device)
    return x


def of_a_length(x):
    x = x + torch.arange(len(x))
    # want: PF403
    x = x.to(device)
    return x


def literal(x):
    x = torch.tensor([1.0, 2.0, 3.0]) * x
    # want: PF403
    x = x.to(device)
    return x


def by_a_number():
    x = torch.tensor(2.0) * 3
    # want: PF403
    x = x.to(device)
    return x


def filled(number):
    x = torch.ones(3, 3).fill_(number)
    # want: PF403
    x = x.to(device)
    return x.view(9)


def shaped(n):
    x = torch.ones(9, device=device).view(n, n)  # want: PF403
    return x
