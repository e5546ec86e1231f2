"""Lines that fixes would make too long are wrapped; those under a bracket stay under it; nothing else is touched."""

from __future__ import annotations

import ast

import pytest

from placefix import engine
from placefix.engine import Changed
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.source import Source

HEAD = 'import torch\nfrom torch import nn\n\ndevice = torch.device("cuda" if torch.cuda.is_available() else "cpu")\n'
# name: limit, lines before, lines after
WRAPPED = {
    "a call": (
        60,
        "y = nn.Linear(10, 10).cuda()(torch.randn(2, 10).cuda())",
        "y = nn.Linear(10, 10).to(device)(\n    torch.randn(2, 10).to(device)\n)",
    ),
    "a call with a subscript behind it": (
        64,
        "y = torch.rand(100, 10)[rows[:, 0].long()].cuda().mean(dim=axis)",
        "y = (\n    torch.rand(100, 10)[rows[:, 0].long()]\n    .to(device)\n    .mean(dim=axis)\n)",
    ),
    "a chain": (
        57,
        "layer = nn.Linear(in_features, 10).half().train().cuda()",
        "layer = (\n    nn.Linear(in_features, 10).half().train().to(device)\n)",
    ),
    "a chain with a call on each line": (
        60,
        "mask = torch.arange(number).view(1, -1).cuda().repeat(n, 1)",
        "mask = (\n    torch.arange(number, device=device)\n    .view(1, -1)\n    .repeat(n, 1)\n)",
    ),
    "arguments": (
        66,
        "net = nn.Sequential(nn.Linear(10, 10), nn.Linear(10, 10)).cuda()",
        "net = nn.Sequential(\n    nn.Linear(10, 10), nn.Linear(10, 10)\n).to(device)",
    ),
    "one on each line": (
        48,
        "net = f(nn.Linear(10, 10), nn.Linear(10).cuda())",
        "net = f(\n    nn.Linear(10, 10), nn.Linear(10).to(device)\n)",
    ),
    "one on each line of its own": (
        42,
        "z = f(nn.Linear(10), nn.Linear(11).cuda())",
        "z = f(\n    nn.Linear(10),\n    nn.Linear(11).to(device),\n)",
    ),
    "behind a comma": (
        53,
        "net = nn.Sequential(nn.ReLU(), nn.Linear(4).cuda(),\n                    nn.ReLU())",
        "net = nn.Sequential(nn.ReLU(),\n                    nn.Linear(4).to(device),\n                    nn.ReLU())",
    ),
    "all elements of a bracket": (
        54,
        "y = torch.cat(\n    (x, torch.rand(10, 100, 2).cuda(), x), dim=-1234\n)",
        "y = torch.cat(\n    (x, torch.rand(10, 100, 2).to(device), x),\n    dim=-1234,\n)",
    ),
    "a header": (
        50,
        "for x in zip(torch.rand(4).cuda(), torch.rand(5)):\n    print(x)",
        "for x in zip(\n    torch.rand(4).to(device), torch.rand(5)\n):\n    print(x)",
    ),
    "a comment": (
        50,
        "y = f(torch.randn(10, 10), torch.rand(10).cuda())  # both",
        "y = f(\n    torch.randn(10, 10), torch.rand(10).to(device)\n)  # both",
    ),
    "under a bracket": (
        99,
        "y = nn.Linear(4, 4).cuda()(f(1,\n                             2),\n                           3)",
        "y = nn.Linear(4, 4).to(device)(f(1,\n                                 2),\n                               3)",
    ),
}
# Files whose brackets close behind their last element: the same.
BEHIND = {
    "a call": (
        60,
        "y = f(1,\n      2)\nnet = nn.Sequential(nn.Linear(10, 10), nn.Linear(10).cuda())",
        "y = f(1,\n      2)\nnet = nn.Sequential(\n    nn.Linear(10, 10), nn.Linear(10).to(device))",
    ),
    "a chain": (
        60,
        "y = f(1,\n      2)\nmask = torch.arange(number).cuda().view(1, -1).repeat(n, 1)",
        "y = f(1,\n      2)\nmask = torch.arange(number, device=device).view(\n    1, -1).repeat(n, 1)",
    ),
    "keywords": (
        50,
        "net = f(\n    nn.Linear(10), bias=nn.Linear(11).cuda(), x=2)",
        "net = f(\n    nn.Linear(10),\n    bias=nn.Linear(11).to(device),\n    x=2)",
    ),
    "one on each line": (
        43,
        "y = f(1,\n      2)\nz = ff(nn.Linear(10), nn.Linear(11).cuda())",
        "y = f(1,\n      2)\nz = ff(\n    nn.Linear(10),\n    nn.Linear(11).to(device))",
    ),
    "the argument of an argument": (
        54,
        "net.load(\n    fffff(nn.Linear(10, 100), nn.Linear(11).cuda()))",
        "net.load(\n    fffff(\n        nn.Linear(10, 100), nn.Linear(11).to(device)))",
    ),
    "the argument of one that closes behind it": (
        54,
        "y = f(\n    1,\n)\nnet.load(\n    fffff(nn.Linear(10, 100), nn.Linear(11).cuda()))",
        "y = f(\n    1,\n)\nnet.load(\n    fffff(\n        nn.Linear(10, 100), nn.Linear(11).to(device)))",
    ),
    "most close on a line of their own": (
        46,
        "y = f(\n    1,\n)\nx = f(1,\n      2)\nz = ff(nn.Linear(10), nn.Linear(11).cuda())",
        "y = f(\n    1,\n)\nx = f(1,\n      2)\nz = ff(\n    nn.Linear(10), nn.Linear(11).to(device)\n)",
    ),
}
LEFT = {
    "long before": (
        40,
        "net = f(nn.Linear(10, 10), nn.Linear(10).cuda())",
        "net = f(nn.Linear(10, 10), nn.Linear(10).to(device))",
    ),
    "a pragma": (
        48,
        "net = f(nn.Linear(10, 10), nn.Linear(10).cuda())  # noqa: E501",
        "net = f(nn.Linear(10, 10), nn.Linear(10).to(device))  # noqa: E501",
    ),
    "no bracket that is worth it": (22, "nn.ReLU(abc).cuda()", "nn.ReLU(abc).to(device)"),
    "only its comment": (
        40,
        "y = torch.rand(10).cuda()  # as it was before",
        "y = torch.rand(10).to(device)  # as it was before",
    ),
    "a formatter that is off": (
        48,
        "# fmt: off\nnet = f(nn.Linear(10, 10), nn.Linear(10).cuda())",
        "# fmt: off\nnet = f(nn.Linear(10, 10), nn.Linear(10).to(device))",
    ),
    "hanging lines": (
        99,
        "y = nn.Linear(4, 4).cuda()(\n    f(1,\n      2), 3)",
        "y = nn.Linear(4, 4).to(device)(\n    f(1,\n      2), 3)",
    ),
    "another bracket": (
        99,
        "y = f(1, g(2,\n           3), nn.Linear(4, 4).cuda())",
        "y = f(1, g(2,\n           3), nn.Linear(4, 4).to(device))",
    ),
}
CASES = {**WRAPPED, **{f"behind: {name}": case for name, case in BEHIND.items()}, **LEFT}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("name", CASES)
def test_lines(name: str, newline: str) -> None:
    limit, before, after = CASES[name]
    source = Source((HEAD + before + "\n").replace("\n", newline))
    outcome = engine.fix(source, Settings(line_length=limit), RULES)
    assert isinstance(outcome, Changed)
    assert outcome.text == (HEAD + after + "\n").replace("\n", newline)
    plain = engine.fix(source, Settings(line_length=10_000), RULES)
    assert isinstance(plain, Changed)
    assert ast.dump(ast.parse(plain.text)) == ast.dump(ast.parse(outcome.text))


def test_without_a_length_the_longest_line_counts() -> None:
    call = f"y = ff({', '.join(f'torch.rand({n}).cuda()' for n in range(3))}, 100)\n"
    short = engine.fix(Source(HEAD + call), Settings(), RULES)
    assert isinstance(short, Changed)
    assert max(map(len, short.text.splitlines())) <= 88
    numbers, text = f"v = [{', '.join(['1'] * 40)}]\n", f"print('{'x' * 100}')\n"  # a formatter leaves a long string
    for line in (numbers, text, f"# {'x' * 120}\n", f'"""{"x" * 120}\n"""\n'):
        outcome = engine.fix(Source(HEAD + line + call), Settings(), RULES)
        assert isinstance(outcome, Changed)
        assert outcome.text.endswith(call.replace("cuda()", "to(device)")) == (line is numbers)


def test_without_a_length_one_long_line_in_two_hundred_does_not_count() -> None:
    numbers = f"v = [{', '.join(['1'] * 40)}]\n"
    call = f"y = ff({', '.join(f'torch.rand({n}).cuda()' for n in range(3))}, 100)\n"
    for lines, wrapped in ((100, False), (200, True)):
        outcome = engine.fix(Source(HEAD + numbers + "z = 1\n" * lines + call), Settings(), RULES)
        assert isinstance(outcome, Changed)
        assert outcome.text.endswith(call.replace("cuda()", "to(device)")) != wrapped


def test_without_a_length_a_long_file_may_keep_the_length_of_pep_8() -> None:
    call = f"y = ff({', '.join(f'torch.rand({n}).cuda()' for n in range(3))})\n"
    assert len(call) < 79 < len(call.replace("cuda()", "to(device)")) <= 88
    for lines, wrapped in ((50, False), (100, True)):
        outcome = engine.fix(Source(HEAD + "z = 1\n" * lines + call), Settings(), RULES)
        assert isinstance(outcome, Changed)
        assert outcome.text.endswith(call.replace("cuda()", "to(device)")) != wrapped


def test_without_a_length_a_long_line_grows_to_120_columns() -> None:
    numbers = f"w = [{', '.join(['1'] * 38)}]\n"  # 118 columns
    for count, wrapped in ((4, False), (5, True)):
        call = f"y = ff({', '.join(f'torch.rand({n}).cuda()' for n in range(count))}, 1)\n"
        assert 88 < len(call) <= 120
        outcome = engine.fix(Source(HEAD + numbers + call), Settings(), RULES)
        assert isinstance(outcome, Changed)
        assert outcome.text.endswith(call.replace("cuda()", "to(device)")) != wrapped


def test_without_a_length_a_statement_broken_for_pep_8_shows_that() -> None:
    call = f"y = ff({', '.join(f'torch.rand({n}).cuda()' for n in range(3))})\n"
    for columns, wrapped in ((79, False), (80, True), (88, True), (89, False)):
        broken = f"{'z' * (columns - 25)} = ff(\n    11111111, 22222222)\n"
        assert len(broken.replace("\n", "").replace("    ", "")) == columns
        outcome = engine.fix(Source(HEAD + broken + call), Settings(), RULES)
        assert isinstance(outcome, Changed)
        assert outcome.text.endswith(call.replace("cuda()", "to(device)")) != wrapped, columns
