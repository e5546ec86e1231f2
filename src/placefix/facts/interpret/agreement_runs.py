"""A run of code that finds the values which were on one device in every run of the program that ended.

The run has the must-share domain, with two assumptions: a value that is computed with is a tensor with a dimension, and an object that
is called, or has an unknown method that is called, computes with the arguments.
"""

from __future__ import annotations

import ast
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import moves_in
from placefix.facts.interpret.constraint_runs import ConstraintRun, owner_of
from placefix.facts.interpret.module_effects import effect_inside
from placefix.facts.interpret.must_share import facts_at
from placefix.facts.interpret.values import Obj
from placefix.facts.program.arguments import self_name
from placefix.facts.program.ast_names import argument_values, dotted
from placefix.reachability import reachable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from placefix.facts.interpret.device_facts import Creation, DeviceFacts, Fact
    from placefix.facts.interpret.state import State
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope, Stmt

    Nodes = Iterable[ast.expr]
    Others = Callable[[Creation], set[Obj]]

# Methods of modules whose result is not on the device of the module as a whole.
_NO_VALUE = api.MODULE_NEUTRAL - api.RETURNS_SELF
# Packages whose functions refuse tensors on different devices, and return a tensor on the common one.
_TOGETHER = ("torch.", "torch_scatter.")


class CallKinds(NamedTuple):
    """The calls of a file. is_module: whether one is that of a module or a loss; scattering: the ids of those of modules that take
    their inputs from any device; called: the texts of all called objects."""

    is_module: Callable[[ast.Call, Scope], bool]
    scattering: Collection[int]
    called: Collection[str]


class AgreementRun(ConstraintRun):
    """The run of a function, or of the module level.

    sites: the expressions about whose values there are queries; marked: those with values that may be on the same device.
    skips: whether the body of a `for` may not run at all.
    """

    def __init__(
        self,
        scope: Scope,
        infos: dict[Scope, ClassInfo],
        sites: Collection[ast.expr],
        marked: Collection[ast.expr],
        calls: CallKinds,
        *,
        skips: bool,
    ) -> None:
        self.skips = skips
        self.sites = sites
        self.marked = marked
        self.calls = calls
        self.evaluated: dict[ast.expr, list[Creation]] = {}  # the sites, as often as they are evaluated
        self.placed: dict[ast.expr, list[Obj]] = {}  # the values of the marked expressions and the sites
        self._fields: dict[Creation, dict[tuple[Obj, str], Obj]] = {}  # the attributes where each is
        super().__init__(scope, infos, owner_of(scope, infos))

    # --- queries --------------------------------------------------------------------------------------

    def agrees(self, node: ast.expr, others: Others, *, given: Nodes = (), beside: Collection[ast.expr] = ()) -> bool:
        """Whether the value of a site is on the device of one of `others` on every path that evaluates it.

        given: sites that such a path evaluates as well; beside: marked expressions whose values are on the same device.
        """
        values = {value for marked, placed in self.placed.items() if marked in beside for value in placed}

        def holds(creation: Creation, facts: DeviceFacts, known: _Implications) -> bool:
            """Whether it is so at one end."""
            through = [facts.through[c] for c in (creation, *self._evaluations(given)) if c in facts.through]
            same = _on_gpu_with({creation.value, *values}, known, *map(_Implications, through))
            return not same.isdisjoint(others(creation) - {creation.value})

        return self._at_each_end(node, holds)

    def names_beside(self, node: ast.expr, names: Iterable[str]) -> list[str]:
        """Those of the names that hold, where a site is evaluated, a value on its device, on every path that evaluates it."""
        found = [
            (c, _on_gpu_with({c.value}, known, _Implications(facts.through[c])) - {c.value})
            for facts, known in self._at_ends
            for c in self.evaluated.get(node, ())
            if c in facts.through
        ]
        if not found or not all(same for _, same in found):
            return []
        return [name for name in names if not any(same.isdisjoint(self.bound_to(name, c)) for c, same in found)]

    def agrees_anyway(self, node: ast.expr, others: Others) -> bool:
        """Whether the value, or another one that has its name on other paths, is on that device on all paths."""

        def holds(creation: Creation, facts: DeviceFacts, known: _Implications) -> bool:
            """Whether it is so at one end."""
            passing = _on_gpu_with({creation.value}, _Implications(facts.through[creation]))
            same = {v for v in passing if creation in v.creations}
            return not _on_gpu_with(same, known).isdisjoint(others(creation) - same)

        return self._at_each_end(node, holds)

    def may_meet_arguments(self, node: ast.expr) -> bool:
        """Whether the value of a site may be used together with an argument of the function, or a part of one: a tensor, or a module that
        gets the value; also where unlike devices are accepted."""
        placed = self.placed.get(node, ())
        made_of = frozenset[Obj]().union(*(value.sources for value in placed))  # it is a copy of these
        arguments = set(self.arguments_of.values())
        seen = reachable(set[object](placed), lambda value: self._met.get(value, ()))
        values = (value for value in seen if isinstance(value, Obj))
        return any(not arguments.isdisjoint((value, *(value.sources - made_of))) for value in values)

    @cached_property
    def _met(self) -> dict[object, list[object]]:
        """The values beside each value in the facts of the run."""
        beside: dict[object, list[object]] = {}
        for fact in chain.from_iterable(self.said):
            if len(fact) == 3:
                beside.setdefault(fact[1], []).append(fact[2])
                beside.setdefault(fact[2], []).append(fact[1])
        return beside

    @cached_property
    def _at_ends(self) -> list[tuple[DeviceFacts, _Implications]]:
        """The facts wherever the run ends, with what those of all paths there imply."""
        ends = [facts_at(state) for state in self.ends]
        return [(facts, _Implications(facts.known)) for facts in ends]

    def _at_each_end(self, node: ast.expr, holds: Callable[[Creation, DeviceFacts, _Implications], bool]) -> bool:
        """Whether it holds for each evaluation of a site, wherever the run ends behind it."""
        creations = self.evaluated.get(node, ())
        found = [holds(c, facts, known) for facts, known in self._at_ends for c in creations if c in facts.through]
        return bool(found) and all(found)

    def _evaluations(self, nodes: Nodes) -> list[Creation]:
        return [creation for node in nodes for creation in self.evaluated.get(node, ())]

    def values_of(self, nodes: Nodes) -> set[Obj]:
        """The values of marked expressions."""
        return {value for node in nodes for value in self.placed.get(node, ())}

    def bound_to(self, text: str, creation: Creation | None = None) -> set[Obj]:
        """The values of a name, or of a chain of them, where a creation is; without one, when the run starts."""
        name, *attrs = text.split(".")
        if creation is None:
            start = self.attributes.get(attrs[0]) if attrs else self.arguments_of.get(name)
            outer = (end.get(0, name) for end in self.ends) if start is None and not attrs else [start]
            return {value for value in outer if value is not None}
        value = creation.names.get(name)
        for attr in attrs:
            if value is None:
                break
            start = self.attributes.get(attr) if value is self.instance else None
            value = self._fields[creation].get((value, attr), start)
        return {value} if value is not None else set()

    def is_placed(self, name: str, node: ast.expr) -> bool:
        """Whether a name holds, where a site is evaluated, a value that another site placed."""
        return any(value.creations for c in self.evaluated.get(node, ()) for value in self.bound_to(name, c))

    # --- the domain -----------------------------------------------------------------------------------

    def is_tensor(self, value: Obj) -> bool:
        """Whether a value is a tensor: all are that are computed with."""
        return self.role(value) == "value"

    def has_dims(self, value: Obj) -> bool:
        """Whether a value has a dimension: all have that are computed with."""
        return self.role(value) == "value"

    def differs(self, before: State, after: State) -> bool:
        """Whether a loop runs again: never, for speed."""
        return False

    def may_skip(self, loop: Stmt) -> bool:
        """Whether a loop may not run at all."""
        return self.skips or super().may_skip(loop)

    def assign_item(self, base: Obj, key: ast.expr, value: Obj) -> None:
        """``base[key] = value``: the value is copied from any device."""
        super().assign_item(base, key, value)
        self.facts.add(("copied", value, base))

    def _forget(self) -> None:
        """A call of code that is not known: it keeps the devices of attributes."""

    def eval(self, node: ast.expr) -> Obj:
        """The value of an expression; that of a marked one is kept in `evaluated`."""
        value = super().eval(node)
        if isinstance(node, ast.Call):
            self._called(node, value)
        if node in self.marked or node in self.sites:
            value = self._now[node] = self._mark(node, value)
        return value

    def _mark(self, node: ast.expr, value: Obj) -> Obj:
        moved = self._moved_in_place(node)
        if moved is not None:
            value = Obj(moved.kind, node)
            value.__dict__.update({**moved.__dict__, "origin": node, "creations": frozenset()})
            if moved in self.layers:
                self.layers[value] = self.layers[moved]
            self.known_as(moved, value)
        self.placed.setdefault(node, []).append(value)
        if node in self.sites:
            creation = self._creation(node, value)
            self.creations.append(creation)
            self.evaluated.setdefault(node, []).append(creation)
            self._fields[creation] = self.state.fields.copy()
        return value

    def _at_start(self, attr: str) -> Obj:
        """The value of ``self.attr`` at the start of a method: a layer is where the other layers of the module are, unless the class places
        parts of it."""
        value = super()._at_start(attr)
        if value in self.layers and self._whole is not None:
            self._same(self._whole, [value])
        return value

    @cached_property
    def _whole(self) -> Obj | None:
        """A value that is where all layers of the module are; None if its class may place parts of it."""
        info = self.owner.info if self.owner is not None else None
        if info is None or not info.is_module or not info.closed or info.places_self or info.own_moves:
            return None
        placed = any(
            isinstance(call.func, ast.Attribute) and dotted(call.func.value).partition(".")[0] == self_name(method)
            for method in info.methods.values()
            for call in moves_in(method)
        )
        return Obj("unknown") if not placed and len(info.indices) < 2 else None

    def _created(self, node: ast.Call, result: Obj) -> None:
        """The call of a factory: only sites are followed."""

    def _moved_in_place(self, node: ast.expr) -> Obj | None:
        """The object that a statement ``net.cuda()`` moves, if the file calls it; None for other expressions."""
        statement = self.stack[-1].stmt.node
        if not isinstance(statement, ast.Expr) or statement.value is not node or not isinstance(node, ast.Call):
            return None
        func = node.func
        if not isinstance(func, ast.Attribute) or dotted(func.value) not in self.calls.called:
            return None
        return self.last_value(func.value)

    def _called(self, node: ast.Call, result: Obj) -> None:
        """Add the facts of a call that the model has not."""
        func = node.func
        given = self.flat(self.last_value(a) for a in argument_values(node))
        given = [v for v in given if self.role(v) in ("value", "bag", "layer")]
        if not isinstance(func, ast.Attribute):
            callee = self.last_value(func)
            if callee.is_import:
                self._called_by_name(callee.name, given, result)
            elif callee.kind not in ("function", "class", "method"):
                self._called_object(callee, node, given, result)
            return
        owner = self.last_value(func.value)
        held = self.state.fields.get((owner, func.attr))
        if owner.is_import:
            self._called_by_name(api.canonical(f"{owner.name}.{func.attr}"), given, result)
        elif held is not None:
            self._called_object(held, node, given, result)
        elif owner is not self.instance and torch_model.method(func.attr) is None and func.attr not in _NO_VALUE:
            self._called_object(owner, node, given if effect_inside(func.attr) == "opaque" else [], result)

    def _called_by_name(self, name: str, given: list[Obj], result: Obj) -> None:
        last = name.rpartition(".")[2]
        if name.startswith(_TOGETHER) and last[:1].islower() and torch_model.function(name) is None and last != "save":
            self.operation(given, result)

    def _called_object(self, callee: Obj, node: ast.Call, given: list[Obj], result: Obj) -> None:
        if id(node) in self.calls.scattering:
            return
        if self.calls.is_module(node, self.scopes_active[-1]):
            self._same(result, given)
        if self.role(callee) in ("value", "layer"):
            self.facts.add(*(("computes", callee, value) for value in given))
            self._same(result, [callee])

    def _same(self, result: Obj, values: Iterable[Obj]) -> None:
        for value in values:
            self.facts.add(("implies", value, result), ("implies", result, value))


class _Implications:
    """Which values are on the GPU if others are, by some facts: where a fact is about the CPU, its inverse holds."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._beside: dict[Any, list[Any]] = {}
        self._computed: dict[Any, list[Any]] = {}
        for fact in facts:
            kind = fact[0]
            if kind in ("implies", "meets", "indexed", "maybe", "computes"):
                self._beside.setdefault(fact[2], []).append(fact[1])
            if kind == "maybe":
                self._beside.setdefault(fact[1], []).append(fact[2])
            elif kind == "computes":
                self._computed.setdefault(fact[1], []).append(fact[2])

    def of(self, value: Obj, *, is_given: bool) -> Iterable[Obj]:
        """The values that are on the GPU if one is. ("computes", f, v): `f` is called with `v`, and other arguments need not be on the
        device of `v`; it says something of `v` only where `f` itself `is_given`."""
        yield from self._beside.get(value, ())
        if is_given:
            yield from self._computed.get(value, ())


def _on_gpu_with(values: set[Obj], *known: _Implications) -> set[Obj]:
    """The values that are on the GPU if these are."""
    return reachable(values, lambda value: (v for facts in known for v in facts.of(value, is_given=value in values)))
