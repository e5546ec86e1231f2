"""What may lie on a GPU although the flag is off: its partner is 0-dim, or lies on another device."""
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
parser.add_argument("--gpu", action="store_true")
args = parser.parse_args([])
use_cuda = not args.no_cuda and torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
other = torch.device("cuda" if args.gpu else "cpu")


def scaled(x):
    y = x * torch.tensor(2.0)
    if use_cuda:  # want: PF403 unsafe
        y = y.cuda()
    return y


def scaled_by_a_function(x):
    y = torch.mul(torch.tensor(2.0), x)
    if use_cuda:  # want: PF403 unsafe
        y = y.cuda()
    return y


def scaled_by_a_method(x):
    y = torch.tensor(2.0).mul(x)
    if use_cuda:  # want: PF403 unsafe
        y = y.cuda()
    return y


def scaled_by_a_sum(x):
    y = torch.ones(3).sum() * x
    if use_cuda:  # want: PF403 unsafe
        y = y.cuda()
    return y


def of_a_shape(x, shape):
    y = x * torch.ones(shape)
    if use_cuda:  # want: PF403 unsafe
        y = y.cuda()
    return y


def on_another_device(x):
    x = torch.cat([x, torch.ones(3, 3, device=other)])
    if use_cuda:  # want: PF403 unsafe
        x = x.cuda()
    return x


def on_its_own_device(x):
    x = torch.cat([x, torch.ones(3, 3, device=x.device)])
    if use_cuda:  # want: PF403 unsafe
        x = x.cuda()
    return x


def moved_elsewhere(x):
    x = x * torch.ones(3, 3).to(other)
    if use_cuda:  # want: PF403 unsafe
        x = x.cuda()
    return x


def made():
    device = torch.device("cuda" if args.gpu else "cpu")
    return torch.ones(3, 3, device=device)


def on_a_device_of_that_name():
    x = made()
    if use_cuda:  # want: PF403 unsafe
        x = x.cuda()
    return x


def as_another():
    x = torch.ones(3, 3).type_as(made())
    if use_cuda:  # want: PF403 unsafe
        x = x.cuda()
    return x
