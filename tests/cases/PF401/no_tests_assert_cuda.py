"""Tests of what happens on CUDA."""
import unittest

import torch


class TestMoves(unittest.TestCase):
    @unittest.skipUnless(torch.cuda.is_available(), "needs CUDA")
    def test_cuda(self):
        x = torch.ones(2).cuda()
        self.assertTrue(x.is_cuda)

    def test_device(self):
        self.assertEqual(torch.ones(2, device="cuda").device.type, "cuda")


def test_half():
    assert torch.ones(2).cuda().half().dtype == torch.float16
