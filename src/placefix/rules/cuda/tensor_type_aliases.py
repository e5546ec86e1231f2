"""Names for types of CUDA tensors: ``Float = torch.cuda.FloatTensor if use_cuda else torch.FloatTensor``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.devices.device_selection import Devices
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.conditions import Test
    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.tree import Scope


class TypeAlias(NamedTuple):
    """A name for a type of CUDA tensors; test: the test under which it is one, None if always."""

    name: str
    scope: Scope
    writes: tuple[AttributeWrite, ...]
    kind: str
    test: Test | None
    positive: bool


class TypeAliases:
    """The names of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.tree = context.tree
        self.index = context.index
        self.cuda = context.get(Cuda)
        self.tests = context.get(Devices).tests

    def groups(self) -> list[list[TypeAlias]]:
        """The names, those together that one `if` statement binds."""
        groups: dict[int, list[TypeAlias]] = {}
        for alias in self._aliases():
            parent = alias.writes[0].stmt.parent
            key = id(parent) if len(alias.writes) == 2 else id(alias.writes[0].stmt)
            groups.setdefault(key, []).append(alias)
        return list(groups.values())

    def _aliases(self) -> Iterator[TypeAlias]:
        for name, writes in self.index.writes.items():
            scopes = {w.stmt.scope for w in writes}
            if "." in name:
                continue
            for scope in scopes:
                mine = tuple(w for w in writes if w.stmt.scope is scope)
                alias = self._alias(name, scope, mine)
                if alias is not None:
                    yield alias

    def _alias(self, name: str, scope: Scope, writes: tuple[AttributeWrite, ...]) -> TypeAlias | None:
        if len(scope.bindings.get(name, ())) != len(writes) or any(w.value is None for w in writes):
            return None
        if len(writes) == 1:
            value = writes[0].value
            assert value is not None
            if isinstance(value, ast.IfExp):
                return self._either(name, scope, writes, value.test, value.body, value.orelse)
            kind = self.cuda.tensor_type(value, scope)
            guarded = self.cuda.guard(value, writes[0].stmt) is not None
            return TypeAlias(name, scope, writes, kind, None, True) if kind and not guarded else None
        owner = writes[0].stmt.parent
        if len(writes) == 2 and owner is not None and isinstance(owner.node, ast.If) and len(owner.suites) == 2:
            one, two = writes
            if one.stmt.suite is owner.suites[0] and two.stmt.suite is owner.suites[1]:
                assert one.value is not None and two.value is not None
                return self._either(name, scope, writes, owner.node.test, one.value, two.value)
        return None

    def _either(
        self,
        name: str,
        scope: Scope,
        writes: tuple[AttributeWrite, ...],
        test: ast.expr,
        then: ast.expr,
        other: ast.expr,
    ) -> TypeAlias | None:
        """A type of CUDA tensors in one arm and the same of the CPU in the other."""
        read = self.tests.read(test, scope)
        if read is None:
            return None
        for positive, gpu, cpu in ((True, then, other), (False, other, then)):
            kind = self.cuda.tensor_type(gpu, scope)
            if kind and self._same_kind(kind, cpu, scope) and positive != read.negated:
                return TypeAlias(name, scope, writes, kind, read, positive)
        return None

    def _same_kind(self, kind: str, expr: ast.expr, scope: Scope) -> bool:
        found = self.cuda.tensor_type(expr, scope, "torch")
        default = self.tree.qualname(expr, scope) == "torch.Tensor" and "set_default_" not in self.tree.source.text
        return found == kind or (default and kind == "FloatTensor")
