"""The severity of findings: in every format, in totals, and as a filter of what is reported and fixed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import placefix
from fakes import git, run
from placefix.cli import app
from placefix.report import FORMATS

if TYPE_CHECKING:
    from pathlib import Path

# An error (PF302), a warning (PF401) and style (PF201).
SCRIPT = """\
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.to(device)
x = torch.zeros(2, 4).cuda()
y = torch.zeros(2, 4)
loss = (model(x) - y).sum()
"""
ALL = {"error": "PF302", "warning": "PF401", "style": "PF201"}


def found(*arguments: str, capsys: pytest.CaptureFixture[str], code: int = 1) -> tuple[list[dict[str, str]], str]:
    """The findings of a run over the working directory as JSON has them, and its summary."""
    with pytest.raises(SystemExit) as stop:
        app(["check", "--no-cache", "--output-format", "json", *arguments])
    assert stop.value.code == code
    said = capsys.readouterr()
    return json.loads(said.out), said.err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "train.py").write_text(SCRIPT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("least", "shown", "hidden"),
    [("style", ("error", "warning", "style"), 0), ("warning", ("error", "warning"), 1), ("error", ("error",), 2)],
)
@pytest.mark.parametrize("where", ["option", "configuration"])
def test_less_severe_findings_are_hidden_and_counted(
    folder: Path, capsys: pytest.CaptureFixture[str], where: str, least: str, shown: tuple[str, ...], hidden: int
) -> None:
    if where == "configuration":
        (folder / "placefix.toml").write_text(f'severity = "{least}"\n')
    findings, summary = found(*(["--severity", least] if where == "option" else []), capsys=capsys)
    assert {(f["severity"], f["code"]) for f in findings} == {(severity, ALL[severity]) for severity in shown}
    told = f"{hidden} problem{'s' * (hidden > 1)} below the severity asked for not shown."
    assert (told in summary) == (hidden > 0), summary
    totals = {"style": "1 error, 1 warning, 1 style", "warning": "1 error, 1 warning", "error": "1 error"}
    assert f"Found {len(shown)} problem{'s' * (len(shown) > 1)} in 1 file: {totals[least]} (" in summary


def test_nothing_of_the_severity_is_success(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "train.py").write_text(SCRIPT.split("x = ")[0])
    findings, summary = found("--severity", "warning", capsys=capsys, code=0)
    assert findings == []
    assert summary == "Nothing found in 1 file. 1 problem below the severity asked for not shown.\n"


def test_an_option_lies_over_the_configuration(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "placefix.toml").write_text('severity = "error"\n')
    assert len(found("--severity", "style", capsys=capsys)[0]) == 3


@pytest.mark.parametrize(
    ("least", "reorders", "respells"), [(None, True, True), ("warning", False, True), ("error", False, False)]
)
def test_apply_fixes_nothing_below_the_severity(
    folder: Path, least: str | None, reorders: bool, respells: bool
) -> None:
    """PF201 is style, and applied by default."""
    with pytest.raises(SystemExit):
        app(["apply", *(["--severity", least] if least else [])])
    text = (folder / "train.py").read_text()
    assert (text.index("model.to(device)") < text.index("optimizer =")) == reorders
    assert ("cuda()" not in text) == respells
    assert "y = torch.zeros(2, 4, device=" in text or "y = torch.zeros(2, 4).to(" in text or "y.to(" in text
    outcome = placefix.fix_source(SCRIPT, options=placefix.Options(severity=least))
    assert isinstance(outcome, placefix.Changed) and outcome.text == text, "the API does the same"


def test_the_reorders_are_style() -> None:
    from placefix.rules import RULES

    assert {rule.code: rule.severity.value for rule in RULES if rule.code in ("PF102", "PF201")} == {
        "PF102": "style",
        "PF201": "style",
    }


def test_a_cache_keeps_severities_apart(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"a{number}.py").write_text("model.cuda()\n")
    for least, code in (("error", 0), ("warning", 1), ("error", 0)):
        assert run("check", "--severity", least, "-j", "1", cwd=tmp_path).returncode == code


def test_a_severity_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("model.cuda()\n")
    assert run("check", "--severity", "info", cwd=tmp_path).returncode == 2
    (tmp_path / "placefix.toml").write_text('severity = "note"\n')
    done = run("check", cwd=tmp_path)
    assert done.returncode == 2
    assert b'placefix.toml: severity: must be "error" or "warning" or "style"' in done.stderr


WORDS = {
    "sarif": '"severity": "warning"',
    "gitlab": '"severity": "major"',
    "github": "::warning ",
    "rdjson": '"severity": "WARNING"',
}


@pytest.mark.parametrize("output_format", FORMATS)
def test_every_format_has_the_severity(tmp_path: Path, output_format: str) -> None:
    (tmp_path / "a.py").write_text("model.cuda()\n")
    shown = run("check", "--output-format", output_format, cwd=tmp_path).stdout.decode()
    assert WORDS.get(output_format, "warning") in shown


TWICE = """\
import torch
from torch import nn

model = nn.Linear(4, 4)
model.cuda()
x = torch.zeros(2, 4).cuda()
other = nn.Linear(4, 4).cuda()
"""


def test_a_definition_is_shown_once_in_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "train.py").write_text(TWICE)
    (folder / "other.py").write_text(TWICE)
    with pytest.raises(SystemExit):
        app(["check", "--select", "PF401", "--no-cache"])
    other, train = capsys.readouterr().out.split("train.py: 3 warnings\n")
    assert other.startswith("other.py: 3 warnings\n\nother.py:")
    for part in (other, train):
        assert part.count("+device = torch.device(") == 1
        assert part.count("with: device = torch.device(") == 2
        assert part.count("(shown at 5:7)") == 2
        assert "+model.to(device)" in part and "+other = nn.Linear(4, 4).to(device)" in part


def test_statistics_have_the_severity(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("model.cuda()\n")
    assert run("check", "--statistics", cwd=tmp_path).stdout == b"1  warning PF901 [*] fake-cuda\n"
