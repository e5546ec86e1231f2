# not run: the simulator has no MPS
import unittest

import torch


class TestSum(unittest.TestCase):
    def test_sum(self):
        assert torch.ones(2, device="mps").sum().item() == 2


def to_mps(x):
    return x.to("mps")
