# options: unsafe
"""Moved item by item, or handed on as they are: the same, but for the list."""
# run: print(sum(t.sum() for t in unpack([torch.ones(2), torch.ones(3), 7], torch.cuda.is_available())).item())
# run: print(sum(t.sum() for t in every([torch.ones(2), torch.ones(3)], torch.cuda.is_available())).item())
import torch


def unpack(batch, use_cuda):
    if use_cuda:  # want: PF403 unsafe
        inputs = [b.cuda() if b is not None else None for b in batch[:2]]
    else:
        inputs = batch[:2]
    return inputs


def every(tensors, use_cuda):
    if use_cuda:  # want: PF403 unsafe
        return [t.cuda() for t in tensors]
    return tensors
