"""Tests: what they run on is what they test."""
import unittest

import torch
from torch import nn


class Base:
    pass


class TestHalf(Base, unittest.TestCase):
    def setUp(self):
        self.model = nn.Linear(3, 1)

    def test_half(self):
        x = torch.ones(2, 3).cuda().half()
        self.assertEqual(self.model.cuda().half()(x).dtype, torch.float16)


class TestMore(TestHalf):
    def test_argument(self):
        self.assertEqual(torch.ones(2, device="cuda").sum().item(), 2)


class NeedsGPU(unittest.TestCase):
    def setUp(self):
        if not torch.cuda.is_available():
            self.skipTest("no GPU")
        self.model = nn.Linear(3, 1).cuda()

    def check(self, x):
        return self.model(x.view(1, 3).cuda())


if torch.cuda.is_available():

    class Kernels:
        def add(self):
            return torch.ones(2).cuda() + torch.ones(2).cuda()  # want: PF401 note
