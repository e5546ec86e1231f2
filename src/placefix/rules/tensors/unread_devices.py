"""Functions that get a device, or bind a name to one, and do not read it: whatever they make or get was meant to go there."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts.context import FileAnalysis
from placefix.facts.naming import last, names_device_parameter, names_plain_device
from placefix.facts.program.ast_names import dotted, is_literal, parameters

if TYPE_CHECKING:
    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.tree import Scope

# Decorators that call a function with its own arguments.
_TRANSPARENT = frozenset(("staticmethod", "classmethod", "no_grad", "inference_mode", "enable_grad", "torch.no_grad"))


class UnreadDevices(FileAnalysis):
    """Answers for one file."""

    @cached_property
    def functions(self) -> dict[Scope, str]:
        """The functions that choose their own parameters, and have one that is a device by its name and that they do not read, with its name."""
        scopes = self.context.tree.scopes.values()
        functions = (scope for scope in scopes if isinstance(scope.node, ast.FunctionDef))
        named = ((scope, _unread(scope)) for scope in functions)
        return {scope: name for scope, name in named if name and not self.context.index.may_read_by_text(scope)}

    @cached_property
    def bound(self) -> dict[Scope, AttributeWrite]:
        """The functions that bind one name of a device to that of a tensor or module, and do not read it, with the assignment."""
        found: dict[Scope, AttributeWrite] = {}
        for name, writes in self.context.index.writes.items():
            for write in writes if names_plain_device(name) else ():
                scope = write.stmt.scope
                once = self.context.index.binding(scope, name) == [write.stmt] and scope.is_function
                of_tensor = isinstance(write.value, ast.Attribute) and write.value.attr == "device"
                if once and of_tensor and name not in {*scope.nonlocals, *_read(scope)}:
                    found[scope] = write
        return found


def _read(scope: Scope) -> set[str]:
    """The names that a function reads; not those of which it only asks whether they are given."""
    asked = [
        part.left for part in scope.nodes
        if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.Is) and is_literal(part.comparators[0], None)
    ]  # fmt: skip
    names = (part for part in scope.nodes if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load))
    return {name.id for name in names if name not in asked}


def _unread(scope: Scope) -> str:
    """The device that a function gets and does not read; "" if there is none, or if code that is not seen may ask for the parameter:
    a base class, a decorator."""
    node = scope.function
    given = [name for name in parameters(node.args) if names_device_parameter(name)]
    if not given or (scope.cls is not None and not _is_private(node)):
        return ""
    if any(last(dotted(d.func if isinstance(d, ast.Call) else d)) not in _TRANSPARENT for d in node.decorator_list):
        return ""
    read = _read(scope)
    return next((name for name in given if name not in read), "")


def _is_private(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method is one for its own class, by its name or a decorator."""
    plain = {dotted(decorator) for decorator in node.decorator_list}
    return (node.name.startswith("_") and not node.name.endswith("__")) or "staticmethod" in plain
