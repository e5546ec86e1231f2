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
    device = torch.device(f"cuda:{args.gpu}" if args.gpu is not None else "cpu")
    if args.gpu is not None:  # want: PF403
        torch.cuda.set_device(args.gpu)
        cudnn.benchmark = True
    model = model.to(device)
    x = torch.ones(3, 2)
    # want: PF403
    x = x.to(device, non_blocking=True)
    return model(x).sum().item()


def first(x, gpu: Optional[int] = None):
    device = torch.device(f"cuda:{gpu}" if gpu is not None else "cpu")
    y = torch.ones(2, device=device)  # want: PF403
    return x.sum().item() + y.sum().item()


def convert(batch, device=-1):
    x, y = torch.tensor(batch), torch.ones(2)
    torch_device = torch.device(f"cuda:{device}" if device >= 0 else "cpu")
    # want: PF403
    x = x.to(torch_device)
    y = y.to(device=torch_device)
    return (x + y).sum().item()


def unknown(gpu_id):
    device = torch.device(f"cuda:{gpu_id}" if gpu_id is not None else "cpu")
    x = torch.ones(2, device=device)  # want: PF403 unsafe
    return x.sum().item()


def other_arm(args):
    model = nn.Linear(2, 1)
    device = torch.device(f"cuda:{args.gpu}" if args.gpu is not None else "cpu")
    if args.gpu is not None:  # want: PF403
        where = "gpu"
    else:
        where = "cpu"
    model = model.to(device)
    return type(model), where


args = parser.parse_args()
print(train(args) is not None, first(torch.ones(2), args.gpu), convert([1.0, 2.0], -1 if args.gpu is None else args.gpu))
print(unknown(args.card), other_arm(args) is not None)


def handed(x, gpu: int = -1):
    device = torch.device(f"cuda:{gpu}" if gpu >= 0 else "cpu")
    return x.float().to(device)  # want: PF403 unsafe


print(handed(torch.ones(2)).sum().item())
