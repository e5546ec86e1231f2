# options: unsafe
"""A guard that asks for the number of a GPU, and moves that go to that very GPU."""
import argparse
from typing import Optional

import torch
from torch import nn
from torch.backends import cudnn

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=torch.cuda.device_count() - 1 if torch.cuda.is_available() else None)
parser.add_argument("--card", default=0 if torch.cuda.is_available() else None)


def train(args):
    model = nn.Linear(2, 1)
    if args.gpu is not None:  # want: PF403
        torch.cuda.set_device(args.gpu)
        model = model.cuda(args.gpu)
        cudnn.benchmark = True
    x = torch.ones(3, 2)
    if args.gpu is not None:  # want: PF403
        x = x.cuda(args.gpu, non_blocking=True)
    return model(x).sum().item()


def first(x, gpu: Optional[int] = None):
    y = torch.ones(2)
    if gpu is not None:  # want: PF403
        y = y.cuda(gpu)
    return x.sum().item() + y.sum().item()


def convert(batch, device=-1):
    x, y = torch.tensor(batch), torch.ones(2)
    if device >= 0:  # want: PF403
        x = x.cuda(device)
        y = y.cuda(device=device)
    return (x + y).sum().item()


def unknown(gpu_id):
    x = torch.ones(2)
    if gpu_id is not None:  # want: PF403 unsafe
        x = x.cuda(gpu_id)
    return x.sum().item()


def other_arm(args):
    model = nn.Linear(2, 1)
    if args.gpu is not None:  # want: PF403
        where = "gpu"
        model = model.cuda(args.gpu)
    else:
        where = "cpu"
    return type(model), where


args = parser.parse_args()
print(train(args) is not None, first(torch.ones(2), args.gpu), convert([1.0, 2.0], -1 if args.gpu is None else args.gpu))
print(unknown(args.card), other_arm(args) is not None)


def handed(x, gpu: int = -1):
    return x.float().cuda(gpu) if gpu >= 0 else x.float()  # want: PF403 unsafe


print(handed(torch.ones(2)).sum().item())
