"""What the analysis of a file leaves behind: nothing that only the garbage collector could find."""

from __future__ import annotations

import ast
import gc
from contextlib import suppress
from pathlib import Path

import pytest

from each import check_each
from placefix import engine
from placefix.engine import ParseError
from placefix.facts.program.tree import Stmt
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.source import Source

CASES = sorted({path.parent: path for path in sorted(Path(__file__).parent.glob("cases/PF*/*.py"))}.values())

# Asked by type: `isinstance` asks an object for its `__class__`, at which deprecated objects of torch warn.
_KEPT = (ast.Module, Stmt)


def test_trees_go_when_they_are_done_with() -> None:
    """One case of each rule: with the collector off, no syntax tree and no statement of it is left."""
    gc.collect()
    gc.disable()
    try:
        check_each(leaves_no_tree, CASES, lambda path: path.parent.name)
    finally:
        gc.enable()


def leaves_no_tree(path: Path) -> None:
    source = Source.from_bytes(path.read_bytes())
    gc.freeze()  # what is there by now is not listed below
    with suppress(ParseError):
        engine.check(source, Settings(), RULES)
    assert not [o for o in gc.get_objects() if issubclass(type(o), _KEPT)]


def test_a_tree_that_stays_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above cannot pass by seeing nothing."""
    (tmp_path / "kept.py").write_text("x = 1\n")
    kept = []
    monkeypatch.setattr(engine, "check", lambda source, settings, rules: kept.append(ast.parse(source.text)))
    with pytest.raises(AssertionError):
        leaves_no_tree(tmp_path / "kept.py")
