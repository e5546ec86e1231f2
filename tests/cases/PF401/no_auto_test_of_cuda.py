# options: target-torch=2.7 device-idiom=auto
# run: test_sum()
import unittest

import torch


def test_sum():
    assert torch.ones(2).cuda().sum() == 2
