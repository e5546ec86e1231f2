# The device is compared with CUDA or the CPU, or a flag says that the CPU is used: one path places the model alone.
# options: unsafe
import torch
from torch import nn


def by_name(device):
    net = nn.Linear(3, 4)
    if device == "cuda":
        net = net.cuda()
    start = torch.zeros(2, 3)
    return net(start).shape  # want: PF302 report


def by_type(device):
    net = nn.Linear(3, 4)
    if device.type != "cpu":
        net.cuda()
    start = torch.zeros(2, 3)
    return net(start).shape  # want: PF302 report


def by_its_start(device):
    net = nn.Linear(3, 4)
    if device.startswith("cuda"):
        net.to(device)
    start = torch.zeros(2, 3)
    return net(start).shape  # want: PF302 report


def without_the_cpu(args):
    net = nn.Linear(3, 4)
    if not args.cpu:
        net.cuda()
    start = torch.zeros(2, 3)
    return net(start).shape  # want: PF302 report
