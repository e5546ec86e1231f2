"""On another path the parameter is the caller's, and nothing moves it."""
import torch
from labels import show


def under_another_test(x, first, label=None):
    if first:
        if label is not None:
            label = torch.LongTensor(1).cuda().fill_(1)  # want: PF401 unsafe
    return show(x, label)


def where_it_is_none(x, label=None):
    if label is None:
        label = torch.LongTensor(1).cuda()  # want: PF401 unsafe
    return show(x, label)


def in_the_other_arm(x, label=None):
    if label is not None:
        x = x + 1
    else:
        label = torch.LongTensor(1).cuda()  # want: PF401 unsafe
    return show(x, label)
