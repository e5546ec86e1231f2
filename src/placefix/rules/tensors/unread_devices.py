"""Functions that get a device and do not read it: whatever they make or get was meant to go there."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts.naming import last, names_plain_device
from placefix.facts.program.ast_names import dotted, parameters
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope

# Decorators that call a function with its own arguments.
_TRANSPARENT = frozenset(("staticmethod", "classmethod", "no_grad", "inference_mode", "enable_grad", "torch.no_grad"))


class UnreadDevices:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context

    @cached_property
    def functions(self) -> dict[Scope, str]:
        """The functions that choose their own parameters, and have one that is a device by its name and that they do not read, with its name."""
        scopes = self.context.tree.scopes.values()
        functions = (scope for scope in scopes if isinstance(scope.node, ast.FunctionDef))
        named = ((scope, _unread(scope)) for scope in functions)
        return {scope: name for scope, name in named if name and not self.context.index.may_read_by_text(scope)}


def _unread(scope: Scope) -> str:
    """The device that a function gets and does not read; "" if there is none, or if code that is not seen may ask for the parameter:
    a base class, a decorator."""
    node = scope.function
    given = [name for name in parameters(node.args) if names_plain_device(name)]
    if not given or (scope.cls is not None and not _is_private(node)):
        return ""
    if any(last(dotted(d.func if isinstance(d, ast.Call) else d)) not in _TRANSPARENT for d in node.decorator_list):
        return ""
    read = {part.id for part in walk(node) if isinstance(part, ast.Name)}
    return next((name for name in given if name not in read), "")


def _is_private(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method is one for its own class, by its name or a decorator."""
    plain = {dotted(decorator) for decorator in node.decorator_list}
    return (node.name.startswith("_") and not node.name.endswith("__")) or "staticmethod" in plain
