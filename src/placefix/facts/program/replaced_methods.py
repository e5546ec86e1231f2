"""Methods and functions of torch that a file replaces by its own: ``torch.Tensor.cuda = counted``, `setattr`, `mock.patch`.

Their effect, and the place of tensors afterwards, is not known.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from placefix.facts.program.expression_index import Index
    from placefix.facts.program.tree import Scope, Tree

_NAMES = ("cuda", "to", "cpu", "is_cuda", "is_available", "device_count", "device", "_apply")
_SETTERS = ("setattr", "patch", "object")


def replaced_method(tree: Tree, index: Index) -> str:
    """The first function or method of torch that decides where tensors are and that the file replaces; an empty string without one."""
    for text, writes in index.writes.items():
        owner, _, name = text.rpartition(".")
        if (
            name in _NAMES
            and owner not in ("", "self")
            and _is_of_torch(tree, ast.parse(owner, mode="eval").body, writes[0].stmt.scope)
        ):
            return text
    for call, stmt in index.called(*_SETTERS):
        first, *rest = call.args or (ast.Constant(None),)
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            if first.value.startswith("torch.") and first.value.rpartition(".")[2] in _NAMES:
                return first.value
        elif rest and isinstance(rest[0], ast.Constant) and rest[0].value in _NAMES:
            if _is_of_torch(tree, first, stmt.scope):
                return f"{tree.source.code(first)}.{rest[0].value}"
    return ""


def _is_of_torch(tree: Tree, owner: ast.expr, scope: Scope) -> bool:
    """Whether an expression is torch, or a module or class of it."""
    name = tree.qualname(owner, scope) or ""
    return name == "torch" or name.startswith("torch.")
