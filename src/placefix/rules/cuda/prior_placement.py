"""Values moved by a guard that may be on a GPU even if its flag is off: ``if use_cuda: x = x.cuda()`` did not move them then.

``x.to(device)`` moves them to the CPU then. A value is proven to be on the CPU if the function made it, or took it
from a loader, and nothing but the flag moved it since.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.execution import Execution
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.flow import Flow
from placefix.facts.interpret.provenance import Provenance
from placefix.facts.naming import mentions_host_loader
from placefix.facts.program.arguments import self_class
from placefix.facts.program.ast_names import dotted, parameters
from placefix.facts.program.device_values import condition
from placefix.rules import messages
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.devices.reaching_devices import Reach
    from placefix.facts.interpret.values import Obj, Place
    from placefix.facts.program.conditions import Test
    from placefix.facts.program.device_values import Device
    from placefix.facts.program.tree import Scope
    from placefix.facts.wording import Premise


def doubt(context: AnalysisContext, site: Site, test: Test) -> Premise | None:
    """Why the value that a guarded site moves may be on a GPU if the flag is off; None if it is on the CPU then."""
    if test.available:
        return None
    off = "true" if test.negated else "false"
    asked = test.text.removeprefix("not ") if test.negated else test.text
    named = context.get(Intents).mover(site)
    if named is not None:
        return premises.GIVEN_ON_CPU_WITHOUT_FLAG(function=named.name, test=asked, value=off)
    assert isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute)
    moved = site.node.func.value
    known = _Known(context, site, test)
    if known.contradicted or not (known.made() or known.followed(moved)):
        shown = context.quoted(moved, messages.MOVED)
        return premises.MOVED_ON_CPU_WITHOUT_FLAG(moved=shown, test=asked, value=off)
    return next((premise for value in known.values if value.is_module for premise in value.root().premises), None)


class _Known:
    """The places of values at a guarded site if its flag is off."""

    def __init__(self, context: AnalysisContext, site: Site, test: Test) -> None:
        self.context = context
        self.site = site
        self.test = test
        self.scope = site.stmt.scope
        flow = context.get(Flow)
        if any(map(self._is_made_elsewhere, flow.values.get(site.node, ()))):
            flow = context.following.get(Flow)
        self.values, self.places = flow.values.get(site.node, ()), flow.lay.get(site.node, [])

    @property
    def contradicted(self) -> bool:
        """Whether the code that runs through it shows a GPU there."""
        known = (p for p in self.places if p.device is None or p.device.kind != "other")
        return any(place.has_device and not self._off(place) for place in known) or self._placed

    @property
    def _placed(self) -> bool:
        """Whether a statement above places the same object independently of the flag, as ``net.cuda()`` does."""
        assert isinstance(self.site.node, ast.Call) and isinstance(self.site.node.func, ast.Attribute)
        moved = dotted(self.site.node.func.value)
        for other in self.context.get(Cuda).sites_of(self.scope) if moved else ():
            node = other.node
            if (
                isinstance(other.stmt.node, ast.Expr)
                and isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and dotted(node.func.value) == moved
                and node.lineno < self.site.node.lineno
                and (other.guard is None or other.guard.test is None or other.guard.test.key != self.test.key)
            ):
                return True
        return False

    # --- of values of the function itself ----------------------------------------------------------

    def made(self) -> bool:
        """Whether the function itself made each value that it may be, on the CPU if the flag is off, or took it from a loader."""
        if not self.values:
            return False
        if all(map(self._is_item, self.values)):
            return True
        if self._is_own_module:
            return self._made_here(self.scope)
        return self._is_off_here and all(map(self._is_made_here, self.values))

    @property
    def _is_off_here(self) -> bool:
        """Whether the interpreter knows each value that is moved to be on the CPU if the flag is off."""
        return bool(self.places) and all(map(self._off, self.places)) and not any(v.mixed for v in self.values)

    def _is_made_here(self, value: Obj) -> bool:
        """Whether a value was made by the function, not handed in."""
        return not value.outside and not value.param and self._is_written_here(value.root().origin)

    def _is_written_here(self, origin: ast.AST | None) -> bool:
        """Whether a node is part of the function."""
        line = getattr(origin, "lineno", 0)
        if not self.scope.is_function:
            return line > 0
        function = self.scope.function
        return function.lineno < line <= (function.end_lineno or 0)

    def _is_made_elsewhere(self, value: Obj) -> bool:
        """Whether code of another file of the repository makes a value that the function asks for."""
        home = self.context.home
        made = value.is_unknown and isinstance(value.origin, ast.Call) and self._is_made_here(value)
        return made and home is not None and home.has(value.name)

    def _is_item(self, value: Obj) -> bool:
        """Whether a value is an item of a loader by its name, or computed from one: batches are collated on the CPU."""
        part: Obj | None = value
        while part is not None:
            if part.origin in self._loader_items:
                return True
            part = part.same or part.whole or part.holder
        return False

    @cached_property
    def _loader_items(self) -> set[ast.AST | None]:
        """The targets of the loops of the file over a loader, by its name."""
        nodes = (stmt.node for stmt in self.context.tree.stmts.values())
        loops = (node for node in nodes if isinstance(node, (ast.For, ast.AsyncFor)))
        return {
            part
            for loop in loops
            if mentions_host_loader(self.context.source.code(loop.iter))
            for part in ast.walk(loop.target)
        }

    @property
    def _is_own_module(self) -> bool:
        """Whether the module is moved whose constructor this is."""
        moved = self.site.receiver
        is_self = isinstance(moved, ast.Name) and self_class(self.scope, moved.id) is not None
        return is_self and all(value.is_module for value in self.values)

    @property
    def _key(self) -> tuple[object, ...] | None:
        """The condition under which the guard moves."""
        return condition(self.test, self.site.guard.positive) if self.site.guard is not None else None

    @property
    def _of_the_flag(self) -> Reach | None:
        """The device in reach of the guard that is CUDA where its flag is on, else the CPU."""
        reach = self.context.get(Devices).at(self.site.stmt, self._key) if self._key is not None else None
        return reach if reach is not None and reach.meaning.key == self._key else None

    def _defines(self, device: Device) -> bool:
        """Whether the definition of that device is where another one is from."""
        reach = self._of_the_flag
        return (
            reach is not None and reach.stmt is not None and any(n is device.origin for n in ast.walk(reach.stmt.node))
        )

    def _is_imported(self, device: Device) -> bool:
        """Whether a device is the one from another file that is CUDA where the flag is on."""
        reach, root = self._of_the_flag, self.context.tree.root
        name = device.text.partition(".")[0]
        if device.kind != "other" or reach is None or reach.text != device.text or name not in root.imports:
            return False
        return all(scope.lookup(name) is root for scope in self.context.tree.scopes.values())

    # --- constructions ----------------------------------------------------------------------------

    def _made_here(self, scope: Scope) -> bool:
        """Whether a method is the constructor of a module, where no attribute is an argument that may be a module."""
        if (
            scope.name != "__init__"
            or scope.parent is None
            or not self.context.get(ClassSummaries).of(scope.parent).is_module
        ):
            return False
        index, names = self.context.index, parameters(scope.function.args)
        kept = [
            text
            for text, writes in index.writes.items()
            if any(w.stmt.scope is scope and w.value is not None and dotted(w.value) in names for w in writes)
        ]
        asked = ("cuda", "to", "cpu")
        return not any(
            index.attribute_reads(text) or any(dotted(call.func) == text for call, _ in index.calls) for text in kept
        ) and not any(
            s is not self.site and s.guard is None for s in self.context.get(Cuda).sites_of(scope) if s.form in asked
        )

    # --- by the interpreter ------------------------------------------------------------------------

    def followed(self, moved: ast.expr) -> bool:
        """Whether every value that the file can bind there is on the CPU if the flag is off, and no other code can bind one."""
        root = moved
        while isinstance(root, (ast.Attribute, ast.Subscript, ast.Call)):
            if isinstance(root, ast.Attribute) and self_class(
                self.scope.lookup(dotted(root.value)), dotted(root.value)
            ):
                return False  # any code may have placed an attribute that a method reads
            root = root.func if isinstance(root, ast.Call) else root.value
        if not self._is_off_here:
            return False
        if isinstance(root, ast.Name) and self.scope.is_function and self._is_handed_over():
            # whoever has the object may call a method
            return self.scope.cls is None and self.context.get(Execution).has_known_callers(self.scope)
        return self.scope.is_root or self.context.get(Execution).is_script or self._own(root)

    def _is_handed_over(self) -> bool:
        """Whether the moved value may come from the caller."""
        moved = self.site.receiver
        return moved is not None and self.context.get(Provenance).is_handed_over(moved, self.scope)

    def _own(self, root: ast.expr) -> bool:
        """Whether a value begins with a name of the function itself."""
        return not isinstance(root, ast.Name) or self.scope.lookup(root.id) in (self.scope, None)

    def _off(self, place: Place) -> bool:
        """Whether a place is the CPU where the flag is off."""
        if place.is_host:
            return True
        if not place.is_device or place.device is None:
            return False
        if place.device.is_cpu:
            return True
        if (place.device.is_flag and self._defines(place.device)) or self._is_imported(place.device):
            return True
        event, guard = place.event, self.site.guard
        if not place.device.is_flag or event is None or guard is None:
            return False
        there = next((s.guard for s in self.context.get(Cuda).sites if s.node is event.node), None)
        if (
            there is None
            or there.test is None
            or condition(there.test, there.positive) != condition(self.test, guard.positive)
            or not all(map(self._same_root, there.test.roots, self.test.roots))
        ):
            return False
        return self.context.get(Devices).settled(self.test, there.stmt, guard.stmt)

    @staticmethod
    def _same_root(one: tuple[str, Scope], two: tuple[str, Scope]) -> bool:
        """Whether two names are one, or the object in two of its methods."""
        if one == two:
            return True
        cls = self_class(one[1], one[0])
        return cls is not None and self_class(two[1], two[0]) is cls
