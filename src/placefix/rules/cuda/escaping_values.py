"""Parameters that a function replaces by a value on CUDA on one path and passes on: ``if random: c = torch.rand(3).cuda()``, ``return Q(c)``.

If nothing in the function meets the value, only its users decide on its device, and on the other path nothing moved it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts.devices.nullness import is_none_test
from placefix.facts.interpret.provenance import Provenance
from placefix.facts.program.assignments import assigned_name
from placefix.facts.program.ast_names import every_parameter
from placefix.facts.program.ast_walk import header, walk
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Premise


def escapes(context: AnalysisContext, site: Site) -> Premise | None:
    """The premise about the users of the placed value; None if it is always placed, or meets another one in the function."""
    stmt, scope = site.stmt, site.stmt.scope
    name = _rebound_parameter(site)
    branches = [a for a in stmt.ancestors() if isinstance(a.node, ast.If)]
    if not name or not branches or _is_handed_over(context, site):
        return None
    bound = context.index.binding(scope, name)
    if any(s.node.lineno > stmt.node.lineno and any(b in s.ancestors() for b in branches) for s in bound):
        return None  # at the end of a branch it has another value
    if len({a.suite.arm for s in bound for a in s.ancestors() if a.parent is branches[0]}) > 1:
        return None  # it is bound on every way
    behind = [(n, s) for n, s in context.index.read(name) if s.scope is scope and _behind(s, branches[0])]
    if any(context.get(Cuda).receivers.usage.meets(expr) for expr, _ in behind):
        return None
    return premises.GIVEN_NEEDS_NO_MOVE(name=name) if any(_hands_on(s, expr) for expr, s in behind) else None


def _tests(stmt: Stmt) -> Iterator[tuple[str, ast.expr]]:
    """The test of each ``if`` around a statement, with the arm that the statement is in."""
    for inner in stmt.ancestors():
        owner = inner.suite.owner
        if owner is not None and isinstance(owner.node, ast.If):
            yield inner.suite.arm, owner.node.test


def _rebound_parameter(site: Site) -> str:
    """The parameter that an unguarded move is assigned to, ``x = x.cuda()``, if it may hold a value of the caller on another path; "" for
    any other use."""
    scope, name = site.stmt.scope, assigned_name(site.stmt.node)
    if site.guard is not None or not scope.is_function:
        return ""
    if all(arm == "body" and is_none_test(test, name) is False for arm, test in _tests(site.stmt)):
        return ""  # on the other paths, if there are any, it is None
    return name if any(a.arg == name for a in every_parameter(scope.function.args)) else ""


def _is_handed_over(context: AnalysisContext, site: Site) -> bool:
    """Whether the moved value may be an argument of the function."""
    return site.receiver is not None and context.get(Provenance).is_handed_over(site.receiver, site.stmt.scope)


def _behind(stmt: Stmt, branch: Stmt) -> bool:
    """Whether a statement is below a branch, and not in it."""
    return branch not in stmt.ancestors() and stmt.node.lineno > branch.node.lineno


def _hands_on(stmt: Stmt, expr: ast.expr) -> bool:
    """Whether a statement returns the value of an expression, stores it or passes it to a call."""
    if isinstance(stmt.node, ast.Return):
        return True
    if isinstance(stmt.node, ast.Assign) and stmt.node.value is expr:
        return any(not isinstance(t, ast.Name) for t in stmt.node.targets)
    calls = (call for part in header(stmt.node) for call in walk(part) if isinstance(call, ast.Call))
    return any(expr in call.args or any(k.value is expr for k in call.keywords) for call in calls)
