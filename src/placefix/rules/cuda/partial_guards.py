"""Placements at the start or end of a guard that does more: they can be moved out of it if a device decides.

``if use_cuda: torch.cuda.manual_seed(1); model.cuda()`` keeps the seed and loses the move. The order of statements does not
change, except for a switch of cudnn and for statements that fill the moved module: the first placements in the
arm go in front of the guard, the last ones behind it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import argument_values, called_names, dotted
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.tree import dominates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Stmt


class Lift(NamedTuple):
    """The statements of an arm that go in front of the guard and behind it, each in source order."""

    before: tuple[Stmt, ...] = ()
    after: tuple[Stmt, ...] = ()


def lift(
    context: AnalysisContext, guard: Stmt, arm: Sequence[Stmt], places_only: Callable[[ast.stmt], bool]
) -> Iterator[Lift]:
    """The statements of `arm` that may leave it, the better choice first; none if the whole arm would."""

    def liftable(stmt: Stmt) -> bool:
        """Whether a statement of the arm only places, is on separate lines, and needs nothing from the statements before it."""
        simple = isinstance(stmt.node, (ast.Expr, ast.Assign)) and own_line(context, stmt)
        return (simple or _own_lines(context, stmt)) and places_only(stmt.node) and _there_before(context, stmt, guard)

    first = 0
    while first < len(arm) and liftable(arm[first]):
        first += 1
    after: list[Stmt] = []
    for stmt in reversed(arm[first:]):
        if liftable(stmt):
            after.insert(0, stmt)
        elif not _switch(context, stmt):
            break
    if first + len(after) == len(arm):
        return
    yield Lift(tuple(arm[:first]), tuple(after))
    loaded = {_loaded(stmt) for stmt in arm[first : first + 1]} - {""}
    if loaded and len(arm) > first + 1 and liftable(arm[first + 1]) and _moved(arm[first + 1]) in loaded:
        yield Lift((*arm[:first], arm[first + 1]), ())


def _loaded(stmt: Stmt) -> str:
    """The module that ``net.load_state_dict(…)`` fills, on any device; an empty string for any other statement, and
    with `assign`, which replaces the parameters by the loaded ones."""
    call = stmt.node.value if isinstance(stmt.node, ast.Expr) else None
    if (
        not isinstance(call, ast.Call)
        or not isinstance(call.func, ast.Attribute)
        or call.func.attr != "load_state_dict"
    ):
        return ""
    if (
        any(k.arg != "strict" for k in call.keywords)
        or len(call.args) > 2
        or any(isinstance(a, ast.Starred) for a in call.args)
    ):
        return ""
    name = dotted(call.func.value)
    given = argument_values(call)
    return (
        ""
        if any(dotted(n) == name for g in given for n in walk(g) if isinstance(n, (ast.Name, ast.Attribute)))
        else name
    )


def chained(context: AnalysisContext, stmt: Stmt, move: ast.expr) -> str:
    """The `x` of ``x = x.cuda().half()``, a statement of one line that moves it first and names it nowhere else; else an
    empty string."""
    node, name = stmt.node, assigned_text(stmt.node)
    if not isinstance(node, ast.Assign) or not isinstance(move, ast.Call) or not own_line(context, stmt):
        return ""
    link = node.value
    while link is not move and isinstance(link, ast.Call) and isinstance(link.func, ast.Attribute):
        link = link.func.value
    same = link is move and isinstance(move.func, ast.Attribute) and dotted(move.func.value) == name
    named = [n for n in walk(node) if isinstance(n, (ast.Name, ast.Attribute)) and dotted(n) == name]
    return name if same and len(named) == 2 else ""


def _moved(stmt: Stmt) -> str:
    """The object that ``net.cuda()`` and ``net = net.cuda()`` move."""
    value = getattr(stmt.node, "value", None)
    return dotted(value.func.value) if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else ""


def apart(context: AnalysisContext, found: Lift, others: Sequence[Stmt]) -> bool:
    """Whether the other arm continues behind the guard and does not use the values that are moved behind it. In front of
    the guard, a move to the CPU does not change the values for it."""
    gone = found.after
    whole = {dotted(n) for s in gone for n in walk(s.node) if isinstance(n, (ast.Name, ast.Attribute))} - {""}
    whole = {name for name in whole if not any(other.startswith(f"{name}.") for other in whole)}
    names = {name.removesuffix(".cuda").removesuffix(".to") for name in whole}
    for stmt in others:
        for node in walk(stmt.node):
            if isinstance(node, (ast.Raise, ast.Return, ast.Break, ast.Continue, ast.Assert)):
                return False
            if isinstance(node, (ast.Name, ast.Attribute)) and dotted(node) in names:
                return False
        if called_names(stmt.node) & {"exit", "quit", "_exit", "abort"}:
            return False
    return True


def _switch(context: AnalysisContext, stmt: Stmt) -> bool:
    """``cudnn.benchmark = True``: a move may pass it."""
    node = stmt.node
    if (
        not isinstance(node, ast.Assign)
        or not isinstance(node.value, ast.Constant)
        or not isinstance(node.targets[0], ast.Attribute)
    ):
        return False
    return len(node.targets) == 1 and (context.tree.qualname(node.targets[0], stmt.scope) or "").startswith(
        "torch.backends.cudnn."
    )


def own_line(context: AnalysisContext, stmt: Stmt) -> bool:
    """Whether a statement has one line, to itself and a comment at its end, with none above."""
    source, span = context.source, context.span(stmt)
    row = source.line_of(span.start)
    before, _, behind = source.line(row).partition(source.segment(span))
    if source.line_of(span.end) != row or before.strip() or (behind.strip() and not behind.lstrip().startswith("#")):
        return False
    return not source.line(row - 1).lstrip().startswith("#")


def _own_lines(context: AnalysisContext, stmt: Stmt) -> bool:
    """Whether it is an ``if`` with one suite whose lines hold a statement each, and no comment."""
    if not isinstance(stmt.node, ast.If) or len(stmt.suites) != 1:
        return False
    source, span, suite = context.source, context.span(stmt), stmt.suites[0].stmts
    first, rows = source.line_of(span.start), [source.line_of(context.span(s).start) for s in suite]
    head = source.line(first).strip()
    if "#" in head or not head.endswith(":") or source.line(first - 1).lstrip().startswith("#"):
        return False
    return rows == list(range(first + 1, first + 1 + len(suite))) and all(own_line(context, s) for s in suite)


def lines(context: AnalysisContext, stmt: Stmt, text: str) -> str:
    """The `text` of a statement without its indentation, with the comment at its end."""
    source = context.source
    line = source.line(source.line_of(context.span(stmt).start))
    margin = line[: len(line) - len(line.lstrip())]
    behind = source.line(source.line_of(context.span(stmt).end)).rpartition(
        source.segment(context.span(stmt)).splitlines()[-1]
    )[2]
    return "\n".join(part.removeprefix(margin) for part in text.splitlines()) + behind.rstrip()


def _given(name: str, stmt: Stmt) -> bool:
    """Whether a name is a parameter of the function around."""
    return stmt.scope.is_function and any(
        isinstance(a, ast.arg) and a.arg == name for a in walk(stmt.scope.function.args)
    )


def _there_before(context: AnalysisContext, stmt: Stmt, guard: Stmt) -> bool:
    """Whether everything that `stmt` reads is there without the guard's arm."""
    index = context.index
    for node in walk(stmt.node):
        if not isinstance(node, (ast.Name, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
            continue
        text = dotted(node)
        writes = [
            w.stmt for w in index.writes.get(text, ()) if w.stmt.scope is guard.scope and stmt not in w.stmt.ancestors()
        ]
        if any(guard in w.ancestors() for w in writes) and not (
            _given(text, guard) or any(dominates(w, guard) for w in writes)
        ):
            return False
    return True
