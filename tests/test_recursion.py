"""Code that Python compiles is analysed and repaired, however deep it is nested."""

from __future__ import annotations

import ast
import json
import sys
import threading
from typing import TYPE_CHECKING

import pytest

import placefix
from fakes import run
from placefix.engine import parse
from placefix.recursion import final_recursion_errors, retry_deeper
from placefix.source import Source

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """\
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
z = torch.ones(3)
"""
DEEP = {
    "elif arms": "if z.sum() == 0:\n    z = z.cuda()\n"
    + "".join(f"elif z.sum() == {n}:\n    z = z.cuda()\n" for n in range(1, 1000)),
    "a sum": "y = z.cuda()" + " + 1" * 999 + "\n",
    "a chain of methods": "y = z.cuda()" + ".abs()" * 1000 + "\n",
    "nested calls": "y = " + "torch.abs(" * 190 + "z.cuda()" + ")" * 190 + "\n",
    "nested lists": "y = " + "[" * 90 + "z.cuda()" + "]" * 90 + "\n",
    "nested ifs": "".join("    " * n + "if z.sum() > 0:\n" for n in range(95)) + "    " * 95 + "z = z.cuda()\n",
    "subscripts": "y = z.cuda()" + "[...]" * 1000 + "\n",
    "signs": "y = " + "-" * 900 + "z.cuda()\n",
    "something else": "y = 1" + " + 1" * 999 + "\nz = z.cuda()\n",
}


@pytest.mark.parametrize("body", DEEP.values(), ids=DEEP.keys())
def test_deep_code_is_repaired(body: str) -> None:
    text = HEAD + body
    compile(text, "deep.py", "exec")
    found = placefix.check_source(text)
    assert {each.code for each in found} == {"PF401"}
    outcome = placefix.fix_source(text)
    assert isinstance(outcome, placefix.Changed), outcome
    assert outcome.text == text.replace(".cuda()", ".to(device)")


@pytest.mark.parametrize("body", ["y = z.cuda()" + ".abs()" * 1000, "y = z.cuda()" + " + 1" * 999])
def test_deep_cells_of_a_notebook(body: str, tmp_path: Path) -> None:
    cells = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": text}
        for text in (HEAD, body)
    ]
    path = tmp_path / "deep.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}))
    result = run("apply", "--no-cache", path.name, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert json.loads(path.read_text())["cells"][1]["source"] == body.replace(".cuda()", ".to(device)")


def test_the_limits_are_as_before() -> None:
    before = sys.getrecursionlimit(), threading.stack_size()
    depth = sys.getrecursionlimit() * 2

    def down(n: int) -> int:
        return 0 if n == 0 else 1 + down(n - 1)

    assert retry_deeper(lambda: down(depth)) == depth
    assert (sys.getrecursionlimit(), threading.stack_size()) == before
    assert not final_recursion_errors()


def test_what_is_raised_below_is_raised() -> None:
    def call() -> None:
        try:
            raise RecursionError
        except final_recursion_errors():
            raise KeyError("below") from None

    with pytest.raises(KeyError, match="below"):
        retry_deeper(call)


def test_what_never_ends_is_an_error() -> None:
    def forever() -> None:
        forever()

    with pytest.raises(RecursionError):
        retry_deeper(forever)


def test_trees_of_deep_code_are_handed_back() -> None:
    tree = parse(Source("y = z" + ".a" * 2000 + "\n"))
    assert isinstance(tree, ast.Module)
