"""Guarded assignments that are redundant without their move, because the name has the value already: ``self.model = model`` above
``if use_cuda: self.model = model.cuda()``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import argument_values, dotted, under_methods
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from placefix.facts.program.tree import Stmt

_SAME = ("eval", "train", "requires_grad_")  # of a module, they give the module


def held(bare: ast.AST, guard: Stmt) -> bool:
    """Whether the target of `bare` has the assigned value already in front of `guard`: assigned above it in the same suite, and
    nothing in between may have changed either."""
    target, value = assigned_text(bare), dotted(bare.value) if isinstance(bare, ast.Assign) else ""
    if not target or not value:
        return False
    for stmt in reversed(guard.suite.stmts[: guard.index]):
        node = stmt.node
        if isinstance(node, ast.Assign) and assigned_text(node) == target:
            return _itself(node.value) == value
        if any(_may_change(part, (target, value)) for part in walk(node)):
            return False
    return False


def _itself(value: ast.expr) -> str:
    """The dotted name of the object that an expression returns: ``model`` for ``model.eval()``."""
    return dotted(under_methods(value, _SAME))


def _may_change(part: ast.AST, names: tuple[str, ...]) -> bool:
    """Whether a part of a statement may bind one of the names: it does, or it calls code that can reach the object."""
    if isinstance(part, (ast.Name, ast.Attribute)) and not isinstance(part.ctx, ast.Load):
        text = dotted(part)
        return not text or any(name == text or name.startswith(f"{text}.") for name in names)
    owners = {name.rpartition(".")[0] for name in names} - {""}
    if isinstance(part, ast.Call):
        handed = {dotted(a) for a in argument_values(part)}
        called = dotted(part.func)
        return bool(handed & owners) or any(
            called.startswith(f"{owner}.") and called.count(".") == owner.count(".") + 1 for owner in owners
        )
    if isinstance(part, ast.Name) and part.id == "super":
        return bool(owners)
    return isinstance(
        part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom)
    )
