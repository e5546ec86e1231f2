"""Decorators that ask for a GPU: by their name, by what they are given, and as marks of pytest."""
import pytest
import ray
import torch

from tools import requires_cuda


@requires_cuda
def one(x, cuda):
    if cuda:
        x = x.cuda()
    return x


@ray.remote(num_gpus=1)
def two(x, cuda):
    if cuda:
        x = x.cuda()
    return x


@pytest.mark.parametrize("cuda", [False, torch.cuda.is_available()])
def three(cuda):
    x = torch.ones(3)
    if cuda:
        x = x.cuda()
    assert x.sum() == 3
