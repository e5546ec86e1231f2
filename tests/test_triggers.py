"""Triggers lose no finding: a rule that they keep from a file has nothing to say about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from placefix import engine
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.source import Source, SourceError

ROOT = Path(__file__).parent.parent
FILES = [*sorted((ROOT / "tests" / "cases").rglob("*.py")), *sorted((ROOT / "corpus" / "scripts").glob("*.py"))]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_what_is_not_triggered_finds_nothing(file: Path) -> None:
    try:
        source = Source.from_bytes(file.read_bytes())
        triggered = engine.check(source, Settings(), RULES)
    except (SourceError, engine.ParseError):
        return
    assert engine.check(source, Settings(), RULES, live=True) == triggered


def test_triggers_keep_something() -> None:
    """The test above cannot pass by triggering everything everywhere."""
    assert {rule.code for rule in engine.triggered(RULES, b"import torch\nmodel.to(device)\n")} < {r.code for r in RULES}
