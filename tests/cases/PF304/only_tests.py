"""A module that only the tests of its file use, which place nothing: nothing is shown to fail."""
# not run: the file is for a runner of tests
import torch
from torch import nn


class Traced(nn.Module):
    def forward(self, x):
        return x + torch.arange(x.size(0))  # want: PF304 safe, warning


class OnADevice(nn.Module):
    def forward(self, x):
        return x + torch.arange(x.size(0))  # want: PF304


class Built(nn.Module):
    def forward(self, x):
        return x + torch.arange(x.size(0))  # want: PF304


class ByAHelper(nn.Module):
    def forward(self, x):
        return x + torch.arange(x.size(0))  # want: PF304


def test_traced():
    assert Traced()(torch.rand(10).to("meta")).is_meta


def test_on_a_device(device):
    OnADevice()(torch.rand(10, device=device))


def build():
    return Built()


def test_built():
    build()


def placed(net):
    return net.cuda()


def test_by_a_helper():
    placed(ByAHelper())
