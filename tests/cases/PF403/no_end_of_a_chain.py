"""The last arm of a chain, and it does more than place; one with another arm behind it; one that asks more."""
import torch
from torch import nn


def more(use_cuda, parallel):
    model = nn.Linear(2, 1)
    if parallel:
        model = nn.DataParallel(model)
    elif use_cuda:  # want: PF403 note
        model = model.double().cuda()
    return model


def behind(use_cuda, parallel):
    model = nn.Linear(2, 1)
    if parallel:
        model = nn.DataParallel(model)
    elif use_cuda:  # want: PF403 report
        model.cuda()
    else:
        model.double()
    return model


def asks(use_cuda, parallel, whole):
    model = nn.Linear(2, 1)
    if parallel:
        model = nn.DataParallel(model)
    elif use_cuda and whole:  # want: PF403 note
        model.cuda()
    return model


def first(use_cuda, parallel):
    model = nn.Linear(2, 1)
    if use_cuda:  # want: PF403 report
        model.cuda()
    elif parallel:
        model = nn.DataParallel(model)
    return model


print(more(False, False), behind(False, False), asks(False, False, False), first(False, False), torch.cuda.is_available())
