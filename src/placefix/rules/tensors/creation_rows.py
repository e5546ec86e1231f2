"""Rows of tensors: statements below each other that make one each, all of them on a device but for one.

    log_probs = torch.tensor(old, device=device)
    values = torch.tensor(predicted)
    returns = torch.tensor(discounted, device=device)

Whoever wrote the row meant all of it for the device. Nothing need show where the tensor goes.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import premises
from placefix.facts.context import FileAnalysis
from placefix.facts.finding import Finding
from placefix.facts.naming import names_host_value
from placefix.facts.program.assignments import target_pairs
from placefix.facts.program.ast_names import dotted, keyword_value, may_give
from placefix.facts.program.ast_walk import walk
from placefix.rules.tensors.creations import decides_place, factory_call
from placefix.rules.tensors.sibling_evidence import DeviceTests
from placefix.rules.tensors.tensor_moves import placed, scatters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.tree import Scope, Stmt

_SHORTEST = 3  # of such rows: two tensors on a device and one on the CPU


class _Entry(NamedTuple):
    """``name = torch.zeros(3, device=device)``: the value, the factory, the text of the device (".cuda()"), "" without one."""

    name: str
    value: ast.expr
    factory: ast.Call
    device: str
    stmt: Stmt


class CreationRows(FileAnalysis):
    """Answers for one file."""

    def left_behind(self) -> Iterator[Finding]:
        """The tensors of rows that alone are on the CPU."""
        if scatters(self.context):
            return
        for row in self._rows():
            left = [made for made in row if not made.device]
            others = {made.device for made in row if made.device}
            if len(left) != 1 or len(others) != 1:
                continue
            made, device = left[0], others.pop()
            placed_names = [one.name for one in row if one.device]
            if self._belongs_there(made, placed_names):
                other = placed_names[0]
                yield Finding(
                    self.context.span(made.value),
                    edits=placed(self.context, made.value, made.stmt, device),
                    premises=(premises.BOUND_ALIKE(name=made.name, other=other),),
                    device=device,
                    doubt=premises.NO_LATER_USE_FAILS,
                    names=(made.name,),
                )

    def _rows(self) -> Iterator[list[_Entry]]:
        row: list[_Entry] = []
        above: Stmt | None = None
        for stmt in self.context.tree.stmts.values():
            here = self._creations(stmt)
            follows = above is not None and stmt.suite is above.suite and stmt.index == above.index + 1
            if row and not (here and follows):
                yield from self._long(row)
                row = []
            row += here
            above = stmt
        yield from self._long(row)

    @staticmethod
    def _long(row: list[_Entry]) -> Iterator[list[_Entry]]:
        """The row, if it is long enough; two tensors that one statement makes in the same words are."""
        if len(row) >= _SHORTEST or (len(row) == 2 and row[0].stmt is row[1].stmt and _words(row[0]) == _words(row[1])):
            yield row

    def _creations(self, stmt: Stmt) -> list[_Entry]:
        """The tensors that an assignment makes; none if it binds anything else."""
        node = stmt.node
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            return []
        found = [self._creation(t, v, stmt) for t, v in target_pairs(node.targets[0], node.value)]
        made = [one for one in found if one is not None]
        return made if len(made) == len(found) else []

    def _creation(self, target: ast.expr, value: ast.expr, stmt: Stmt) -> _Entry | None:
        name, made = dotted(target), factory_call(value, stmt.scope)
        if not name or made is None or any(keyword.arg is None for keyword in made.call.keywords):
            return None
        given = keyword_value(made.call, "device")
        return _Entry(name, value, made.call, made.destination or (self.context.text(given) if given else ""), stmt)

    def _belongs_there(self, made: _Entry, others: list[str]) -> bool:
        """Whether nothing shows that a tensor is to stay on the CPU, or is moved later: its name, if the `others` have none like it, its
        uses, a number as its value; and the function reads it."""
        scope, first = made.stmt.scope, made.factory.args[0] if made.factory.args else None
        tested = self.context.get(DeviceTests).are_in(scope)
        is_of_host = names_host_value(made.name) and not any(map(names_host_value, others))
        if is_of_host or isinstance(first, ast.Constant) or tested:
            return False
        index = self.context.index
        if may_give(made.factory, "pin_memory", "generator"):
            return False
        if decides_place(made.name, scope, index):
            return False
        reads = [expr for expr, stmt in index.read(made.name) if stmt.scope is scope and stmt is not made.stmt]
        return bool(reads) and not self._is_index(made.name, scope)

    def _is_index(self, name: str, scope: Scope) -> bool:
        """Whether a function uses a value as an index, which may be on the CPU."""
        return any(
            isinstance(node, ast.Subscript) and any(dotted(part) == name for part in walk(node.slice))
            for node in scope.nodes
        )


def _words(made: _Entry) -> str:
    """How a factory is called, without the name of its argument."""
    args = [type(arg).__name__ for arg in made.factory.args]
    return f"{dotted(made.factory.func)} {args} {[k.arg for k in made.factory.keywords if k.arg != 'device']}"
