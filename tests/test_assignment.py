"""Whether a name may be read before it is bound, where a fix would read it: against programs whose answer Python gives."""

from __future__ import annotations

import ast
import textwrap

import pytest

from placefix.diagnostic import Delete, Edit, Fix, Insert, Move, Replace, Span
from placefix.draft import FixDraft
from placefix.source import Source

# A fix writes `device` in the place of HERE. What raises there is a fault; so is what does on one of the ways.
BOUND = [
    "device = 1\nHERE",
    "for device in [1]:\n    HERE",
    "with open('x') as device:\n    HERE",
    "import os as device\nHERE",
    "if flag:\n    device = 1\nelse:\n    device = 2\nHERE",
    "if flag:\n    device = 1\nelse:\n    raise ValueError\nHERE",
    "if flag:\n    device = 1\nelif other:\n    device = 2\nelse:\n    sys.exit()\nHERE",
    "if flag:\n    device = 1\nprint()\nif flag:\n    HERE",
    "if not flag:\n    device = 1\nif not flag and other:\n    HERE",
    "if flag:\n    device = 1\nx = HERE if flag else 0",
    "if flag:\n    device = 1\nelse:\n    print()\nflag and HERE",
    "try:\n    device = 1\nexcept ValueError:\n    device = 2\nHERE",
    "try:\n    device = 1\nexcept ValueError:\n    raise\nHERE",
    "try:\n    print()\nfinally:\n    device = 1\nHERE",
    "try:\n    print()\nexcept ValueError:\n    print()\nelse:\n    device = 1\n    HERE",
    "while True:\n    device = 1\n    if flag:\n        break\nHERE",
    "match x:\n    case 1:\n        device = 1\n    case _:\n        device = 2\nHERE",
    "match x:\n    case [device]:\n        HERE",
    "if (device := x):\n    print()\nHERE",
    "if x and (device := y):\n    HERE",
    "def f():\n    HERE\ndevice = 1\nf()",
    "def f():\n    HERE\ndef g():\n    f()\ndevice = 1\ng()",
    "class A:\n    def f(self):\n        HERE\nclass B(A):\n    pass\ndevice = 1\nB().f()",
    "def f():\n    HERE\nif __name__ == '__main__':\n    device = 1\n    f()",
    "def main():\n    global device\n    device = 1\n    f()\ndef f():\n    HERE\nmain()",
    "def bind():\n    global device\n    device = 1\nbind()\nHERE",
    "def f(device):\n    HERE",
    "def f(*device):\n    HERE",
    "def f():\n    device = 1\n    def g():\n        HERE\n    return g()",
    "def f():\n    device = 1\n    return lambda: HERE",
    "device = 1\nclass A:\n    x = HERE",
    "device = 1\nx = [device for device in y]\nHERE",
    "from somewhere import *\nHERE",
    "print(device)\nHERE",  # it is given from outside: so it was
    "if x:\n    device = 1\ndef f():\n    print(device)\n    HERE\nf()",  # the function fails above already
    "device = 1\ndel x\nHERE",
]
UNBOUND = [
    "HERE",
    "HERE\ndevice = 1",
    "HERE\nimport os as device",
    "if flag:\n    device = 1\nHERE",
    "if flag:\n    device = 1\nflag = x\nif flag:\n    HERE",
    "if flag:\n    device = 1\nif not flag:\n    HERE",
    "if opt.flag:\n    device = 1\nopt.flag = x\nif opt.flag:\n    HERE",
    "for x in y:\n    device = 1\nHERE",
    "for x in y:\n    HERE\n    device = 1",
    "while x:\n    device = 1\nHERE",
    "while True:\n    if flag:\n        break\n    device = 1\nHERE",
    "try:\n    device = 1\nexcept ValueError:\n    pass\nHERE",
    "try:\n    print()\n    device = 1\nfinally:\n    HERE",
    "try:\n    pass\nexcept ValueError as device:\n    pass\nHERE",
    "with contextlib.suppress(ValueError):\n    device = 1\nHERE",
    "match x:\n    case 1:\n        device = 1\nHERE",
    "match x:\n    case [device]:\n        pass\nHERE",
    "if x and (device := y):\n    pass\nHERE",
    "x = [HERE for z in y]\ndevice = 1",
    "device = 1\ndel device\nHERE",
    "def f():\n    HERE\nf()\ndevice = 1",
    "def f():\n    HERE\ndef g():\n    f()\ng()\ndevice = 1",
    "class A:\n    def f(self):\n        HERE\nA().f()\ndevice = 1",
    "class A:\n    x = HERE\ndevice = 1",
    "device = 1\ndef f():\n    HERE\n    device = 2",
    "device = 1\ndef f():\n    HERE\n    for device in x:\n        pass",
    "device = 1\ndef f():\n    HERE\n    import os as device",
    "device = 1\ndef f():\n    HERE\n    def device():\n        pass",
    "device = 1\ndef f():\n    HERE\n    if (device := x):\n        pass",
    "def f():\n    def g():\n        HERE\n    g()\n    device = 1",
    "def f():\n    g = lambda: HERE\n    device = 1\n    return g()",
    "def f():\n    HERE\n    global x\n    x = device = 1",
    "class A:\n    device = 1\n    def f(self):\n        HERE",
    "if __name__ == '__main__':\n    device = 1\ndef f():\n    HERE",
]


def faults(text: str, *edits: Edit) -> dict[int, str]:
    return FixDraft(Source(text), ast.parse(text)).faults([Fix(edits, "")])


def reading(text: str) -> dict[int, str]:
    at = text.index("HERE")
    return faults(text.replace("HERE", "None"), Replace(Span(at, at + 4), "device", "None"))


@pytest.mark.parametrize("text", BOUND)
def test_bound(text: str) -> None:
    assert not reading(text)
    inside = "def around(flag, other, x, y, opt):\n" + textwrap.indent(text, "    ")
    if "global" not in text and "import *" not in text and "__name__" not in text:
        assert not reading(inside)


@pytest.mark.parametrize("text", UNBOUND)
def test_unbound(text: str) -> None:
    assert list(reading(text).values()) == [
        f"line {text[: text.index('HERE')].count(chr(10)) + 1}: `device` may not be bound there"
    ]
    if "global" not in text and "__name__" not in text:
        assert reading("def around(flag, other, x, y, opt):\n" + textwrap.indent(text, "    "))


def span(text: str, part: str) -> Span:
    return Span(text.index(part), text.index(part) + len(part))


def test_what_a_fix_binds_it_may_read() -> None:
    text = "import torch\n\ndef f(x):\n    y = x\n    return x.cuda()\n"
    use = Replace(span(text, "x.cuda()"), "x.to(device)", "x.cuda()")
    assert not faults(text, Insert(span(text, "y = x"), "device = torch.device('cpu')"), use)
    assert faults(text, Insert(span(text, "return x.cuda()"), "device = torch.device('cpu')", "after"), use)
    assert faults(text, use)


def test_what_is_inserted_hides_a_name_of_the_module() -> None:
    text = "import torch\ndevice = 1\ndef f(x):\n    print(device)\n    y = x\n    return x\n"
    assert faults(text, Insert(span(text, "return x"), "device = 2"))
    assert not faults(text, Insert(span(text, "print(device)"), "device = 2"))


def test_what_is_assigned_now_is_a_name_of_the_function() -> None:
    text = "x = 1\ndef f():\n    x.to(1)\n"
    assert faults(text, Replace(span(text, "x.to(1)"), "x = x.to(1)", "x.to(1)"))


def test_moved_below_what_reads_it() -> None:
    text = "def f():\n    net = 1\n    opt = net\n    print(2)\n"
    move = Move((span(text, "net = 1"),), span(text, "print(2)"))
    assert faults(text, move)
    assert not faults(text, Move((span(text, "opt = net"),), span(text, "print(2)"), "after"))
    assert faults(text, Move((span(text, "opt = net"),), span(text, "net = 1")))


def test_deleted() -> None:
    text = "device = 1\ndef f():\n    return device\nprint(f())\n"
    whole = Span(0, 10)
    assert faults(text, Delete((whole,)))
    assert not faults(text, Delete((whole,)), Replace(span(text, "return device"), "return 1", "return device"))


def test_a_file_that_fails_as_it_stands_is_no_worse() -> None:
    text = "def f(x):\n    print(device)\n    y = x\n    device = 1\n"
    assert not faults(text, Replace(span(text, "print(device)"), "print(device, device)", "print(device)"))


def test_read_anew_in_a_function_that_is_called_too_early_then() -> None:
    text = "def f():\n    x = 1\ndevice = 2\nf()\nprint()\n"
    use = Replace(span(text, "1"), "device", "1")
    assert not faults(text, use)
    assert faults(text, use, Move((span(text, "device = 2"),), span(text, "print()")))


def test_fixes_are_judged_each_for_itself() -> None:
    text = "a = 1\nb = 2\ndevice = 3\nc = 4\n"
    fixes = [
        Fix((Replace(Span(text.index(f"{name} = ") + 4, text.index(f"{name} = ") + 5), "device", value),), "")
        for name, value in (("a", "1"), ("b", "2"), ("c", "4"))
    ]
    assert sorted(FixDraft(Source(text), ast.parse(text)).faults(fixes)) == [0, 1]


def test_statement_moves_behind_one_that_another_fix_deletes() -> None:
    text = "a = 1\nb = a\nc = b\nd = c\n"
    span = {name: Span(text.index(f"{name} = "), text.index(f"{name} = ") + 5) for name in "abcd"}
    deleted = Fix((Delete((span["c"],)),), "")
    behind = Fix((Move((span["b"],), span["c"], "after"),), "")
    unbound = {0: "line 4: `c` may not be bound there"}
    assert FixDraft(Source(text), ast.parse(text)).faults([deleted, behind]) == unbound


def test_long_chains_and_sums() -> None:
    arms = "if x == 0:\n    pass\n" + "".join(f"elif x == {n}:\n    pass\n" for n in range(1000))
    sums = "y = " + " + ".join(["device"] * 1000)
    text = f"x = 1\n{arms}device = 1\n{sums}\nz = None\n"
    at = text.index("None")
    assert not faults(text, Replace(Span(at, at + 4), "device", "None"))


def test_what_a_fragment_is_given_is_not_known() -> None:
    text = "model.cuda()\n"
    assert not faults(text, Replace(span(text, "model.cuda()"), "model.to(device)", "model.cuda()"))
    text = "model = print\n" + text
    assert faults(text, Replace(span(text, "model.cuda()"), "model.to(device)", "model.cuda()"))
