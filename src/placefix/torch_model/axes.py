"""How operators treat the axis of a tensor that has the samples of a batch: the rows of `axes.tsv`.

names     of functions and methods of torch, without the underscore of those in place
kind      copy, arithmetic (an operator of Python), swap (of axes), shape, join, along (an axis), total (over the batch), reduction (of axes),
          entries (a function of each entry), samples (of each sample), mixing (no function of entries or samples), weighed (with a weight)
value     arithmetic: the operator; total: sum or mean; join, along and reduction: the position of the axis among the arguments behind the
          tensor, and after `=` its default
"""

from __future__ import annotations

import ast
import os
from functools import cache
from typing import NamedTuple

_OPERATORS: dict[str, type[ast.operator]] = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div}


class Dim(NamedTuple):
    """The place of an axis among the arguments: the position behind the tensor, and the default; None: it has none."""

    position: int
    default: int | None = None


class Row(NamedTuple):
    """One operator."""

    kind: str
    value: str

    @property
    def dim(self) -> Dim:
        """The place of the axis: of join, along and reduction."""
        position, given, default = self.value.partition("=")
        return Dim(int(position), int(default) if given else None)

    @property
    def operator(self) -> ast.operator:
        """The operator of Python: of arithmetic."""
        return _OPERATORS[self.value]()


@cache
def _rows() -> dict[str, Row]:
    with open(os.path.join(os.path.dirname(__file__), "axes.tsv"), encoding="utf-8") as stream:
        rows = [line.split("\t") for line in stream.read().splitlines() if line and line[0] != "#"][1:]
    return {name: Row(kind, value) for names, kind, value, _ in rows for name in names.split(" ")}


def row(name: str) -> Row:
    """The row of an operator; one with an empty kind for others."""
    return _rows().get(name, Row("", ""))
