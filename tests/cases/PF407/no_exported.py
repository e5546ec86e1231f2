"""A library file: others import the name."""
import torch

use_cuda = torch.cuda.is_available()
FloatTensor = torch.cuda.FloatTensor if use_cuda else torch.FloatTensor  # want: PF407 report


def zeros(n):
    return FloatTensor(n, n).zero_()
