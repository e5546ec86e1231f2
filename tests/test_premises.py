"""Premises of values: where they begin, how operations and joins unite them, and what they make of a fix."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from placefix import engine
from placefix.diagnostic import Applicability
from placefix.facts.finding import fix_of, made_unsafe
from placefix.facts.interpret.trace import Observer
from placefix.facts.premises import NAME_IS_TENSOR, SENT_BY_NCCL
from placefix.facts.program.device_values import Device
from placefix.rules import RULES
from placefix.rules.registry import context_of
from placefix.settings import Settings
from placefix.source import Source

if TYPE_CHECKING:
    from placefix.facts.interpret.values import Obj

HEAD = "import torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader, TensorDataset\nfrom zoo import build, data\n"
UNKNOWN = "loader = DataLoader(data())\n"
KNOWN = "loader = DataLoader(TensorDataset(torch.zeros(8, 3), torch.zeros(8)))\n"


class Values(Observer):
    """What each expression, by its text, came to."""

    def __init__(self, code: str) -> None:
        self.seen: dict[str, list[Obj]] = defaultdict(list)
        source = Source(code)
        context = context_of(source, engine.parse(source), Settings())
        super().__init__(context.tree, source, always=True)

    def observe(self, node: ast.expr, value: Obj) -> None:
        self.seen[ast.unparse(node)].append(value)


def keys(code: str, text: str) -> list[str]:
    """The keys of the premises of the last value of an expression."""
    return [premise.key for premise in Values(HEAD + code).seen[text][-1].premises]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        # where they begin
        (UNKNOWN, "DataLoader(data())", ["loader-yields-cpu"]),
        (KNOWN, "DataLoader(TensorDataset(torch.zeros(8, 3), torch.zeros(8)))", []),
        ("x = torch.zeros(3).cuda()\n", "torch.zeros(3)", []),
        ("def f(device):\n    x = torch.zeros(3).to(device)\n", "device", ["device-by-name"]),
        ("def f(args):\n    x = torch.zeros(3).to(args.device)\n", "args.device", ["device-by-name"]),
        ("net = nn.DataParallel(build()).cuda()\nnet.module\n", "net.module", ["is-module"]),
        ("net = nn.DataParallel(nn.Linear(3, 3)).cuda()\nnet.module\n", "net.module", []),
        # what is made of a value has its premises
        (
            UNKNOWN + "for x, y in loader:\n    z = x.float() + 1\n    z.cuda()\n",
            "x.float() + 1",
            ["loader-yields-cpu"],
        ),
        (KNOWN + "for x, y in loader:\n    z = x.float() + 1\n    z.cuda()\n", "x.float() + 1", []),
        # an operation unites those of its operands
        (
            UNKNOWN + "a = torch.zeros(3)\nfor x, y in loader:\n    z = a * x\n    z.cuda()\n",
            "a * x",
            ["loader-yields-cpu"],
        ),
        # a join those of its sides, whichever comes first
        (f"if input():\n    {UNKNOWN}else:\n    {KNOWN}loader.cuda\n", "loader", ["loader-yields-cpu"]),
        (f"if input():\n    {KNOWN}else:\n    {UNKNOWN}loader.cuda\n", "loader", ["loader-yields-cpu"]),
        (f"if input():\n    {KNOWN}else:\n    {KNOWN}loader.cuda\n", "loader", []),
    ],
)
def test_values_have_premises(code: str, text: str, expected: list[str]) -> None:
    assert keys(code, text) == expected


def test_a_device_has_premises_where_it_may_be_the_cpu() -> None:
    named = Device("other", "device").premises
    assert [premise.text for premise in named] == [
        "`device`, the device of the other operand, is assumed to be the GPU"
    ]
    assert [premise.key for premise in Device("other").premises] == ["flag-chooses-gpu"]
    assert not Device("cuda").premises + Device("cpu").premises + Device("available", "device").premises


LOOP = "net = nn.Linear(3, 3).to('cuda')\nfor x, y in loader:\n    net(x)\n"


@pytest.mark.parametrize(("code", "expected"), [(KNOWN + LOOP, ()), (UNKNOWN + LOOP, ("loader-yields-cpu",))])
def test_a_fix_has_the_premises_of_the_values(code: str, expected: tuple[str, ...]) -> None:
    source = Source(HEAD + code)
    rules = [rule for rule in RULES if rule.code == "PF301"]
    fix = next(d.fix for d in engine.check(source, Settings(), rules) if d.fix is not None)
    assert tuple(key for key, _ in fix.premises) == expected
    assert (fix.applicability is Applicability.SAFE) == (not expected)
    assert fix.premise == "; ".join(text for _, text in fix.premises)


def test_a_fix_is_safe_exactly_without_premises() -> None:
    one, two = NAME_IS_TENSOR(name="x"), SENT_BY_NCCL(name="x")
    safe = fix_of((), "a title")
    assert (safe.applicability, safe.premise, safe.premises) == (Applicability.SAFE, "", ())
    unsafe = fix_of((), "a title", (one,))
    assert (unsafe.applicability, unsafe.premises) == (Applicability.UNSAFE, ((one.key, one.text),))
    assert made_unsafe(safe, one) == unsafe
    assert made_unsafe(unsafe, two) == fix_of((), "a title", (one, two))
    assert fix_of((), "a title", shown=True).applicability is Applicability.DISPLAY
