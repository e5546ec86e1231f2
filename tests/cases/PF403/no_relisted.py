"""Other items than those that the other arm hands on."""
import torch


def fewer(batch, use_cuda):
    if use_cuda:  # want: PF403 report
        inputs = [b.cuda() for b in batch[:2]]
    else:
        inputs = batch[:3]
    return inputs


def chosen(batch, use_cuda):
    if use_cuda:  # want: PF403 report
        inputs = [b.cuda() for b in batch if b is not None]
    else:
        inputs = batch
    return inputs


def other(batch, use_cuda):
    if use_cuda:  # want: PF403 report
        inputs = [b.float().cuda() for b in batch]
    else:
        inputs = batch
    return inputs


print(fewer([torch.ones(1)], False), chosen([None], False), other([], False))
