"""An optimizer brought below the placements of its modules, or they above it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Move
from placefix.facts import reasons
from placefix.facts import torch_api as api
from placefix.facts.interpret.flow import Flow
from placefix.facts.interpret.interpreter_base import WORLD
from placefix.facts.program.assignments import assigned_name
from placefix.facts.program.ast_names import argument_values, dotted, may_give
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.reads_and_writes import clash, clashes, names
from placefix.facts.program.tree import common
from placefix.rules.ordering.hoist import Hoist
from placefix.rules.ordering.misordered import Repair, among, frame, parts
from placefix.rules.ordering.optimizer_factories import does_more
from placefix.torch_model import modules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Event, Obj
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Reason
    from placefix.rules.ordering.misordered import Optimizer
    from placefix.rules.ordering.movability import Order


class Sink:
    """Optimizers moved down, over one file."""

    def __init__(self, context: AnalysisContext, order: Order) -> None:
        self.context = context
        self.order = order
        self.events = context.get(Flow).index
        self._hoist = Hoist(context, order)

    def optimizer_after_placement(self, found: Optimizer) -> Repair:
        """Sink the optimizer with its slice below the placement, or hoist the placement: the
        smaller legal move; on a tie the optimizer moves."""
        event = found.event
        eager = modules.is_eager(event.obj.name) or not event.obj.proven
        pairs = []
        for place in found.placements:
            if eager and self._changes_type(place):
                return Repair(why_not=reasons.CHANGES_TYPE)
            shared = frame(event, place)
            pair = common(shared[0], shared[1]) if shared is not None else None
            if pair is None:
                return Repair(why_not=reasons.PLACEMENT_IN_ANOTHER_FUNCTION)
            pairs.append(pair)
        optimizer = pairs[0][0]
        if optimizer.scope is not event.stmt.scope:
            return Repair(why_not=reasons.MADE_BY_FUNCTION)
        if any(p[0] is not optimizer for p in pairs):
            return Repair(why_not=reasons.PLACEMENTS_IN_DIFFERENT_BLOCKS)
        last = max((p[1] for p in pairs), key=lambda s: s.index)
        sink, sink_lines = self._sink(event, optimizer, last)
        if len(pairs) > 1:
            return sink
        hoist, hoist_lines = self.placement_above(event, optimizer, last, found.placements[0])
        if sink.edits and (not hoist.edits or sink_lines <= hoist_lines):
            return sink
        if not hoist.edits and hoist.why_not != sink.why_not:
            return Repair(why_not=reasons.NEITHER_MOVES(down=sink.why_not, up=hoist.why_not))
        return hoist if hoist.edits else sink

    @staticmethod
    def _changes_type(place: Event) -> bool:
        call = place.node
        return isinstance(call, ast.Call) and (len(call.args) > 1 or may_give(call, "dtype"))

    def _lines(self, stmts: Iterable[Stmt]) -> int:
        return sum((s.node.end_lineno or s.node.lineno) - s.node.lineno + 1 for s in stmts)

    def _sink(self, event: Event, optimizer: Stmt, last: Stmt) -> tuple[Repair, int]:
        suite = optimizer.suite.stmts
        made: set[Obj] = {event.obj}
        moved = [optimizer]
        rest: list[Stmt] = []
        members = list(event.args)
        why = self._only_builds(optimizer, members)
        if why:
            return Repair(why_not=why), 0
        defined = set(names(optimizer.node)[1])
        for scheduler in self._made_by(optimizer):
            made.add(scheduler)
        for stmt in suite[optimizer.index + 1 : last.index + 1]:
            read, written = names(stmt.node)
            uses = any(among(o, made) for o, _ in self.order.touched(stmt)) or bool(clash(defined, read))
            is_definition = isinstance(stmt.node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef))
            if uses and not is_definition:
                if stmt is last or any(
                    w == "place" and self.order.related(o, members) for o, w in self.order.touched(stmt)
                ):
                    return Repair(why_not=reasons.USES_AND_PLACES(line=self.order.describe(stmt))), 0
                why = self._no_part(stmt, made, members)
                if why:
                    return Repair(why_not=why), 0
                moved.append(stmt)
                defined |= written
                made |= set(self._made_by(stmt))
            else:
                rest.append(stmt)
        why = self._slice_crosses(moved, rest, members) or (None if event.obj.proven else self._fills(rest, members))
        if why:
            return Repair(why_not=why), 0
        anchor = self._extend(moved, last, members, made)
        if why := self._made_again(optimizer, anchor, made):
            return Repair(why_not=why), 0
        moved = self._with_parameter_lists(moved, optimizer, members, suite[optimizer.index + 1 : anchor.index + 1])
        span = self.context.span
        return Repair((Move(tuple(span(s) for s in moved), span(anchor), "after"),)), self._lines(moved)

    def _made_again(self, optimizer: Stmt, anchor: Stmt, made: set[Obj]) -> Reason | None:
        """Why an optimizer may not move below `anchor`, None if it may: that is in a later cell of a notebook, which goes on to use the
        optimizer. Who runs that cell again, to train further, would start with a new one."""
        source, span = self.context.source, self.context.span
        cell = source.cell(span(anchor).start)
        if cell is None or cell == source.cell(span(optimizer).start):
            return None
        for stmt in anchor.suite.stmts[anchor.index + 1 :]:
            if source.cell(span(stmt).start) != cell:
                break
            if self._uses(stmt, made):
                line = self.order.describe(stmt, lambda inner: self._uses(inner, made))
                return reasons.BUILT_AGAIN_WITH_CELL(line=line)
        return None

    def _fills(self, across: list[Stmt], members: list[Obj]) -> Reason | None:
        """Why an optimizer may not move that may keep copies of the weights, None if it may."""
        for stmt in across:
            for touch in self.order.touched(stmt):
                if touch[1] in ("load", "init") and self.order.related(touch[0], members):
                    line = self.order.where(stmt, touch)
                    return reasons.SETS_WEIGHTS(line=line)
        return None

    def _made_by(self, stmt: Stmt) -> list[Obj]:
        """Optimizers and schedulers a statement builds."""
        found = [e.obj for e in self.events.within(stmt) if e.kind == "optimizer"]
        for obj, what in self.order.touched(stmt):
            if obj.kind == "scheduler" and what in ("read", "use", "made"):
                found.append(obj)
        return found

    def _only_builds(self, stmt: Stmt, members: list[Obj]) -> Reason | None:
        for touch in self.order.touched(stmt):
            obj, what = touch
            if what in ("opaque", "params", "init", "call", "place", "part placed") and self.order.related(
                obj, members
            ):
                return reasons.MORE_THAN_READS_PARAMETERS(line=self.order.where(stmt, touch))
            if obj is WORLD and what in ("collective", "fork", "exit"):
                return reasons.MORE_THAN_BUILDS(line=self.order.where(stmt, touch))
        return self.order.why_leaves(stmt, members) or self._calls_more(stmt)

    def _calls_more(self, stmt: Stmt) -> Reason | None:
        """Why a statement that makes an optimizer or scheduler by a function of the repository may not happen later, None if it may."""
        calls = (part for part in walk(stmt.node) if isinstance(part, ast.Call))
        more = next((found for call in calls if (found := does_more(call.func, stmt.scope))), "")
        return reasons.WOULD_HAPPEN_LATER(line=self.order.describe(stmt), effect=more) if more else None

    def _no_part(self, stmt: Stmt, made: set[Obj], members: list[Obj]) -> Reason | None:
        """Why a statement that uses the optimizer may not move with it, None if it may: it may load its
        state and build schedulers, nothing else."""
        if stmt.suites and not isinstance(stmt.node, (ast.If, ast.With, ast.Try)):
            line = self.order.describe(stmt, lambda inner: self._uses(inner, made))
            return reasons.USES_OPTIMIZER_BEFORE(line=line)
        if self._steps(stmt, made):
            line = self.order.describe(stmt, lambda inner: self._steps(inner, made))
            return reasons.STEPS_BEFORE(line=line)
        for touch in self.order.touched(stmt):
            obj, what = touch
            if self.order.related(obj, members) and what not in ("read", "load"):
                row = reasons.MORE_THAN_READS_MODULE if stmt.suites else reasons.USES_OPTIMIZER_AND_MORE
                return row(line=self.order.where(stmt, touch))
            if obj is WORLD and what not in ("io", "call"):
                return reasons.MORE_THAN_USES_OPTIMIZER(line=self.order.where(stmt, touch))
        return self.order.why_leaves(stmt, members) or self._calls_more(stmt)

    def _uses(self, stmt: Stmt, made: set[Obj]) -> bool:
        """Whether a statement uses one of the optimizers and schedulers."""
        return any(among(obj, made) for obj, _ in self.order.touched(stmt))

    def _steps(self, stmt: Stmt, made: set[Obj]) -> bool:
        """Whether a statement steps one of the optimizers."""
        return any(
            e.kind == "state" and e.what == "step" and among(e.obj, made)
            for inner in parts(stmt)
            for e in self.events.within(inner)
        )

    def _slice_crosses(self, moved: list[Stmt], rest: list[Stmt], members: list[Obj]) -> Reason | None:
        for stmt in rest:
            later = [m for m in moved if m.index < stmt.index]
            if not later:
                continue
            why = self.order.why_optimizer_cannot_cross(members, stmt, later)
            if why:
                return why
            read, written = self.order.names(stmt)
            for part in later:
                part_read, part_written = self.order.names(part)
                hit = next(
                    (h for h in sorted(clashes(written, part_read)) if not self._same_module(stmt, part, h, members)),
                    "",
                )
                if hit:
                    return reasons.CHANGES_READ(
                        line=self.order.describe(stmt), name=hit, reader=self.order.describe(part)
                    )
                hit = clash(part_written, read | written)
                if hit and not isinstance(stmt.node, (ast.FunctionDef, ast.ClassDef)):
                    return reasons.USES_DEFINED(
                        line=self.order.describe(stmt), name=hit, definition=self.order.describe(part)
                    )
            if self.order.prints(stmt) and any(self.order.prints(part) for part in later):
                return reasons.BOTH_PRINT(line=self.order.describe(later[0]), other=self.order.describe(stmt))
        return None

    def _same_module(self, stmt: Stmt, part: Stmt, name: str, members: list[Obj]) -> bool:
        """Whether `stmt` rebinds `name` to the module it named before, placed or wrapped, and `part`
        uses nothing of it but its parameters."""
        if name not in self._placed_names(stmt):
            return False
        whats = {what for obj, what in self.order.touched(stmt) if self.order.related(obj, members)}
        if not whats & {"place", "wrap"} or whats & {"opaque", "params", "init", "call"}:
            return False
        if "wrap" not in whats:
            return True
        for node in walk(part.node):
            if isinstance(node, ast.Attribute) and dotted(node.value) == name and node.attr != "parameters":
                return False
            if isinstance(node, ast.Call) and any(dotted(a) == name for a in argument_values(node)):
                return False
        return True

    def _placed_names(self, stmt: Stmt) -> set[str]:
        """The names that a statement, nested ones included, places or wraps."""
        found: set[str] = set()
        for event in (e for inner in parts(stmt) for e in self.events.within(inner)):
            if event.kind in ("place", "wrap"):
                expr = event.arg_node if event.kind == "wrap" else event.node
                if isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute):
                    expr = expr.func.value
                found.add(dotted(expr) if expr is not None else "")
        return found

    def _extend(self, moved: list[Stmt], last: Stmt, members: list[Obj], made: set[Obj]) -> Stmt:
        """Past further placements, wraps of the same module and optimizers that follow at once:
        the canonical place for an optimizer is below them."""
        anchor = last
        for stmt in last.suite.stmts[last.index + 1 :]:
            whats = {w for _, w in self.order.touched(stmt)}
            wraps = any(w == "wrap" and self.order.related(o, members) for o, w in self.order.touched(stmt))
            builds = any(e.kind == "optimizer" and e.stmt is stmt for e in self.events.within(stmt))
            places = "place" in whats
            if not (wraps or builds or places) or any(among(o, made) for o, _ in self.order.touched(stmt)):
                break
            if whats - {"wrap", "place", "read", "collective"} or self._slice_crosses(moved, [stmt], members):
                break
            anchor = stmt
        return anchor

    def _with_parameter_lists(
        self, moved: list[Stmt], optimizer: Stmt, members: list[Obj], across: list[Stmt]
    ) -> list[Stmt]:
        """Parameter lists built right above the optimizer for it alone move with it (on XLA they
        would go stale); where that is not legal they stay: on the other devices they stay valid."""
        result = list(moved)
        suite = optimizer.suite.stmts
        index = optimizer.index - 1
        others = [s for s in suite[index + 1 :] if s not in moved]
        while index >= 0:
            stmt = suite[index]
            name = assigned_name(stmt.node)
            if not name:
                break
            touched = self.order.touched(stmt)
            reads = [o for o, w in touched if w == "read" and self.order.related(o, members)]
            if not reads or any(w not in ("read",) for _, w in touched) or name not in names(optimizer.node)[0]:
                break
            if any(name in names(s.node)[0] | names(s.node)[1] for s in others if s.index > stmt.index):
                break
            if self._slice_crosses([stmt], [s for s in across if s not in moved], members) or stmt.in_loop():
                break
            result.insert(0, stmt)
            index -= 1
        return result

    def placement_above(self, event: Event, optimizer: Stmt, place: Stmt, placement: Event) -> tuple[Repair, int]:
        """Move a placement, in the statement `place`, above a statement that reads parameters of `event.args`; the number of lines that move."""
        suite = optimizer.suite.stmts
        definitions, why = self._hoist.crossing(
            place, suite[optimizer.index : place.index], list(event.args), self._module_names(place), placement
        )
        if why:
            return Repair(why_not=why), 0
        read = {n for s in (place,) for n in names(s.node)[0]}
        written = {n for s in suite[optimizer.index : place.index] if s not in definitions for n in names(s.node)[1]}
        hit = clash(written, read & self._module_names(place))
        if hit:
            return Repair(why_not=reasons.ASSIGNED_AGAIN(name=hit)), 0
        span = self.context.span
        moved = [*definitions, place]
        return Repair((Move(tuple(span(s) for s in moved), span(optimizer)),), hoisted=True), self._lines(moved)

    def _module_names(self, place: Stmt) -> set[str]:
        """Names the placement statement rebinds to the module they already name."""
        own: set[str] = set()
        for part in walk(place.node):
            if (
                isinstance(part, ast.Assign)
                and isinstance(part.value, ast.Call)
                and isinstance(part.value.func, ast.Attribute)
            ):
                receiver = dotted(part.value.func.value)
                if part.value.func.attr in api.PLACING and [dotted(t) for t in part.targets] == [receiver]:
                    own.add(receiver)
        return own
