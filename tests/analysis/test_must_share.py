"""The values that must be on one device: the facts of short functions, in the state in which they end."""

from __future__ import annotations

import ast

import pytest

from placefix.facts.interpret.class_summaries import class_info
from placefix.facts.interpret.constraint_runs import ConstraintRun
from placefix.facts.interpret.device_facts import Closure, Owner
from placefix.facts.interpret.must_share import facts_at
from placefix.rules.registry import context_of
from placefix.settings import Settings
from placefix.source import Source

HEAD = """\
import torch
from torch import nn
import torch.nn.functional as F

def helper(a, b):
    return a + b

class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.lstm = nn.LSTM(n, n)
    def forward(self, x):
        return self.fc(x)
    def total(self, x):
        self.kept = x
        return helper(x, x)
    def method(self, x, y, z, n, flag):
"""


def run(body: str, tensors: str = "") -> ConstraintRun:
    """The run of a method of `Net` with parameters x, y, z, n and flag; `tensors` of them are tensors."""
    lines = (f"        {line}\n" for line in body.strip("\n").split("\n"))
    source = Source(HEAD + "".join(lines))
    tree = context_of(source, ast.parse(source.text), Settings(), None).tree
    [cls] = [scope for scope in tree.scopes.values() if scope.is_class]
    owner = Owner(class_info(cls, {}))
    return ConstraintRun(cls.functions["method"], {}, owner, frozenset(tensors))


def shared(body: str, tensors: str = "") -> set[str]:
    """The names that are on the CPU on every path if the only creation is: tensors, and layers as ``self.fc``."""
    done = run(body, tensors)
    [creation] = done.creations
    ways = []
    for known, beside in creation.exits:
        reached, _ = Closure(known | beside).reached(creation.value)
        names = {name for name, value in done.arguments_of.items() if value in reached}
        ways.append(names | {f"self.{name}" for name, value in done.attributes.items() if value in reached})
    return set.intersection(*ways)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        # operations, by their rows
        ("return torch.tensor(0.5) + x", set()),  # a tensor of no dimension mixes
        ("return torch.zeros(n) + x.relu()", {"x"}),
        ("return torch.zeros(n, n) + x", {"x"}),
        ("return x + torch.zeros(n, n)", {"x"}),
        ("return torch.cat([x, torch.zeros(n, n)])", {"x"}),
        ("return x.maximum(torch.zeros(n, n))", {"x"}),
        ("return torch.maximum(x, torch.zeros(n, n))", {"x"}),
        ("return F.mse_loss(torch.zeros(n, n), x)", {"x"}),
        ("a = torch.zeros(n, n)\na *= x\nreturn a", {"x"}),
        ("return torch.zeros(n, n)[x]", set()),  # x may have no dimension: it is read
        ("return torch.zeros(n, n)[x.unsqueeze(0)]", {"x"}),
        ("return self.fc(torch.zeros(n, n))", {"self.fc"}),
        ("return self.fc(x + torch.zeros(n, n))", {"x", "self.fc"}),
        ("return self.lstm(x, (torch.zeros(n, n), y))", {"x", "y", "self.lstm"}),
        # operations that take tensors from anywhere, or none
        ("return x.size(0) + torch.zeros(n, n)", set()),
        ("return x.to(torch.zeros(n, n).dtype)", set()),
        ("return torch.zeros(n, n).to(x.device) + x", set()),
        ("x[0] = torch.zeros(n, n)\nreturn x", set()),
        # names, tuples, lists and functions are the interpreter's
        ("a, b = torch.zeros(n, n), y\nreturn a + x", {"x"}),
        ("a = []\na.append(torch.zeros(n, n))\na.append(x)\nreturn torch.cat(a)", {"x"}),
        ("return helper(x, torch.zeros(n, n))", {"x"}),
        ("return self.forward(torch.zeros(n, n))", {"self.fc"}),
        ("return self(torch.zeros(n, n))", {"self.fc"}),
        ("a = torch.zeros(n, n)\nself.total(a)\nreturn self.kept + x", {"x"}),
        # paths
        ("a = torch.zeros(n, n)\nif flag:\n    a = a + x\nreturn a", set()),
        ("a = torch.zeros(n, n)\nif flag:\n    a = a + x\nelse:\n    a = x + a\nreturn a", {"x"}),
        ("if flag:\n    a = torch.zeros(n, n)\nelse:\n    a = y\nreturn a + x", {"x"}),
        ("a = torch.zeros(n, n)\nfor t in y:\n    a = a + x\nreturn a", {"x"}),  # the loop runs
        ("a = torch.zeros(n, n)\nwhile flag:\n    a = a + x\nreturn a", set()),  # it may not
        ("a = torch.zeros(n, n)\nfor t in y:\n    a = a + t\nreturn a", {"y"}),  # an item of y is where y is
        ("a = torch.zeros(n, n)\nreturn flag and a + x", set()),
        ("a = torch.zeros(n, n)\nreturn a + x if flag else a + y", set()),
        ("a = torch.zeros(n, n)\nreturn a + x if flag else x * a", {"x"}),
        ("a = torch.zeros(n, n)\nreturn lambda: a + x", set()),
        ("a = torch.zeros(n, n)\nif flag:\n    raise ValueError\nreturn a + x", {"x"}),
    ],
)
def test_shared(body: str, wanted: set[str]) -> None:
    assert shared(body, "xyz") == wanted


@pytest.mark.parametrize(
    ("body", "proven"),
    [
        ("return x.unsqueeze(0)", {"x"}),  # arrays have no such method
        ("return x.sum()", set()),
        ("return torch.relu(x)", {"x"}),
        ("if flag:\n    return torch.relu(x)\nreturn torch.relu(x) + torch.relu(y)", {"x"}),
        ("if flag:\n    raise ValueError\nreturn torch.relu(x)", {"x"}),
        ("return x.device", {"x"}),
    ],
)
def test_proven_tensors(body: str, proven: set[str]) -> None:
    """The parameters that are tensors in every call that runs to its end."""
    assert run(body).proven == proven


def test_an_attribute_at_the_end() -> None:
    done = run("self.kept = torch.zeros(n)\nif flag:\n    return\nself.kept = x")
    values = [done.attribute_at(end, "kept") for end in done.ends]
    assert [value is not None and len(value.creations) for value in values] == [1, 0]
    assert all(
        ("tensor", done.creations[0].value) in facts_at(end).known | facts_at(end).through[done.creations[0]]
        for end in done.ends
    )


@pytest.mark.parametrize(
    ("body", "guarded"),
    [
        ("try:\n    return torch.zeros(n) + x\nexcept RuntimeError:\n    pass", True),
        ("a = torch.zeros(n)\ntry:\n    return a + x\nexcept RuntimeError:\n    pass", True),
        ("try:\n    b = y\nexcept RuntimeError:\n    pass\nreturn torch.zeros(n) + x", False),
    ],
)
def test_a_handler_may_expect_the_failure(body: str, guarded: bool) -> None:
    [creation] = run(body).creations
    assert creation.guarded is guarded


@pytest.mark.parametrize(
    ("body", "spared"),
    [
        ("if torch.cuda.is_available():\n    return x\nreturn torch.zeros(n) + x", True),
        ("return x if torch.cuda.is_available() else torch.zeros(n)", True),
        ("if flag:\n    return x\nreturn torch.zeros(n) + x", False),
        ("if torch.cuda.is_available():\n    y = x\nreturn torch.zeros(n) + x", False),
    ],
)
def test_a_creation_where_cuda_is_not_used(body: str, spared: bool) -> None:
    [creation] = run(body).creations
    assert creation.spared is spared
