"""Flags of an object that decide about calls of torch.cuda alone: ``if self.sync: torch.cuda.synchronize()``, again and again. Whether there
is CUDA is asked once, where the flag is set."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace
from placefix.facts.program.arguments import self_class
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.attributes_of_self import attribute_of_self

if TYPE_CHECKING:
    from collections.abc import Collection

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Stmt


def asked_with_flag(context: AnalysisContext, stmt: Stmt, guarded: Collection[Stmt], question: str) -> Replace | None:
    """The edit that adds a question to the value of the flag around `stmt`; None where the flag decides about something else than the
    statements `guarded`, is read only once, or may be set elsewhere."""
    test = stmt.suite.owner.node.test if stmt.suite.owner and isinstance(stmt.suite.owner.node, ast.If) else None
    write = attribute_of_self(context.index, test, stmt.scope) if isinstance(test, ast.Attribute) else None
    if write is None or write.stmt.scope.name != "__init__" or not isinstance(write.value, ast.Name):
        return None
    assert isinstance(test, ast.Attribute)
    me = dotted(test.value)
    cls = self_class(stmt.scope.lookup(me), me)
    readers: list[Stmt] = []
    for text, node, where in context.index.attributes(lambda name: name == test.attr):
        if isinstance(node.ctx, ast.Store):
            continue
        root = text.partition(".")[0]
        if text != dotted(test) or self_class(where.scope.lookup(root), root) is not cls:
            return None
        readers.append(where)
    if len(readers) < 2 or not all(_only_runs(reader, test, guarded) for reader in readers):
        return None
    if context.home is not None and context.home.sharing(rf"\.{test.attr}\b"):
        return None
    span = context.span(write.value)
    return Replace(span, f"{context.text(write.value)} and {question}", context.text(write.value))


def _only_runs(reader: Stmt, test: ast.expr, guarded: Collection[Stmt]) -> bool:
    """Whether a statement is an ``if`` with this test that runs one of the statements `guarded` and nothing else."""
    if not isinstance(reader.node, ast.If) or dotted(reader.node.test) != dotted(test):
        return False
    return [suite.stmts[0] in guarded and len(suite.stmts) == 1 for suite in reader.suites] == [True]
