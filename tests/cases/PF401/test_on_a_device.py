"""A test that places what it makes on the device, but for one thing."""
import unittest

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class TestStep(unittest.TestCase):
    def test_step(self):
        x = torch.rand(8, 3).to(device)
        y = torch.rand(8, 1).cuda()  # want: PF401
        model = nn.Linear(3, 1).to(device)
        assert nn.functional.mse_loss(model(x), y) >= 0

    def test_of_cuda(self):
        assert torch.rand(2).cuda().is_cuda


if __name__ == "__main__":
    TestStep("test_step").test_step()
