"""DataParallel wraps of modules that are placed only where they are not wrapped: ``if n == 1: net.to(d)``, ``if n > 1: net = DataParallel(net)``."""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace
from placefix.facts import torch_api as api
from placefix.facts.program.accesses import clash, names
from placefix.facts.program.names import dotted
from placefix.facts.program.tree import common
from placefix.lazy import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from placefix.facts import Facts
    from placefix.facts.interpret.values import Event
    from placefix.facts.program.tree import Stmt

_OPERATORS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge
}  # fmt: skip


class _Bound(NamedTuple):
    """``x > 1``: how, and with what something is compared."""

    holds: Callable[[float, float], bool]
    number: int


class HalfPlaced(NamedTuple):
    """A wrap, and the placement of its module on another path written into the wrap's argument."""

    wrap: Event
    edit: Replace


def half_placed(facts: Facts) -> Iterator[HalfPlaced]:
    """Wraps without placement that are called with tensors of a device, where every placement of the module stands under a test that the
    wrap's excludes."""
    seen = set()
    for event in facts.flow.events:
        if event.kind != "wrap" or event.what != api.DATA_PARALLEL or event.node in seen:
            continue
        seen.add(event.node)
        ids, arg, root = facts.device_ids(event), event.arg_node, event.obj.root()
        if arg is None or not dotted(arg) or facts.reorder.model_parallel(root):
            continue
        if isinstance(ids, (ast.List, ast.Tuple)) and len(ids.elts) == 1:
            continue  # with one id the constructor moves the module
        placements = facts.reorder.placements(root, part=True)
        if not placements or not all(_on_gpu(p) and are_apart(facts, p.stmt, event.stmt) for p in placements):
            continue
        calls = [e for e in facts.flow.events if e.kind == "call" and e.order > event.order and e.obj.root() is root]
        twin = placements[0].node
        if not any(facts.flow.on_device(one) for call in calls for one in call.args) or not isinstance(twin, ast.Call):
            continue
        if isinstance(twin.func, ast.Attribute) and dotted(twin.func.value) == dotted(arg):
            if facts.span(twin).start != facts.span(twin.func.value).start:
                continue  # parentheses around what is placed
            span, code = facts.span(arg), facts.text(arg)
            move = facts.source.text[facts.span(twin.func.value).end : facts.span(twin).end]
            yield HalfPlaced(event, Replace(span, f"{code}{move}", code))


def _on_gpu(placement: Event) -> bool:
    """Whether a placement goes to something that may not be the CPU."""
    device = placement.place.device if placement.place is not None else None
    return device is not None and not device.is_cpu


def are_apart(facts: Facts, one: Stmt, other: Stmt) -> bool:
    """Whether no run of their function reaches both statements: they stand in two arms, or under tests that exclude each other."""
    if one.scope is not other.scope:
        return False
    pair = common(one, other)
    if pair is None:
        return True
    first, second = sorted(pair, key=lambda stmt: stmt.index)
    if first is second:
        return False
    between = first.suite.stmts[first.index : second.index]
    for a in _conditions(one, pair[0]):
        for b in _conditions(other, pair[1]):
            read = {n for part in (a, b) for n in names(ast.Expr(part))[0]}
            if (
                _exclude(a, b)
                and facts.reorder.order.pure(a, first)
                and not any(clash(facts.reorder.order.names(s).written, read) for s in between)
            ):
                return True
    return False


def _conditions(stmt: Stmt, top: Stmt) -> list[ast.expr]:
    """What holds where a statement runs, by the tests of the `if`s around it up to `top`."""
    found: list[ast.expr] = []
    for inner in (stmt, *stmt.ancestors()):
        if inner is top:
            break
        owner = inner.suite.owner
        if owner is None or not isinstance(owner.node, ast.If):
            continue
        test = owner.node.test
        if inner.suite.arm == "body":
            found += test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
        else:
            parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else [test]
            found += [part.operand if _is_not(part) else ast.UnaryOp(ast.Not(), part) for part in parts]  # type: ignore[attr-defined]
    return found


def _is_not(test: ast.expr) -> bool:
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def _exclude(a: ast.expr, b: ast.expr) -> bool:
    """Whether two tests are never true at once: ``x`` and ``not x``, or comparisons of one thing with numbers."""
    for one, other in ((a, b), (b, a)):
        if isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not) and ast.dump(one.operand) == ast.dump(other):
            return True
    if not (isinstance(a, ast.Compare) and isinstance(b, ast.Compare)) or ast.dump(a.left) != ast.dump(b.left):
        return False
    first, second = _bound(a), _bound(b)
    if first is None or second is None:
        return False
    tried = [number + step for number in (first.number, second.number) for step in (-0.5, 0, 0.5)]
    return not any(first.holds(value, first.number) and second.holds(value, second.number) for value in tried)


def _bound(test: ast.Compare) -> _Bound | None:
    """A comparison with a number."""
    holds = _OPERATORS.get(type(test.ops[0])) if len(test.ops) == 1 else None
    number = test.comparators[0]
    if holds is None or not isinstance(number, ast.Constant) or type(number.value) is not int:
        return None
    return _Bound(holds, number.value)
