"""The two arms of a guard, as syntax: whether they differ in placement only."""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import premises, reasons
from placefix.facts.program.ast_names import is_literal
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.statement_forms import is_elif
from placefix.rules.cuda.redundant_assignments import held
from placefix.rules.cuda.tensor_type_guards import is_type, unplaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Guard, Site
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Premise, Reason


class BranchComparison(NamedTuple):
    """Whether the arms of a guard differ in placement only, under which premise; if the other arm does more, the reason."""

    alike: bool
    premise: Premise | None = None
    why_not: Reason | None = None


def arms(guard: Guard) -> tuple[list[Stmt], list[Stmt]]:
    """The statements of the arm that places, and of the other."""
    suites = guard.stmt.suites
    mine = next(s for s in suites if s.arm == guard.arm).stmts
    return mine, [s for suite in suites if suite.arm != guard.arm for s in suite.stmts]


def return_behind(stmt: Stmt, mine: Sequence[Stmt]) -> Stmt | None:
    """The `return` behind a guard that returns: it takes the place of an other arm."""
    rest = stmt.suite.stmts[stmt.index + 1 :]
    if (
        len(mine) == 1
        and isinstance(mine[0].node, ast.Return)
        and len(rest) == 1
        and isinstance(rest[0].node, ast.Return)
    ):
        return rest[0]
    return None


def in_chain(stmt: Stmt) -> bool:
    """Whether an ``if`` is an elif, or has one."""
    return is_elif(stmt) or any(suite.arm == "orelse" and is_elif(suite.stmts[0]) for suite in stmt.suites)


def last_of_chain(stmt: Stmt) -> bool:
    """Whether an ``if`` is an elif with nothing behind it."""
    return len(stmt.suites) == 1 and is_elif(stmt)


def pure(
    context: AnalysisContext, mine: Sequence[Stmt], others: Sequence[Stmt], sites: Sequence[Site]
) -> BranchComparison:
    """Whether the arms differ in placement only."""
    moves = {s.node for s in sites}
    if all(nothing(s.node) for s in others):
        placing = [s.node for s in mine if not nothing(s.node)]
        relisted = [node for node in placing if _relists(node, moves)]
        pure = bool(placing) and all(places_only(context, node, moves) for node in placing if node not in relisted)
        return BranchComparison(pure, premises.NEW_LIST if pure and relisted else None)
    found = _unmoved(mine, others, moves)
    if found is not None:
        return found
    stops = any(isinstance(s.node, ast.Raise) for s in others)
    return BranchComparison(False, why_not=reasons.OTHER_BRANCH_STOPS if stops else reasons.OTHER_BRANCH_DIFFERS)


def _unmoved(mine: Sequence[Stmt], others: Sequence[Stmt], moves: set[ast.expr]) -> BranchComparison | None:
    """Whether the other arm is this one without its moves; None if it is not."""
    bare = [_strip(s.node, moves) for s in mine]
    if [ast.dump(n) for n in bare if not nothing(n)] == [ast.dump(s.node) for s in others if not nothing(s.node)]:
        return BranchComparison(alike=True)
    if len(mine) != len(others):
        return None
    pairs = [(a.node, b.node) for a, b in zip(mine, others, strict=True)]
    if all(same_but(a, b, moves) for a, b in pairs):
        return BranchComparison(alike=True)
    if all(same_but(a, b, moves, relisted=True) for a, b in pairs):
        return BranchComparison(True, premises.NEW_LIST)
    return BranchComparison(True, premises.NEW_LIST) if len(pairs) == 1 and _same_in_arms(*pairs[0], moves) else None


def places_only(context: AnalysisContext, node: ast.stmt, moves: set[ast.expr]) -> bool:
    """``x = x.cuda()``, ``x, y = x.cuda(), y.cuda()``, ``model.cuda()``: without the move nothing is left.

    Also under a test without effects (``if x is not None:``) and in a loop over existing items.
    """
    if isinstance(node, ast.If) and not node.orelse:
        return looks(node.test) and all(places_only(context, s, moves) for s in node.body)
    if isinstance(node, ast.For) and not node.orelse:
        return _at_hand(node.iter) and all(
            places_only(context, s, moves) or _item(context, s, node, moves) for s in node.body
        )
    if _moves_nothing(node, moves):
        return False
    bare = _strip(node, moves)
    guard = context.tree.stmts[node].parent
    return nothing(bare) or (guard is not None and held(bare, guard))


def _item(context: AnalysisContext, stmt: ast.stmt, loop: ast.For, moves: set[ast.expr]) -> bool:
    """``d[k] = v.cuda()`` in ``for k, v in d.items()``, looked at first or not."""
    if isinstance(stmt, ast.If) and not stmt.orelse:
        return looks(stmt.test) and all(_item(context, s, loop, moves) for s in stmt.body)
    if not isinstance(stmt, ast.Assign) or len(stmt.targets) != 1 or _moves_nothing(stmt, moves):
        return False
    bare = _strip(stmt, moves)
    assert isinstance(bare, ast.Assign)
    over = loop.iter.func if isinstance(loop.iter, ast.Call) else None
    return (
        isinstance(over, ast.Attribute)
        and over.attr == "items"
        and isinstance(loop.target, ast.Tuple)
        and len(loop.target.elts) == 2
        and isinstance(bare.targets[0], ast.Subscript)
        and ast.unparse(bare.targets[0].value) == ast.unparse(over.value)
        and ast.unparse(bare.targets[0].slice) == ast.unparse(loop.target.elts[0])
        and ast.unparse(bare.value) == ast.unparse(loop.target.elts[1])
    )


def brings_back(others: Sequence[Stmt], sites: Sequence[Site]) -> bool:
    """Whether the other arm moves to the CPU as often as this one moves to CUDA."""
    return sum(_before_cpu(node) is not node for s in others for node in walk(s.node)) == len(sites)


def _strip(node: ast.AST, moves: set[ast.expr]) -> ast.AST:
    """The tree with every move replaced by the moved expression."""
    if node in moves:
        assert isinstance(node, ast.Call)
        return _strip(unplaced(node), moves)
    clone = copy.copy(node)
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            setattr(clone, name, [_strip(v, moves) if isinstance(v, ast.AST) else v for v in value])
        elif isinstance(value, ast.AST):
            setattr(clone, name, _strip(value, moves))
    return clone


def _moves_nothing(node: ast.AST, moves: set[ast.expr]) -> bool:
    """Whether a node contains none of the moves."""
    return moves.isdisjoint(walk(node))


def same_but(mine: ast.AST, other: ast.AST, moves: set[ast.expr], *, relisted: bool = False) -> bool:
    """Whether `other` is `mine` without its moves, or with moves to the CPU in their places.

    relisted: also a comprehension that moves each item and changes nothing else.
    """
    if relisted and isinstance(mine, ast.ListComp) and not isinstance(other, ast.ListComp):
        return _moves_items(mine, moves) and ast.dump(mine.generators[0].iter) == ast.dump(other)
    if any(mine is move for move in moves):
        assert isinstance(mine, ast.Call)
        return same_but(unplaced(mine), other if is_type(mine) else _before_cpu(other), moves, relisted=relisted)
    if mine.__class__ is not other.__class__:
        return False
    fields = (name for name in mine._fields if name not in ("ctx", "type_comment", "kind"))
    return all(
        _same_part(getattr(mine, name, None), getattr(other, name, None), moves, relisted=relisted) for name in fields
    )


def _same_part(mine: object, other: object, moves: set[ast.expr], *, relisted: bool) -> bool:
    """`same_but` for a field of a node: a node, a list of such, or a plain value."""
    if isinstance(mine, list) and isinstance(other, list):
        return len(mine) == len(other) and all(
            _same_part(a, b, moves, relisted=relisted) for a, b in zip(mine, other, strict=True)
        )
    if isinstance(mine, ast.AST) and isinstance(other, ast.AST):
        return same_but(mine, other, moves, relisted=relisted)
    return mine == other


def _same_in_arms(mine: ast.stmt, other: ast.stmt, moves: set[ast.expr]) -> bool:
    """Whether each arm of an ``if`` that only looks is `other` with moves, item by item or not: ``return [t.cuda() for t in x]``
    for a list, ``return x.cuda()`` for all else."""
    if not isinstance(mine, ast.If):
        return same_but(mine, other, moves, relisted=True)
    arms = (mine.body, mine.orelse)
    return looks(mine.test) and all(len(arm) == 1 and _same_in_arms(arm[0], other, moves) for arm in arms)


def _relists(stmt: ast.stmt, moves: set[ast.expr]) -> bool:
    """``xs = [x.cuda() for x in xs]``, ``batch = {k: v.cuda() for k, v in batch.items()}``: the same things, moved."""
    if (
        not isinstance(stmt, ast.Assign)
        or len(stmt.targets) != 1
        or not any(part in moves for part in walk(stmt.value))
    ):
        return False
    target, value = ast.unparse(stmt.targets[0]), stmt.value
    if isinstance(value, ast.ListComp):
        return _moves_items(value, moves) and ast.unparse(value.generators[0].iter) == target
    if not isinstance(value, ast.DictComp) or len(value.generators) > 1:
        return False
    loop, bare = value.generators[0], _either(_strip(value.value, moves))
    plain = not loop.ifs and not loop.is_async and ast.unparse(loop.iter) == f"{target}.items()"
    return plain and ast.unparse(loop.target) in (
        f"({ast.unparse(value.key)}, {ast.unparse(bare)})",
        f"{ast.unparse(value.key)}, {ast.unparse(bare)}",
    )


def _either(node: ast.AST) -> ast.AST:
    """The common value of both arms of a conditional expression whose test has no effects; any other node itself."""
    if isinstance(node, ast.IfExp) and looks(node.test) and ast.dump(node.body) == ast.dump(node.orelse):
        return node.body
    return node


def _moves_items(node: ast.ListComp, moves: set[ast.expr]) -> bool:
    """``[b.cuda() for b in batch]``, None left alone or not: the items of `batch`, moved."""
    loop, bare = node.generators[0], _either(_strip(node.elt, moves))
    if len(node.generators) > 1 or loop.ifs or loop.is_async or not isinstance(loop.target, ast.Name):
        return False
    if isinstance(bare, ast.IfExp) and is_literal(bare.orelse, None):
        if ast.unparse(bare.test) != f"{loop.target.id} is not None":
            return False
        bare = bare.body
    return isinstance(bare, ast.Name) and bare.id == loop.target.id


def _before_cpu(node: ast.AST) -> ast.AST:
    """The receiver of ``x.cpu()`` and ``x.to("cpu")``; any other node itself."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
        to_cpu = len(node.args) == 1 and is_literal(node.args[0], "cpu")
        if (node.func.attr == "cpu" and not node.args) or (node.func.attr == "to" and to_cpu):
            return node.func.value
    return node


def nothing(node: ast.AST) -> bool:
    """Whether a statement without its moves does nothing: ``pass``, ``x = x``, ``model``."""
    if isinstance(node, ast.Pass):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, (ast.Name, ast.Constant)) or (
            isinstance(node.value, ast.Attribute) and _chain(node.value)
        )
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return _same(node.targets[0], node.value)
    return False


def looks(test: ast.expr) -> bool:
    """Whether a test only looks: names, attributes, comparisons, isinstance and torch.is_tensor."""
    for part in walk(test):
        if isinstance(part, ast.Call):
            name = ast.unparse(part.func)
            if name not in ("isinstance", "hasattr", "len", "torch.is_tensor", "callable"):
                return False
        elif isinstance(part, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Subscript)):
            return False
    return True


def _at_hand(iterable: ast.expr) -> bool:
    """Whether a loop runs over something that is there before and after: a name, its items."""
    if isinstance(iterable, ast.Call):
        func = iterable.func
        if isinstance(func, ast.Attribute) and func.attr in ("items", "values", "keys") and not iterable.args:
            return isinstance(func.value, ast.Name) or _chain(func.value)
        return isinstance(func, ast.Name) and func.id in ("range", "len")
    return isinstance(iterable, ast.Name) or _chain(iterable)


def _same(target: ast.expr, value: ast.expr) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return (
            isinstance(value, (ast.Tuple, ast.List))
            and len(target.elts) == len(value.elts)
            and all(_same(a, b) for a, b in zip(target.elts, value.elts, strict=True))
        )
    if isinstance(target, ast.Subscript) and isinstance(value, ast.Subscript):
        return _same(target.value, value.value) and ast.dump(target.slice) == ast.dump(value.slice)
    if isinstance(target, ast.Attribute) and isinstance(value, ast.Attribute):
        return target.attr == value.attr and _same(target.value, value.value)
    return isinstance(target, ast.Name) and isinstance(value, ast.Name) and target.id == value.id


def _chain(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)
