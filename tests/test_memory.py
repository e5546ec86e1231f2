"""What the analysis of a file leaves behind: nothing that only the garbage collector could find."""

from __future__ import annotations

import ast
import gc
from pathlib import Path

import pytest

from placefix import engine
from placefix.engine import ParseError
from placefix.facts.program.tree import Stmt
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.source import Source

CASES = sorted({path.parent: path for path in sorted(Path(__file__).parent.glob("cases/PF*/*.py"))}.values())

# Asked by type: `isinstance` asks an object for its `__class__`, at which deprecated objects of torch warn.
_KEPT = (ast.Module, Stmt)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.parent.name)
def test_trees_go_when_they_are_done_with(path: Path) -> None:
    """One case of each rule: with the collector off, no syntax tree and no statement of it is left."""
    source = Source.from_bytes(path.read_bytes())
    gc.collect()
    gc.disable()
    try:
        before = {id(o) for o in gc.get_objects() if issubclass(type(o), _KEPT)}
        try:
            engine.check(source, Settings(), RULES)
        except ParseError:
            pytest.skip("cannot be parsed")
        left = [o for o in gc.get_objects() if issubclass(type(o), _KEPT) and id(o) not in before]
        assert not left
    finally:
        gc.enable()
