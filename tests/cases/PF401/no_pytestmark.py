"""A whole file that is skipped without a GPU."""
import pytest
import torch

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")


def total():
    return torch.ones(3).cuda().sum()


def test_total():
    assert total() == 3
