"""The values that were on one device in every run that ended: queries about a function of a few lines."""

from __future__ import annotations

import ast

import pytest

from placefix.rules.cuda.device_agreement import Meets
from placefix.rules.cuda.use_sites import Cuda
from placefix.rules.registry import context_of
from placefix.settings import Settings
from placefix.source import Source

HEAD = """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, device):
        self.table = torch.ones(3).to(device)

def added(a, b):
    return a + b

def function(x, y, net, device, flag, use_cuda):
"""


def _queries(body: str) -> tuple[Meets, Cuda]:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    source = Source(HEAD + lines)
    context = context_of(source, ast.parse(source.text), Settings(), None)
    return context.get(Meets), context.get(Cuda)


@pytest.mark.parametrize(
    ("body", "meets"),
    [
        ("return x.to(device) + y.cuda()", True),
        ("x = x.to(device)\nreturn added(x, y.cuda())", True),  # the call is followed
        ("x = x.to(device)\nreturn x, y.cuda()", False),
        ("x = x.to(device)\nreturn x.cpu() + y.cuda().cpu()", False),
        ("x = x.to(device)\nreturn x.copy_(y.cuda())", False),  # it takes a tensor from any device
        ("x, y = x.to(device), y.cuda()\nreturn torch.where(x > 2, x, y)", True),
        ("return torch.add(x.to(device), 1, out=y.cuda())", True),
        ("x, y = x.to(device), y.cuda()\nreturn x[y]", True),
        ("x, y = x.to(device), y.cuda()\nreturn y[x]", False),  # an index may be on the CPU
        ("net.to(device)\nreturn net(y.cuda())", True),
        ("net.to(device)\nnet = nn.DataParallel(net)\nreturn net(y.cuda())", False),
        ("x, y = x.to(device), y.cuda()\nnet.train()\nreturn net(x) + y", True),  # a module computes with its argument
        ("x, y = x.to(device), y.cuda()\nreturn net(x) + y", False),  # nobody knows what `net` is
        # paths
        ("x, y = x.to(device), y.cuda()\nif flag:\n    return y\nreturn x + y", False),
        ("x, y = x.to(device), y.cuda()\nif flag:\n    raise ValueError\nreturn x + y", True),
        ("x, y = x.to(device), y.cuda()\nfor i in flag:\n    x += y\nreturn x", True),  # a loop runs
        ("x, y = x.to(device), y.cuda()\nwhile flag:\n    x += y\nreturn x", False),
        ("if flag:\n    x = x.to(device)\nreturn x + y.cuda()", False),
        ("x = x.to(device)\nx = x.cpu()\nreturn x + y.cuda()", False),
    ],
)
def test_agrees_with_device(body: str, meets: bool) -> None:
    queries, cuda = _queries(body)
    [site] = [site for site in cuda.sites if site.form == "cuda"]
    assert queries(site, "device") is meets


@pytest.mark.parametrize(
    ("body", "meets"),
    [
        ("if use_cuda:\n    y = y.cuda()\nreturn x.to(device) + y", True),
        ("y = y.cuda() if use_cuda else y\nreturn x.to(device) + y", True),
        ("if use_cuda:\n    y = x.to(device) + y.cuda()\nreturn y", False),  # only if the flag is true
        (
            "if use_cuda:\n    y = y.cuda()\nfor i in flag:\n    y += x.to(device)\nreturn y",
            False,
        ),  # the loop may not run
        ("if use_cuda:\n    net.cuda()\nreturn net(x.to(device))", True),
        ("if use_cuda:\n    y = y.cuda()\nif net:\n    y = x\nreturn x.to(device) + y", False),  # another value
    ],
)
def test_agrees_without_the_guard_too(body: str, meets: bool) -> None:
    queries, cuda = _queries(body)
    [site] = [site for site in cuda.sites if site.form == "cuda"]
    assert queries.beyond(site, "device") is meets


@pytest.mark.parametrize(
    ("body", "meets"),
    [
        ("return x + torch.ones(3).cuda()", True),
        ("x = x.view(-1)\nreturn x + torch.ones(3).cuda()", True),
        ("x = y\nreturn x + torch.ones(3).cuda()", False),  # no longer the parameter
        ("state = torch.ones(3).cuda()\nreturn x + torch.ones(3).cuda(), state", True),  # the other one is there too
    ],
)
def test_agrees_with_parameter(body: str, meets: bool) -> None:
    queries, cuda = _queries(body)
    sites = [site for site in cuda.sites if site.form == "cuda"]
    assert queries.parameter(sites[0], "x") is meets
