"""Options of the command line, as argparse has them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.program.ast_names import called_name, parameters, unpacks
from placefix.facts.program.callees import local_definition

if TYPE_CHECKING:
    from placefix.facts.program.expression_index import Index
    from placefix.facts.program.tree import Scope

_DEPTH = 4  # functions between the parser and the use of its options


def destination(call: ast.Call) -> str:
    """The attribute that ``add_argument(…)`` sets; empty where it is not written out."""
    for keyword in call.keywords:
        if keyword.arg == "dest":
            value = keyword.value
            return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""
    words = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    long = [w for w in words if w.startswith("--")] or words
    return long[0].lstrip("-").replace("-", "_") if long else ""


def holds_options(expr: ast.expr, scope: Scope, index: Index, *, follow_callers: bool, depth: int = _DEPTH) -> bool:
    """Whether an expression in `scope` is what ``parse_args()`` returns: that call, a call of a function of the file that returns it, or
    a name that holds it. follow_callers: also a parameter for which every call in the file passes it; other files may pass
    something else."""
    if isinstance(expr, ast.Call):
        if isinstance(expr.func, ast.Attribute):
            return expr.func.attr == "parse_args"
        function = local_definition(expr.func, scope) if depth else None
        returned = function.tree.returns.get(function, ()) if function is not None and function.is_function else ()
        return bool(returned) and all(
            node.value is not None
            and holds_options(node.value, function, index, follow_callers=follow_callers, depth=depth - 1)  # type: ignore[arg-type]
            for node in returned
        )
    owner = scope.lookup(expr.id) if isinstance(expr, ast.Name) else None
    if owner is None or not isinstance(expr, ast.Name) or len(owner.bindings.get(expr.id, ())) != 1:
        return False
    writes = index.values(owner, expr.id)
    if writes:
        value = writes[0].value
        return value is not None and holds_options(value, owner, index, follow_callers=follow_callers, depth=depth)
    if not (follow_callers and depth and owner.is_function and expr.id in parameters(owner.function.args)):
        return False
    position = [*parameters(owner.function.args)].index(expr.id)
    calls = [(call, stmt) for call, stmt in index.called(owner.name) if called_name(call) == owner.name]
    given = [(_argument(call, position, expr.id), stmt.scope) for call, stmt in calls]
    return bool(given) and all(
        value is not None and holds_options(value, where, index, follow_callers=True, depth=depth - 1)
        for value, where in given
    )


def _argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    """The argument that a call gives for a parameter; None where it gives none, or unpacks its arguments."""
    if unpacks(call):
        return None
    if len(call.args) > position:
        return call.args[position]
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
