"""`apply` fixes what `check` called safe, and nothing that it called unsafe or refused."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

from agreement import ROOT, USUAL, disagreements, mutated
from corpus_support import placefix
from placefix.diagnostic import Diagnostic, Fix, Severity, Span
from placefix.finding_tracker import FindingTracker
from placefix.source import Source
from placefix.text_edits import TextEdit, splice
from test_cases import FILES, chosen, read

SCRIPTS = sorted((ROOT / "corpus" / "scripts").glob("*.py"))[::4]


@pytest.mark.parametrize("path", FILES[::9], ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_cases(path: Path) -> None:
    case = read(path)
    assert not disagreements(case.source, case.settings, chosen(case))
    assert not disagreements(case.source)
    for text in mutated(case.source.text, 2):
        assert not disagreements(Source(text))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.stem)
def test_scripts(path: Path) -> None:
    assert not disagreements(Source.from_bytes(path.read_bytes(), path.name))


def test_what_follows_is_counted_apart(tmp_path: Path) -> None:
    """The fix of PF302 writes `.cuda()`, as the line above has it; PF401 replaces that, too."""
    (tmp_path / "t.py").write_text(
        "import torch\nfrom torch import nn\n\nmodel = nn.Linear(3, 3).cuda()\nx = torch.zeros(3)\nout = model(x)\n"
    )
    args = ("--isolated", "--no-cache", "t.py")
    assert placefix("check", *args, cwd=tmp_path).stderr.startswith(b"Found 2 problems in 1 file:")
    done = placefix("apply", "--diff", *args, cwd=tmp_path)
    assert done.stderr == b"Would fix 2 problems and 1 that followed from the fixes in 1 file.\n"
    assert placefix("apply", *args, cwd=tmp_path).stderr.startswith(b"Fixed 2 problems and 1 that followed ")
    assert placefix("apply", *args, cwd=tmp_path).stderr == b"Nothing to fix.\n"


def finding(text: str, part: str, *, fixed: bool = True) -> Diagnostic:
    start = text.index(part)
    fix = Fix((), "") if fixed else None
    return Diagnostic(
        USUAL[0], Span(start, start + len(part)), "", Severity.WARNING, fix, "" if fixed else "not fixed: why"
    )


def test_a_refusal_is_followed() -> None:
    text = "a()\nb()\nc()\n"
    source = Source(text)
    held, free = finding(text, "b()", fixed=False), finding(text, "c()")
    verdicts = FindingTracker(source, [held, free], [free])
    edits = [TextEdit(0, 0, "import torch\n"), TextEdit(8, 9, "cc")]
    verdicts.follow(edits)
    after = splice(text, edits)
    assert after == "import torch\na()\nb()\ncc()\n"
    judged = verdicts.limit_promises(Source(after), [finding(after, part) for part in ("a()", "b()", "cc()")])
    assert [d.fix is not None for d in judged] == [True, False, True]
    assert judged[1].note == "not fixed in this run: why"


def test_a_refusal_moves_with_its_statement() -> None:
    text = "a()\nb()\nc()\n"
    held = finding(text, "b()", fixed=False)
    verdicts = FindingTracker(Source(text), [held], [])
    edits = [TextEdit(4, 8, ""), TextEdit(12, 12, "b()\n")]
    verdicts.follow(edits)
    after = splice(text, edits)
    assert after == "a()\nc()\nb()\n"
    judged = verdicts.limit_promises(Source(after), [finding(after, part) for part in ("a()", "c()", "b()")])
    assert [d.fix is not None for d in judged] == [True, True, False]


@pytest.mark.proof  # every case and script is checked and fixed
def test_what_would_follow_is_listed() -> None:
    said = placefix(
        "check", "--isolated", "--output-format", "concise", "corpus/scripts/classic_image_train.py", cwd=ROOT
    )
    more = placefix(
        "check",
        "--isolated",
        "--preview",
        "--output-format",
        "concise",
        "corpus/scripts/classic_image_train.py",
        cwd=ROOT,
    )
    assert said.returncode == more.returncode == 1
    following = set(more.stdout.decode().splitlines()) - set(said.stdout.decode().splitlines())
    # the one `.cuda()`, where it is once PF102 has moved it, and those that PF301 writes like it
    assert [line.split()[:3] for line in sorted(following)] == [
        [f"corpus/scripts/classic_image_train.py:{place}:", "note", "PF401"] for place in ("38:1", "47:9", "60:13")
    ]
    assert not any("[*]" in line for line in following)
