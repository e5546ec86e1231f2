"""Repairs by reordering: construct → place → wrap → optimise.

Finds wraps and optimizers that stand before the placement of their module and plans the
smallest legal move (SEMANTICS C6 to C9), or says in one sentence why there is none.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Delete, Move, Replace
from placefix.facts import torch_api as api
from placefix.facts.interpret.machine import WORLD
from placefix.facts.placement.order import Order, clash, clashes, names
from placefix.facts.program.children import walk
from placefix.facts.program.names import dotted
from placefix.facts.program.tree import Stmt, common
from placefix.lazy import NamedTuple, pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Edit
    from placefix.facts import Facts
    from placefix.facts.interpret.values import Event, Obj

_MOVES = pattern(r"\.(?:to|cuda)\s*\(")
_NAMED_FOR_IT = pattern(r"(?:^|[_.])(?:to|move|cuda|gpu|device)(?:_|$)")
_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


class Repair(NamedTuple):
    """Edits that repair an order, or none and the reason."""

    edits: tuple[Edit, ...] = ()
    why_not: str = ""
    hoisted: bool = False


class Wrap(NamedTuple):
    """A DataParallel or DDP construction and the placement of its module that follows it."""

    event: Event
    placement: Event | None
    chained: bool
    elsewhere: bool = False  # the placement stands in another function


class Optimizer(NamedTuple):
    """An optimizer constructed before its modules are placed."""

    event: Event
    placements: tuple[Event, ...]
    state_loaded: bool
    rebuilt: int  # line where it is built anew before any use, 0 if it is not
    elsewhere: bool = False
    state_moved: bool = False  # after the placement, by other code


def _frame(a: Event, b: Event) -> tuple[Stmt, Stmt, bool, bool] | None:
    """The statements of both events in the innermost activation they share, and whether each
    event stands in that activation itself."""
    depth = -1
    for index, (one, two) in enumerate(zip(a.stack, b.stack, strict=False)):
        if one.activation != two.activation:
            break
        depth = index
    if depth < 0:
        return None
    return a.stack[depth].stmt, b.stack[depth].stmt, len(a.stack) == depth + 1, len(b.stack) == depth + 1


def _ways(events: list[Event]) -> list[Event]:
    """The ways on which a statement is reached first: what a loop's body does in every iteration it
    does in the first one, as that finds things."""
    return [e for e in events if not e.again or _skipped_by_some(e)] or events


def _skipped_by_some(event: Event) -> bool:
    """Whether a test inside a loop decides that it happens."""
    looped = False
    for frame in event.stack:
        for stmt in reversed(list(frame.stmt.ancestors())):
            if isinstance(stmt.node, (ast.For, ast.While, ast.AsyncFor)):
                looped = True
            elif looped and isinstance(stmt.node, (ast.If, ast.Try)):
                return True
    return False


def among(obj: Obj, wanted: Iterable[Obj]) -> bool:
    """Whether `obj` is, on some path, one of `wanted`."""
    return obj in wanted or any(among(a, wanted) for a in obj.alts)


def _receivers_of(expr: ast.expr, texts: tuple[str, ...]) -> set[ast.AST]:
    """The innermost receiver of a chain of calls that places one of `texts`, with the names in it."""
    placed = False
    while isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute):
        placed |= expr.func.attr in api.PLACING
        expr = expr.func.value
    return set(walk(expr)) if placed and dotted(expr) in texts else set()


def without(found: Iterable[str], own: set[str]) -> set[str]:
    """`found` less the names of `own` and what is read through them."""
    return {n for n in found if n not in own and not any(n.startswith(o + ".") for o in own)}


class Reorder:
    """Order questions and repairs over one file."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.flow = facts.flow
        self.order = Order(facts.flow)

    # --- what happened --------------------------------------------------------------------

    def placements(self, root: Obj, *, part: bool = False) -> list[Event]:
        """Placements of a module or of a wrapper of it (`part`: or of what it is a part of), in execution order."""
        holders = [root]
        while part and root.base is not None and root.base.is_module and len(holders) < 8:
            root = root.base.root()
            holders.append(root)
        return [e for e in self.flow.events if e.kind == "place" and e.args and any(self._same(e.args[0], h) for h in holders)]

    @staticmethod
    def _same(a: Obj, b: Obj) -> bool:
        return a is b or any(x.root() is b for x in a.alts) or any(x.root() is a for x in b.alts)

    def wraps(self) -> list[Wrap]:
        """Every wrap whose module is not placed before it, with the placement that follows, once per place in the text."""
        groups: dict[ast.expr, list[Event]] = {}
        for event in self.flow.events:
            if event.kind == "wrap" and event.what in (api.DATA_PARALLEL, api.DDP):
                groups.setdefault(event.node, []).append(event)
        result = []
        for events in map(_ways, groups.values()):
            if any(e.place is not None and e.place.kind in ("device", "mixed") for e in events):
                continue
            if any(self.model_parallel(e.obj.root()) for e in events):
                continue
            event, first = events[0], None
            for one in events:  # the file may run it more than once, or only code outside the file does
                first = next((p for p in self.placements(one.obj.root()) if p.order > one.order), None)
                if first is not None:
                    event = one
                    break
            if first is None:
                result.append(Wrap(event, None, False))
                continue
            shared = _frame(event, first)
            if shared is None or not shared[2] or not shared[3]:
                result.append(Wrap(event, first, False, elsewhere=True))
                continue
            pair = common(shared[0], shared[1])
            if pair is None:
                continue  # exclusive branches
            chained = pair[0] is pair[1]
            if chained and event.stmt is not first.stmt:
                continue  # two arms of one statement
            if not chained and pair[0].index > pair[1].index:
                continue
            result.append(Wrap(event, first, chained))
        return result

    def model_parallel(self, root: Obj) -> bool:
        """Whether the module's parts go to different literal devices (C4: Mixed)."""
        return root.cls is not None and len(root.cls.indices) > 1

    def optimizers(self) -> list[Optimizer]:
        """Every optimizer built before one of its modules is placed."""
        groups: dict[ast.expr, list[Event]] = {}
        for event in self.flow.events:
            if event.kind == "optimizer":
                groups.setdefault(event.node, []).append(event)
        result = []
        for events in map(_ways, groups.values()):
            placed = {m for e in events for m, p in zip(e.args, e.places, strict=False) if p.kind in ("device", "mixed")}
            if any(p.kind in ("device", "mixed") for e in events for p in e.places) and len(events) > 1:
                continue  # on one of the ways here the module is placed already
            for event in events:
                firsts: list[Event] = []
                for member in event.args:
                    if member in placed or self.model_parallel(member):
                        continue
                    later = [p for p in self.placements(member, part=True) if p.order > event.order]
                    if later and later[0].place is not None and later[0].place.device is not None and not later[0].place.device.is_cpu:
                        firsts.append(later[0])
                found = self._optimizer(event, firsts) if firsts else None
                if found is not None:
                    result.append(found)
                    break
        return result

    def _outlives(self, event: Event, call: Stmt) -> bool:
        """Whether something outside the function that makes the optimizer, called at `call`, has it."""
        target = self._target(event.stmt)
        if not target or "." in target or target in event.stmt.scope.globals:
            return True
        inside = set(call.ancestors()) | self._inside(call)
        scope = event.stmt.scope
        return any(
            stmt not in inside and stmt.scope is not scope and any(among(obj, (event.obj,)) for obj, _ in touched)
            for stmt, touched in self.flow.touches.items()
        )

    def _optimizer(self, event: Event, firsts: list[Event]) -> Optimizer | None:
        elsewhere = False
        kept: list[Event] = []
        for place in firsts:
            shared = _frame(event, place)
            pair = common(shared[0], shared[1]) if shared is not None else None
            if shared is None or (pair is not None and pair[0] is pair[1] and not (shared[2] and shared[3])):
                # two methods, one after the other; a module that came from outside may be placed
                elsewhere = elsewhere or any(p.kind == "host" for p in event.places)
                continue
            if pair is None or pair[0].index >= pair[1].index:
                continue
            if shared is not None and not shared[2] and not self._outlives(event, shared[0]):
                continue
            if isinstance(pair[1].node, (ast.For, ast.While)) and not self._loop_over_modules(pair[1]):
                continue  # placement inside a training loop
            kept.append(place)
        if not kept:
            return Optimizer(event, tuple(firsts), False, 0, elsewhere=True) if elsewhere else None
        last = max(kept, key=lambda e: e.order)
        loaded = not self._stateless(event) and any(
            e.kind == "state" and among(e.obj, (event.obj,)) and event.order < e.order < last.order for e in self.flow.events
        )
        moved = self._state_moved(event, last)
        return Optimizer(event, tuple(kept), loaded and not moved, self._rebuilt(event, last), state_moved=moved)

    def _state_moved(self, event: Event, place: Event) -> bool:
        """Whether the state may follow the module: a loop over it moves things, or a function that is named for it gets the optimizer."""
        target = self._target(event.stmt)
        for stmt in self.facts.tree.stmts.values():
            node = stmt.node
            if not target or stmt.scope is not place.stmt.scope or node.lineno <= place.node.lineno:
                continue
            if isinstance(node, ast.For) and f"{target}.state" in self.facts.source.code(node.iter):
                if _MOVES.search(self.facts.text(stmt)):
                    return True
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and target in map(dotted, node.value.args):
                if _NAMED_FOR_IT.search(dotted(node.value.func)):
                    return True
        return False

    @staticmethod
    def _stateless(event: Event) -> bool:
        """Whether the optimizer never keeps state: SGD without momentum."""
        call = event.node
        return (
            event.obj.name == "torch.optim.SGD"
            and event.arg_node is not None
            and isinstance(call, ast.Call)
            and len(call.args) < 3
            and not any(k.arg in ("momentum", None) for k in call.keywords)
            and not any(isinstance(a, ast.Starred) for a in call.args)
        )

    @staticmethod
    def _loop_over_modules(stmt: Stmt) -> bool:
        return isinstance(stmt.node, ast.For) and isinstance(stmt.node.iter, (ast.List, ast.Tuple))

    def _rebuilt(self, event: Event, place: Event) -> int:
        """Line at which the same name gets a new optimizer after the placement, before the first one was used."""
        target = self._target(event.stmt)
        if not target:
            return 0
        for other in self.flow.events:
            if other.order <= event.order or other.node is event.node:
                continue
            if other.kind == "state" and among(other.obj, (event.obj,)):
                return 0
            if other.kind == "optimizer" and other.obj is not event.obj and self._target(other.stmt) == target and other.order > place.order:
                pair = common(event.stmt, other.stmt)
                if pair is not None and pair[1] is other.stmt:
                    return other.node.lineno
        return 0

    @staticmethod
    def _target(stmt: Stmt) -> str:
        node = stmt.node
        return dotted(node.targets[0]) if isinstance(node, ast.Assign) and len(node.targets) == 1 else ""

    # --- repairs: place before wrap --------------------------------------------------------

    def place_before_wrap(self, wrap: Wrap) -> Repair:
        """Hoist the placement above the wrap, or write it into the wrap's argument."""
        placement = wrap.placement
        assert placement is not None and placement.place is not None
        if wrap.elsewhere:
            return Repair(why_not="the module is placed in another function")
        if placement.args[0] is not wrap.event.obj.root():
            return Repair(why_not=f"{self.facts.source.row_name(placement.node.lineno)} may place another module as well")
        if wrap.chained:
            return self._chained(wrap)
        shared = _frame(wrap.event, placement)
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
            return Repair(why_not="the placement is not called on the wrapper directly")
        link: ast.expr = node.func.value
        while link is not inner:  # DataParallel(m).train().cuda()
            if not isinstance(link, ast.Call) or not isinstance(link.func, ast.Attribute) or link.func.attr not in ("train", "eval"):
                return Repair(why_not="the placement is not called on the wrapper directly")
            link = link.func.value
        source = self.facts.source
        whole, call, argument = source.span(node), source.span(inner), source.span(arg)
        text = source.text
        before = source.span(node.func.value).end
        moved = self._atom(arg, text[argument.start : argument.end]) + text[before : whole.end]
        new = text[whole.start : argument.start] + moved + text[argument.end : before]
        if text[whole.start : call.start].strip():
            return Repair(why_not="the wrap stands in parentheses of its own")
        return Repair((Replace(whole, new, text[whole.start : whole.end]),))

    @staticmethod
    def _atom(node: ast.expr, text: str) -> str:
        return text if isinstance(node, _ATOMS) else f"({text})"

    def _into_argument(self, wrap: Wrap, target: Stmt, place: Stmt) -> Repair:
        """``m = DP(Net()); m.to(d)`` becomes ``m = DP(Net().to(d))``."""
        placement, arg = wrap.placement, wrap.event.arg_node
        assert placement is not None
        if arg is None:
            return Repair(why_not="the wrapped module is not an argument of its own")
        node, call = place.node, placement.node
        if target is not wrap.event.stmt or place is not placement.stmt or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return Repair(why_not="the wrapped module has no name and its placement is conditional")
        value = node.value if isinstance(node, (ast.Expr, ast.Assign)) else None
        if value is not call:
            return Repair(why_not="the wrapped module has no name that a placement could be called on")
        receiver = dotted(call.func.value)
        if isinstance(node, ast.Assign) and [dotted(t) for t in node.targets] != [receiver]:
            return Repair(why_not="the placed wrapper gets a second name")
        between = target.suite.stmts[target.index + 1 : place.index]
        definitions, why = self._crossing(place, [target, *between], [wrap.event.obj.root()], {receiver}, placement)
        if why:
            return Repair(why_not=why)
        source = self.facts.source
        text = self._atom(arg, source.code(arg)) + source.text[source.span(call.func.value).end : source.span(call).end]
        edits: list[Edit] = [Replace(source.span(arg), text, source.code(arg)), Delete((source.span(node),))]
        if definitions:
            edits.insert(0, Move(tuple(self.facts.span(d) for d in definitions), self.facts.span(target)))
        return Repair(tuple(edits), hoisted=True)

    def _hoist_above_wrap(self, wrap: Wrap, target: Stmt, place: Stmt, base: str) -> Repair:
        root = wrap.event.obj.root()
        wrapper = self._target(wrap.event.stmt) or base
        why = self._made_inside(target, base, wrap)
        if why:
            return Repair(why_not=why)
        between = target.suite.stmts[target.index + 1 : place.index]
        definitions, why = self._crossing(place, [target, *between], [root], {wrapper, base}, wrap.placement)
        if why:
            return Repair(why_not=why)
        if isinstance(target.node, ast.If) and not target.node.orelse and target is not wrap.event.stmt:
            base = wrapper  # without the wrap the name is the module's as well
        replaced, why = self._receivers(place, wrapper, base, root)
        why = why or self._switches_mode(place) or self._needs_wrapper(place, wrapper)
        if why:
            return Repair(why_not=why)
        span = self.facts.span
        moved = tuple(span(s) for s in (*definitions, place))
        return Repair((Move(moved, span(target), "before", tuple(replaced)),), hoisted=True)

    def _made_inside(self, target: Stmt, base: str, wrap: Wrap) -> str:
        """Why the module may not exist yet above the statement that wraps it, or ""."""
        if target is wrap.event.stmt:
            return ""
        wrap_nodes = {e.stmt.node for e in self.flow.events if e.kind == "wrap" and e.obj.root() is wrap.event.obj.root()}
        for part in walk(target.node):
            if not isinstance(part, (ast.Assign, ast.AugAssign, ast.AnnAssign)) or part is target.node or part in wrap_nodes:
                continue
            if base in names(part)[1]:
                return f"`{base}` is made or rebound in the same block as the wrap"
        return ""

    def _needs_wrapper(self, place: Stmt, wrapper: str) -> str:
        """Why the placement means the wrapper and not the module under it, or ""."""
        allowed: set[ast.AST] = set()
        for part in walk(place.node):
            if isinstance(part, ast.Expr):
                allowed |= _receivers_of(part.value, (wrapper, f"{wrapper}.module"))
            elif isinstance(part, ast.Assign) and len(part.targets) == 1:
                target, value = part.targets[0], part.value
                pairs = [(target, value)]
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
                    pairs = list(zip(target.elts, value.elts, strict=True))
                for one, expr in pairs:
                    if dotted(one) == wrapper:
                        allowed |= _receivers_of(expr, (wrapper,))
        for part in walk(place.node):
            if isinstance(part, (ast.Name, ast.Attribute)) and isinstance(part.ctx, ast.Load) and dotted(part) == wrapper and part not in allowed:
                return f"{self.order.describe(place)} means the wrapper, not only the module"
        return ""

    def _switches_mode(self, place: Stmt) -> str:
        """Why the placement must stay below the wrap: it switches the wrapper to evaluation as well."""
        for part in walk(place.node):
            if not isinstance(part, ast.Call) or not isinstance(part.func, ast.Attribute):
                continue
            if part.func.attr == "eval" or (part.func.attr == "train" and (part.args or part.keywords)):
                return f"{self.order.describe(place)} switches the wrapper's mode as well"
        return ""

    def _receivers(self, place: Stmt, wrapper: str, base: str, root: Obj) -> tuple[list[Replace], str]:
        """Edits that make the moved placement speak of the bare module."""
        source = self.facts.source
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
                return [], f"the placement reads `{text}` through the wrapper"
        return result, ""

    def _crossing(
        self, place: Stmt, across: list[Stmt], modules: list[Obj], own: set[str], placement: Event | None
    ) -> tuple[list[Stmt], str]:
        """(definitions that must move along, why the placement may not move up across `across`)."""
        device = placement.place.device if placement is not None and placement.place is not None else None
        ambient = device is None or (device.index is None and device.kind != "index")
        placed = list(modules)
        for obj, what in self.order.touched(place):
            if (obj is WORLD and what != "io") or what in ("opaque", "params", "init", "call", "copied", "use", "load"):
                return [], f"{self.order.describe(place)} does more than place the module"
            if what == "place" and obj not in placed:
                placed.append(obj)
        if self.order.leaves(place):
            return [], f"{self.order.describe(place)} may leave this block"
        read, written = self.order.names(place)
        needed = set(read)
        definitions: list[Stmt] = []
        rest: list[Stmt] = []
        for stmt in reversed(across):
            why = self.order.why_place_cannot_cross(placed, stmt, ambient=ambient)
            if why:
                return [], why
            changed = self.order.names(stmt).written
            hit = clash(changed, without(needed, own))
            if hit:
                name = self.order.pure_definition(stmt)
                if not name or stmt is across[0] or self.order.touched(stmt):
                    return [], f"{self.order.describe(stmt)} defines `{hit}`, which the placement needs"
                definitions.append(stmt)
                needed |= names(stmt.node)[0]
            else:
                rest.append(stmt)
        definitions.reverse()
        moved_writes = without(written, own) | {n for d in definitions for n in names(d.node)[1]}
        for stmt in rest:
            stmt_read, stmt_written = self.order.names(stmt)
            hit = clash(moved_writes, stmt_read | stmt_written) or clash(stmt_written, moved_writes)
            first = min((d.index for d in definitions), default=place.index)
            if hit and (stmt.index < first or hit in stmt_written):
                return [], f"{self.order.describe(stmt)} uses `{hit}`, which would change"
            if self.order.prints(place) and self.order.prints(stmt):
                return [], f"the placement prints, and so does {self.order.describe(stmt)}: the order would change"
        return definitions, ""

    # --- repairs: optimizer after placement --------------------------------------------------

    def optimizer_after_placement(self, found: Optimizer) -> Repair:
        """Sink the optimizer with its slice below the placement, or hoist the placement: the
        smaller legal move; on a tie the optimizer moves."""
        event = found.event
        eager = event.obj.name in api.EAGER_STATE or not event.obj.proven
        pairs = []
        for place in found.placements:
            if eager and self._changes_type(place):
                return Repair(why_not="the placement changes the type as well, and what the optimizer keeps would change with it")
            shared = _frame(event, place)
            pair = common(shared[0], shared[1]) if shared is not None else None
            if pair is None:
                return Repair(why_not="the placement stands in another function")
            pairs.append(pair)
        optimizer = pairs[0][0]
        if optimizer.scope is not event.stmt.scope:
            return Repair(why_not="the optimizer is made by another function, which may be used elsewhere too")
        if any(p[0] is not optimizer for p in pairs):
            return Repair(why_not="the placements stand in different blocks")
        last = max((p[1] for p in pairs), key=lambda s: s.index)
        sink, sink_lines = self._sink(event, optimizer, last)
        if len(pairs) > 1:
            return sink
        hoist, hoist_lines = self._hoist(event, optimizer, last, found.placements[0])
        if sink.edits and (not hoist.edits or sink_lines <= hoist_lines):
            return sink
        if not hoist.edits and hoist.why_not != sink.why_not:
            return Repair(why_not=f"{sink.why_not}; the placement cannot move up either: {hoist.why_not}")
        return hoist if hoist.edits else sink

    @staticmethod
    def _changes_type(place: Event) -> bool:
        call = place.node
        return isinstance(call, ast.Call) and (len(call.args) > 1 or any(k.arg in ("dtype", None) for k in call.keywords))

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
                if stmt is last or any(w == "place" and self.order.related(o, members) for o, w in self.order.touched(stmt)):
                    return Repair(why_not=f"{self.order.describe(stmt)} uses the optimizer and places the module"), 0
                why = self._no_part(stmt, made, members)
                if why:
                    return Repair(why_not=why), 0
                moved.append(stmt)
                defined |= written
                made |= set(self._made_by(stmt))
            else:
                rest.append(stmt)
        why = self._slice_crosses(moved, rest, members) or ("" if event.obj.proven else self._fills(rest, members))
        if why:
            return Repair(why_not=why), 0
        anchor = self._extend(moved, last, members, made)
        moved = self._with_parameter_lists(moved, optimizer, members, suite[optimizer.index + 1 : anchor.index + 1])
        span = self.facts.span
        return Repair((Move(tuple(span(s) for s in moved), span(anchor), "after"),)), self._lines(moved)

    def _fills(self, across: list[Stmt], members: list[Obj]) -> str:
        """Why an optimizer may not move that may keep copies of the weights, or ""."""
        for stmt in across:
            if any(what in ("load", "init") and self.order.related(obj, members) for obj, what in self.order.touched(stmt)):
                return f"{self.order.describe(stmt)} fills the module's weights, of which the optimizer may keep copies"
        return ""

    def _made_by(self, stmt: Stmt) -> list[Obj]:
        """Optimizers and schedulers a statement builds."""
        found = [e.obj for e in self.flow.events if e.kind == "optimizer" and any(f.stmt is stmt for f in e.stack)]
        for obj, what in self.order.touched(stmt):
            if obj.kind == "scheduler" and what in ("read", "use", "made"):
                found.append(obj)
        return found

    def _only_builds(self, stmt: Stmt, members: list[Obj]) -> str:
        for obj, what in self.order.touched(stmt):
            if what in ("opaque", "params", "init", "call", "place", "part placed") and self.order.related(obj, members):
                return f"{self.order.describe(stmt)} does more with the module than read its parameters"
            if obj is WORLD and what in ("collective", "fork", "exit"):
                return f"{self.order.describe(stmt)} does more than build the optimizer"
        if self.order.leaves(stmt, members):
            return f"{self.order.describe(stmt)} may leave this block"
        return ""

    def _no_part(self, stmt: Stmt, made: set[Obj], members: list[Obj]) -> str:
        """Why a statement that uses the optimizer may not move with it, or "": it may load its
        state and build schedulers, nothing else (C7)."""
        line = self.order.describe(stmt)
        if stmt.suites and not isinstance(stmt.node, (ast.If, ast.With, ast.Try)):
            return f"{line} uses the optimizer before the module is placed"
        if any(e.kind == "state" and e.what == "step" and among(e.obj, made) and any(f.stmt in self._inside(stmt) for f in e.stack) for e in self.flow.events):
            return f"{line} steps the optimizer before the module is placed"
        for obj, what in self.order.touched(stmt):
            if self.order.related(obj, members) and what not in ("read", "load"):
                return f"{line} uses the optimizer and does more with the module than read it"
            if obj is WORLD and what not in ("io", "call"):
                return f"{line} does more than use the optimizer"
        return f"{line} may leave this block" if self.order.leaves(stmt, members) else ""

    @staticmethod
    def _inside(stmt: Stmt) -> set[Stmt]:
        found: set[Stmt] = set()
        todo = [stmt]
        while todo:
            one = todo.pop()
            found.add(one)
            todo += [s for suite in one.suites for s in suite.stmts]
        return found

    def _slice_crosses(self, moved: list[Stmt], rest: list[Stmt], members: list[Obj]) -> str:
        for stmt in rest:
            later = [m for m in moved if m.index < stmt.index]
            if not later:
                continue
            why = self.order.why_optimizer_cannot_cross(members, stmt)
            if why:
                return why
            read, written = self.order.names(stmt)
            for part in later:
                part_read, part_written = self.order.names(part)
                hit = next((h for h in sorted(clashes(written, part_read)) if not self._same_module(stmt, part, h, members)), "")
                if hit:
                    return f"{self.order.describe(stmt)} changes `{hit}`, which {self.order.describe(part)} reads"
                hit = clash(part_written, read | written)
                if hit and not isinstance(stmt.node, (ast.FunctionDef, ast.ClassDef)):
                    return f"{self.order.describe(stmt)} uses `{hit}`, which {self.order.describe(part)} defines"
            if self.order.prints(stmt) and any(self.order.prints(part) for part in later):
                return f"{self.order.describe(later[0])} prints, and so does {self.order.describe(stmt)}: the order would change"
        return ""

    def _same_module(self, stmt: Stmt, part: Stmt, name: str, members: list[Obj]) -> bool:
        """Whether `stmt` rebinds `name` to the module it named before, placed or wrapped, and `part`
        asks it for nothing but its parameters."""
        inside = self._inside(stmt)
        moved: set[str] = set()
        for event in self.flow.events:
            if event.kind in ("place", "wrap") and any(f.stmt in inside for f in event.stack):
                expr = event.arg_node if event.kind == "wrap" else event.node
                if isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute):
                    expr = expr.func.value
                moved.add(dotted(expr) if expr is not None else "")
        if name not in moved:
            return False
        whats = {what for obj, what in self.order.touched(stmt) if self.order.related(obj, members)}
        if not whats & {"place", "wrap"} or whats & {"opaque", "params", "init", "call"}:
            return False
        if "wrap" not in whats:
            return True
        for node in walk(part.node):
            if isinstance(node, ast.Attribute) and dotted(node.value) == name and node.attr != "parameters":
                return False
            if isinstance(node, ast.Call) and any(dotted(a) == name for a in (*node.args, *(k.value for k in node.keywords))):
                return False
        return True

    def _extend(self, moved: list[Stmt], last: Stmt, members: list[Obj], made: set[Obj]) -> Stmt:
        """Past further placements, wraps of the same module and optimizers that follow at once:
        the canonical place for an optimizer is below them."""
        anchor = last
        for stmt in last.suite.stmts[last.index + 1 :]:
            whats = {w for _, w in self.order.touched(stmt)}
            wraps = any(w == "wrap" and self.order.related(o, members) for o, w in self.order.touched(stmt))
            builds = any(e.kind == "optimizer" and e.stmt is stmt for e in self.flow.events)
            places = "place" in whats
            if not (wraps or builds or places) or any(among(o, made) for o, _ in self.order.touched(stmt)):
                break
            if whats - {"wrap", "place", "read", "collective"} or self._slice_crosses(moved, [stmt], members):
                break
            anchor = stmt
        return anchor

    def _with_parameter_lists(self, moved: list[Stmt], optimizer: Stmt, members: list[Obj], across: list[Stmt]) -> list[Stmt]:
        """Parameter lists built right above the optimizer for it alone move with it (on XLA they
        would go stale); where that is not legal they stay: on the other devices they stay valid."""
        result = list(moved)
        suite = optimizer.suite.stmts
        index = optimizer.index - 1
        others = [s for s in suite[index + 1 :] if s not in moved]
        while index >= 0:
            stmt = suite[index]
            node = stmt.node
            if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
                break
            name = node.targets[0].id
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

    def _hoist(self, event: Event, optimizer: Stmt, place: Stmt, placement: Event) -> tuple[Repair, int]:
        suite = optimizer.suite.stmts
        definitions, why = self._crossing(place, suite[optimizer.index : place.index], list(event.args), self._module_names(place), placement)
        if why:
            return Repair(why_not=why), 0
        read = {n for s in (place,) for n in names(s.node)[0]}
        written = {n for s in suite[optimizer.index : place.index] if s not in definitions for n in names(s.node)[1]}
        hit = clash(written, read & self._module_names(place))
        if hit:
            return Repair(why_not=f"`{hit}` is rebound between the optimizer and the placement"), 0
        span = self.facts.span
        moved = [*definitions, place]
        return Repair((Move(tuple(span(s) for s in moved), span(optimizer)),), hoisted=True), self._lines(moved)

    def _module_names(self, place: Stmt) -> set[str]:
        """Names the placement statement rebinds to the module they already name."""
        own: set[str] = set()
        for part in walk(place.node):
            if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call) and isinstance(part.value.func, ast.Attribute):
                receiver = dotted(part.value.func.value)
                if part.value.func.attr in api.PLACING and [dotted(t) for t in part.targets] == [receiver]:
                    own.add(receiver)
        return own
