"""Findings that are repaired together have one fix, all of which is applied, or none."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from placefix import engine, writer
from placefix.changed_lines import ChangedLines
from placefix.diagnostic import Applicability, Diagnostic, Edit, Fix, Insert, Move, Replace, Severity, Span
from placefix.engine import Changed, FixSelector, Unchanged
from placefix.joint_fixes import SILENCED, AbsentFinding, join_fixes
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.source import Source

PF301, PF302, PF303 = (next(r for r in RULES if r.code == code) for code in ("PF301", "PF302", "PF303"))
TEXT = "h = a()\nc = b()\nf(h, c)\ng(h)\n"

STATE = """\
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
lstm = nn.LSTM(3, 3).to(device)
h = torch.zeros(1, 2, 3)
c = torch.zeros(1, 2, 3)
out, _ = lstm(torch.zeros(5, 2, 3).to(device), (h, c))
"""


def at(part: str, text: str = TEXT) -> Span:
    start = text.index(part)
    return Span(start, start + len(part))


def meeting(
    part: str, operation: str, *, safe: bool = True, text: str = TEXT, edits: tuple[Edit, ...] = ()
) -> Diagnostic:
    """A finding about an operand of an operation, with a fix that replaces the operand."""
    span = at(part, text)
    edits = edits or (Replace(span, f"{part}.to(d)", part),)
    fix = Fix(edits, f"move {part}") if safe else Fix(edits, f"move {part}", Applicability.UNSAFE, "why")
    return Diagnostic(PF302, span, "", Severity.ERROR, fix, met=((at(operation, text), span),))


def join(
    *found: Diagnostic, absent: tuple[AbsentFinding, ...] = (), text: str = TEXT, severity: str = "note"
) -> tuple[Diagnostic, ...]:
    return join_fixes(Source(text), ast.parse(text), found, absent, severity=severity)


def test_the_edits_of_all() -> None:
    first, second = join(meeting("a()", "f(h, c)"), meeting("b()", "f(h, c)"))
    assert first.fix == second.fix
    assert first.fix is not None
    assert [edit.text for edit in first.fix.edits if isinstance(edit, Replace)] == ["a().to(d)", "b().to(d)"]
    assert (first.fix.message, first.fix.applicability) == ("move a(); move b()", Applicability.SAFE)


def test_through_others() -> None:
    text = "f(x, y)\ng(y, z)\nh(w)\n"
    x, y, z, w = (
        meeting(n, o, text=text) for n, o in (("x", "f(x, y)"), ("y", "f(x, y)"), ("z", "g(y, z)"), ("w", "h(w)"))
    )
    y = y._replace(met=(*y.met, (at("g(y, z)", text), y.span)))
    found = join(x, y, z, w, text=text)
    assert [d.fix == found[0].fix for d in found] == [True, True, True, False]
    assert found[3] == w


def test_what_is_shared() -> None:
    one, other, third = (meeting(part, part) for part in ("a()", "b()", "g(h)"))
    found = join(one._replace(shares=(1,)), other._replace(shares=(1, 2)), third._replace(shares=(at("a()"),)))
    assert found[0].fix == found[1].fix != found[2].fix


def test_the_weakest_promise_holds_for_all() -> None:
    first, second = join(meeting("a()", "f(h, c)"), meeting("b()", "f(h, c)", safe=False))
    assert first.fix is not None
    assert first.fix == second.fix
    assert (first.fix.applicability, first.fix.premise) == (Applicability.UNSAFE, "line 2: why")


def test_apart() -> None:
    found = meeting("a()", "g(h)"), meeting("b()", "f(h, c)", safe=False)
    assert join(*found) == found


def test_two_ways_to_one_operand_do_not_wait_for_each_other() -> None:
    text = "x = a()\nx = b()\nf(x)\n"
    ways = [meeting(part, "f(x)", safe=safe, text=text) for part, safe in (("a()", True), ("b()", False))]
    same = tuple(d._replace(met=((d.met[0][0], Span(18, 19)),)) for d in ways)
    assert join(*same, text=text) == same


@pytest.mark.parametrize(("other", "why"), [
    (meeting("b()", "f(h, c)")._replace(fix=None, note="not fixed: no device is in scope here"), "which is not fixed: no device is in scope here"),
    (meeting("b()", "f(h, c)")._replace(fix=Fix((), "", Applicability.DISPLAY, "why not")), "whose fix is a suggestion only: why not"),
    (meeting("b()", "f(h, c)")._replace(severity=Severity.WARNING), "whose severity the run does not report"),
])  # fmt: skip
def test_a_part_that_is_not_applied(other: Diagnostic, why: str) -> None:
    first, second = join(meeting("a()", "f(h, c)"), other, severity="error")
    assert (first.fix, first.note) == (None, f"not fixed: it helps only together with line 2, {why}")
    assert second == other


def test_a_part_that_the_run_does_not_report() -> None:
    (first,) = join(meeting("a()", "f(h, c)"), absent=(AbsentFinding(meeting("b()", "f(h, c)"), SILENCED),))
    assert (first.fix, first.note) == (None, "not fixed: it helps only together with line 2, which a comment silences")


def test_parts_that_change_the_same_text() -> None:
    one, other = (
        meeting("a()", "f(h, c)"),
        meeting("b()", "f(h, c)", edits=(Replace(at("h = a()"), "h = 1", "h = a()"),)),
    )
    assert [(d.fix, d.note) for d in join(one, other)] == [
        (None, f"not fixed: its fix and that of line {row} change the same text") for row in (2, 1)
    ]


def test_what_several_parts_define_is_written_once() -> None:
    text = "h = a()\nc = b()\nd = e()\nf(h, c)\n"
    places = {part: at(f"{name} = {part}", text) for name, part in (("h", "a()"), ("c", "b()"))}

    def both(edit: type[Insert] | type[Move]) -> Source:
        found = [
            meeting(part, "f(h, c)", text=text, edits=(
                Insert(place, "d = e()") if edit is Insert else Move((at("d = e()", text),), place),
                Replace(at(part, text), f"{part}.to(d)", part),
            ))
            for part, place in reversed(places.items())
        ]  # fmt: skip
        fixes = [d.fix for d in join(*found, text=text) if d.fix is not None]
        result = writer.apply(Source(text), ast.parse(text), fixes)
        assert result.applied == (0, 1)
        return Source(result.text)

    assert both(Move).text == "d = e()\nh = a().to(d)\nc = b().to(d)\nf(h, c)\n"
    assert both(Insert).text == "d = e()\nh = a().to(d)\nc = b().to(d)\nd = e()\nf(h, c)\n"


def test_a_part_that_would_read_what_is_not_bound() -> None:
    text = "def f():\n    h = a()\n    c = b()\n    g(h, c)\n    d = 1\n"
    found = [meeting(part, "g(h, c)", text=text) for part in ("a()", "b()")]
    for d in join(*found, text=text):
        assert d.fix is None
        assert d.note == "not fixed: line 2: `d` may not be bound there"


class Some(FixSelector):
    """The fixes of findings on one line."""

    def __init__(self, row: int) -> None:
        self.row = row

    def select_fixes(self, source: Source, tree: ast.Module, found: object) -> list[Diagnostic]:
        assert isinstance(found, list)
        return [d for d in found if source.line_of(d.span.start) == self.row]


def test_one_chosen_is_all() -> None:
    outcome = engine.fix(Source(STATE), Settings(), RULES, choice=Some(6))
    assert isinstance(outcome, Changed)
    assert len(outcome.applied) == 2
    assert not outcome.remaining
    assert outcome.text.count("torch.zeros(1, 2, 3, device=device)") == 2


def test_changed_lines_alone() -> None:
    source = Source(STATE)
    outcome = engine.fix(source, Settings(), RULES, lines=ChangedLines(source, [(6, 6)]))
    assert isinstance(outcome, Unchanged)
    assert [d.note for d in outcome.remaining] == [
        "not fixed: it helps only together with line 7, which has not changed"
    ]
    both = engine.fix(source, Settings(), RULES, lines=ChangedLines(source, [(6, 7)]))
    assert isinstance(both, Changed)


def test_a_promise_of_the_configuration_is_for_all() -> None:
    loader = STATE.replace("c = torch.zeros(1, 2, 3)\n", "c = torch.zeros(1, 2, 3)\nc.to(device)\n")
    found = engine.check(Source(loader), Settings(promises=(("PF303", "none"),)), RULES)
    assert [d.code for d in found] == ["PF302", "PF303"]
    assert found[0].note == (
        "not fixed: it helps only together with line 8, whose fix is a suggestion only: the configuration makes PF303 unfixable"
    )
    assert isinstance(engine.fix(Source(loader), Settings(promises=(("PF303", "none"),)), RULES), Unchanged)
    unsafe = engine.check(Source(loader), Settings(promises=(("PF303", "unsafe"),)), RULES)
    assert {d.fix.applicability for d in unsafe if d.fix is not None} == {Applicability.UNSAFE}


def test_a_rule_that_is_not_selected() -> None:
    loader = STATE.replace("c = torch.zeros(1, 2, 3)\n", "c = torch.zeros(1, 2, 3)\nc.to(device)\n")
    for selected, row, other in ((PF302, 8, PF303), (PF303, 6, PF302)):
        (found,) = engine.check(Source(loader), Settings(), [selected])
        assert found.note == f"not fixed: it helps only together with line {row}, where {other.code} is not selected"
        assert isinstance(engine.fix(Source(loader), Settings(), [selected]), Unchanged)


@pytest.mark.parametrize("name", ["full", "json"])
def test_reports(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from corpus_support import placefix

    monkeypatch.chdir(tmp_path)
    Path("t.py").write_text(STATE)
    said = placefix("check", "--isolated", "--no-cache", "--output-format", name, "t.py", cwd=tmp_path).stdout.decode()
    if name == "full":
        assert (
            said.count("+h = torch.zeros(1, 2, 3, device=device)")
            == said.count("+c = torch.zeros(1, 2, 3, device=device)")
            == 1
        )
        assert "  fix: move the tensor to the device (shown at 6:5)\n" in said
        return
    first, second = json.loads(said)
    assert first["fix"]["edits"] == second["fix"]["edits"]
    assert len(first["fix"]["edits"]) == 2
    assert first["fix"]["also"] == [{"code": "PF302", "location": {"row": 7, "column": 5}}]
    assert second["fix"]["also"] == [{"code": "PF302", "location": {"row": 6, "column": 5}}]


def test_counts(tmp_path: Path) -> None:
    from corpus_support import placefix

    (tmp_path / "t.py").write_text(STATE)
    said = placefix("apply", "--isolated", "--no-cache", "t.py", cwd=tmp_path)
    assert said.stderr.decode().startswith("Fixed 2 problems in 1 file: t.py.")
    assert placefix("check", "--isolated", "--no-cache", "t.py", cwd=tmp_path).returncode == 0


def test_one_is_silenced(tmp_path: Path) -> None:
    from corpus_support import placefix

    (tmp_path / "t.py").write_text(
        STATE.replace("h = torch.zeros(1, 2, 3)", "h = torch.zeros(1, 2, 3)  # placefix: ignore[PF302]")
    )
    said = placefix("apply", "--isolated", "--no-cache", "t.py", cwd=tmp_path)
    assert b"not fixed: it helps only together with line 6, which a comment silences" in said.stdout
    placefix("check", "--isolated", "--no-cache", "--add-ignore", "t.py", cwd=tmp_path)
    assert placefix("check", "--isolated", "--no-cache", "t.py", cwd=tmp_path).returncode == 0
