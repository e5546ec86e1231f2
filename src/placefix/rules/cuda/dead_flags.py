"""Flags that were made for guards alone: ``use_cuda = torch.cuda.is_available()``, which nothing reads once they have gone."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Delete, Replace
from placefix.facts.devices.device_selection import Devices
from placefix.facts.program.conditions import AVAILABLE
from placefix.facts.program.statement_forms import is_main_guard
from placefix.rules.cuda.partial_guards import own_line
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.diagnostic import Edit
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Guard
    from placefix.facts.program.tree import Scope, Stmt


def unread(context: AnalysisContext, guard: Guard) -> tuple[Edit, ...]:
    """The edit that removes the flag of a removed guard, if nothing else reads the flag.

    If several guards read it, the fix of the last guard must wait until the fixes of the others are written. It holds an
    edit of the first guard that changes nothing, so the two fixes overlap, and the later one waits.
    """
    test = guard.test
    if test is None or not test.available or len(test.roots) != 1 or test.reads != (test.roots[0][0],):
        return ()
    name, owner = test.roots[0]
    made = _definition(context, name, owner)
    reads = context.index.loads(name, owner)
    if made is None or not reads:
        return ()
    mine = context.span(guard.node.test)
    others = sorted(span for span in map(context.span, reads) if not mine.start <= span.start < mine.end)
    if not others:
        return (Delete((context.span(made),)),)
    return (Replace(others[0], name, name),) if others[-1].start < mine.start and _asked(context, reads) else ()


def _definition(context: AnalysisContext, name: str, owner: Scope) -> Stmt | None:
    """The one statement that binds a flag to whether CUDA is available, where no other code can read it by its name."""
    stmts: Sequence[Stmt] = context.index.binding(owner, name)
    if len(stmts) != 1 or len(owner.bindings[name]) != 1 or context.get(Devices).tests.named(name, owner) != AVAILABLE:
        return None
    stmt = stmts[0]
    plain = isinstance(stmt.node, ast.Assign) and len(stmt.node.targets) == 1 and isinstance(stmt.node.value, ast.Call)
    hidden = owner.is_function or any(is_main_guard(a) for a in stmt.ancestors())
    if (
        not plain
        or not hidden
        or not own_line(context, stmt)
        or context.index.may_read_by_text(owner)
        or context.index.read("__all__")
    ):
        return None
    return stmt


def _asked(context: AnalysisContext, reads: Sequence[ast.expr]) -> bool:
    """Whether all that reads a flag are guards of moves."""
    tests = [
        context.span(s.guard.node.test)
        for s in context.get(Cuda).sites
        if s.guard is not None and s.guard.test is not None
    ]
    spans = map(context.span, reads)
    return all(any(test.start <= span.start < test.end for test in tests) for span in spans)
