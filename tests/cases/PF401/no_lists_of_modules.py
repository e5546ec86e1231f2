"""What else the file does with a list may put something into it that is no module; or it is no list of this file."""
import torch
from others import fill
from torch import nn


class Net(nn.Module):
    def __init__(self, n=1):
        super().__init__()
        self.fc = nn.Linear(n, n)


class Pool:
    def __init__(self, n):
        self.parts = [Net() for _ in range(n)]
        self.shared = [Net() for _ in range(n)]
        for k in range(n):
            self.parts[k].cuda()  # want: PF401 unsafe
            self.shared[k].cuda()  # want: PF401 unsafe

    def grow(self, part):
        self.parts.append(part)

    def share(self):
        return self.shared


def handed(n):
    parts = [Net() for _ in range(n)]
    fill(parts)
    for k in range(n):
        parts[k].cuda()  # want: PF401 unsafe


def aliased(n, part):
    parts = [Net() for _ in range(n)]
    others = parts
    others.append(part)
    for k in range(n):
        parts[k].cuda()  # want: PF401 unsafe


def mixed(n, part):
    parts = [Net() for _ in range(n)]
    parts += [part]
    for k in range(n):
        parts[k].cuda()  # want: PF401 unsafe


def exchanged(n, part):
    parts = [Net() for _ in range(n)]
    parts[0] = part
    for k in range(n):
        parts[k].cuda()  # want: PF401 unsafe


def nested(n, part):
    parts = [Net() for _ in range(n)]

    def add():
        parts.insert(0, part)

    add()
    for k in range(n):
        parts[k].cuda()  # want: PF401 unsafe


def empty(n):
    parts = []
    for k in range(n):
        parts[k].cuda()  # want: PF401 unsafe


def given(parts, n):
    parts.append(Net())
    for k in range(n):
        parts[k].cuda()  # want: PF401 unsafe


def bound_inside(net, build):
    parts = [Net(), Net()]
    return build(net, lambda parts, k: parts[k].cuda())  # want: PF401 unsafe


def lists_in_a_list(n):
    parts = [[Net()] for _ in range(n)]
    for k in range(n):
        parts[k].cuda()  # want: PF401 unsafe


def loops(n, part):
    parts = [Net(), part]
    for one in parts:
        one.cuda()  # want: PF401 unsafe


def another_class(pool, part):
    pool.parts.append(part)
    return torch.ones(1)
