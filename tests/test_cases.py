"""Every case under tests/cases: its findings are those of its comments, and its fixed text is that of `<name>.fixed.py`.

CONTRIBUTING.md, "The format of cases", describes the comments `# rules:`, `# options:`, `# want:` and `# again:`. A case without
`.fixed.py` must not change, and a second run changes nothing but the fixes that `# again:` names.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from placefix import engine
from placefix.diagnostic import Severity
from placefix.engine import Changed, Unchanged
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.source import Source

CASES = Path(__file__).parent / "cases"
FILES = sorted(p for p in CASES.glob("*/*.py") if not p.name.endswith(".fixed.py"))
CODES = sorted(p.name for p in CASES.iterdir() if p.is_dir())

_AGAIN = re.compile(r"^# again: (.*)$", re.MULTILINE)
_HEAD = re.compile(r"# (rules|options): ([^#]*)")
_WANT = re.compile(r"# want: ([^#]*)")


class Case(NamedTuple):
    source: Source
    rules: tuple[str, ...]
    settings: Settings
    unsafe: bool
    fixed: str | None


def read(path: Path) -> Case:
    """A case with what its first lines ask for."""
    source = Source.from_bytes(path.read_bytes(), path.name)
    rules: tuple[str, ...] = (path.parent.name,)
    options: dict[str, str] = {}
    for line in source.text.splitlines()[:2]:
        for kind, value in _HEAD.findall(line) if line.startswith("#") else ():
            if kind == "rules":
                rules = (
                    tuple(r.code for r in RULES)
                    if value.strip() == "all"
                    else tuple(v.strip() for v in value.split(","))
                )
            else:
                options = dict((*word.split("=", 1), "")[:2] for word in value.split())
    major, _, minor = options.get("target-torch", "1.13").partition(".")
    settings = Settings(
        target_torch=(int(major), int(minor)),
        device_idiom=options.get("device-idiom", "cuda"),
        device_name=options.get("device-name", "device"),
        add_placement="add-placement" in options,
    )
    golden = path.with_suffix(".fixed.py")
    fixed = Source.from_bytes(golden.read_bytes()).text if golden.exists() else None
    return Case(source, rules, settings, "unsafe" in options, fixed)


def wanted(source: Source) -> Counter[tuple[int, str, str]]:
    """(row, code, applicability) of every `want` comment."""
    found: Counter[tuple[int, str, str]] = Counter()
    for row, line in enumerate(source.text.splitlines(), 1):
        for value in _WANT.findall(line):
            code, _, kind = value.strip().partition(" ")
            promise, _, severity = kind.partition(", ")
            if promise == "warning":
                promise, severity = "", promise
            found[row, code, (promise or "safe") + (f", {severity}" if severity else "")] += 1
    return found


def chosen(case: Case) -> list[engine.Rule]:
    return [rule for rule in RULES if rule.code in case.rules]


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_case(path: Path) -> None:
    case = read(path)
    has_the_findings_of_its_comments(case)
    is_fixed_as_beside_it(case)


def has_the_findings_of_its_comments(case: Case) -> None:
    found: Counter[tuple[int, str, str]] = Counter()
    for d in engine.check(case.source, case.settings, chosen(case)):
        kind = "report" if d.fix is None else d.fix.applicability.value
        if d.severity is Severity.NOTE:
            assert d.fix is None
            kind = "note"
        elif d.rule.severity is Severity.ERROR and d.severity is not Severity.ERROR:
            kind += f", {d.severity.value}"
        found[case.source.location(d.span.start).row, d.code, kind] += 1
        assert d.message
        assert d.fix is not None or d.note, f"{d.code} is not fixed and does not say why"
        assert d.fix is None or (d.fix.applicability.value == "safe") == (not d.fix.premise)
    assert found == wanted(case.source)


def is_fixed_as_beside_it(case: Case) -> None:
    outcome = engine.fix(case.source, case.settings, chosen(case), unsafe=case.unsafe)
    if case.fixed is None:
        assert isinstance(outcome, Unchanged), outcome
        return
    assert isinstance(outcome, Changed), outcome
    assert outcome.text == case.fixed
    ast.parse(outcome.text)
    again = engine.fix(Source(outcome.text), case.settings, chosen(case), unsafe=case.unsafe)
    expected = [code for line in _AGAIN.findall(case.source.text) for code in line.split(",")]
    assert (
        [d.code for d in again.applied] == expected
        if isinstance(again, Changed)
        else isinstance(again, Unchanged) and not expected
    )


@pytest.mark.parametrize("newline", ["\r\n", "\r"], ids=["windows", "old mac"])
@pytest.mark.parametrize("code", CODES)
def test_lines_that_end_otherwise(code: str, newline: str) -> None:
    for path in (path for path in FILES if path.parent.name == code):
        case = read(path)
        text = case.source.text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", newline)
        source = Source(text, path.name)
        outcome = engine.fix(source, case.settings, chosen(case), unsafe=case.unsafe)
        assert isinstance(outcome, Changed | Unchanged), (path.name, outcome)
        after = outcome.text if isinstance(outcome, Changed) else text
        golden = case.source.text if case.fixed is None else case.fixed
        assert after == golden.replace("\r\n", "\n").replace("\r", "\n").replace("\n", newline), path.name


@pytest.mark.parametrize("code", CODES)
def test_as_many_must_not_change_as_must(code: str) -> None:
    mine = [p for p in FILES if p.parent.name == code]
    must = [p for p in mine if p.with_suffix(".fixed.py").exists()]
    if "There is no fix" in next(rule.documentation for rule in RULES if rule.code == code):
        assert not must
        must = [p for p in mine if "# want:" in p.read_text(encoding="utf-8")]
    assert must, f"{code} has no case that changes; nor does its docstring say: There is no fix"
    assert len(mine) - len(must) >= len(must)


def test_every_golden_file_has_a_case() -> None:
    golden = {p.with_name(p.name.replace(".fixed.py", ".py")) for p in CASES.glob("*/*.fixed.py")}
    assert golden <= set(FILES)
    assert set(CODES) <= {r.code for r in RULES}
