"""Tensors the script makes on the CPU and hands to something on a device."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.diagnostic import Move, matches_pattern
from placefix.facts import premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.device_selection import device_text
from placefix.facts.finding import Finding
from placefix.facts.interpret.arriving_values import returns_on_device
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import LOOPS, parents
from placefix.facts.program.placing_imports import placing_imports
from placefix.facts.wording import unite
from placefix.prefilter.source_patterns import HAS_OWN_TENSOR
from placefix.rules.tensors.call_partners import Partners
from placefix.rules.tensors.device_conflicts import (
    FREE,
    NOT_SEEN,
    Conflicts,
    Met,
    is_operand_in,
    keeps_gradient,
)
from placefix.rules.tensors.discarded_moves import DiscardedMoves
from placefix.rules.tensors.target_devices import Destinations, is_joined
from placefix.rules.tensors.tensor_moves import moved, placed, scatters
from placefix.torch_model import libraries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.diagnostic import Edit, Insert
    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Event, Obj
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Premise


def makes_tensors(context: AnalysisContext) -> bool:
    """Whether the file makes tensors, or imports code that may: without one, none can be on the wrong device."""
    data = context.source.text.encode("ascii", "replace")
    home = context.tree.home
    return matches_pattern(data, HAS_OWN_TENSOR) or (home is not None and bool(placing_imports(home, data)))


class HostTensors(FileAnalysis):
    """Conflicts whose tensors come from factories alone, grouped by repair."""

    flow = requires(Flow)
    conflicts = requires(Conflicts)

    def misplaced(self) -> Iterator[Finding]:
        """Tensors the script makes on the CPU and hands to something on a device: first those to move where a
        statement of their own makes them, then where a function returns them, then at the use."""
        named: dict[Obj, list[Event]] = {}
        loose: list[Event] = []
        known = {root for event in self.conflicts.events if event.what not in NOT_SEEN for root in event.obj.roots}
        for event in self.conflicts.events:
            if event.what in NOT_SEEN and (known & event.obj.roots or scatters(self.context)):
                continue
            roots = self._roots(event)
            if any(r.is_element for r in self.conflicts.made_of(event.obj)) or not self._made_here(event):
                continue
            if any(self._kept_by_module(r) for r in roots) or self._of_discarded(roots, event):
                continue
            if len(roots) == 1 and roots[0] in self.flow.binds:
                named.setdefault(roots[0], []).append(event)
            else:
                loose.append(event)
        yield from self._named(named)
        yield from self._without_name(loose)
        if self.with_discarded:
            repaired = {thing for one in self.context.get(DiscardedMoves).misplaced() for thing in one.shares}
            yield from (one for one in self.with_discarded.values() if repaired.issuperset(one.shares))

    def _of_discarded(self, roots: Iterable[Obj], event: Event) -> bool:
        """Whether one of the tensors was meant to be moved before a conflict."""
        return self.context.get(DiscardedMoves).moved_before(roots, event)

    @cached_property
    def with_discarded(self) -> dict[ast.expr, Finding]:
        """The tensors that an operation takes together with one whose move is discarded, to move where they are made: ``y`` in
        ``x.to(device); model(x + y)``. By the operand of the conflict; both repairs are necessary."""
        found: dict[ast.expr, Finding] = {}
        for event in self.conflicts.events:
            roots = self._roots(event)
            rest = [root for root in roots if not self._of_discarded([root], event)]
            if len(rest) == 1 < len(roots) and event.arg_node is not None and self._made_here(event):
                beside = self._beside_discarded(rest[0], event, event.arg_node)
                if beside is not None:
                    found[event.arg_node] = beside
        return found

    def _beside_discarded(self, root: Obj, event: Event, operand: ast.expr) -> Finding | None:
        """A tensor to move where it is made, if its uses on the CPU are those in the operand."""
        name, stmt = self.flow.binds.get(root, ("", None))
        if stmt is None or self._kept_by_module(root):
            return None
        value = self._value(name, stmt)
        uses = [use for one in self.conflicts.bound_with(root) for use in self.flow.uses.get(one, ())]
        device = self.context.get(Destinations).of_creation(stmt, event)
        if (
            value is None
            or not device
            or keeps_gradient(value)
            or self._shares(value, name, stmt)
            or not all(w in FREE or is_operand_in(w, n, operand) for w, n in uses)
        ):
            return None
        met = [Met(root, event)]
        assumed = self.conflicts.premises(met, device, at_use=True)  # no other use needs it on the CPU
        return self._moved(value, stmt, name, device, met)._replace(
            premises=assumed, shares=(self.context.span(operand),)
        )

    def _without_name(self, events: Iterable[Event]) -> Iterator[Finding]:
        """Tensors that no name holds, to move where a function returns them, at the use, or where they are made in a container."""
        returned: dict[Stmt, list[Met]] = {}
        at_use: dict[ast.expr, Met] = {}
        inside: dict[Obj, Event] = {}  # passed in a container
        for event in events:
            made = self._made_in_return(event.obj)
            if made is not None and made[1] is not event.stmt:  # there it is an argument, not a result
                returned.setdefault(made[1], []).append(Met(made[0], event))
            elif event.arg_node is not None and event.obj.roots:
                at_use.setdefault(event.arg_node, Met(event.obj, event))
            elif event.arg_node is None:
                inside.setdefault(event.obj, event)
        for stmt, found in returned.items():
            yield self._at_return(stmt, found)
        for node, met in at_use.items():
            yield self.conflicts.at_use(node, [met])
        for obj, event in inside.items():
            found_inside = self._in_container(obj, event)
            if found_inside is not None:
                yield found_inside

    def _in_container(self, obj: Obj, event: Event) -> Finding | None:
        """A tensor to move where it is made, in a container that alone has it: ``h = (zeros(1, n), zeros(1, n).float())``."""
        origins = self.conflicts.made_of(obj)
        made = self._creations.get(origins[0]) if len(origins) == 1 else None
        if made is None or made.stmt is event.stmt or any(w not in FREE for w, _ in self.flow.uses.get(obj, ())):
            return None
        expr = made.node if obj is origins[0] else _called_on(made.node, made.stmt.node)
        device = self.context.get(Destinations).of_creation(made.stmt, event)
        if not device or keeps_gradient(expr):
            return None
        return self._moved(expr, made.stmt, self.context.text(expr), device, [Met(obj, event)])

    def _moved(self, made: ast.expr, stmt: Stmt, name: str, device: str, met: list[Met]) -> Finding:
        """A tensor to move where it is made. met: the conflicts that this settles."""
        return Finding(
            self.context.span(made),
            met[0].event.what,
            placed(self.context, made, stmt, device),
            premises=self.conflicts.premises(met, device),
            device=device,
            doubt=self.conflicts.doubt(met),
            met=self.conflicts.met(met),
            names=(name,),
        )

    def _named(self, groups: dict[Obj, list[Event]]) -> Iterator[Finding]:
        """Those that a statement binds to a name, one of each statement."""
        seen: set[Stmt] = set()
        bound = {self.flow.binds[root] for root in groups}
        for root, events in groups.items():
            if any(o is not root and self.flow.binds.get(o) in bound - {self.flow.binds[root]} for o in root.roots):
                continue  # the tensor that it derives from is moved
            name, stmt = self.flow.binds[root]
            if stmt not in seen:
                seen.add(stmt)
                yield self._at_creation(root, name, stmt, events)

    def _at_return(self, stmt: Stmt, found: list[Met]) -> Finding:
        """A tensor to move in the ``return`` that makes it."""
        value, event = stmt.node.value, found[0].event  # type: ignore[attr-defined]
        device = self.context.get(Destinations).of_event(stmt, event)
        name = self.context.text(event.arg_node or value)
        return self._moved(value, stmt, name, device, found)

    def _roots(self, event: Event) -> list[Obj]:
        """The objects to move to settle a conflict: the nearest named tensors or loader elements."""
        obj = event.obj
        is_own = obj in self.flow.binds and not self._changed_in_place(obj) and not returns_on_device(obj)
        if is_own or not obj.roots:
            return [obj]
        roots = [r for r in obj.roots if r is not obj and not self._changed_in_place(r)] or [obj]
        return [r for r in roots if not any(r is not o and r in o.roots for o in roots)]

    def _changed_in_place(self, obj: Obj) -> bool:
        """Whether a tensor is the result of ``x /= 2``: it is on the device of its creation."""
        return (
            obj in self.flow.binds
            and isinstance(self.flow.binds[obj][1].node, ast.AugAssign)
            and bool(obj.roots - {obj})
        )

    def _made_in_return(self, obj: Obj) -> tuple[Obj, Stmt] | None:
        """The creation behind a tensor, where a function of the file makes it in its ``return`` and
        every call of the function may have it on the device."""
        origins = self.conflicts.made_of(obj)
        made = self._creations.get(origins[0]) if len(origins) == 1 else None
        stmt = made.stmt if made is not None else None
        if (
            stmt is None
            or not isinstance(stmt.node, ast.Return)
            or isinstance(stmt.node.value, (ast.Tuple, ast.List, ast.Dict))
        ):
            return None
        alike = [o for o, other in self._creations.items() if other.stmt is stmt]
        free = all(what in FREE for o in alike for what, _ in self.flow.uses.get(o, ()))
        free = free and stmt.node.value is not None and not keeps_gradient(stmt.node.value)
        return (origins[0], stmt) if free and device_text(self.context, stmt) else None

    def _made_here(self, event: Event) -> bool:
        """Whether the tensor is made by factories alone, and meets a placed module or the result of one."""
        device = event.place.device if event.place is not None else None
        if device is None or (device.is_of_tensor and event.what != "beside") or not event.obj.roots:
            return False
        for root in event.obj.roots:
            if not torch_model.is_factory(root.name) and not (
                root in self.flow.binds and root.roots - {root} and self._factories(root)
            ):
                return False
        return True

    def _kept_by_module(self, obj: Obj) -> bool:
        """Whether a module has it for an attribute: then it wants to be a buffer, not to be moved."""
        return any(what == "attribute" for what, _ in self.flow.uses.get(obj, ()))

    @cached_property
    def _creations(self) -> dict[Obj, Event]:
        """The tensors made by factories, with the events."""
        return {e.obj: e for e in self.flow.index.of_kind("factory")}

    def _factories(self, obj: Obj) -> bool:
        return any(torch_model.is_factory(r.name) for r in obj.roots)

    def _at_creation(self, root: Obj, name: str, stmt: Stmt, events: list[Event]) -> Finding:
        uses = [w for o in self.conflicts.bound_with(root) for w, _ in self.flow.uses.get(o, ())]
        value = self._value(name, stmt)
        if (
            value is None
            or any(w not in FREE for w in uses)
            or keeps_gradient(value)
            or self._shares(value, name, stmt)
        ):
            return self._each_use(name, events)
        hoisted: tuple[Edit, ...] = ()
        device = self.context.get(Destinations).of_creation(stmt, events[0])
        if not device and is_joined(events[0].place):  # a device of another test is no device of these tensors
            return self._each_use(name, events)
        if not device:
            from placefix.rules.ordering.reorder import Reorder

            found = self.context.get(Reorder).device_below(stmt)
            if found is None:
                return self._each_use(name, events)
            device, definition = found
            hoisted = (Move((self.context.span(definition),), self.context.span(stmt)),)
        met = [Met(root, e) for e in events]
        operations = self.conflicts.met(met)
        assumed, doubt = self.conflicts.premises(met, device), self.conflicts.doubt(met)
        if "moved" in uses and any(e.what == "indexed" for e in events):
            assumed = unite(assumed, premises.ITEMS_MOVED)
        edits = (*hoisted, *placed(self.context, value, stmt, device))
        return Finding(
            self.context.span(value),
            events[0].what,
            edits,
            premises=assumed,
            device=device,
            doubt=doubt,
            met=operations,
            names=(name,),
        )

    @staticmethod
    def _value(name: str, stmt: Stmt) -> ast.expr | None:
        """The value that a statement assigns to a name; None if it is no such assignment."""
        node = stmt.node
        return node.value if isinstance(node, ast.Assign) and assigned_text(node) == name else None

    def _shares(self, value: ast.expr, name: str, stmt: Stmt) -> bool:
        """Whether a tensor has its memory in common with something else that is known by a name (``x = from_numpy(a)``,
        ``x = t.view(3, 4)``), and one of them is changed later: that must change the other."""
        part = value
        while isinstance(part, ast.Subscript) or (
            isinstance(part, ast.Call)
            and isinstance(part.func, ast.Attribute)
            and torch_model.may_share_memory(part.func.attr)
        ):
            part = part.value if isinstance(part, ast.Subscript) else part.func.value  # type: ignore[attr-defined]
        if isinstance(part, ast.Call):
            made = self.context.tree.qualname(part.func, stmt.scope)
            if made not in ("torch.from_numpy", "torch.as_tensor", "torch.asarray") or not part.args:
                return False
            part = part.args[0]
            while isinstance(part, ast.Subscript):
                part = part.value
        other = dotted(part)
        if not other or other == name:
            return False
        loop = next((s.node for s in stmt.ancestors() if isinstance(s.node, LOOPS)), None)
        return any(
            self._changes(n, (name, other), stmt)
            and (n.lineno > stmt.node.lineno or (loop is not None and n.lineno >= loop.lineno))
            for n in stmt.scope.nodes
            if isinstance(n, (ast.Assign, ast.AugAssign, ast.Call))
        )

    def _changes(self, node: ast.Assign | ast.AugAssign | ast.Call, names: tuple[str, ...], stmt: Stmt) -> bool:
        """Whether an assignment or a call writes into a value named in `names`, or passes the second one to code that may."""
        if isinstance(node, ast.Call):
            func = node.func
            if isinstance(func, ast.Attribute) and dotted(func.value) in names:
                in_place = func.attr.endswith("_") and not func.attr.endswith("__")
                return in_place or libraries.member(libraries.ARRAY, func.attr) is not None
            called = self.context.tree.qualname(func, stmt.scope) or dotted(func)
            known = called in api.PURE_OF_MODULES or called.startswith(("torch.", "numpy.", "matplotlib."))
            return (not known or called == "numpy.random.shuffle") and any(dotted(arg) == names[1] for arg in node.args)
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        inner = [t.value if isinstance(t, ast.Subscript) else t for t in targets]
        whole = isinstance(node, ast.Assign)
        return any(dotted(t) in names and not (whole and t in targets) for t in inner)

    def _premises_at_uses(self, events: list[Event], met: list[Met], device: str) -> tuple[Premise, ...]:
        """The premises of moving a tensor at its uses."""
        if events[0].what in NOT_SEEN:
            assumed: tuple[Premise, ...] = (self.conflicts.taken(events[0]),)
        else:
            assumed = unite(
                self.context.get(Destinations).premises(events, device),
                self.context.get(Partners).premises(events, device),
                premises.OTHER_CALL_WANTS_CPU if self.conflicts.is_wanted_elsewhere(met, at_use=True) else (),
            )
        return unite(assumed, *(self.conflicts.of_operands(event) for event in events))

    def _without_device(self, name: str, events: list[Event]) -> Finding:
        """A tensor to move behind another one, where no device is in scope at a use."""
        first = events[0]
        span = self.context.span(first.arg_node or first.node)
        behind = self._behind_move(name, events)
        if not behind:
            return Finding(span, first.what, why_not=reasons.NO_DEVICE_HERE, names=(name,))
        assumed = self.conflicts.premises([Met(root, e) for e in events for root in self._roots(e)])
        return Finding(span, first.what, behind, premises=assumed, names=(name,))

    def _behind_move(self, name: str, events: list[Event]) -> tuple[Edit, ...]:
        """The move of a name behind that of another one under a test, before each of the uses; none if there is no such line."""
        bound = {self.flow.binds[root][1] for e in events for root in self._roots(e) if root in self.flow.binds}
        destinations = self.context.get(Destinations)
        found = {destinations.behind_move(name, stmt, event) for stmt in bound for event in events}
        return () if None in found or len(found) != 1 else tuple(edit for edit in found if edit is not None)

    def _each_use(self, name: str, events: list[Event]) -> Finding:
        """Move at every conflicting use: the tensor is needed on the host as well, or may be."""
        first = events[0]
        met = [Met(e.obj, e) for e in events]
        doubt, operations = self.conflicts.doubt(met), self.conflicts.met(met)
        span = self.context.span(first.arg_node or first.node)
        nodes = list(dict.fromkeys(e.arg_node for e in events if e.arg_node is not None))
        edits: list[Edit] = []
        definitions: dict[Scope, tuple[Insert, ...]] = {}
        device = ""
        inside = len(nodes) < len({e.node for e in events})
        if inside or any(not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) for node in nodes):
            reason = reasons.INSIDE_CONTAINER if inside else reasons.CHANGED_IN_PLACE
            return Finding(span, first.what, why_not=reason, doubt=doubt, met=operations, names=(name,))
        for node in nodes:
            event = next(e for e in events if e.arg_node is node)
            device, defined = self.context.get(Destinations).of_use(event)
            if not device:
                return self._without_device(name, events)._replace(doubt=doubt, met=operations)
            known = definitions.get(event.stmt.scope)
            if defined and (
                known is None or known[0].anchor > defined[0].anchor
            ):  # the first serves the later statements
                definitions[event.stmt.scope] = defined
            edits.append(moved(self.context.source, node, device))
        assumed = self._premises_at_uses(events, met, device)
        return Finding(
            self.context.span(nodes[0]),
            first.what,
            (*(edit for defined in definitions.values() for edit in defined), *edits),
            premises=assumed,
            device=device,
            doubt=doubt,
            met=operations,
            names=(name,),
        )


def _called_on(made: ast.expr, stmt: ast.stmt) -> ast.expr:
    """The last of the method calls on an expression: ``zeros(3).float().view(1, 3)`` for ``zeros(3)``."""
    above = parents(stmt)
    while isinstance(attribute := above.get(made), ast.Attribute) and isinstance(
        call := above.get(attribute), ast.Call
    ):
        made = call
    return made
