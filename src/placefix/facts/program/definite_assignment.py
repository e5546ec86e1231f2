"""Definite assignment: whether a name is bound on every path to a read of it, in a file before or after edits.

Python's `symtable` gives the scope of each name; the order is the control flow of the statements of that scope.
A test that is repeated has the same answer again (``if cuda: device = …``, ``if cuda: x.to(device)``).
A function may run as soon as its name is read: from there on, the names that it reads of the scope around it must be bound.

A scope without edits is followed once, for all names. With edits, only the changed statements are followed
again, and those after them until the state is the same as without edits.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.program.assignment_flow import ScopeTrace, State, Walker, join
from placefix.facts.program.ast_names import every_parameter
from placefix.facts.program.bound_names import Names
from placefix.facts.program.edited_tree import UNEDITED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from placefix.facts.program.edited_tree import Overlay
    from placefix.facts.program.scopes import Scopes


class ScopeResult(NamedTuple):
    """The result of following the statements of one scope.

    unbound: the reads of names that may be unbound, by identity. uses: the names bound at every place where a function or class of
    the scope may run. end: the names bound after all of it.
    """

    unbound: dict[int, ast.Name]
    uses: dict[str, int]
    end: State


class Assignment:
    """Where some names of one scope are bound."""

    def __init__(self, scopes: Scopes, owner: ast.AST, names: frozenset[str]) -> None:
        self.scopes = scopes
        self.owner = owner
        self.names = Names(names)
        self.units = scopes.units.get(owner, {})
        self._every = names
        self._trace: ScopeTrace | None = None
        self._after: tuple[Overlay, ScopeResult] | None = None
        self._bound_by: dict[tuple[str, bool], int] = {}
        self._entries: dict[tuple[frozenset[str], bool], dict[str, int]] = {}
        self._lost: dict[frozenset[str], dict[str, list[str]]] = {}

    def follows(self, names: Collection[str]) -> bool:
        """Whether all of some names are among those that are followed."""
        return self._every.issuperset(names)

    # --- flows --------------------------------------------------------------------------

    @cached_property
    def before(self) -> ScopeResult:
        """The scope without edits: its local names; a read does not count as proof that the name is bound."""
        own = frozenset(n for n in self._every if self.scopes.owner(self.owner, n) is self.owner)
        walker = self._walker(own, self.units, UNEDITED, asserting=False)
        return self._followed(walker, self.owner, self._parameters & self.names.of(own))

    @cached_property
    def _base(self) -> ScopeResult:
        """The scope without edits, where a name that is read counts as bound afterwards."""
        walker = self._walker(self._every, self.units, UNEDITED, asserting=True)
        flow = self._followed(walker, self.owner, self._parameters)
        self._trace = walker.trace
        return flow

    def after(self, overlay: Overlay) -> ScopeResult:
        """The scope with edits. A name that an original statement has read counts as bound afterwards."""
        if self._after is None or self._after[0] is not overlay:
            base = self._base
            walker = self._walker(self._every, self.units, overlay, asserting=True, base=self._trace)
            flow = self._followed(walker, self.owner, self._parameters)
            same = flow.end == base.end and flow.uses == base.uses
            self._after = overlay, flow._replace(end=base.end, uses=base.uses) if same else flow
        return self._after[1]

    @cached_property
    def _parameters(self) -> int:
        if isinstance(self.owner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return self.names.of(a.arg for a in every_parameter(self.owner.args))
        return self.names.of(self.scopes.given & self._every) if isinstance(self.owner, ast.Module) else 0

    def _walker(
        self,
        names: frozenset[str],
        units: Collection[str],
        overlay: Overlay,
        *,
        asserting: bool,
        base: ScopeTrace | None = None,
    ) -> Walker:
        def called(name: str) -> int:
            """The state that a call of a function of the scope adds."""
            return self._called(name, overlay, asserting)

        return Walker(self.scopes, self.names, names, units, overlay, called, asserting=asserting, base=base)

    @staticmethod
    def _followed(walker: Walker, scope: ast.AST, state: int) -> ScopeResult:
        end = walker.suite(scope.body, state)  # type: ignore[attr-defined]
        return ScopeResult(walker.unbound, walker.uses, join(end, walker.returned))

    # --- functions ----------------------------------------------------------------------

    def _called(self, name: str, overlay: Overlay, asserting: bool) -> int:
        """The global names that are bound once the functions of a name have been called."""
        if any(id(function) in overlay.holding for function in self.units[name]):
            return self._bound_once_called(name, overlay, asserting)
        key = name, asserting
        if key not in self._bound_by:
            self._bound_by[key] = self._bound_once_called(name, UNEDITED, asserting)
        return self._bound_by[key]

    def _bound_once_called(self, name: str, overlay: Overlay, asserting: bool) -> int:
        found = 0
        for function in self.units[name]:
            declared = self.scopes.globals(function) & self._every
            if not declared or isinstance(function, ast.ClassDef):
                continue
            walker = self._walker(declared, (), overlay, asserting=asserting)
            end = self._followed(walker, function, 0).end
            found |= 0 if end is None else end & self.names.of(declared)
        return found

    def follow_global(
        self, function: ast.AST, names: frozenset[str], overlay: Overlay, state: int
    ) -> dict[int, ast.Name]:
        """The reads of global names, in a function that declares them, that may be unbound; state: the names bound when it is called."""
        walker = self._walker(names, (), overlay, asserting=overlay is not UNEDITED)
        return self._followed(walker, function, state).unbound

    # --- entries ------------------------------------------------------------------------

    def entries_before(self, names: frozenset[str]) -> dict[str, int]:
        """For each function and class directly in the scope, the names of `names` that are bound whenever its code runs, as far as calls
        are known."""
        return self._entries_known(self.before, self._declared & names, asserting=False)

    def entries(self, overlay: Overlay, names: frozenset[str]) -> dict[str, int]:
        """The same with edits."""
        declared = self._declared & names
        flow = self.after(overlay)
        if flow.uses is self._base.uses and (not declared or overlay.holding.isdisjoint(self._declaring)):
            return self._entries_known(self._base, declared, asserting=True)
        return self._entries_of(flow, declared, overlay, asserting=True)

    def lost(self, name: str, names: frozenset[str], after: dict[str, int]) -> Sequence[str]:
        """The functions and classes in which a name is bound without the edits, but not in `after`, the `entries` of `names`."""
        before = self.entries_before(names)
        declared = self._declared & names
        if after is not self._entries.get((declared, True)):
            bit = self.names.bit(name)
            return [unit for unit, state in before.items() if state & bit and not after[unit] & bit]
        if declared not in self._lost:  # for more names than needed: a test may imply less if reads count as proof
            found = self._lost[declared] = {}
            for unit, state in before.items():
                for one in self.names.among(state & ~after[unit]):
                    found.setdefault(one, []).append(unit)
        return self._lost[declared].get(name, ())

    @cached_property
    def _declared(self) -> frozenset[str]:
        """The names that functions in the scope declare global."""
        units = (unit for named in self.units.values() for unit in named)
        return frozenset().union(*(self.scopes.globals(unit) for unit in units))

    @cached_property
    def _declaring(self) -> frozenset[int]:
        """These functions, by identity."""
        units = (unit for named in self.units.values() for unit in named)
        return frozenset(id(unit) for unit in units if self.scopes.globals(unit))

    def _entries_known(self, flow: ScopeResult, declared: frozenset[str], *, asserting: bool) -> dict[str, int]:
        key = declared, asserting
        if key not in self._entries:
            self._entries[key] = self._entries_of(flow, declared, UNEDITED, asserting=asserting)
        return self._entries[key]

    def _entries_of(
        self, flow: ScopeResult, declared: frozenset[str], overlay: Overlay, *, asserting: bool
    ) -> dict[str, int]:
        states = dict(flow.uses)
        todo = list(states)
        while todo:
            name = todo.pop()
            for other, state in self._used_by(name, declared, states[name], overlay, asserting=asserting):
                new = state if other not in states else states[other] & state
                if states.get(other) != new:
                    states[other] = new
                    todo.append(other)
        end = flow.end if flow.end is not None else self.names.all
        return {name: states.get(name, end) for name in self.units}

    def _used_by(
        self, name: str, declared: frozenset[str], state: int, overlay: Overlay, *, asserting: bool
    ) -> Iterator[tuple[str, int]]:
        """The functions of the scope that one of them may run, each with the state there."""
        for unit in self.units.get(name, ()):
            if self.scopes.globals(unit) & declared:
                walker = self._walker(self._every, self.units, overlay, asserting=asserting)
                yield from self._followed(walker, unit, state).uses.items()
            else:
                yield from ((other, state) for other in self.scopes.mentioned(unit) if other in self.units)
