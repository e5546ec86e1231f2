"""That the cost of a file is linear in its findings: counted in nodes and statements that are visited, which a busy machine does not change."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import libcst
import pytest

from placefix import engine
from placefix.config import Options, settle
from placefix.discover import Target
from placefix.facts.program import ast_walk
from placefix.facts.program import enclosing_scopes as enclosing
from placefix.facts.program.assignment_flow import Walker
from placefix.rules import RULES
from placefix.rules.cuda.input_devices import InputDevices
from placefix.runner import check_bytes
from placefix.settings import Settings
from placefix.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

HEAD = "import torch\nfrom torch import nn\n"
LOADER = (
    HEAD
    + "device = torch.device('cuda')\nmodel = nn.Linear(3, 3).to(device)\nloader = torch.utils.data.DataLoader([])\n"
)


def loops(count: int) -> str:
    """Loops whose batch is not moved: each has a fix that binds the same names."""
    body = "for x, y in loader:\n    out = model(x)\n    loss = nn.functional.mse_loss(out, y)\n"
    return LOADER + body * count


def in_one_loop(count: int) -> str:
    """The same in the body of another loop."""
    text = loops(count)
    return LOADER + "while True:\n" + "".join(f"    {line}\n" for line in text[len(LOADER) :].splitlines())


def receivers(count: int) -> str:
    """Receivers of one statement."""
    return HEAD + "xs = [" + ", ".join(f"a{i}.cuda()" for i in range(count)) + "]\n"


def lambdas(count: int) -> str:
    """Receivers of one statement, a lambda each."""
    return HEAD + "xs = [" + ", ".join(f"lambda a{i}: a{i}.cuda()" for i in range(count)) + "]\n"


def created(count: int) -> str:
    """Tensors of one statement; each fix has two edits: the device that the call gets, and the move that goes."""
    return HEAD + "xs = [\n" + "".join(f"    torch.zeros({i}).cuda(),\n" for i in range(count)) + "]\n"


def _check(text: str) -> int:
    target = Target("load.py", "/load/load.py", settle(Options(unsafe_fixes=True)))
    result = check_bytes(target, text.encode())
    assert not result.error
    return len(result.remaining)


@pytest.mark.parametrize("shape", [loops, in_one_loop])
def test_statements_followed(shape: Callable[[int], str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Definite assignment follows each statement some times, however many fixes there are."""
    followed = 0
    follow = Walker._statement

    def counted(self: Walker, node: Any, state: int) -> Any:
        nonlocal followed
        followed += 1
        return follow(self, node, state)

    monkeypatch.setattr(Walker, "_statement", counted)
    counts = []
    for count in (20, 80):
        followed = 0
        assert _check(shape(count)) >= count
        counts.append(followed)
    assert counts[0] > 60  # it is asked about
    assert counts[1] < 5 * counts[0]


@pytest.mark.parametrize("shape", [receivers, lambdas])
def test_nodes_around_receivers(shape: Callable[[int], str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The statement around receivers is walked once for all of them."""
    visited = 0

    def counted(node: Any) -> list[Any]:
        nonlocal visited
        nodes = ast_walk.walk(node)
        visited += len(nodes)
        return nodes

    monkeypatch.setattr(enclosing, "walk", counted)
    counts = []
    for count in (20, 80):
        visited = 0
        assert _check(shape(count)) >= count
        counts.append(visited)
    assert counts[0] > 20
    assert counts[1] < 5 * counts[0]


@pytest.mark.parametrize("shape", [receivers, created])
def test_text_that_libcst_parses(shape: Callable[[int], str], monkeypatch: pytest.MonkeyPatch) -> None:
    """libcst parses the expression around the edits of a fix, however long the statement is."""
    parsed = 0

    def counted(parse: Callable[..., Any]) -> Callable[..., Any]:
        def parse_and_count(text: str, *rest: Any) -> Any:
            nonlocal parsed
            parsed += len(text)
            return parse(text, *rest)

        return parse_and_count

    monkeypatch.setattr(libcst, "parse_module", counted(libcst.parse_module))
    monkeypatch.setattr(libcst, "parse_expression", counted(libcst.parse_expression))
    counts = []
    for count in (20, 80):
        parsed = 0
        outcome = engine.fix(Source(shape(count)), Settings(), RULES, unsafe=True)
        assert isinstance(outcome, engine.Changed)
        assert len(outcome.applied) == count
        counts.append(parsed)
    assert counts[0] > 200
    assert counts[1] < 5 * counts[0]


def test_names_beside_new_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which names of a function are tensors that stay is found once, not for each tensor that it makes."""
    reads = 0
    found = InputDevices._reads

    def counted(self: InputDevices, name: str, attr: str, scope: Any) -> bool:
        nonlocal reads
        reads += 1
        return found(self, name, attr, scope)

    monkeypatch.setattr(InputDevices, "_reads", counted)
    counts = []
    for count in (20, 80):
        reads = 0
        body = "".join(f"    x{i} = torch.ones({i}).cuda()\n" for i in range(count))
        assert _check(f"{HEAD}def f(a):\n{body}    return x0\n") == count
        counts.append(reads)
    assert counts[0] > 20
    assert counts[1] < 5 * counts[0]


def moved_functions(count: int) -> str:
    """Functions that each move a tensor, one below a test for CUDA."""
    return HEAD + "".join(
        f"def f{i}():\n    x = torch.zeros({i})\n    if torch.cuda.is_available():\n        x = x.cuda()\n"
        f"    y = torch.ones({i}).cuda()\n    return x + y\n\n\n"
        for i in range(count)
    )


def created_in_function(count: int) -> str:
    """Tensors that one function makes and moves."""
    body = "".join(f"    x{i} = torch.zeros({i}).cuda()\n" for i in range(count))
    return f"{HEAD}def f(a):\n{body}    return a\n"


def methods(count: int) -> str:
    """A class with methods that each move their argument."""
    body = "".join(f"    def f{i}(self, x):\n        return self.net(x.cuda())\n\n" for i in range(count))
    return f"{HEAD}class M:\n{body}"


def guarded_in_function(count: int) -> str:
    """Tensors that one function makes, and moves below a test for CUDA each."""
    body = "".join(
        f"    x{i} = torch.zeros({i})\n    if torch.cuda.is_available():\n        x{i} = x{i}.cuda()\n"
        for i in range(count)
    )
    return f"{HEAD}def f(a):\n{body}    return a\n"


def synchronized(count: int) -> str:
    """Calls that raise without CUDA."""
    return HEAD + "torch.cuda.synchronize()\n" * count


@pytest.mark.parametrize(
    "shape", [loops, moved_functions, created_in_function, guarded_in_function, methods, receivers, synchronized]
)
def test_lines_executed(shape: Callable[[int], str]) -> None:
    """No line of the tool, those of loops and comprehensions included, runs far more than four times as often for four times the findings."""

    def counts(count: int) -> Counter[tuple[CodeType, int]]:
        """How often each line runs."""
        found: Counter[tuple[CodeType, int]] = Counter()

        def ran(frame: FrameType, event: str, _: object) -> Callable[..., Any]:
            if event == "line":
                found[frame.f_code, frame.f_lineno] += 1
            return ran

        def called(frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
            return ran if "placefix" in frame.f_code.co_filename else None

        traced = sys.gettrace()
        sys.settrace(called)
        try:
            outcome = engine.fix(Source(shape(count)), Settings(), RULES, unsafe=True)
        finally:
            sys.settrace(traced)
        assert isinstance(outcome, engine.Changed)
        assert len(outcome.applied) >= count
        return found

    few, many = counts(20), counts(80)
    frequent = {line: n for line, n in many.items() if n > 1000}
    assert frequent
    assert {
        f"{code.co_filename}:{line}": (few[code, line], n)
        for (code, line), n in frequent.items()
        if n > 8 * max(few[code, line], 1)
    } == {}
