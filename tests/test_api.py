"""The public API on real programs: text, bytes and what is neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import placefix
from placefix.engine import Changed, ParseError, Skipped, Unchanged

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 1)
model = nn.DataParallel(model)
model.to(device)
"""
FIXED = PROGRAM.replace(
    "model = nn.DataParallel(model)\nmodel.to(device)\n", "model.to(device)\nmodel = nn.DataParallel(model)\n"
)


def test_text_and_bytes() -> None:
    assert [d.code for d in placefix.check_source(PROGRAM)] == ["PF102"]
    for source in (PROGRAM, PROGRAM.encode()):
        outcome = placefix.fix_source(source)
        assert isinstance(outcome, Changed)
        assert outcome.text == FIXED
    assert isinstance(placefix.fix_source(FIXED), Unchanged)


def test_a_text_with_a_byte_order_mark_keeps_it() -> None:
    assert [d.code for d in placefix.check_source("\ufeff" + PROGRAM)] == ["PF102"]
    outcome = placefix.fix_source("\ufeff" + PROGRAM)
    assert isinstance(outcome, Changed)
    assert outcome.text == "\ufeff" + FIXED


def test_options() -> None:
    options = placefix.Options(select=("PF2",))
    assert placefix.check_source(PROGRAM, options=options) == ()
    with pytest.raises(ValueError, match="PF999"):
        placefix.check_source(PROGRAM, options=placefix.Options(select=("PF999",)))


def test_one_path_is_no_list_of_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letter by letter "./a" would be the folders "." and "/", and every file below them."""
    (tmp_path / "a.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    for function in (placefix.check_paths, placefix.fix_paths, placefix.add_ignores):
        with pytest.raises(TypeError, match="not one path"):
            function(".")
    assert (tmp_path / "a.py").read_text() == PROGRAM


def test_what_is_no_program() -> None:
    with pytest.raises(ParseError, match="line 1"):
        placefix.check_source("print 'no'\n")
    assert isinstance(placefix.fix_source("print 'no'\n"), Skipped)
    assert isinstance(placefix.fix_source(b"\xff\xfe"), Skipped)
