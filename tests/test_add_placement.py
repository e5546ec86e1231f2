"""`--add-placement`: off unless it is asked for, all or nothing, and `check` says what `apply` does."""

from __future__ import annotations

from pathlib import Path

import pytest

import placefix
from command import run_text as run
from placefix import Options
from placefix.engine import Changed, Unchanged

CASES = Path(__file__).parent / "cases" / "PF501"
SCRIPT = (CASES / "main_function.py").read_text()
FIXED = (CASES / "main_function.fixed.py").read_text()
UNKNOWN = (CASES / "handed_out.py").read_text()
LEFT = (CASES / "unknown_batches.py").read_text()


def test_it_is_off(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SCRIPT)
    assert run("check", "a.py", cwd=tmp_path).returncode == 0
    assert isinstance(placefix.fix_source(SCRIPT), Unchanged)
    assert isinstance(placefix.fix_source(SCRIPT, options=Options(select=("PF5",))), Unchanged)


@pytest.mark.parametrize("how", ["option", "configuration", "code"])
def test_it_is_asked_for(tmp_path: Path, how: str) -> None:
    (tmp_path / "a.py").write_text(SCRIPT)
    if how == "configuration":
        (tmp_path / "placefix.toml").write_text("add-placement = true\n")
    options = {"option": ["--add-placement"], "configuration": [], "code": ["--select", "PF501,PF3"]}[how]
    checked = run("check", "--output-format", "concise", *options, "a.py", cwd=tmp_path)
    assert (checked.returncode, checked.stdout[:30]) == (1, "a.py:24:13: style PF501 [*] th")
    assert run("apply", *options, "a.py", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.py").read_text() == FIXED


def test_the_option_lies_over_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SCRIPT)
    (tmp_path / "placefix.toml").write_text("add-placement = true\n")
    assert run("check", "--no-add-placement", "a.py", cwd=tmp_path).returncode == 0
    (tmp_path / "placefix.toml").write_text('add-placement = true\nignore = ["PF501"]\n')
    assert run("check", "a.py", cwd=tmp_path).returncode == 0
    (tmp_path / "placefix.toml").write_text('add-placement = "yes"\n')
    assert "add-placement: must be true or false" in run("check", "a.py", cwd=tmp_path).stderr


def test_without_the_rules_that_place_the_rest_it_refuses() -> None:
    options = Options(select=("PF501",))
    (finding,) = placefix.check_source(SCRIPT, options=options)
    assert finding.fix is None
    assert "stays on the CPU" in finding.note
    assert isinstance(placefix.fix_source(SCRIPT, options=options), Unchanged)


def test_what_is_not_shown_is_the_premise() -> None:
    (finding,) = placefix.check_source(UNKNOWN, options=Options(add_placement=True))
    assert finding.fix is not None
    assert finding.fix.applicability is placefix.Applicability.UNSAFE
    assert "may be wanted on the CPU" in finding.fix.premise
    assert isinstance(placefix.fix_source(UNKNOWN, options=Options(add_placement=True)), Unchanged)


def test_what_is_left_behind_is_the_reason_against_it() -> None:
    (finding,) = placefix.check_source(LEFT, options=Options(add_placement=True))
    assert finding.fix is None
    assert "`x` stays on the CPU" in finding.note
    assert isinstance(placefix.fix_source(LEFT, options=Options(add_placement=True, unsafe_fixes=True)), Unchanged)


def test_a_second_run_changes_nothing() -> None:
    outcome = placefix.fix_source(SCRIPT, options=Options(add_placement=True))
    assert isinstance(outcome, Changed)
    assert isinstance(placefix.fix_source(outcome.text, options=Options(add_placement=True)), Unchanged)


def test_the_idiom_and_the_name_are_kept_to() -> None:
    outcome = placefix.fix_source(
        SCRIPT, options=Options(add_placement=True, device_idiom="accelerator", device_name="dev")
    )
    assert isinstance(outcome, Changed)
    assert 'dev = torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")\n' in outcome.text
    assert "x = x.to(dev)" in outcome.text
