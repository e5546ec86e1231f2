"""Objects of CuPy and Numba have methods of these names too."""
import cupy
import torch


def upload(batch):
    return batch.cuda()  # want: PF401 report


print(upload(cupy.ones(3)), torch.ones(2).sum())
