"""Repairs by reordering: construct → place → wrap → optimise.

Finds wraps and optimizers before the placement of their module and plans the
smallest legal move, or gives the reason, one sentence, why there is none.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from placefix.facts import premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.interpret.events import PLACEMENTS, ways
from placefix.facts.interpret.flow import Flow
from placefix.facts.naming import mentions_device, mentions_move
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import called_methods, dotted, may_give
from placefix.facts.program.ast_walk import LOOPS, walk
from placefix.facts.program.reads_and_writes import clash, names
from placefix.facts.program.tree import Stmt, common, dominates
from placefix.rules.ordering.exclusive_wraps import are_apart
from placefix.rules.ordering.misordered import Accumulator, Optimizer, Repair, Wrap, frame, parts
from placefix.rules.ordering.optimizer_calls import as_called

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.facts.interpret.values import Event, Obj
    from placefix.facts.program.tree import Scope, Suite
    from placefix.facts.wording import Doubt
    from placefix.rules.ordering.movability import Order
    from placefix.rules.ordering.optimizer_calls import Made

_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


def _ways(events: list[Event]) -> list[Event]:
    """The events of the first time that a statement is reached: in a loop, those of the first iteration,
    unless an iteration skips the statement."""
    return [e for e in events if not e.again or _skipped_by_some(e)] or events


def _placed_object(event: Event) -> Obj:
    """The object of a placement: a module without its wrappers, or a value that is not known."""
    return event.args[0] if event.args else event.obj


def _skipped_by_some(event: Event) -> bool:
    """Whether a test inside a loop decides that it happens."""
    looped = False
    for activation in event.stack:
        for stmt in reversed(list(activation.stmt.ancestors())):
            if isinstance(stmt.node, LOOPS):
                looped = True
            elif looped and isinstance(stmt.node, (ast.If, ast.Try)):
                return True
    return False


class Reorder(FileAnalysis):
    """Order questions and repairs over one file."""

    flow = requires(Flow)

    @cached_property
    def order(self) -> Order:
        """The analysis of movability; made only if something is to be moved."""
        from placefix.rules.ordering.movability import Order

        return Order(self.flow)

    # --- devices further down --------------------------------------------------------------

    def device_below(self, stmt: Stmt) -> tuple[str, Stmt] | None:
        """(name, definition) of a device that is defined further down and may move above `stmt`."""
        definition = self._later_device(stmt)
        return (self.order.pure_definition(definition), definition) if definition is not None else None

    def _later_device(self, stmt: Stmt) -> Stmt | None:
        """A pure device definition further down in the same suite that may move up to `stmt`."""
        across = [stmt]
        for later in stmt.suite.stmts[stmt.index + 1 :]:
            name = self.order.pure_definition(later)
            value = later.node.value if isinstance(later.node, ast.Assign) else None
            if name and value is not None and self._is_device(value, later):
                read = names(later.node)[0]
                if all(
                    not clash(names(s.node)[1], read) and name not in names(s.node)[0] | names(s.node)[1]
                    for s in across
                ):
                    return later
            across.append(later)
        return None

    def _is_device(self, value: ast.expr, stmt: Stmt) -> bool:
        """Whether an expression is a device that may be the accelerator."""
        if isinstance(value, ast.Call):
            return self.context.tree.qualname(value.func, stmt.scope) == "torch.device"
        if isinstance(value, ast.IfExp):
            words = [p.value for p in walk(value) if isinstance(p, ast.Constant) and isinstance(p.value, str)]
            return any(w.startswith("cuda") for w in words) and "cpu" in words
        return False

    # --- events ---------------------------------------------------------------------------

    def placements(self, root: Obj, *, part: bool = False, unknown: bool = False) -> list[Event]:
        """Placements of a module or of a wrapper of it (`part`: or of a module that it is a part of), in execution order. unknown: also
        those of the value before it turned out to be a module, which have no arguments."""
        holders = [root]
        while part and root.base is not None and root.base.is_module and len(holders) < 8:
            root = root.base.root()
            holders.append(root)
        turned = [self._unknown[way] for h in holders for way in ways(h) if way in self._unknown]
        holders += [way for unknown in turned for way in ways(unknown)]
        # an equal object has this one among its alternatives, or is among those of this one
        near = {id(o) for h in holders for o in (h, *(x.root() for x in h.alts))}
        found = {number for key in near for number in self._placed.get(key, ())}
        events = [self.flow.events[number] for number in sorted(found)]
        counted = (e for e in events if e.args or unknown)
        return [e for e in counted if any(self._same(_placed_object(e), h) for h in holders)]

    @cached_property
    def _unknown(self) -> dict[Obj, Obj]:
        """By modules that turned out to be such, the value before."""
        return {module: unknown for unknown, module in self.flow.turned}

    @cached_property
    def _placed(self) -> dict[int, list[int]]:
        """The placements, as indexes of events, by the identities of the placed objects."""
        found: dict[int, list[int]] = {}
        for number, event in enumerate(self.flow.events):
            if event.kind in PLACEMENTS and (event.args or event.obj.is_unknown):
                placed = _placed_object(event)
                for key in {id(placed), *(id(x.root()) for x in placed.alts)}:
                    found.setdefault(key, []).append(number)
        return found

    @staticmethod
    def _same(a: Obj, b: Obj) -> bool:
        return a is b or any(x.root() is b for x in a.alts) or any(x.root() is a for x in b.alts)

    def wraps(self) -> list[Wrap]:
        """Every wrap whose module is not placed before it, with the placement that follows, once per place in the text."""
        groups: dict[ast.expr, list[Event]] = {}
        for event in self.flow.index.of_kind("wrap"):
            if event.what in (api.DATA_PARALLEL, api.DDP):
                groups.setdefault(event.node, []).append(event)
        found = map(self._wrap, map(_ways, groups.values()))
        return [wrap for wrap in found if wrap is not None]

    def _wrap(self, events: Sequence[Event]) -> Wrap | None:
        """A wrap that the file runs in these ways, with the placement that follows; None if the module is placed before it."""
        if any(e.place is not None and e.place.has_device for e in events):
            return None
        if any(self.model_parallel(e.obj.root()) for e in events) or all(map(self._placed_above, events)):
            return None
        event, first = self._first_placed(events)
        if first is None:
            return Wrap(event, None, False)
        shared = frame(event, first)
        if shared is None or not shared[2] or not shared[3]:
            return Wrap(event, first, False, elsewhere=True)
        pair = common(shared[0], shared[1])
        if pair is None or are_apart(self.order, event.stmt, first.stmt):
            return None  # exclusive branches
        chained = pair[0] is pair[1]
        if (chained and event.stmt is not first.stmt) or pair[0].index > pair[1].index:
            return None  # two arms of one statement, or the placement comes first
        return Wrap(event, first, chained)

    def _first_placed(self, events: Sequence[Event]) -> tuple[Event, Event | None]:
        """The first of the events of a wrap that has a placement after it, and that placement; the first event and None if
        there is none. A wrap has several events if the file calls its function more than once."""
        for event in events:
            first = next((p for p in self.placements(event.obj.root()) if p.order > event.order), None)
            if first is not None:
                return event, first
        return events[0], None

    def _placed_above(self, wrap: Event) -> bool:
        """Whether a line above a wrap moves the wrapped name; for values that are unknown."""
        name = dotted(wrap.arg_node) if wrap.arg_node is not None else ""
        return bool(name) and any(
            "cpu" not in self.context.text(call) and dominates(stmt, wrap.stmt)
            for call, stmt in self._moves.get((name, wrap.stmt.scope), ())
        )

    @cached_property
    def _moves(self) -> dict[tuple[str, Scope], list[tuple[ast.Call, Stmt]]]:
        """The calls that move something, by its name and their scope."""
        found: dict[tuple[str, Scope], list[tuple[ast.Call, Stmt]]] = {}
        for call, stmt in self.context.index.called("to", "cuda"):
            if isinstance(call.func, ast.Attribute):
                found.setdefault((dotted(call.func.value), stmt.scope), []).append((call, stmt))
        return found

    def model_parallel(self, root: Obj) -> bool:
        """Whether the module's parts go to different literal devices."""
        return root.cls is not None and len(root.cls.indices) > 1

    def optimizers(self) -> list[Optimizer]:
        """Every optimizer built before one of its modules is placed."""
        groups: dict[ast.expr, list[Made]] = {}
        for made in as_called([(e, self._first_placements(e)) for e in self.flow.index.of_kind("optimizer")]):
            groups.setdefault(made.event.node, []).append(made)
        result = []
        for group in groups.values():
            ways = _ways([made.event for made in group])
            placed = any(p.has_device for e in ways for p in e.places)
            if placed and len(ways) > 1:
                continue  # on one of the ways here the module is placed already
            for made in group:
                found = self._optimizer(made) if made.firsts and made.event in ways else None
                if found is not None:
                    result.append(found._replace(others=frozenset(e.obj.name for e in ways) - {made.event.obj.name}))
                    break
        return result

    def _first_placements(self, made: Event) -> list[Event]:
        """The first placements after an optimizer is made, of those of its modules that were not placed before."""
        firsts: list[Event] = []
        for member, place in zip(made.args, made.places, strict=False):
            if place.has_device or self.model_parallel(member):
                continue
            placements = self.placements(member, part=True, unknown=True)
            before = [p.place.device for p in placements if p.order < made.order and p.place is not None]
            if place.is_unknown and before and before[-1] is not None and not before[-1].is_cpu:
                continue  # a part of a placed object
            first = next((p for p in placements if p.order > made.order and p.args), None)
            if (
                first is not None
                and first.place is not None
                and first.place.device is not None
                and not first.place.device.is_cpu
            ):
                firsts.append(first)
        return firsts

    def _outlives(self, event: Event, call: Stmt) -> bool:
        """Whether something outside the function that makes the optimizer, called at `call`, has it."""
        target = assigned_text(event.stmt.node)
        if not target or "." in target or event.stmt.scope.declares(target):
            return True
        inside = set(call.ancestors()) | parts(call)
        scope = event.stmt.scope
        return any(stmt not in inside and stmt.scope is not scope for stmt in self._touching.get(event.obj, ()))

    @cached_property
    def _touching(self) -> dict[Obj, dict[Stmt, None]]:
        """The statements that do something to an object, by all that it is on some path."""
        found: dict[Obj, dict[Stmt, None]] = {}
        for stmt, touched in self.flow.touches.items():
            for obj in (way for touch in touched for way in ways(touch[0])):
                found.setdefault(obj, {})[stmt] = None
        return found

    def _optimizer(self, made: Made) -> Optimizer | None:
        event, itself, firsts = made
        kept, elsewhere = self._placed_after(made)
        if not kept:
            return Optimizer(event, tuple(firsts), False, 0, elsewhere=True) if elsewhere else None
        last = max(kept, key=lambda e: e.order)
        loaded = not self._stateless(itself) and self._has_state_between(event, last)
        moved = self._state_moved(event, last)
        rebuilt, doubt = self._rebuilt(event, last), self._doubt(event, last)
        return Optimizer(event, tuple(kept), loaded and not moved, rebuilt, state_moved=moved, doubt=doubt)

    def _placed_after(self, made: Made) -> tuple[list[Event], bool]:
        """The placements of an optimizer's modules that follow it in one suite, and whether others happen in another function."""
        event, itself, firsts = made
        elsewhere = False
        kept: list[Event] = []
        for place in firsts:
            shared = frame(event, place)
            pair = common(shared[0], shared[1]) if shared is not None else None
            if shared is None or (pair is not None and pair[0] is pair[1] and not (shared[2] and shared[3])):
                # two methods, one after the other; a module that came from outside may be placed
                elsewhere = elsewhere or any(p.is_host for p in event.places)
                continue
            holder = event.stmt if event is not itself else shared[0]
            lives = (event is itself and shared[2]) or self._outlives(itself, holder)
            if pair is not None and pair[0].index < pair[1].index and lives and not self._is_training_loop(pair[1]):
                kept.append(place)
        return kept, elsewhere

    def _has_state_between(self, made: Event, last: Event) -> bool:
        """Whether an optimizer steps or gets its state before a placement."""
        return any(made.order < e.order < last.order for e in self.flow.index.of_object("state", made.obj))

    def _is_training_loop(self, stmt: Stmt) -> bool:
        """Whether a statement is a `for` or `while` loop, except a loop over modules."""
        return isinstance(stmt.node, LOOPS) and not self._loop_over_modules(stmt)

    def _doubt(self, event: Event, place: Event) -> Doubt | None:
        """Why an optimizer whose state is loaded before a placement may work, None if it does not."""
        name = event.obj.name
        if not name.startswith("torch.optim.") or name in (api.OPTIMIZER, api.DYNAMIC):
            return premises.STATE_ELSEWHERE_NOT_KNOWN(optimizer=name.rpartition(".")[2] or "it")
        around = {s for made in event.stack for s in (made.stmt, *made.stmt.ancestors())}
        for inner in (s for made in place.stack for s in (made.stmt, *made.stmt.ancestors())):
            owner = inner.suite.owner
            if owner is None or owner in around or isinstance(owner.node, (ast.With, ast.AsyncWith)):
                continue
            if isinstance(owner.node, ast.For) and self._loop_over_modules(owner):
                continue
            if not isinstance(owner.node, ast.If) or not mentions_device(self.context.text(owner.node.test)):
                return premises.PLACEMENT_MAY_NOT_RUN(line=self.context.source.row_name(place.node.lineno))
        return None

    def _state_moved(self, event: Event, place: Event) -> bool:
        """Whether the state may follow the module: a loop over it moves things, or a function that is named for it gets the optimizer, or the
        optimizer is of a class of the repository that moves it in its step."""
        step = event.obj.scope.functions.get("step") if event.obj.scope is not None else None
        if step is not None and called_methods(step.node) & {"to", "cuda", "type_as"}:
            return True
        target = assigned_text(event.stmt.node)
        if not target:
            return False
        for stmt, about in self._moves_of_states:
            if stmt.scope is not place.stmt.scope or stmt.node.lineno <= place.node.lineno:
                continue
            if f"{target}.state" in about if isinstance(about, str) else target in about:
                return True
        return False

    @cached_property
    def _moves_of_states(self) -> list[tuple[Stmt, str | list[str]]]:
        """Loops that move things, each with the text of its iterable, and calls of functions named for moving, with their arguments."""
        found: list[tuple[Stmt, str | list[str]]] = []
        for stmt in self.context.tree.stmts.values():
            node = stmt.node
            if isinstance(node, ast.For):
                about = self.context.source.code(node.iter)
                if ".state" in about and called_methods(node) & {"to", "cuda"}:
                    found.append((stmt, about))
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                if node.value.args and mentions_move(dotted(node.value.func)):
                    found.append((stmt, [dotted(argument) for argument in node.value.args]))
        return found

    @staticmethod
    def _stateless(event: Event) -> bool:
        """Whether the optimizer never keeps state: SGD without momentum."""
        call = event.node
        return (
            event.obj.name == "torch.optim.SGD"
            and event.arg_node is not None
            and isinstance(call, ast.Call)
            and len(call.args) < 3
            and not may_give(call, "momentum")
            and not any(isinstance(a, ast.Starred) for a in call.args)
        )

    @staticmethod
    def _loop_over_modules(stmt: Stmt) -> bool:
        return isinstance(stmt.node, ast.For) and isinstance(stmt.node.iter, (ast.List, ast.Tuple))

    def _rebuilt(self, event: Event, place: Event) -> int:
        """Line at which the same name gets a new optimizer after the placement, before the first one was used."""
        target = assigned_text(event.stmt.node)
        if not target:
            return 0
        after = max(event.order, place.order)
        rebuilt: list[Event] = []
        for stmt in event.stmt.ancestors():
            others = self._optimizers_bound.get((target, stmt.suite), [])
            later = others[bisect_right(others, after, key=lambda other: other.order) :]
            rebuilt += islice((o for o in later if o.obj is not event.obj and o.node is not event.node), 1)
        if not rebuilt:
            return 0
        first = min(rebuilt, key=lambda other: other.order)
        used = any(
            event.order < e.order < first.order and e.node is not event.node
            for e in self.flow.index.of_object("state", event.obj)
        )
        return 0 if used else first.node.lineno

    @cached_property
    def _optimizers_bound(self) -> dict[tuple[str, Suite], list[Event]]:
        """The events that make optimizers, by the name that each is bound to and the suite in which that is."""
        found: dict[tuple[str, Suite], list[Event]] = {}
        for event in self.flow.index.of_kind("optimizer"):
            found.setdefault((assigned_text(event.stmt.node), event.stmt.suite), []).append(event)
        return found

    # --- repairs --------------------------------------------------------------------------

    def place_before_wrap(self, wrap: Wrap) -> Repair:
        """The edits that place a module before it is wrapped."""
        from placefix.rules.ordering.hoist import Hoist

        return Hoist(self.context, self.order).place_before_wrap(wrap)

    def accumulators(self) -> list[Accumulator]:
        """The first reads of nodes that accumulate gradients, before one of their modules is placed, once per place in the text."""
        reads = {event.obj: event for event in reversed(self.flow.index.of_kind("accumulator"))}
        found: dict[ast.expr, Accumulator] = {}
        for view in self.flow.index.of_kind("view") if reads else ():
            read = reads.get(view.obj)
            first = next(iter(self._first_placements(view)), None) if read is not None else None
            shared = frame(view, first) if first is not None else None
            pair = common(shared[0], shared[1]) if shared is not None else None
            if read is None or first is None or shared is None or pair is None or pair[0].index >= pair[1].index:
                continue
            is_here = shared[2] and shared[3]
            found.setdefault(read.node, Accumulator(read, view, first, pair if is_here else None))
        return list(found.values())

    def accumulator_after_placement(self, found: Accumulator) -> Repair:
        """The edits that bring the placement of a module above the first read of the nodes."""
        from placefix.rules.ordering.sink import Sink

        if found.pair is None:
            return Repair(why_not=reasons.PLACED_IN_ANOTHER_FUNCTION)
        sink = Sink(self.context, self.order)
        return sink.placement_above(found.view, *found.pair, found.placement)[0]

    def optimizer_after_placement(self, found: Optimizer) -> Repair:
        """The edits that bring an optimizer below the placements of its modules."""
        from placefix.rules.ordering.sink import Sink

        return Sink(self.context, self.order).optimizer_after_placement(found)
