"""The second placement stands where the wrap cannot have happened, or the first one right above the wrap."""
import torch
from torch import nn
from unseen import build


def by_number(n):
    model = nn.Linear(3, 2)
    if n > 1:
        model.cuda()
        model = nn.DataParallel(model)
        return model
    elif n == 1:
        model = nn.DataParallel(model, device_ids=[0])
    if n == 0:
        model.cuda()
    return model


def by_flag(multi):
    model = nn.Linear(3, 2)
    if multi:
        model = nn.DataParallel(model)
    if not multi:
        model.cuda()
    return model


def by_arm(multi, other):
    model = nn.Linear(3, 2)
    if not multi:
        pass
    elif other:
        model = nn.DataParallel(model)
    if not other:
        model.cuda()
    return model


def above():
    model = getattr(build(), "net")()
    model.cuda()
    model = nn.DataParallel(model)
    model.cuda()
    return model


by_number(1), by_flag(False), by_arm(False, False)
