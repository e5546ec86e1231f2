"""Where a value comes from, whoever calls the function that it is in: `here(x)` marks the expression that is asked about."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from placefix.facts.interpret.provenance import Provenance
from placefix.rules.registry import context_of
from placefix.runner import Repositories
from placefix.settings import Settings
from placefix.source import Source

if TYPE_CHECKING:
    from pathlib import Path

    from placefix.facts.program.repository import Home
    from placefix.facts.program.tree import Scope

HEAD = """\
import torch
from torch import nn
from elsewhere import build, Thing

class Net(nn.Module):
    def __init__(self, n=1):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.table = torch.zeros(n)
    @classmethod
    def load(cls, path):
        return cls(3)

class Own:
    def cuda(self):
        return self

"""


def asked(program: str, home: Home | None = None) -> tuple[Provenance, ast.expr, Scope]:
    """The domain, the argument of ``here(…)`` and the function that it is in."""
    source = Source(HEAD + program)
    context = context_of(source, ast.parse(source.text), Settings(), home)
    [(call, stmt)] = context.index.called("here")
    return context.get(Provenance), call.args[0], stmt.scope


def origin(program: str, home: Home | None = None) -> str:
    """The origin of the argument of ``here(…)``."""
    provenance, expr, scope = asked(program, home)
    return provenance.of(expr, scope, "cuda")


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        # what is made in the function
        ("def f(n):\n    x = torch.ones(n)\n    here(x)", "torch"),
        ("def f(x):\n    here(x)", ""),
        ("def f(x):\n    x = torch.from_numpy(x)\n    here(x)", "torch"),
        ("def f(x):\n    x = x.unsqueeze(0)\n    here(x)", "torch"),
        ("def f(x):\n    x = x.get(0)\n    here(x)", ""),
        ("def f(x):\n    x = x[0, 1:]\n    here(x)", "torch"),
        ("def f(p):\n    here(p.grad)", "torch"),
        ("def f(n):\n    net = Net(n).eval().float()\n    here(net)", "torch"),
        ("def f(n):\n    thing = Own()\n    here(thing)", "own"),
        ("def f(n):\n    thing = Thing()\n    here(thing)", ""),
        ("def f(path):\n    here(torch.load(path)['net'])", "torch"),
        # on several ways
        ("def f(n, x):\n    y = torch.ones(n)\n    if n:\n        y = x\n    here(y)", ""),
        ("def f(n):\n    y = torch.ones(n)\n    if n:\n        y = Net(n)\n    here(y)", "torch"),
        ("def f(n):\n    y = Own()\n    if n:\n        y = Net(n)\n    here(y)", "own"),
        ("def f(x):\n    y = x\n    y = torch.ones(1)\n    here(y)", "torch"),
        # how it is treated is no proof
        ("def f(net):\n    net.train()\n    net.zero_grad()\n    here(net)", ""),
        # results of functions
        ("def make(n):\n    return Net(n)\ndef f(n):\n    net = make(n)\n    here(net)", "torch"),
        ("def make(n):\n    if n:\n        return Net(n)\ndef f(n):\n    net = make(n)\n    here(net)", ""),
        ("def same(x):\n    return x\ndef f(n):\n    x = same(torch.ones(n))\n    here(x)", ""),
        ("def pair(x):\n    return x, torch.ones(2)\ndef f(x):\n    a, b = pair(x)\n    here(b)", "torch"),
        ("def pair(x):\n    return x, torch.ones(2)\ndef f(x):\n    a, b = pair(x)\n    here(a)", ""),
        ("def f(path):\n    net = Net.load(path)\n    here(net)", "torch"),
        ("def twice(n):\n    return twice(n - 1) if n else Net(n)\ndef f(n):\n    here(twice(n))", "torch"),
        ("def outer(n):\n    x = torch.ones(n)\n    def inner():\n        here(x)\n    return inner", "torch"),
        # module level
        ("net = build()\ndef f():\n    here(net)", ""),
        ("net = Net()\ndef f():\n    here(net)", "torch"),
    ],
)
def test_origin(program: str, wanted: str) -> None:
    assert origin(program) == wanted


ATTRIBUTE = "class A:\n    def __init__(self, x):\n        self.x = {first}\n    def f(self):\n        here(self.x)\n"


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        (ATTRIBUTE.format(first="torch.ones(2)"), "torch"),
        (ATTRIBUTE.format(first="x"), ""),
        (ATTRIBUTE.format(first="Net()") + "    def g(self):\n        self.x = self.x.half()\n", "torch"),
        (ATTRIBUTE.format(first="Net()") + "    def g(self):\n        self.x = torch.ones(1)\n", "torch"),
        (ATTRIBUTE.format(first="Net()") + "    def g(self, x):\n        self.x = x\n", ""),
        (ATTRIBUTE.format(first="Net()") + "    def g(self):\n        self.x = Own()\n", "own"),
        (ATTRIBUTE.format(first="Net()") + "def g(a, x):\n    a.x = x\n", ""),
        (ATTRIBUTE.format(first="self.make()") + "    def make(self):\n        return Net()\n", "torch"),
        ("def f():\n    f.x = torch.ones(1)\n    x = f.x\n    here(x)\n", "torch"),
        ("def f():\n    x = f.x\n    here(x)\ndef g(x):\n    f.x = x\n", ""),
    ],
)
def test_attributes(program: str, wanted: str) -> None:
    assert origin(program) == wanted


ITEM = "def f(n, x):\n    nets = [Net() for _ in range(n)]\n    {between}\n    here(nets[n])\n"
HELD = "class A:\n    def __init__(self, n):\n        self.nets = []\n        self.nets.append(Net())\n        here(self.nets[n])\n"


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        (ITEM.format(between="nets.append(Net())"), "torch"),
        (ITEM.format(between="nets.append(x)"), ""),
        (ITEM.format(between="nets += [x]"), ""),
        (ITEM.format(between="nets += [Net(2)]"), "torch"),
        (ITEM.format(between="nets[0] = x"), ""),
        (ITEM.format(between="nets[0] = nets[0].float()"), "torch"),
        (ITEM.format(between="nets.insert(0, x)"), ""),
        (ITEM.format(between="nets.extend(Net() for _ in range(2))"), "torch"),
        (ITEM.format(between="nets.extend(x)"), ""),
        (ITEM.format(between="build(nets)"), ""),
        (ITEM.format(between="print(len(nets))"), "torch"),
        (ITEM.format(between="others = nets; others.append(x)"), ""),
        (ITEM.format(between="x.nets = nets"), ""),
        (ITEM.format(between="build(lambda: nets.append(x))"), ""),
        ("def f(n):\n    for net in [Net(), Net()]:\n        here(net)\n", "torch"),
        ("def f(n, x):\n    for net in [Net(), x]:\n        here(net)\n", ""),
        ("def f(n):\n    for i, net in enumerate([Net()]):\n        here(net)\n", "torch"),
        ("def f(n):\n    nets = {'a': Net()}\n    for key, net in nets.items():\n        here(net)\n", "torch"),
        (
            "def f(n, x):\n    nets = {'a': Net()}\n    nets[n] = x\n    for net in nets.values():\n        here(net)\n",
            "",
        ),
        ("def f(n):\n    nets = [Net()]\n    return [here(net) for net in nets]\n", "torch"),
        ("def f(n):\n    nets = {'a': Net()}\n    return [here(net) for key, net in nets.items()]\n", "torch"),
        ("def f(n):\n    nets = {'a': Net()}\n    return [here(key) for key, net in nets.items()]\n", ""),
        ("def f(n):\n    nets = []\n    here(nets[n])\n", ""),
        (HELD, "torch"),
        (HELD + "    def g(self):\n        return len(self.nets)\n", "torch"),
        (HELD + "    def g(self):\n        return self.nets\n", ""),
        (HELD + "    def g(self, x):\n        self.nets.append(x)\n", ""),
        (HELD + "def g(a, x):\n    a.nets.append(x)\n", ""),
    ],
)
def test_items(program: str, wanted: str) -> None:
    assert origin(program) == wanted


def test_other_files(tmp_path: Path) -> None:
    """A class, a function and a method of another file of the repository, and a value that it makes on import."""
    (tmp_path / "setup.py").write_text("")
    (tmp_path / "elsewhere.py").write_text(
        "import torch\nfrom torch import nn\nfrom others import Base\n"
        "class Thing(Base):\n    @classmethod\n    def load(cls, path):\n        return cls()\n"
        "class Own:\n    def cuda(self):\n        return self\n"
        "def build(n=1):\n    net = nn.Linear(n, n)\n    return net\ndef own():\n    return Own()\nready = build()\n"
    )
    (tmp_path / "others.py").write_text("from torch import nn\nclass Base(nn.Module):\n    pass\n")
    home = Repositories([tmp_path]).home(str(tmp_path / "main.py"))
    loop = "for epoch in range(2):\n    optimizer.step()\n"
    assert origin(f"{loop}def f():\n    net = Thing()\n    here(net)\n", home) == "torch"
    assert origin("def f():\n    net = build()\n    here(net)\n", home) == "torch"
    assert origin("def f():\n    net = Thing.load('a')\n    here(net)\n", home) == "torch"
    assert origin("from elsewhere import own\ndef f():\n    net = own()\n    here(net)\n", home) == "own"
    assert origin("from elsewhere import ready\ndef f():\n    here(ready)\n", home) == "torch"


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        ("def f(x):\n    here(x)", True),
        ("def f(x):\n    here(x.float().view(-1))", True),
        ("def f(batch):\n    x, y = batch\n    here(y)", True),
        ("def f(batch):\n    here(batch['x'].data)", True),
        ("def f(x, y):\n    z = torch.cat((x, y))\n    here(z)", True),
        ("def f(x, n):\n    if n:\n        x = torch.ones(n)\n    here(x)", True),
        ("def f(x, n):\n    x = torch.ones(n)\n    here(x)", False),
        ("def f(x):\n    here(torch.ones(x.shape))", False),
        ("def f(x):\n    here(build(x))", False),
        ("def f(self, x):\n    here(self.x)", False),
        ("class A:\n    def f(self, x):\n        self.x = x\n        here(self.x)", True),
        ("def outer(x):\n    def inner():\n        here(x)\n    return inner", False),
        ("x = torch.ones(2)\nhere(x)", False),
    ],
)
def test_handed_over(program: str, wanted: bool) -> None:
    """The caller's own object, a part or a view of it, or what torch computes of it."""
    provenance, expr, scope = asked(program)
    assert provenance.is_handed_over(expr, scope) is wanted


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        ("def f(x):\n    here(x)", True),
        ("def f(x):\n    here(build(x, 2))", True),
        ("def f(x):\n    x = torch.from_numpy(x)\n    here(x)", True),
        ("def f(batch):\n    for key in batch:\n        here(batch[key])", True),
        ("def f(batch):\n    for x in batch:\n        here(x)", True),
        ("def f(batch):\n    for i, x in enumerate(batch):\n        here(x)", True),
        ("def f(batch):\n    return [here(x) for x in batch]", True),
        ("def f(batch):\n    return {k: here(x) for k, x in batch.items()}", True),
        ("def f():\n    return lambda x: here(x)", True),
        ("def f(n):\n    x = 1\n    x += n\n    here(x)", True),
        ("def f(x):\n    y = torch.ones(2)\n    here(y)", False),
        ("class A:\n    def f(self):\n        here(self.x)", False),
        ("def outer(x):\n    def inner():\n        here(x)\n    return inner", False),
    ],
)
def test_computed_of_arguments(program: str, wanted: bool) -> None:
    provenance, expr, scope = asked(program)
    assert provenance.depends_on_arguments(expr, scope) is wanted


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        ("def f(n):\n    x = torch.ones(n).float()\n    here(x)", True),
        ("def f(n):\n    x = torch.ones(n)\n    x[0] = 1\n    here(2 * x)", True),
        ("def f(x):\n    y = nn.ReLU()(x)\n    here(torch.ones(y.shape))", True),
        ("def f(n, i):\n    x = torch.zeros(n).scatter_(1, i.cpu().view(-1, 1), 2)\n    here(x)", True),
        ("def f(n, d):\n    x = torch.ones(n, device=d)\n    here(x)", False),
        ("def f(n):\n    x = torch.ones(n)\n    if n:\n        x = x.cuda()\n    here(x)", False),
        ("def f(x):\n    y = torch.ones_like(x)\n    here(y)", False),
        ("def f(x):\n    y = torch.softmax(x, 1)\n    here(y)", False),
        ("def f(x):\n    y = nn.ReLU()(x)\n    here(y)", False),
        ("def f(x):\n    y = nn.ReLU()(x).view(-1)\n    here(y)", False),
        ("def f(x):\n    here(x)", False),
    ],
)
def test_made_on_host(program: str, wanted: bool) -> None:
    provenance, expr, scope = asked(program)
    assert provenance.is_made_on_host(expr, scope) is wanted
