"""The place where a device can be defined for statements that need one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts.devices.cuda_uses import CudaUses
from placefix.facts.devices.gpu_visibility import Visibility
from placefix.facts.devices.torch_imports import TorchImports
from placefix.facts.program.ast_names import argument_values
from placefix.facts.program.ast_walk import LOOPS
from placefix.facts.program.conditions import AVAILABLE, Test
from placefix.facts.program.device_values import condition
from placefix.facts.program.statement_forms import is_docstring, is_elif, is_future, is_main_guard
from placefix.facts.program.tree import Scope, Stmt, common, dominates

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from placefix.diagnostic import Side
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site


# A statement, the side of it, and whether blank lines belong around the new line.
InsertionPoint = tuple[Stmt, "Side", bool]
# Functions that run code in a dictionary of names, and the text behind a dictionary of which one name is taken.
_RUNNING = ("exec", "eval", "Timer", "timeit", "repeat")
_OF_ONE_NAME = ("[", ".get(", ".pop(", ".setdefault(", ".update(")


class InsertionPoints(Visibility):
    """Finds places for definitions of devices."""

    def __init__(self, context: AnalysisContext) -> None:
        super().__init__(context)
        self.torch_imports = context.get(TorchImports)
        self._lifted_before: dict[Stmt, Stmt] = {}
        self._before_companions: dict[tuple[Scope, tuple[object, ...]], Stmt | None] = {}

    def _spot(self, stmts: Sequence[Stmt], flag: tuple[Test, bool] | None) -> InsertionPoint | None:
        """(statement, before/after, with blank lines around) for a definition that reaches all of `stmts`, in a scope of which the code
        does not list the names."""
        found = self._spot_for(stmts, flag)
        return found if found is not None and found[0].scope not in self._listed else None

    @cached_property
    def _listed(self) -> set[Scope]:
        """The scopes of which the code takes all names, by ``locals()``, ``vars()``, ``dir()`` or ``globals()``: not to run code in them,
        nor to get or set one name."""
        run = (a for call, _ in self.context.index.called(*_RUNNING) for a in argument_values(call))
        ran = set(run)
        text, span = self.context.source.text, self.context.span
        lists = ((call, scope) for call, scope in self.context.index.name_lists if call not in ran)
        return {scope for call, scope in lists if not text.startswith(_OF_ONE_NAME, span(call).end)}

    def _spot_for(self, stmts: Sequence[Stmt], flag: tuple[Test, bool] | None) -> InsertionPoint | None:
        home = self._deepest([owner for _, owner in flag[0].roots]) if flag is not None else None
        if flag is not None and self._set_elsewhere(flag[0]):
            homes = {s.scope for s in stmts}
            home = homes.pop() if len(homes) == 1 else None
            return self._function_spot(home, stmts, flag) if home is not None and not home.is_class else None
        if home is None or home.is_root:
            spot = self._module_spot(stmts, flag)
            if spot is not None or any(not s.scope.is_function for s in stmts):
                return spot
            homes = {s.scope for s in stmts}
            if len(homes) != 1:
                return None
            home = homes.pop()
        return self._function_spot(home, stmts, flag) if home.is_function else None

    def _deepest(self, owners: Sequence[Scope]) -> Scope | None:
        """The innermost of nested scopes."""
        return max(owners, key=lambda owner: len([*owner.chain()]), default=None)

    def _module_spot(self, stmts: Sequence[Stmt], flag: tuple[Test, bool] | None) -> InsertionPoint | None:
        root = self.tree.root
        if self.torch_imports.is_imported_late or (flag is None and not self._is_for_module(stmts)):
            return None
        if flag is None and (self.forks or (self.chosen_by_importers and not any(map(self.runs_on_import, stmts)))):
            inside = self._in_main_guard(stmts)
            return (inside, "before", False) if inside is not None else None
        if any(s.scope is not root for s in self.env_writes):
            return None
        writers = self._writers(flag, root)
        if writers is None:
            return None
        late = [*writers, *self.env_writes]
        if not late:
            return self._top_spot(stmts)
        last = self._last_of(late)
        imports = self.torch_imports.last
        if imports is not None and last.suite is imports.suite and last.index <= imports.index:
            return (imports, "after", True) if self._serves(imports, stmts) else None
        return (last, "after", False) if self._serves(last, stmts) else None

    def _is_for_module(self, stmts: Sequence[Stmt]) -> bool:
        """Whether statements that need a device are of the module level, or of several functions of a script."""
        return any(s.scope is self.tree.root for s in stmts) or (self.execution.is_script and self._shared(stmts))

    def _top_spot(self, stmts: Sequence[Stmt]) -> InsertionPoint | None:
        """In the main guard, else below the imports, else before the first statement that needs the device."""
        inside = self._in_main_guard(stmts)
        if inside is not None:
            return inside, "before", False
        anchor = self.torch_imports.last
        if anchor is None:
            return self._before_first(stmts)
        return (anchor, "after", True) if self._serves(anchor, stmts) else None

    def _last_of(self, stmts: Sequence[Stmt]) -> Stmt:
        """The last of some statements, lifted to the suite that they share: the module's, or the main guard's."""
        last = stmts[0]
        for stmt in stmts[1:]:
            pair = common(last, stmt) or (self._lifted(last), self._lifted(stmt))
            last = max(pair, key=lambda s: s.index)
        return self._lifted(last) if last.parent is not None and not is_main_guard(last.parent) else last

    def _shared(self, stmts: Sequence[Stmt]) -> bool:
        """Whether code of the module level, or more than one function, needs a device for availability."""
        homes = {s.scope for s in stmts}
        for site in self.context.get(CudaUses).sites:
            if len(homes) > 1:
                break
            if (
                not site.is_definition
                and site.stmt.scope not in homes
                and (site.guard is None or (site.guard.test is not None and site.guard.test.available))
                and not self.context.get(CudaUses).is_right(site)
                and self.at(site.stmt) is None
                and not self.context.get(CudaUses).has_tensor(site)
            ):
                homes.add(site.stmt.scope)
        return len(homes) > 1

    def _lifted(self, stmt: Stmt) -> Stmt:
        """The statement of the module's (or the main guard's) suite around `stmt`."""
        passed = []
        found = stmt
        for ancestor in stmt.ancestors():  # of which `elif` can make many
            passed.append(ancestor)
            found = self._lifted_before.get(ancestor, ancestor)
            if found is not ancestor or ancestor.parent is None or is_main_guard(ancestor.parent):
                break
        self._lifted_before.update(dict.fromkeys(passed, found))
        return found

    @cached_property
    def _sites_at_top(self) -> list[Stmt] | None:
        """The first of the lifted uses of CUDA in each suite; None where one is in a function."""
        found: dict[int, Stmt] = {}
        for site in self.context.get(CudaUses).sites:
            if site.is_definition:
                continue
            if site.stmt.scope is not self.tree.root:
                return None
            stmt = self._lifted(site.stmt)
            earlier = found.setdefault(id(stmt.suite), stmt)
            if stmt.index < earlier.index:
                found[id(stmt.suite)] = stmt
        return list(found.values())

    def _in_main_guard(self, stmts: Sequence[Stmt]) -> Stmt | None:
        """The first use inside ``if __name__ == "__main__":`` when there are no others."""
        root = self.tree.root
        if self._sites_at_top is None or any(s.scope is not root for s in stmts):
            return None
        lifted = [*map(self._lifted, stmts), *self._sites_at_top]
        first = min(lifted, key=lambda s: s.index)
        if first.parent is None or any(s.suite is not first.suite for s in lifted):
            return None
        return first

    def _serves(self, anchor: Stmt, stmts: Iterable[Stmt]) -> bool:
        """Whether code right after `anchor` runs before all of `stmts`."""
        for stmt in stmts:
            if stmt.scope is anchor.scope:
                if not dominates(anchor, stmt):
                    return False
            elif anchor.parent is not None and not self._reads_already(self._lifted_to_top(stmt), anchor):
                return False  # whoever imports the file has no such name
            elif self.execution.called_before(stmt, anchor):
                return False
        return True

    def _lifted_to_top(self, stmt: Stmt) -> Stmt:
        """The top-level function or class around a statement."""
        while stmt.scope.parent is not None:
            stmt = self.tree.stmts[stmt.scope.node]  # type: ignore[index]
        return stmt

    def _before_first(self, stmts: Sequence[Stmt]) -> InsertionPoint | None:
        first = next((s for s in self.tree.root.body.stmts if not is_docstring(s) and not is_future(s)), None)
        return (
            (first, "before", False)
            if first is not None and all(s.scope is not self.tree.root or s is not first for s in stmts)
            else None
        )

    def _function_spot(
        self, home: Scope, stmts: Sequence[Stmt], flag: tuple[Test, bool] | None
    ) -> InsertionPoint | None:
        """Before the first use in the function, out of its loops, where the flag is known."""
        writers = self._writers(flag, home)
        lifted = [self._lifted_to(home, s) for s in stmts]
        if writers is None or any(s is None for s in lifted):
            return None
        writers += [s for s in self.env_writes if s.scope is home]
        anchor = self._first(*lifted, self._first_companion(home, flag))
        assert anchor is not None
        anchor = self._out_of_loops(anchor, {loop for writer in writers for loop in writer.ancestors()})
        for writer in writers:
            pair = common(writer, anchor)
            if pair is None or pair[0].index >= pair[1].index:
                return None
        return anchor, "before", False

    def _out_of_loops(self, anchor: Stmt, around: Collection[Stmt]) -> Stmt:
        """The outermost loop around a statement that a definition may be moved above, or the statement; loops in `around` are not left."""
        for owner in list(anchor.ancestors()):
            if isinstance(owner.node, LOOPS) and owner is not anchor:
                if owner in around:
                    break
                anchor = owner
        while anchor.parent is not None and is_elif(anchor):
            anchor = anchor.parent
        return anchor

    def sunk(self, anchor: Stmt, users: Iterable[Stmt]) -> Stmt:
        """The statement above which a definition for `users` is inserted, given that it would otherwise be above `anchor`: above the first
        user, out of the loops below `anchor`."""
        first = self._first(*(self._lifted_to(anchor.scope, user) for user in users))
        return self._out_of_loops(first, set(anchor.ancestors()) - {anchor}) if first is not None else anchor

    def _lifted_to(self, home: Scope, stmt: Stmt) -> Stmt | None:
        """The statement of `home` that contains `stmt`, which may be in a nested function."""
        while stmt.scope is not home:
            if stmt.scope.parent is None:
                return None
            stmt = self.tree.stmts[stmt.scope.node]  # type: ignore[index]
        return stmt

    @staticmethod
    def _first(*stmts: Stmt | None) -> Stmt | None:
        """The first of some statements of one scope, in the suite that holds all of them."""
        anchor: Stmt | None = None
        for stmt in stmts:
            pair = common(anchor, stmt) if anchor is not None and stmt is not None else None
            anchor = min(pair, key=lambda s: s.index) if pair is not None else anchor or stmt
        return anchor

    def _first_companion(self, home: Scope, flag: tuple[Test, bool] | None) -> Stmt | None:
        """That of a function's other hard-coded uses; found once for all of them."""
        slot = home, AVAILABLE if flag is None else condition(*flag)
        if slot not in self._before_companions:
            lifted = (self._lifted_to(home, s) for s in self._companions(home, flag))
            self._before_companions[slot] = self._first(*lifted)
        return self._before_companions[slot]

    @cached_property
    def _sites_within(self) -> dict[Scope, list[Site]]:
        """The hard-coded uses in each scope and in those inside it."""
        found: dict[Scope, list[Site]] = {}
        for site in self.context.get(CudaUses).sites:
            scope: Scope | None = site.stmt.scope if not site.is_definition else None
            while scope is not None:
                found.setdefault(scope, []).append(site)
                scope = scope.parent
        return found

    def _companions(self, home: Scope, flag: tuple[Test, bool] | None) -> list[Stmt]:
        """The other hard-coded uses in a function that the same definition will serve."""
        key = AVAILABLE if flag is None else condition(*flag)
        found = []
        for site in self._sites_within.get(home, ()):
            if home.is_root and site.stmt.scope is not home:
                continue
            guard = site.guard
            if guard is None:
                if self.key_at(site.stmt) == key:
                    found.append(site.stmt)
            elif guard.test is not None and condition(guard.test, guard.positive) == key:
                if not site.names_type or self.context.get(CudaUses).collapses(site):
                    found.append(guard.stmt)  # a type of CUDA tensors stays where its guard does
        return found
