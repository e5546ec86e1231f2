"""The rows of the model of torch, and how they are read.

The columns of `generated.tsv`; `reviewed.tsv` gives cells of some of them (``column=value; column=value``) for a list of names:

name        the name without the underscore of the in-place spelling, with its namespace where it has one: ``linalg.norm``
spellings   torch (``torch.sin``), F (``torch.nn.functional.relu``), method (``x.sin()``), inplace (``x.sin_()``), attribute (``x.T``),
            out (``torch.sin(x, out=y)``)
operands    the parameters that take tensors, in the order of the function; ``*`` a list of them, ``@3`` its position where it is not the next, ``@k``
            given by keyword only
returns     tensor, list (of tensors), tuple2 (of so many), number, bool, none, other; several of them with ``|``
device      where the result lies: with the operands, with the input (the first operand), with the other (the second one), where an `argument`
            says (a factory; on the CPU without it), `operands or argument`, on the cpu, moves (a move), unknown, none (no tensor)
together    all: its operands must lie on one device; scalars: 0-dim tensors of the CPU may be among them, or only some operands may be such
            (``scalars:other``); empty: nothing is asked of them
rank        whether the result has a dimension: keeps (where any operand has one), input (where the first operand has one), sizes (where sizes are
            given, else as input), reduces (not without further arguments), adds (one at least), may (it depends); empty: unknown
marks       view (its memory may be an operand's), random, exact (a factory of the same values on any device), loss, host (needs its tensor on the
            CPU)
apart       only in `reviewed.tsv`: operands that may lie elsewhere than the others
"""

from __future__ import annotations

import os
from functools import cache

from placefix.lazy import NamedTuple

_COLUMNS = ("spellings", "operands", "returns", "device", "together", "rank", "marks", "apart")
_HERE = os.path.dirname(__file__)


class Operand(NamedTuple):
    """A parameter that takes a tensor, or a list of them."""

    name: str
    position: int  # in the function spelling; that of a method's argument is one less; -1: given by keyword only
    several: bool


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

    def operand(self, position: int, keyword: str | None, *, method: bool = False) -> str:
        """The name of the operand at an argument's position (a method's receiver is not counted) or with its keyword; "" for other arguments."""
        if keyword is not None:
            keyword = "input" if keyword == "self" else keyword
            return keyword if any(o.name == keyword for o in self.operands) else ""
        place = position + method
        last = self.operands[-1:]
        if last and last[0].several and last[0].position == 0:  # block_diag(a, b, c)
            return last[0].name
        return next((o.name for o in self.operands if o.position == place), "")

    def lies_apart(self, position: int, keyword: str | None, *, method: bool = False) -> bool:
        """Whether the operand there may lie elsewhere than the others."""
        return bool(self.apart) and self.operand(position, keyword, method=method) in self.apart

    def takes_scalar(self, operand: str) -> bool:
        """Whether an operand may be a 0-dim tensor of the CPU while the others lie on a device."""
        kind, _, names = self.together.partition(":")
        return kind == "scalars" and (not names or operand in names.split(","))

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
        """Whether its result lies where its operands lie."""
        return self.device.startswith("operands")


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
        cells_changed = [
            (_COLUMNS.index(c), value) for c, _, value in (change.partition("=") for change in changes.split("; "))
        ]
        for name in names.split(" "):
            cells = found.setdefault(name, [""] * width)
            for column, value in cells_changed:
                cells[column] = value
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
        found.append(
            Operand(
                called.rstrip("*"),
                number if not position else -1 if position == "k" else int(position),
                called.endswith("*"),
            )
        )
    return Operator(
        name, frozenset(spellings.split()), tuple(found), frozenset(returns.split("|")), device, together, rank,
        frozenset(marks.split()), frozenset(apart.split(",")) if apart else frozenset(),
    )  # fmt: skip


def operators() -> dict[str, Operator]:
    """All rows by name."""
    return {name: operator for name in _cells() if (operator := row(name)) is not None}
