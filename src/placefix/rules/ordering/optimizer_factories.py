"""Other effects of a function that makes an optimizer; without any, its call may move."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.program.arguments import self_class
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.callees import imported_definition
from placefix.rules.ordering.side_effects import HARMLESS

if TYPE_CHECKING:
    from placefix.facts.program.tree import Scope

# Methods of lists, dicts and strings; their effects are known by name (`Effects`).
_CONTAINERS = frozenset(
    (
        "append",
        "extend",
        "add",
        "update",
        "setdefault",
        "pop",
        "insert",
        "endswith",
        "title",
        "rstrip",
        "lstrip",
        "find",
        "exception",
        "error",
    )
)
_RUNS = frozenset(("step", "backward", "apply", "forward", "read", "write"))
_METHODS = (HARMLESS | _CONTAINERS) - _RUNS - api.PLACING
_PACKAGES = (
    "torch.optim.",
    "torch.no_grad",
    "math.",
    "itertools.",
    "functools.",
    "collections.",
    "logging.",
    "copy.",
    "typing.",
    "re.",
    "os.path.",
)
_BUILTINS = api.PURE_OF_MODULES | {
    "ValueError",
    "KeyError",
    "set",
    "frozenset",
    "abs",
    "round",
    "range",
    "issubclass",
    "locals",
} - {"next", "iter", "super"}
_DEPTH = 4


def does_more(func: ast.expr, scope: Scope, depth: int = 0) -> str:
    """The first effect in a call of `func` in `scope` other than making an optimizer or scheduler from its arguments, as source text; ""
    if there is no observable one, or if `func` is not a function of the repository."""
    callee = _callee(func, scope)
    if callee is None:
        return ""
    raised = {node.exc for node in callee.nodes if isinstance(node, ast.Raise)}
    for node in callee.nodes:
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await, ast.With)):
            return callee.tree.source.code(node)
        if isinstance(node, ast.Call) and node not in raised and not _plain(node, callee, depth):
            return dotted(node.func) or "a call"
    return ""


def _callee(func: ast.expr, scope: Scope) -> Scope | None:
    """The function of the repository that is called; of a class, the method that makes its instances."""
    found: Scope | None = None
    if isinstance(func, ast.Name):
        owner = scope.lookup(func.id)
        if owner is not None and len(owner.bindings.get(func.id, ())) == 1:
            found = owner.functions.get(func.id) or owner.classes.get(func.id)
    elif isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
        cls = self_class(scope, func.value.id)
        found = cls.functions.get(func.attr) if cls is not None else None
    if found is None:
        definition = imported_definition(func, scope)
        found = definition.scope if definition is not None else None
    return found.functions.get("__init__") if found is not None and found.is_class else found


def _plain(call: ast.Call, scope: Scope, depth: int) -> bool:
    func = call.func
    name = scope.tree.qualname(func, scope)
    if name is not None and (api.is_optimizer(name) or api.is_scheduler(name) or name.startswith(_PACKAGES)):
        return True
    if name is None and isinstance(func, ast.Attribute):
        if func.attr in _METHODS or torch_model.is_answer(func.attr) or func.attr == "__init__":
            return True
    if name is None and isinstance(func, ast.Name) and scope.lookup(func.id) is None:
        return func.id in _BUILTINS
    if depth < _DEPTH and _callee(func, scope) is not None:
        return not does_more(func, scope, depth + 1)
    return False
