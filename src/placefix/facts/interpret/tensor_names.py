"""The names that hold a tensor with a dimension where an expression is evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts.interpret.constraint_runs import ConstraintRun, owner_of
from placefix.facts.interpret.device_facts import Closure, Creation
from placefix.facts.interpret.must_share import facts_at

if TYPE_CHECKING:
    import ast
    from collections.abc import Collection

    from placefix.facts.interpret.values import ClassInfo, Obj
    from placefix.facts.program.tree import Scope


class TensorNames(ConstraintRun):
    """The run of one function, with unknown arguments. sites: the expressions about which there are queries."""

    def __init__(self, scope: Scope, infos: dict[Scope, ClassInfo], sites: Collection[ast.expr]) -> None:
        self.sites = sites
        self._evaluated: dict[ast.expr, list[Creation]] = {}
        super().__init__(scope, infos, owner_of(scope, infos))

    def eval(self, node: ast.expr) -> Obj:
        """The value of an expression; the names where a site is evaluated are kept."""
        value = super().eval(node)
        if node in self.sites:
            stmt = self.stack[-1].stmt
            passed = Creation(node, stmt, value, self.names(), guarded=False, spared=False)
            self.facts.pass_by(passed)
            self._evaluated.setdefault(node, []).append(passed)
        return value

    def at(self, node: ast.expr) -> frozenset[str]:
        """The names that hold a tensor with a dimension at a site, in every run of the function that passes it and ends."""
        found: list[set[str]] = []
        for passed in self._evaluated.get(node, ()):
            for facts in map(facts_at, self.ends):
                if passed in facts.through:
                    certain = Closure(facts.known | facts.through[passed])
                    found.append({name for name, value in passed.names.items() if certain.is_shaped_tensor(value)})
        return frozenset(set.intersection(*found)) if found else frozenset()

    def release(self) -> None:
        """Break the reference cycles; no query can follow."""
        for passed in (one for several in self._evaluated.values() for one in several):
            passed.release()
        super().release()
