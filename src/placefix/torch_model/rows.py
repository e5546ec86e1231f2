"""The rows of the model of torch, and how they are read.

The columns of `generated.tsv`; `reviewed.tsv` gives cells of some of them for a list of names (``column=value; marks+=value``: one more mark):

name        the name without the underscore of the in-place spelling, with its namespace where it has one: ``linalg.norm``
spellings   torch (``torch.sin``), F (``torch.nn.functional.relu``), method (``x.sin()``), inplace (``x.sin_()``), attribute (``x.T``),
            out (``torch.sin(x, out=y)``)
operands    the parameters that take tensors, in the order of the function; ``*`` a list of them, ``@3`` its position where it is not the next, ``@k``
            given by keyword only, ``?`` a number may be given there as well
returns     tensor, list (of tensors), tuple2 (of so many), number, bool, none, other; several of them with ``|``
device      the device of the result: that of the operands, of the input (the first operand), of the other (the second one), of an `argument`
            (a factory; the CPU without it), `operands or argument`, the cpu, moves (a move), unknown, none (no tensor)
together    all: its operands must be on one device; scalars: 0-dim tensors on the CPU may be among them, or only some operands may be such
            (``scalars:other``); empty: no constraint
rank        whether the result has a dimension: keeps (where any operand has one), input (where the first operand has one), vectors (as keeps, but
            not of vectors or with an index of no dimension), reduces (not without further arguments), sizes (where sizes are given), adds (one at
            least), 1 and 2 (so many), may (it depends); empty: unknown
marks       view (its memory may be an operand's), random, factory (makes a tensor from its arguments), exact (a factory of the same values on any
            device), loss, host (needs its tensor on the CPU), values (gives numbers that depend on the values of its tensors), sized (refuses operands of no dimension), only (a method that arrays of other
            packages and modules do not have), dimensions (read of tensors that have one), tensor, likely, input (evidence that an object
            with it is a tensor: an item of a batch, an object with a .cuda(), a parameter), place (gives the device of its tensor, or a part of it),
            layout (of a contiguous tensor it gives a contiguous one with all of its values)
apart       only in `reviewed.tsv`: operands that may be on another device than the others
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")

_COLUMNS = ("spellings", "operands", "returns", "device", "together", "rank", "marks", "apart")
_HERE = os.path.dirname(__file__)


class Operand(NamedTuple):
    """A parameter that takes a tensor, or a list of them."""

    name: str
    position: int  # in the function spelling; that of a method's argument is one less; -1: given by keyword only
    several: bool
    number: bool  # the argument there may be a number as well


class Operator(NamedTuple):
    """One operator of torch."""

    name: str
    spellings: frozenset[str]
    operands: tuple[Operand, ...]
    returns: frozenset[str]
    device: str
    together: str
    rank: str
    marks: frozenset[str]
    apart: frozenset[str]

    def operand(self, position: int, keyword: str | None, *, method: bool = False) -> Operand | None:
        """The operand at an argument's position (a method's receiver is not counted) or with its keyword; None for other arguments."""
        if keyword is not None:
            keyword = "input" if keyword == "self" else keyword
            return next((o for o in self.operands if o.name == keyword), None)
        place = position + method
        found = next((o for o in self.operands if o.position == place), None)
        last = self.operands[-1] if self.operands else None
        if found is None and last is not None and last.several and 0 <= last.position < place:  # block_diag(a, b, c)
            return last
        return found

    def shared(self, given: Iterable[tuple[str | None, T]], *, method: bool = False) -> list[tuple[T, Operand]]:
        """The arguments that must be on one device if they are tensors, each with its operand. given: all arguments of a call in order (a
        method's receiver is not counted), each behind its keyword; None: by position."""
        found = [(value, self.operand(place, keyword, method=method)) for place, (keyword, value) in enumerate(given)]
        return [(value, operand) for value, operand in found if operand is not None and not self.lies_apart(operand)]

    def may_be_dimension(self, operand: Operand) -> bool:
        """Whether the argument there may be the number of a dimension: ``x.max(1)``."""
        return operand.number and self.rank == "reduces"

    def lies_apart(self, operand: Operand) -> bool:
        """Whether an operand may be on another device than the others."""
        return operand.name in self.apart or (not self.together and self._takes_several)

    def takes_scalar(self, operand: Operand) -> bool:
        """Whether an operand may be a 0-dim tensor of the CPU while the others lie on a device."""
        kind, _, names = self.together.partition(":")
        return kind == "scalars" and (not names or operand.name in names.split(","))

    @property
    def _takes_several(self) -> bool:
        return len({o.name for o in self.operands}) > 1 or any(o.several for o in self.operands)

    @property
    def makes(self) -> bool:
        """Whether it is a factory: it makes a tensor of numbers and sizes, on the CPU or where an argument says."""
        return "factory" in self.marks or (not self.operands and self.device in ("argument", "cpu"))

    @property
    def gives_tensor(self) -> bool:
        """Whether it gives a tensor, or several."""
        return not self.returns <= {"number", "bool", "none", "other"}

    @property
    def gives_several(self) -> bool:
        """Whether it gives a list or tuple of tensors, at least with some arguments."""
        return any(r == "list" or r.startswith("tuple") for r in self.returns)

    @property
    def follows(self) -> bool:
        """Whether its result lies where its operands lie, or the first of them."""
        return self.device.startswith("operands") or self.device == "input"


@cache
def _cells() -> dict[str, list[str]]:
    """The cells of all rows by name, in the order of _COLUMNS."""
    with open(os.path.join(_HERE, "generated.tsv"), encoding="utf-8") as stream:
        lines = stream.read().splitlines()[2:]
    width = len(_COLUMNS)
    found: dict[str, list[str]] = {}
    for line in lines:
        name, *cells = line.split("\t")
        found[name] = cells + [""] * (width - len(cells))
    with open(os.path.join(_HERE, "reviewed.tsv"), encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    for line in lines:
        if line.startswith(("#", "names\t")) or not line:
            continue
        names, changes, _ = line.split("\t")
        changed = [
            (_COLUMNS.index(column.rstrip("+")), value, column.endswith("+"))
            for column, _, value in (change.partition("=") for change in changes.split("; "))
        ]
        for name in names.split(" "):
            cells = found.setdefault(name, [""] * width)
            for column, value, more in changed:
                cells[column] = f"{cells[column]} {value}".strip() if more else value
    return found


@cache
def row(name: str) -> Operator | None:
    """The row of a name without its underscore; None where there is none."""
    cells = _cells().get(name)
    return None if cells is None else _operator(name, *cells)


def _operator(
    name: str,
    spellings: str,
    operands: str,
    returns: str,
    device: str,
    together: str,
    rank: str,
    marks: str,
    apart: str,
) -> Operator:
    found = []
    for number, operand in enumerate(operands.split(",") if operands else ()):
        called, _, position = operand.partition("@")
        place = number if not position else -1 if position == "k" else int(position)
        found.append(Operand(called.rstrip("*?"), place, "*" in called, called.endswith("?")))
    return Operator(
        name, frozenset(spellings.split()), tuple(found), frozenset(returns.split("|")), device, together, rank,
        frozenset(marks.split()), frozenset(apart.split(",")) if apart else frozenset(),
    )  # fmt: skip


def operators() -> dict[str, Operator]:
    """All rows by name."""
    return {name: operator for name in _cells() if (operator := row(name)) is not None}


def names_marked(wanted: frozenset[str]) -> frozenset[str]:
    """The names of the methods and attributes whose rows have one of some marks."""
    found = set()
    for name, (spellings, _, _, _, _, _, marks, _) in _cells().items():
        if marks and not wanted.isdisjoint(marks.split()):
            if "method" in spellings or "attribute" in spellings:
                found.add(name)
            if "inplace" in spellings:
                found.add(f"{name}_")
    return frozenset(found)
