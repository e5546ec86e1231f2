"""Tests of a module that run it where it was made."""
import unittest

import torch
from torch import nn


class Fixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.tensor([[1.5, 0.3], [-2, 0.3]])  # want: PF305 unsafe, warning

    def forward(self, x):
        return torch.matmul(x, self.weight)


class FixedTest(unittest.TestCase):
    def setUp(self):
        self.model = Fixed()

    def test_shape(self):
        right = self.model(torch.ones(4, 2)).eq(1).sum().to(torch.float)
        self.assertEqual(right.shape, ())
