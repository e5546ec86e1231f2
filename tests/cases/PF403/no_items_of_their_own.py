# options: unsafe
"""A list of some of the items, of other items or under another name; a dict with other keys, or of the values' own."""
import torch


def some(xs, use_cuda):
    if use_cuda:  # want: PF403 note
        xs = [x.cuda() for x in xs if x is not None]
    return xs


def other(xs, ys, use_cuda):
    if use_cuda:  # want: PF403 note
        xs = [y.cuda() for y in ys]
    return xs


def keyed(batch, use_cuda):
    if use_cuda:  # want: PF403 note
        batch = {str(k): v.cuda() for k, v in batch.items()}
    return batch


def viewed(batch, use_cuda):
    if use_cuda:  # want: PF403 note
        batch = {k: v.view(-1).cuda() for k, v in batch.items()}
    return batch


print(some([], False), other([], [], False), keyed({}, False), viewed({}, False), torch.ones(1))
