"""The placement of a module brought up in front of its wrap: construct → place → wrap."""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

from placefix.diagnostic import Delete, Move, Replace
from placefix.facts import reasons
from placefix.facts import torch_api as api
from placefix.facts.interpret.flow import Flow
from placefix.facts.interpret.interpreter_base import WORLD
from placefix.facts.program.assignments import assigned_text, target_pairs
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.reads_and_writes import clash, names
from placefix.facts.program.tree import common
from placefix.rules.ordering.misordered import Repair, frame

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Edit
    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Event, Obj
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Reason
    from placefix.rules.ordering.misordered import Wrap
    from placefix.rules.ordering.movability import Order

_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


# Effects of a statement beside a placement.
_DOES_MORE = frozenset(("opaque", "params", "init", "call", "copied", "use", "load"))


class Hoist:
    """Placements moved up, over one file."""

    def __init__(self, context: AnalysisContext, order: Order) -> None:
        self.context = context
        self.order = order

    def place_before_wrap(self, wrap: Wrap) -> Repair:
        """Hoist the placement above the wrap, or write it into the wrap's argument."""
        placement = wrap.placement
        assert placement is not None and placement.place is not None
        if wrap.elsewhere:
            return Repair(why_not=reasons.PLACED_IN_ANOTHER_FUNCTION)
        if placement.args[0] is not wrap.event.obj.root():
            return Repair(why_not=reasons.MAY_PLACE_ANOTHER(line=self.context.source.row_name(placement.node.lineno)))
        if wrap.chained:
            return self._chained(wrap)
        shared = frame(wrap.event, placement)
        assert shared is not None
        pair = common(shared[0], shared[1])
        assert pair is not None
        target, place = pair
        base = wrap.event.arg_node
        if base is None or not dotted(base):
            return self._into_argument(wrap, target, place)
        return self._hoist_above_wrap(wrap, target, place, dotted(base))

    def _chained(self, wrap: Wrap) -> Repair:
        """``DataParallel(m).cuda()`` becomes ``DataParallel(m.cuda())``."""
        placement = wrap.placement
        assert placement is not None
        node = placement.node
        inner = wrap.event.node
        arg = wrap.event.arg_node
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or arg is None:
            return Repair(why_not=reasons.NOT_ON_WRAPPER)
        link: ast.expr = node.func.value
        while link is not inner:  # DataParallel(m).train().cuda()
            if (
                not isinstance(link, ast.Call)
                or not isinstance(link.func, ast.Attribute)
                or link.func.attr not in api.MODES
            ):
                return Repair(why_not=reasons.NOT_ON_WRAPPER)
            link = link.func.value
        source = self.context.source
        whole, call, argument = source.span(node), source.span(inner), source.span(arg)
        text = source.text
        before = source.span(node.func.value).end
        moved = self._atom(arg, text[argument.start : argument.end]) + text[before : whole.end]
        new = text[whole.start : argument.start] + moved + text[argument.end : before]
        if text[whole.start : call.start].strip():
            return Repair(why_not=reasons.WRAP_IN_PARENTHESES)
        return Repair((Replace(whole, new, text[whole.start : whole.end]),))

    @staticmethod
    def _atom(node: ast.expr, text: str) -> str:
        return text if isinstance(node, _ATOMS) else f"({text})"

    def _into_argument(self, wrap: Wrap, target: Stmt, place: Stmt) -> Repair:
        """``m = DP(Net()); m.to(d)`` becomes ``m = DP(Net().to(d))``."""
        placement, arg = wrap.placement, wrap.event.arg_node
        assert placement is not None
        if arg is None:
            return Repair(why_not=reasons.WRAPPED_NOT_AN_ARGUMENT)
        node, call = place.node, placement.node
        if (
            target is not wrap.event.stmt
            or place is not placement.stmt
            or not isinstance(call, ast.Call)
            or not isinstance(call.func, ast.Attribute)
        ):
            return Repair(why_not=reasons.UNNAMED_AND_CONDITIONAL)
        value = node.value if isinstance(node, (ast.Expr, ast.Assign)) else None
        if value is not call:
            return Repair(why_not=reasons.WRAPPED_UNNAMED)
        receiver = dotted(call.func.value)
        if isinstance(node, ast.Assign) and [dotted(t) for t in node.targets] != [receiver]:
            return Repair(why_not=reasons.SECOND_NAME)
        between = target.suite.stmts[target.index + 1 : place.index]
        definitions, why = self.crossing(place, [target, *between], [wrap.event.obj.root()], {receiver}, placement)
        if why:
            return Repair(why_not=why)
        source = self.context.source
        if source.span(call).start != source.span(call.func.value).start:
            return Repair(why_not=reasons.PLACED_IN_PARENTHESES)
        text = self._atom(arg, source.code(arg)) + source.text[source.span(call.func.value).end : source.span(call).end]
        edits: list[Edit] = [Replace(source.span(arg), text, source.code(arg)), Delete((source.span(node),))]
        if definitions:
            edits.insert(0, Move(tuple(self.context.span(d) for d in definitions), self.context.span(target)))
        return Repair(tuple(edits), hoisted=True)

    def _hoist_above_wrap(self, wrap: Wrap, target: Stmt, place: Stmt, base: str) -> Repair:
        root = wrap.event.obj.root()
        wrapper = assigned_text(wrap.event.stmt.node) or base
        why = self._made_inside(target, base, wrap)
        if why:
            return Repair(why_not=why)
        between = target.suite.stmts[target.index + 1 : place.index]
        definitions, why = self.crossing(place, [target, *between], [root], {wrapper, base}, wrap.placement)
        if why:
            return Repair(why_not=why)
        if isinstance(target.node, ast.If) and not target.node.orelse and target is not wrap.event.stmt:
            base = wrapper  # without the wrap the name is the module's as well
        replaced, why = self._receivers(place, wrapper, base)
        why = why or self._switches_mode(place) or self._needs_wrapper(place, wrapper)
        if why:
            return Repair(why_not=why)
        span = self.context.span
        moved = tuple(span(s) for s in (*definitions, place))
        return Repair((Move(moved, span(target), "before", tuple(replaced)),), hoisted=True)

    def _made_inside(self, target: Stmt, base: str, wrap: Wrap) -> Reason | None:
        """Why the module may not exist yet above the statement that wraps it, None if it does."""
        if target is wrap.event.stmt:
            return None
        wrap_nodes = {e.stmt.node for e in self.context.get(Flow).index.of_root("wrap", wrap.event.obj.root())}
        for part in walk(target.node):
            if (
                not isinstance(part, (ast.Assign, ast.AugAssign, ast.AnnAssign))
                or part is target.node
                or part in wrap_nodes
            ):
                continue
            if base in names(part)[1]:
                return reasons.MADE_WITH_WRAP(name=base)
        return None

    def _needs_wrapper(self, place: Stmt, wrapper: str) -> Reason | None:
        """Why the placement means the wrapper and not the module under it, None if it means the module."""
        allowed: set[ast.AST] = set()
        for part in walk(place.node):
            if isinstance(part, ast.Expr):
                allowed |= _receivers_of(part.value, (wrapper, f"{wrapper}.module"))
            elif isinstance(part, ast.Assign) and len(part.targets) == 1:
                for one, expr in target_pairs(part.targets[0], part.value):
                    if dotted(one) == wrapper:
                        allowed |= _receivers_of(expr, (wrapper,))
        for part in walk(place.node):
            if (
                isinstance(part, (ast.Name, ast.Attribute))
                and isinstance(part.ctx, ast.Load)
                and dotted(part) == wrapper
                and part not in allowed
            ):
                return reasons.USES_WRAPPER(line=self.order.describe(place))
        return None

    def _switches_mode(self, place: Stmt) -> Reason | None:
        """Why the placement must stay below the wrap: it switches the wrapper to evaluation as well."""
        for part in walk(place.node):
            if not isinstance(part, ast.Call) or not isinstance(part.func, ast.Attribute):
                continue
            if part.func.attr == "eval" or (part.func.attr == "train" and (part.args or part.keywords)):
                return reasons.SWITCHES_MODE(line=self.order.describe(place))
        return None

    def _receivers(self, place: Stmt, wrapper: str, base: str) -> tuple[list[Replace], Reason | None]:
        """Edits that replace the wrapper by the bare module in the moved placement."""
        source = self.context.source
        result: list[Replace] = []
        for part in walk(place.node):
            if not isinstance(part, (ast.Name, ast.Attribute)) or dotted(part) != f"{wrapper}.module":
                continue
            result.append(Replace(source.span(part), base, source.code(part)))
        inner = {r.span for r in result}
        if wrapper != base:
            for part in walk(place.node):
                if isinstance(part, (ast.Name, ast.Attribute)) and dotted(part) == wrapper:
                    span = source.span(part)
                    if not any(s.start <= span.start and span.end <= s.end for s in inner):
                        result.append(Replace(span, base, source.code(part)))
        for part in walk(place.node):
            text = dotted(part) if isinstance(part, ast.Attribute) else ""
            if text.startswith(f"{wrapper}.module.") and text.rpartition(".")[2] not in api.PLACING:
                return [], reasons.READS_THROUGH_WRAPPER(name=text)
        return result, None

    def _binds(self, name: str, stmt: Stmt) -> bool:
        """Whether a statement binds a name, or an attribute or item of it."""
        return bool(clash(self.order.names(stmt).written, {name}))

    def crossing(
        self, place: Stmt, across: list[Stmt], modules: list[Obj], own: set[str], placement: Event | None
    ) -> tuple[list[Stmt], Reason | None]:
        """(definitions that must move along, why the placement may not move up across `across`)."""
        device = placement.place.device if placement is not None and placement.place is not None else None
        ambient = device is None or (device.index is None and not device.has_number)
        why = self._does_more(place) or self.order.why_leaves(place)
        if why:
            return [], why
        touched = dict.fromkeys(obj for obj, what in self.order.touched(place) if what == "place")
        placed = [*modules, *(obj for obj in touched if obj not in modules)]
        read, written = self.order.names(place)
        needed = set(read)
        definitions: list[Stmt] = []
        rest: list[Stmt] = []
        for stmt in reversed(across):
            if why := self.order.why_place_cannot_cross(placed, stmt, ambient=ambient):
                return [], why
            hit = clash(self.order.names(stmt).written, _without(needed, own))
            if not hit:
                rest.append(stmt)
                continue
            if not self.order.pure_definition(stmt) or stmt is across[0] or self.order.touched(stmt):
                line = self.order.describe(stmt, partial(self._binds, hit))
                return [], reasons.DEFINES_NEEDED(line=line, name=hit)
            definitions.insert(0, stmt)
            needed |= names(stmt.node)[0]
        moved_writes = _without(written, own) | {n for d in definitions for n in names(d.node)[1]}
        first = min((d.index for d in definitions), default=place.index)
        why = next((why for stmt in rest if (why := self._why_crossed(stmt, place, moved_writes, first))), None)
        return ([], why) if why else (definitions, None)

    def _does_more(self, place: Stmt) -> Reason | None:
        """Why a statement may not move: it does more than place."""
        for touch in self.order.touched(place):
            obj, what = touch
            if (obj is WORLD and what != "io") or what in _DOES_MORE:
                return reasons.PLACES_AND_MORE(line=self.order.where(place, touch))
        return None

    def _why_crossed(self, stmt: Stmt, place: Stmt, moved_writes: set[str], first: int) -> Reason | None:
        """Why the placement and its definitions may not cross a statement. moved_writes: the names that they bind; first: the index of
        the first of them."""
        read, written = self.order.names(stmt)
        hit = clash(moved_writes, read | written) or clash(written, moved_writes)
        if hit and (stmt.index < first or hit in written):
            return reasons.USES_CHANGED(line=self.order.describe(stmt), name=hit)
        if self.order.prints(place) and self.order.prints(stmt):
            return reasons.PLACEMENT_PRINTS(line=self.order.describe(stmt))
        return None


def _receivers_of(expr: ast.expr, texts: tuple[str, ...]) -> set[ast.AST]:
    """The innermost receiver of a chain of calls that places one of `texts`, with the names in it."""
    placed = False
    while isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute):
        placed |= expr.func.attr in api.PLACING
        expr = expr.func.value
    return set(walk(expr)) if placed and dotted(expr) in texts else set()


def _without(found: Iterable[str], own: set[str]) -> set[str]:
    """`found` without the names of `own` and dotted names that begin with one of them."""
    return {n for n in found if n not in own and not any(n.startswith(o + ".") for o in own)}
