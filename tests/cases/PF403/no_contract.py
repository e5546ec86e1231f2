"""What a function named for it does."""
import torch


def to_cuda(x):
    if torch.cuda.is_available():
        x = x.cuda()
    return x


def maybe_cuda(x, use_cuda):
    return x.cuda() if use_cuda else x
