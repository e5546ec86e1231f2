"""Batches of loaders that reach something on a device unmoved, and the lines that move them."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from placefix.diagnostic import Insert
from placefix.facts import reasons
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.assignments import target_pairs
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.reads_and_writes import names
from placefix.facts.wording import unite
from placefix.rules.tensors.device_conflicts import NOT_SEEN, Conflicts, Met
from placefix.rules.tensors.discarded_moves import DiscardedMoves
from placefix.rules.tensors.target_devices import Destinations
from placefix.rules.tensors.tensor_moves import moved, scatters
from placefix.torch_model import libraries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Edit, Side
    from placefix.facts.interpret.values import Event, Obj
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Doubt, Premise


_FEW = 2  # as many moves at uses read no worse than one line above them


BindingForm = Literal["name", "dict", "list"]


class _Binding(NamedTuple):
    """The statement that binds elements of a loader, the name, and its form: "dict" and "list" for a name of several elements."""

    stmt: Stmt
    name: str
    form: BindingForm


class Batches(FileAnalysis):
    """Conflicts whose tensors are elements of a loader, grouped by repair."""

    flow = requires(Flow)
    conflicts = requires(Conflicts)

    def misplaced(self) -> Iterator[Finding]:
        """Batches of proven loaders that reach a placed module or loss unmoved."""
        groups, at_use, combined = self._grouped()
        self._leave_at_use(groups, at_use)
        for event, bindings in self._combined_at_use(groups, combined):
            if event.arg_node is not None:
                element = next(r for r in bindings if r.is_element)
                at_use.setdefault(event.arg_node, []).append(Met(element, event))
        yield from self._at_top(groups)
        for node, found in at_use.items():
            yield self.conflicts.at_use(node, found)

    def _grouped(
        self,
    ) -> tuple[dict[_Binding, list[Met]], dict[ast.expr, list[Met]], list[tuple[Event, dict[Obj, _Binding | None]]]]:
        """The conflicts that can be repaired where the element is bound, those that can be repaired at the use, and those about
        results of several tensors, each with the bindings of the tensors."""
        groups: dict[_Binding, list[Met]] = {}
        at_use: dict[ast.expr, list[Met]] = {}
        combined: list[tuple[Event, dict[Obj, _Binding | None]]] = []
        known = {r for e in self.conflicts.events if e.what not in NOT_SEEN for r in self.conflicts.made_of(e.obj)}
        for event in self.conflicts.events:
            origins = self.conflicts.made_of(event.obj)
            elements = [r for r in origins if r.is_element]
            if event.what in NOT_SEEN and (not known.isdisjoint(origins) or scatters(self.context)):
                continue
            if not elements or self.context.get(DiscardedMoves).moved_before(elements, event):
                continue
            bindings = {root: self._binding(root) if root in elements else None for root in origins}
            if len(origins) > 1:
                combined.append((event, bindings))
            elif (binding := bindings[elements[0]]) is not None:
                groups.setdefault(binding, []).append(Met(elements[0], event))
            elif event.arg_node is not None:
                at_use.setdefault(event.arg_node, []).append(Met(elements[0], event))
        return groups, at_use, combined

    def _leave_at_use(self, groups: dict[_Binding, list[Met]], at_use: dict[ast.expr, list[Met]]) -> None:
        """Take the batches out of `groups` that are moved at their few uses instead."""
        for key, met in list(groups.items()):
            nodes = {one.event.arg_node for one in met}
            if key.form == "name" and None not in nodes and len(nodes) <= _FEW and self._may_stay(met):
                del groups[key]
                for one in met:
                    at_use.setdefault(one.event.arg_node, []).append(one)  # type: ignore[arg-type]

    def _combined_at_use(
        self,
        groups: dict[_Binding, list[Met]],
        combined: list[tuple[Event, dict[Obj, _Binding | None]]],
    ) -> list[tuple[Event, dict[Obj, _Binding | None]]]:
        """The conflicts about a result of several tensors that are repaired at the use.

        If one of these tensors moves where it is bound, the operation between them needs the others there too: they join `groups`.
        """
        left = combined
        while True:
            joins = [all(b.values()) and any(one in groups for one in b.values()) for _, b in left]
            if not any(joins):
                return left
            for (event, bindings), does_join in zip(left, joins, strict=True):
                for root, binding in bindings.items() if does_join else ():
                    groups.setdefault(binding, []).append(Met(root, event))  # type: ignore[arg-type]
            left = [pair for pair, does_join in zip(left, joins, strict=True) if not does_join]

    def _binding(self, root: Obj) -> _Binding | None:
        """What binds an element, if it can be moved there; otherwise None."""
        container = self._container(root)
        bound = container if container is not None and root not in self.flow.binds else root
        if bound is root and root in self._graphs and root not in self.flow.binds:
            bound = self._graphs[root]
        place = self.flow.binds.get(bound)
        if (
            place is None
            or self._needs_host(root)
            or self._on_one_line(place[1])
            or self.conflicts.may_be_container(bound)
        ):
            return None
        name, stmt = place
        form: BindingForm = "dict" if bound.kind == "dict" or bound.value == "mapping" else "name"
        return _Binding(stmt, name, "list" if bound.value == "sequence" else form)

    def _may_stay(self, met: list[Met]) -> bool:
        """Whether a batch that other code may want on the CPU is proven but for that: moved at its uses alone it stays there."""
        return bool(self.conflicts.premises(met)) and not self.conflicts.premises(met, at_use=True)

    @staticmethod
    def _on_one_line(stmt: Stmt) -> bool:
        """Whether the body of a loop is on the line of its header, so that no statement can be inserted."""
        return isinstance(stmt.node, (ast.For, ast.AsyncFor)) and stmt.node.body[0].lineno == stmt.node.lineno

    def _container(self, root: Obj) -> Obj | None:
        """The dict a loader yields, when every value of it is a proven tensor that may move."""
        owner = self._owners.get(root)
        if owner is None or owner.items is None:
            return None
        movable = all(i.value == "tensor" and not self._needs_host(i) for i in owner.items)
        return owner if movable and owner not in self.flow.uses else None

    @cached_property
    def _graphs(self) -> dict[Obj, Obj]:
        """The objects that loaders of graphs yield, which move as a whole, by the element that all of their tensors are."""
        graphs = (o for o in self.flow.binds if o.kind == "encoding" and o.name == libraries.GRAPH)
        return {graph.base: graph for graph in graphs if graph.base is not None and graph.base.is_element}

    @cached_property
    def _owners(self) -> dict[Obj, Obj]:
        """The first dict that holds each of the values in dicts."""
        found: dict[Obj, Obj] = {}
        for owner in self.flow.binds:
            if owner.kind == "dict" and owner.items is not None:
                for item in owner.items:
                    found.setdefault(item, owner)
        return found

    def _needs_host(self, root: Obj) -> bool:
        return any(
            what in ("host", "container index", "host operand", "index") for what, _ in self.flow.uses.get(root, ())
        )

    def _at_top(self, groups: dict[_Binding, list[Met]]) -> Iterator[Finding]:
        """Those that can be moved where they are bound, together where one statement binds several alike."""
        alike: dict[tuple[Stmt, bool, Doubt | None, str, BindingForm], dict[str, list[Met]]] = {}
        assumed: dict[tuple[Stmt, str], tuple[Premise, ...]] = {}
        for (stmt, name, form), found in groups.items():
            device = self.context.get(Destinations).of_event(stmt, found[0].event)
            assumed[stmt, name], doubt = self.conflicts.premises(found, device), self.conflicts.doubt(found)
            alike.setdefault((stmt, bool(assumed[stmt, name]), doubt, device, form), {})[name] = found
        for (stmt, _, doubt, known, form), bound in alike.items():
            node = stmt.node
            span = self.context.span(node.target if isinstance(node, (ast.For, ast.AsyncFor)) else stmt)
            what = next(iter(bound.values()))[0].event.what
            every = [one for found in bound.values() for one in found]
            met = self.conflicts.met(every)
            shares = self.conflicts.numbers([one for one in every if len(self.conflicts.made_of(one.event.obj)) > 1])
            device, defined = (known, ()) if known else self.context.get(Destinations).of_module(stmt)
            if not device and form == "name":
                edits = self._behind_move(stmt, bound)
                if edits:
                    yield Finding(
                        span, what, edits, premises=unite(*(assumed[stmt, n] for n in bound)), doubt=doubt, met=met,
                        shares=shares, names=tuple(bound),
                    )  # fmt: skip
                    continue
            if not device:
                why_not = reasons.NO_DEVICE_HERE
                yield Finding(span, what, why_not=why_not, doubt=doubt, met=met, shares=shares, names=tuple(bound))
                continue
            edits = self._at_unpacking(stmt, tuple(bound), device) if form == "name" else ()
            if not edits:
                roots = [found[0].root for found in bound.values()]
                lines = self._lines(tuple(bound), form, device, roots, stmt)
                anchor, where = self._anchor(stmt, set(bound))
                edits = (Insert(self.context.span(anchor), "\n".join(lines), where),)
            yield Finding(
                span,
                what,
                (*defined, *edits),
                premises=unite(*(assumed[stmt, name] for name in bound)),
                device=device,
                doubt=doubt,
                met=met,
                shares=shares,
                names=tuple(bound),
            )

    def _behind_move(self, stmt: Stmt, bound: dict[str, list[Met]]) -> tuple[Edit, ...]:
        """The moves of names that a statement binds, each behind that of another part of the batch under a test; none if one has no such
        line."""
        destinations = self.context.get(Destinations)
        found = [destinations.behind_move(name, stmt, one.event) for name, met in bound.items() for one in met]
        return () if None in found else tuple(dict.fromkeys(edit for edit in found if edit is not None))

    def _at_unpacking(self, stmt: Stmt, names: tuple[str, ...], device: str) -> tuple[Edit, ...]:
        """The move written into ``x = batch["x"]`` or ``x, y = batch[0], batch[1]`` itself."""
        node = stmt.node
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            return ()
        pairs = target_pairs(node.targets[0], node.value)
        found = {dotted(t): v for t, v in pairs if isinstance(v, (ast.Subscript, ast.Attribute, ast.Call))}
        if any(n not in found for n in names):
            return ()
        return tuple(moved(self.context.source, found[n], device) for n in names)

    def _lines(self, names: tuple[str, ...], form: BindingForm, device: str, roots: list[Obj], stmt: Stmt) -> list[str]:
        """The statements that move the names bound by `stmt`, in the style of the file; `roots` are their elements."""
        calls = [device if device == ".cuda()" else f".to({device}{self._non_blocking(r, stmt)})" for r in roots]
        if form == "dict":
            return [f"{n} = {{k: v{call} for k, v in {n}.items()}}" for n, call in zip(names, calls, strict=True)]
        if form == "list":
            return [f"{n} = [t{call} for t in {n}]" for n, call in zip(names, calls, strict=True)]
        targets = [n + call for n, call in zip(names, calls, strict=True)]
        if len(names) > 1 and self._tuple_style:
            return [f"{', '.join(names)} = {', '.join(targets)}"]
        return [f"{n} = {m}" for n, m in zip(names, targets, strict=True)]

    def _non_blocking(self, root: Obj, stmt: Stmt) -> str:
        """`non_blocking` only from pinned memory, and if the other moves of the loop, or of the file, have it."""
        loader = root.base
        while loader is not None and loader.kind != "loader":
            loader = loader.base
        sibling = self.context.get(Destinations).beside(stmt)
        style = self.context.text(sibling.stmt) if sibling is not None else self.context.source.text
        pinned = loader is not None and loader.value is True
        return ", non_blocking=True" if pinned and "non_blocking=True" in style else ""

    @cached_property
    def _tuple_style(self) -> bool:
        """Whether the file moves batches in one line: ``x, y = x.to(d), y.to(d)``."""
        for event in self.flow.events:
            node = event.stmt.node
            if event.kind == "place" and isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
                return True
        return False

    def _anchor(self, stmt: Stmt, wanted: set[str]) -> tuple[Stmt, Side]:
        """The place of moves for names that `stmt` binds: behind the moves that exist already, else at the
        loop's top or behind the statement that unpacks."""
        loop = isinstance(stmt.node, (ast.For, ast.AsyncFor))
        body = stmt.suites[0].stmts if loop else stmt.suite.stmts[stmt.index + 1 :]
        sibling = self.context.get(Destinations).beside(stmt)
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
