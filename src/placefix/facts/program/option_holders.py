"""The objects that hold the parsed options of the command line."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.program.ast_names import argument_value, called_name, parameters
from placefix.facts.program.callees import local_definition

if TYPE_CHECKING:
    from placefix.facts.program.expression_index import Index
    from placefix.facts.program.tree import Scope

_DEPTH = 4  # functions between the parser and the use of its options


class OptionHolders:
    """The expressions of a file that are the result of ``parse_args()``: that call, a call of a function of the file that returns it, or
    a name that holds it.

    follow_callers: also a parameter for which every call in the file passes it; other files may pass something else.
    """

    def __init__(self, index: Index, *, follow_callers: bool) -> None:
        self._index = index
        self._follow_callers = follow_callers

    def holds(self, expr: ast.expr | None, scope: Scope, depth: int = _DEPTH) -> bool:
        """Whether an expression in `scope` is one of them."""
        if isinstance(expr, ast.Call):
            return self._is_result(expr, scope, depth)
        owner = scope.lookup(expr.id) if isinstance(expr, ast.Name) else None
        if owner is None or not isinstance(expr, ast.Name) or len(owner.bindings.get(expr.id, ())) != 1:
            return False
        writes = self._index.values(owner, expr.id)
        if writes:
            return self.holds(writes[0].value, owner, depth)
        return self._follow_callers and depth > 0 and owner.is_function and self._is_passed(expr.id, owner, depth)

    def _is_result(self, call: ast.Call, scope: Scope, depth: int) -> bool:
        if isinstance(call.func, ast.Attribute):
            return call.func.attr == "parse_args"
        function = local_definition(call.func, scope) if depth else None
        if function is None or not function.is_function:
            return False
        returned = function.tree.returns.get(function, ())
        return bool(returned) and all(self.holds(node.value, function, depth - 1) for node in returned)

    def _is_passed(self, name: str, function: Scope, depth: int) -> bool:
        """Whether every call of a function in the file passes it for the parameter `name`."""
        names = [*parameters(function.function.args)]
        calls = [(c, s) for c, s in self._index.called(function.name) if called_name(c) == function.name]
        if name not in names:
            return False
        given = ((argument_value(call, names.index(name), name), stmt.scope) for call, stmt in calls)
        return bool(calls) and all(self.holds(value, where, depth - 1) for value, where in given)
