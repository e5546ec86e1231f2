"""What is made on the device of the input meets it wherever a test puts it."""
import torch
from torch import nn


class Traced(nn.Module):
    def forward(self, x):
        return x + torch.arange(x.size(0), device=x.device)


def test_traced():
    assert Traced()(torch.rand(10).to("meta")).is_meta


def test_on_a_device(device):
    Traced()(torch.rand(10, device=device))
