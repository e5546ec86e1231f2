"""Tensors that meet a placed module, a loss or another tensor on the wrong device.

The flow analysis records each such meeting as a `conflict`. This module groups them by
where they can be repaired: at the top of a loop over a loader, behind the statement that
unpacks a batch, at the creation of a tensor, or at the use itself.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from placefix.diagnostic import Insert, Move, Replace, Span
from placefix.facts import torch_api as api
from placefix.facts.placement.order import names
from placefix.facts.program.children import walk
from placefix.facts.program.names import dotted, parameters
from placefix.facts.program.tree import Scope, Stmt, dominates
from placefix.lazy import NamedTuple, pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.diagnostic import Edit
    from placefix.facts import Facts
    from placefix.facts.interpret.values import Event, Obj

# Uses after which a tensor may lie on the device as well as on the host.
_FREE = frozenset({"device", "neutral", "moved"})


# They scatter what stays on the CPU, or hand out what is moved already.
_SCATTERS = ("arallel", "FSDP", "ccelerat", "prefetch", ".prepare(")
_DDP = pattern(r"DDP(?<!\wDDP)\b")


def scatters(text: str) -> bool:
    """Whether code may scatter batches, or be handed what is moved already."""
    return any(word in text for word in _SCATTERS) or _DDP.search(text) is not None


class Misplaced(NamedTuple):
    """Tensors to move at one place, with the edits that do it.

    names: how the script calls them. what: where they collide ("input", "loss", "operand").
    premise: why the edits are unsafe, "" when they are safe. why_not: why there are none.
    """

    span: Span
    names: tuple[str, ...]
    what: str
    device: str
    edits: tuple[Edit, ...] = ()
    premise: str = ""
    why_not: str = ""


class Batches:
    """Conflicts of one file, grouped by repair."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.flow = facts.flow
        self.conflicts = [e for e in self.flow.events if e.kind == "conflict"]
        self.discarded = {e.node: e for e in self._discarded()}

    # --- what is wrong ---------------------------------------------------------------------

    def _roots(self, event: Event) -> list[Obj]:
        """What to move to settle a conflict: the nearest named tensor or loader element."""
        obj = event.obj
        if (obj in self.flow.binds and not self._changed_in_place(obj)) or not obj.roots:
            return [obj]
        roots = [r for r in obj.roots if r is not obj and not self._changed_in_place(r)] or [obj]
        return [r for r in roots if not any(r is not o and r in o.roots for o in roots)]

    def _changed_in_place(self, obj: Obj) -> bool:
        """Whether a tensor is what ``x /= 2`` leaves: it lies where it was made."""
        return (
            obj in self.flow.binds
            and isinstance(self.flow.binds[obj][1].node, ast.AugAssign)
            and bool(obj.roots - {obj})
        )

    @staticmethod
    def _origins(obj: Obj) -> list[Obj]:
        """The loader elements and creations an object is computed from."""
        return [r for r in (obj, *(obj.roots - {obj})) if r.kind == "element" or r.name in api.TENSOR_FACTORIES]

    def loops(self) -> Iterator[Misplaced]:
        """Batches of proven loaders that reach a placed module or loss unmoved."""
        groups: dict[tuple[Stmt, str, str], list[tuple[Obj, Event]]] = {}
        at_use: dict[ast.expr, list[tuple[Obj, Event]]] = {}
        for event in self.conflicts:
            origins = self._origins(event.obj)
            elements = [r for r in origins if r.kind == "element"]
            if not elements or self._has_discarded_move(elements, event):
                continue
            root = elements[0]
            container = self._container(root)
            bound = container if container is not None and root not in self.flow.binds else root
            place = self.flow.binds.get(bound)
            if len(origins) > 1 or place is None or self._needs_host(root) or self._on_one_line(place[1]):
                if event.arg_node is not None:
                    at_use.setdefault(event.arg_node, []).append((root, event))
                continue
            name, stmt = place
            key = (stmt, name, "dict" if bound is not root else "name")
            groups.setdefault(key, []).append((root, event))
        yield from self._at_top(groups)
        for node, found in at_use.items():
            yield self._at_use(node, found)

    @staticmethod
    def _on_one_line(stmt: Stmt) -> bool:
        """A loop whose body stands behind its colon has no room for another statement."""
        return isinstance(stmt.node, (ast.For, ast.AsyncFor)) and stmt.node.body[0].lineno == stmt.node.lineno

    def _has_discarded_move(self, roots: Iterable[Obj], conflict: Event) -> bool:
        plain = [e for e in self.discarded.values() if not self._is_chain(e) and e.order < conflict.order]
        return any(e.obj is r or r in e.obj.roots for e in plain for r in roots)

    @staticmethod
    def _chain_start(value: ast.expr) -> ast.expr:
        """``x.to(device)`` of ``x.to(device).float()``."""
        while (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Attribute)
            and value.func.attr in api.TENSOR_SAME_DEVICE
        ):
            if not isinstance(value.func.value, ast.Call):
                break
            value = value.func.value
        return value

    @staticmethod
    def _is_chain(event: Event) -> bool:
        node = event.stmt.node
        return isinstance(node, ast.Expr) and node.value is not event.node and not isinstance(node.value, ast.Tuple)

    def _container(self, root: Obj) -> Obj | None:
        """The dict a loader yields, when every value of it is a proven tensor that may move."""
        for owner in self.flow.binds:
            if owner.kind == "dict" and owner.items is not None and root in owner.items:
                movable = all(i.value == "tensor" and not self._needs_host(i) for i in owner.items)
                return owner if movable and owner not in self.flow.uses else None
        return None

    def _needs_host(self, root: Obj) -> bool:
        return any(
            what in ("host", "container index", "host operand", "index") for what, _ in self.flow.uses.get(root, ())
        )

    # --- repairs at the top of a loop ----------------------------------------------------------

    def _at_top(self, groups: dict[tuple[Stmt, str, str], list[tuple[Obj, Event]]]) -> Iterator[Misplaced]:
        by_place: dict[tuple[Stmt, str, str, str], list[tuple[str, str, list[tuple[Obj, Event]]]]] = {}
        for (stmt, name, form), found in groups.items():
            premise = self.premise(found)
            device = self.device_for(stmt, found[0][1])
            by_place.setdefault((stmt, premise, device, form), []).append((name, form, found))
        for (stmt, premise, device, form), items in by_place.items():
            names = tuple(name for name, _, _ in items)
            defined: tuple[Edit, ...] = ()
            events = [e for _, _, found in items for _, e in found]
            node = stmt.node
            span = self.facts.span(node.target) if isinstance(node, (ast.For, ast.AsyncFor)) else self.facts.span(stmt)
            what = events[0].what
            target = device
            if not target:
                target, defined = self._device_of_module(stmt)
            if not target:
                yield Misplaced(span, names, what, "", why_not="no device is in scope here")
                continue
            edits = self._at_unpacking(stmt, names, target) if form == "name" else ()
            if not edits:
                lines = self._lines(names, form, target, [found[0][0] for _, _, found in items], stmt)
                anchor, where = self._anchor(stmt, set(names))
                edits = (Insert(self.facts.span(anchor), "\n".join(lines), where),)
            yield Misplaced(span, names, what, target, (*defined, *edits), premise)

    def _at_unpacking(self, stmt: Stmt, names: tuple[str, ...], device: str) -> tuple[Edit, ...]:
        """The move written into ``x = batch["x"]`` or ``x, y = batch[0], batch[1]`` itself."""
        node = stmt.node
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            return ()
        target, value = node.targets[0], node.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            pairs = list(zip(target.elts, value.elts, strict=True))
        found = {dotted(t): v for t, v in pairs if isinstance(v, (ast.Subscript, ast.Attribute, ast.Call))}
        if any(n not in found for n in names):
            return ()
        return tuple(self.moved(found[n], device) for n in names)

    def moved(self, node: ast.expr, device: str) -> Replace:
        """``expression`` becomes ``expression.to(device)``, in parentheses where it needs them."""
        source = self.facts.source
        span = source.span(node)
        text = source.segment(span)
        call = device if device.endswith("()") and device.startswith(".") else f".to({device})"
        if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            return Replace(span, text + call, text)
        before, after = source.text[: span.start].rstrip(" "), source.text[span.end :].lstrip(" ")
        grouped = before.endswith("(") and after.startswith(")") and not re.search(r"[\w)\]]\s*\($", before[-40:])
        if grouped:  # the parentheses stand there already
            span = Span(len(before) - 1, len(source.text) - len(after) + 1)
            text = source.segment(span)
            return Replace(span, text + call, text)
        return Replace(span, f"({text}){call}", text)

    def _lines(self, names: tuple[str, ...], form: str, device: str, roots: list[Obj], stmt: Stmt) -> list[str]:
        calls = [device if device == ".cuda()" else f".to({device}{self._non_blocking(r, stmt)})" for r in roots]
        if form == "dict":
            return [f"{n} = {{k: v{call} for k, v in {n}.items()}}" for n, call in zip(names, calls, strict=True)]
        moved = [n + call for n, call in zip(names, calls, strict=True)]
        if len(names) > 1 and self._tuple_style():
            return [f"{', '.join(names)} = {', '.join(moved)}"]
        return [f"{n} = {m}" for n, m in zip(names, moved, strict=True)]

    def _non_blocking(self, root: Obj, stmt: Stmt) -> str:
        """Only from pinned memory, and where the loop's other moves or, without any, the file's say it."""
        loader = root.base
        while loader is not None and loader.kind != "loader":
            loader = loader.base
        sibling = self._sibling(stmt)
        style = self.facts.text(sibling.stmt) if sibling is not None else self.facts.source.text
        pinned = loader is not None and loader.value is True
        return ", non_blocking=True" if pinned and "non_blocking=True" in style else ""

    def _tuple_style(self) -> bool:
        """Whether the file moves batches in one line: ``x, y = x.to(d), y.to(d)``."""
        for event in self.flow.events:
            node = event.stmt.node
            if event.kind == "place" and isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
                return True
        return False

    def _anchor(self, stmt: Stmt, wanted: set[str]) -> tuple[Stmt, str]:
        """Where moves of what `stmt` binds go: behind those that stand there already, else at the
        loop's top or behind the statement that unpacks."""
        loop = isinstance(stmt.node, (ast.For, ast.AsyncFor))
        body = stmt.suites[0].stmts if loop else stmt.suite.stmts[stmt.index + 1 :]
        sibling = self._sibling(stmt)
        moves: Stmt | None = None
        for inner in body:
            if self._is_move(inner):
                moves = inner
            elif (
                sibling is None
                or moves is sibling.stmt
                or sibling.stmt not in body
                or wanted & (names(inner.node)[0] | names(inner.node)[1])
            ):
                break
        if moves is not None and (sibling is None or moves.index >= sibling.stmt.index or moves is body[0]):
            return moves, "after"
        return (body[0], "before") if loop else (stmt, "after")

    def _is_move(self, stmt: Stmt) -> bool:
        """A statement that only moves elements of the batch."""
        node = stmt.node
        if not isinstance(node, ast.Assign):
            return False
        values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        return all(
            isinstance(v, ast.Call)
            and isinstance(v.func, ast.Attribute)
            and v.func.attr in api.PLACING
            and isinstance(v.func.value, ast.Name)
            for v in values
        )

    # --- repairs at the use ------------------------------------------------------------------

    def _at_use(self, node: ast.expr, found: list[tuple[Obj, Event]]) -> Misplaced:
        _, event = found[0]
        span = self.facts.span(node)
        text = self.facts.text(node)
        device = self.device_for(event.stmt, event)
        defined: tuple[Edit, ...] = ()
        device = device or self._device_of_operand(event)
        if not device:
            device, defined = self._device_of_module(event.stmt)
        if not device:
            return Misplaced(span, (text,), event.what, "", why_not="no device is in scope here")
        if isinstance(node, ast.Starred) or (
            event.obj.kind == "element"
            and event.obj.value != "tensor"
            and event.what == "input"
            and self._is_spread(node, event)
        ):
            return Misplaced(span, (text,), event.what, device, why_not="what the batch holds is not known")
        premise = self.premise(found, at_use=True)
        return Misplaced(span, (text,), event.what, device, (*defined, self.moved(node, device)), premise)

    @staticmethod
    def _is_spread(node: ast.expr, event: Event) -> bool:
        call = event.node
        return isinstance(call, ast.Call) and any(k.arg is None and k.value is node for k in call.keywords)

    # --- tensors made by the script -------------------------------------------------------------

    def straight_line(self) -> Iterator[Misplaced]:
        """Tensors the script makes on the host and hands to something on a device."""
        groups: dict[Obj, list[Event]] = {}
        loose: list[Event] = []
        for event in self.conflicts:
            roots = self._roots(event)
            if any(r.kind == "element" for r in self._origins(event.obj)) or not self._made_here(event):
                continue
            if self._has_discarded_move(roots, event) or any(self._kept_by_module(r) for r in roots):
                continue
            if len(roots) == 1 and roots[0] in self.flow.binds:
                groups.setdefault(roots[0], []).append(event)
            else:
                loose.append(event)
        seen: set[ast.AST] = set()
        bound = {self.flow.binds[root] for root in groups}
        for root, events in groups.items():
            if any(o is not root and self.flow.binds.get(o) in bound - {self.flow.binds[root]} for o in root.roots):
                continue  # what it derives from moves
            name, stmt = self.flow.binds[root]
            if stmt.node in seen:
                continue
            seen.add(stmt.node)
            yield self._at_creation(root, name, stmt, events)
        returned: dict[Stmt, list[tuple[Obj, Event]]] = {}
        for event in list(loose):
            made = self._made_in_return(event.obj)
            if made is not None and made[1] is not event.stmt:  # there it is fed to something, not handed back
                loose.remove(event)
                returned.setdefault(made[1], []).append((made[0], event))
        for stmt, found in returned.items():
            value, device = stmt.node.value, self.device_for(stmt, found[0][1])  # type: ignore[attr-defined]
            names = (self.facts.text(found[0][1].arg_node or value),)
            yield Misplaced(
                self.facts.span(value),
                names,
                found[0][1].what,
                device,
                (self.moved(value, device),),
                self.premise(found),
            )
        for event in loose:
            if event.arg_node is not None and event.arg_node not in seen and event.obj.roots:
                seen.add(event.arg_node)
                yield self._at_use(event.arg_node, [(event.obj, event)])

    def _made_in_return(self, obj: Obj) -> tuple[Obj, Stmt] | None:
        """The creation behind a tensor, where a function of the file makes it in its ``return`` and
        every call of the function may have it on the device."""
        origins = self._origins(obj)
        factories = {e.obj: e.stmt for e in self.flow.events if e.kind == "factory"}
        stmt = factories.get(origins[0]) if len(origins) == 1 else None
        if (
            stmt is None
            or not isinstance(stmt.node, ast.Return)
            or isinstance(stmt.node.value, (ast.Tuple, ast.List, ast.Dict))
        ):
            return None
        alike = [o for o, made in factories.items() if made is stmt]
        free = all(what in _FREE for o in alike for what, _ in self.flow.uses.get(o, ()))
        free = free and stmt.node.value is not None and not _is_leaf(stmt.node.value)
        return (origins[0], stmt) if free and self.facts.device_text(stmt) else None

    def _made_here(self, event: Event) -> bool:
        """Whether the tensor is made by factories alone, and meets a placed module or what came out of one."""
        device = event.place.device if event.place is not None else None
        if device is None or device.kind == "tensor" or not event.obj.roots:
            return False
        for root in event.obj.roots:
            if root.name not in api.TENSOR_FACTORIES and not (
                root in self.flow.binds and root.roots - {root} and self._factories(root)
            ):
                return False
        return True

    def _kept_by_module(self, obj: Obj) -> bool:
        """Whether a module has it for an attribute: then it wants to be a buffer, not to be moved."""
        return any(what == "attribute" for what, _ in self.flow.uses.get(obj, ()))

    def _factories(self, obj: Obj) -> bool:
        return any(r.name in api.TENSOR_FACTORIES for r in obj.roots)

    def _at_creation(self, root: Obj, name: str, stmt: Stmt, events: list[Event]) -> Misplaced:
        node = stmt.node
        uses = [w for o in self._bound_with(root) for w, _ in self.flow.uses.get(o, ())]
        value = (
            node.value
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and dotted(node.targets[0]) == name
            else None
        )
        if value is None or any(w not in _FREE for w in uses) or _is_leaf(value):
            return self._each_use(name, events)
        hoisted: tuple[Edit, ...] = ()
        device = self.device_for(stmt, events[0])
        if not device:
            found = self.facts.device_below(stmt)
            if found is None:
                return self._each_use(name, events)
            device, definition = found
            hoisted = (Move((self.facts.span(definition),), self.facts.span(stmt)),)
        edit = self.moved(value, device)
        premise = self.premise([(root, e) for e in events])
        return Misplaced(self.facts.span(value), (name,), events[0].what, device, (*hoisted, edit), premise)

    def _bound_with(self, root: Obj) -> list[Obj]:
        """What the same statement binds to the same name, in every run of its function."""
        bound = self.flow.binds.get(root)
        return [o for o, b in self.flow.binds.items() if b == bound] if bound is not None else [root]

    def _each_use(self, name: str, events: list[Event]) -> Misplaced:
        """Move at every conflicting use: the tensor is needed on the host as well, or may be."""
        first = events[0]
        nodes = list(dict.fromkeys(e.arg_node for e in events if e.arg_node is not None))
        edits: list[Edit] = []
        device = ""
        if len(nodes) < len({e.node for e in events}):
            return Misplaced(
                self.facts.span(first.arg_node or first.node),
                (name,),
                first.what,
                "",
                why_not="it is handed over inside a container",
            )
        for node in nodes:
            event = next(e for e in events if e.arg_node is node)
            device = self.device_for(event.stmt, event) or self._device_of_operand(event)
            if not device:
                return Misplaced(
                    self.facts.span(first.arg_node or first.node),
                    (name,),
                    first.what,
                    "",
                    why_not="no device is in scope here",
                )
            edits.append(self.moved(node, device))
        return Misplaced(self.facts.span(nodes[0]), (name,), first.what, device, tuple(edits))

    # --- discarded moves -------------------------------------------------------------------------

    def _discarded(self) -> Iterator[Event]:
        for event in self.flow.events:
            node = event.stmt.node
            if (
                event.kind == "place"
                and (
                    event.obj.kind in ("tensor", "element")
                    or (event.obj.kind == "unknown" and (self._used_as_tensor(event) or self._goes_with(event)))
                )
                and event.obj.name != "torch.nn.Parameter"
                and event.obj.proven
                and isinstance(node, ast.Expr)
                and (self._chain_start(node.value) is event.node or self._of_tuple(node.value, event.node))
                and not any(what == "called" for what, _ in self.flow.uses.get(event.obj, ()))
            ):
                yield event

    def discarded_moves(self) -> Iterator[Misplaced]:
        """Statements ``x.to(device)`` on tensors, whose result is thrown away."""
        for event in self.discarded.values():
            call = event.node
            assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
            span = self.facts.span(call)
            text = self.facts.text(call)
            target = dotted(call.func.value)
            node = event.stmt.node
            assert isinstance(node, ast.Expr)
            if not target:
                yield Misplaced(span, (text,), "", "", why_not="the moved expression has no name to assign to")
                continue
            if self._loop_item(event, target):
                why_not = f"assigning `{target}` would not change what the loop goes over"
                yield Misplaced(span, (target,), "", "", why_not=why_not)
                continue
            owner = event.stmt.scope.lookup(target.partition(".")[0])
            if owner is not None and owner is not event.stmt.scope and "." not in target:
                yield Misplaced(span, (target,), "", "", why_not=f"`{target}` is not a name of this function")
                continue
            premise = self._discarded_premise(event, target)
            if self._is_chain(event):
                span, text = self.facts.span(node.value), self.facts.text(node.value)
                premise = f"`{target}` becomes what the whole chain gives, on the CPU too"
            if isinstance(node.value, ast.Tuple):
                if call is not node.value.elts[0]:
                    continue  # the first one speaks for all of them
                names = tuple(dotted(e.func.value) for e in node.value.elts)  # type: ignore[attr-defined]
                span, text = self.facts.span(node.value), self.facts.text(node.value)
                rest = [e for e in self.discarded.values() if e.stmt is event.stmt and e is not event]
                premise = premise or next(filter(None, (self._discarded_premise(e, target) for e in rest)), "")
                yield Misplaced(span, names, "", "", (Replace(span, f"{', '.join(names)} = {text}", text),), premise)
                continue
            yield Misplaced(span, (target,), "", "", (Replace(span, f"{target} = {text}", text),), premise)

    def _of_tuple(self, value: ast.expr, call: ast.expr) -> bool:
        """Whether a call is one of ``x.to(d), y.to(d)``, all of them moves of names."""
        return (
            isinstance(value, ast.Tuple)
            and call in value.elts
            and all(
                isinstance(e, ast.Call) and isinstance(e.func, ast.Attribute) and dotted(e.func.value)
                for e in value.elts
            )
            and all(e in {p.node for p in self.flow.events if p.kind == "place"} for e in value.elts)
        )

    def _loop_item(self, event: Event, target: str) -> bool:
        """Whether a loop over a container of tensors binds what is moved, and nothing else uses it there."""
        bound = self.flow.binds.get(event.obj)
        loop = bound[1] if bound is not None else None
        if loop is None or not isinstance(loop.node, ast.For) or event.obj.kind == "element":
            return False
        return dotted(loop.node.target) == target and not any(
            w == "device" for w, _ in self.flow.uses.get(event.obj, ())
        )

    def _used_as_tensor(self, event: Event) -> bool:
        """Whether a function shows that what it moves in a statement of its own is a tensor: it comes of a method that
        modules have not, or goes into a function of torch."""
        call, scope = event.node, event.stmt.scope
        if not (isinstance(event.stmt.node, ast.Expr) and event.stmt.node.value is call and isinstance(call, ast.Call)):
            return False
        name = dotted(call.func.value) if isinstance(call.func, ast.Attribute) else ""
        if scope.kind != "function" or scope.lookup(name) is not scope:
            return False
        bound = self.facts.devices.index.binding(scope, name)
        before = next(
            (s for s in reversed(event.stmt.suite.stmts[: event.stmt.index]) if any(s in b.ancestors() for b in bound)),
            None,
        )
        value = getattr(before.node, "value", None) if before in bound and before is not None else None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in api.SHAPES:
            return True
        return any(
            stmt.scope is scope and dominates(event.stmt, stmt) and (self.facts.tree.qualname(taker.func, scope) or "") in api.TENSOR_FUNCTIONS
            and any(isinstance(a, ast.Name) and a.id == name for g in taker.args for a in (g.elts if isinstance(g, (ast.List, ast.Tuple)) else [g]))
            and all(dominates(b, event.stmt) or b is stmt or dominates(stmt, b) for b in bound)
            for taker, stmt in self.facts.devices.index.calls
        )  # fmt: skip

    def _goes_with(self, event: Event) -> bool:
        """Whether the line before or behind a move in a statement of its own keeps the same move of another name, and one
        statement unpacks both, or the forward of a module is given both: modules do not come along with tensors."""
        call, stmt = event.node, event.stmt
        if not (
            isinstance(stmt.node, ast.Expr)
            and stmt.node.value is call
            and isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
        ):
            return False
        name, scope = dotted(call.func.value), stmt.scope
        index = self.facts.devices.index
        if (
            scope.kind != "function"
            or scope.lookup(name) is not scope
            or any(attr in api.MODULE_NEUTRAL for attr, s in index.asked(name) if s.scope is scope)
        ):
            return False
        if any(isinstance(c.func, ast.Name) and c.func.id == name for c, s in index.calls if s.scope is scope):
            return False
        given = parameters(scope.function.args) if scope.name == "forward" and self._in_module(scope) else {}
        mine = index.binding(scope, name)
        for beside in stmt.suite.stmts[max(stmt.index - 1, 0) : stmt.index + 2]:
            other = _kept_move(beside.node, call)
            if other and other != name:
                rest = [b for b in index.binding(scope, other) if b is not beside]
                if (name in given and other in given and not mine and not rest) or (mine and mine == rest):
                    return True
        return False

    def _in_module(self, scope: Scope) -> bool:
        return (
            scope.parent is not None
            and scope.parent.kind == "class"
            and self.facts.flow.class_info(scope.parent).is_module
        )

    def _discarded_premise(self, event: Event, target: str) -> str:
        obj, call = event.obj, event.node
        if obj.kind == "unknown":
            return f"what uses `{target}` after this line got it where it was"
        if obj.kind == "element" and obj.value != "tensor" and not self._tensor_by_use(obj):
            return f"`{target}` is taken to be a tensor"
        uses = self.flow.uses.get(obj, [])
        here = next((i for i, (_, n) in enumerate(uses) if n is call), 0)
        later = [
            w for w, n in (uses if event.stmt.in_loop() and obj.kind != "element" else uses[here:]) if n is not call
        ]
        device = event.place.device if event.place is not None else None
        assert isinstance(call, ast.Call)
        like = [a for a in call.args if device is not None and device.text == self.facts.text(a) + ".device"]
        if len(call.args) > 1 or like or any(k.arg == "dtype" for k in call.keywords):
            return f"it changes the type of `{target}` as well"
        if device is not None and device.is_cpu:
            if "host" in later and "device" not in later:
                return ""  # without it numpy refuses a tensor of the device
            return f"what uses `{target}` after this line got it where it was"
        if isinstance(obj.origin, ast.expr) and _is_leaf(obj.origin):
            return f"gradients are kept for `{target}` as it was made, and not for what is moved"
        if any(w not in _FREE for w in later):
            return f"`{target}` is also used by code that may expect it where it was"
        return ""

    def _tensor_by_use(self, obj: Obj) -> bool:
        return any(what == "device" for what, _ in self.flow.uses.get(obj, ()))

    # --- proof -----------------------------------------------------------------------------------

    def premise(self, found: list[tuple[Obj, Event]], *, at_use: bool = False) -> str:
        """What is not proven about moving these, "" when everything is."""
        for root, event in found:
            if not root.proven:
                return "the loader is taken to yield tensors on the CPU"
            if event.obj.kind == "element" and event.obj.value != "tensor" and root.value != "tensor":
                return "the batch's element is taken to be a tensor"
            if event.place is not None and event.place.device is not None and event.place.device.index not in (None, 0):
                return "the module lies on an explicit device index"
            if at_use:
                continue
            for what, _ in self.flow.uses.get(root, ()):
                if what not in _FREE:
                    return "the batch is also handed to code that may expect it on the CPU"
        if not at_use:
            contexts = [o for root, _ in found for o in self._bound_with(root)]
            if any(what not in _FREE for o in contexts for what, _ in self.flow.uses.get(o, ())):
                return "another call of this function may want the tensor on the CPU"
        return ""

    def device_for(self, stmt: Stmt, event: Event) -> str:
        """Text of the device to move to at `stmt`, ".cuda()" in files that only know that, "" for none."""
        place = event.place
        sibling = self._sibling(stmt)
        if sibling is not None and sibling.place is not None and sibling.place.device is not None:
            return sibling.place.device.text
        device = place.device if place is not None else None
        here = ""
        if device is not None and device.text and place is not None and place.event is not None:
            made = place.event.stmt
            if made.scope is stmt.scope and (dominates(made, stmt) or made in list(stmt.ancestors())):
                here = device.text
        if here.replace(".", "").isidentifier():
            return here
        text = self.facts.device_text(stmt)
        if text or here:
            return text or here
        return (
            ".cuda()"
            if device is not None and device.kind == "cuda" and device.index is None and not device.text
            else ""
        )

    @staticmethod
    def _device_of_operand(event: Event) -> str:
        """``y.device`` for ``x + y`` and the like, where the other side has a name."""
        node = event.node
        sides = (
            [node.left, node.right]
            if isinstance(node, ast.BinOp)
            else [node.left, *node.comparators]
            if isinstance(node, ast.Compare)
            else []
        )
        others = [dotted(s) for s in sides if s is not event.arg_node]
        return f"{others[0]}.device" if len(others) == 1 and others[0] else ""

    def _device_of_module(self, stmt: Stmt) -> tuple[str, tuple[Edit, ...]]:
        """``device = next(model.parameters()).device``, for a function that is given a trained model and no device."""
        scope = stmt.scope
        if scope.kind != "function" or scope.lookup("device") is not None:
            return "", ()
        arguments = parameters(scope.function.args)
        trained = {m.root() for e in self.flow.events if e.kind == "optimizer" for m in e.args}
        for event in self.conflicts:
            func = event.node.func if isinstance(event.node, ast.Call) else None
            if event.what != "input" or event.stmt.scope is not scope or not isinstance(func, ast.Name):
                continue
            if (
                func.id in arguments
                and len(scope.bindings[func.id]) == 1
                and all(m.root() in trained for m in event.args)
            ):
                anchor = next(s for s in stmt.ancestors() if s.suite is scope.body)
                text = f"device = next({func.id}.parameters()).device"
                return "device", (Insert(self.facts.span(anchor), text),)
        return "", ()

    def _lasts(self, text: str, later: Stmt, stmt: Stmt) -> bool:
        """Whether a device expression of a later statement, perhaps of another function, means the same at `stmt`."""
        name = re.match(r"\w*", text)
        owner = stmt.scope.lookup(name[0]) if name is not None else None
        if name is None or owner is None or owner is not later.scope.lookup(name[0]):
            return False
        return owner is not stmt.scope or all(
            dominates(b, stmt) and b is not stmt for b in self.facts.devices.index.binding(owner, name[0])
        )

    def _sibling(self, stmt: Stmt) -> Event | None:
        """A move of a neighbouring element of the same batch."""
        for event in self.flow.events:
            if (
                event.kind == "place"
                and event.obj.kind == "element"
                and event.place is not None
                and event.place.device is not None
            ):
                bound = self.flow.binds.get(event.obj)
                if bound is not None and bound[1] is stmt and isinstance(event.stmt.node, ast.Assign):
                    device = event.place.device
                    if (
                        device.text
                        and not device.is_cpu
                        and event.what == "to"
                        and self._lasts(device.text, event.stmt, stmt)
                    ):
                        return event
        return None


def _kept_move(node: ast.stmt, call: ast.Call) -> str:
    """The name that an assignment moves as `call` moves another one: ``y`` of ``y = y.to(device)`` for ``x.to(device)``."""
    value = node.value if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    if not (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and isinstance(call.func, ast.Attribute)
        and isinstance(node, ast.Assign)
    ):
        return ""
    same = value.func.attr == call.func.attr and [ast.dump(a) for a in (*value.args, *value.keywords)] == [
        ast.dump(a) for a in (*call.args, *call.keywords)
    ]
    name = dotted(node.targets[0])
    return name if same and name == dotted(value.func.value) else ""


def _is_leaf(made: ast.expr) -> bool:
    """Whether an expression makes a tensor that keeps its gradient, which what is moved of it does not."""
    for node in walk(made):
        if not isinstance(node, ast.Call):
            continue
        asked = [k.value for k in node.keywords if k.arg == "requires_grad"]
        if isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_":
            asked += node.args or [node]
        if any(not isinstance(value, ast.Constant) or value.value for value in asked):
            return True
    return False
