"""Guards that test for CUDA and something else: ``if use_cuda and self.head is not None:``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.devices.device_selection import Devices

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.conditions import Test
    from placefix.facts.program.tree import Stmt


class Rest(NamedTuple):
    """A conjunction without its CUDA question.

    test: the test for CUDA; text: the other conditions; asked: whether they were evaluated without CUDA as well.
    """

    test: Test
    text: str
    asked: bool


def without_cuda(context: AnalysisContext, stmt: Stmt, looks: Callable[[ast.expr], bool]) -> Rest | None:
    """The test of an `if` without the CUDA question at one of its ends, where the others only look; else None."""
    assert isinstance(stmt.node, ast.If)
    test = stmt.node.test
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return None
    reads = [context.get(Devices).tests.read(value, stmt.scope) for value in test.values]
    ends = [n for n in (0, len(reads) - 1) if reads[n] is not None]
    if len(ends) != 1 or sum(r is not None for r in reads) != 1:
        return None
    read, others = reads[ends[0]], test.values[1:] if ends[0] == 0 else test.values[:-1]
    if read is None or read.negated or not all(looks(v) for v in others):
        return None
    if any(context.get(Devices).tests.mentions_cuda(v, stmt.scope) for v in others):
        return None
    text = context.source.text[context.span(others[0]).start : context.span(others[-1]).end]
    want = others[0] if len(others) == 1 else ast.BoolOp(ast.And(), others)
    try:
        same = ast.dump(ast.parse(text, mode="eval").body) == ast.dump(want)
    except SyntaxError:
        same = False  # parentheses around one of them
    return Rest(read, text, ends[0] != 0) if same else None
