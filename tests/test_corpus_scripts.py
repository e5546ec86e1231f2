"""The scripts of our own: each does what INTENT.tsv says, and its diff is the reviewed one."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corpus_support import ROOT, git, judge, placefix
from placefix.engine import Unchanged
from placefix.source import Source

INTENTS = judge.read_intents()
FIXED = [intent for intent in INTENTS if intent.diff.exists()]


def test_every_script_has_an_intent_and_every_diff_a_script() -> None:
    names = sorted(path.name for path in judge.SCRIPTS.glob("*.py"))
    assert names == sorted(intent.script for intent in INTENTS)
    assert {p.stem for p in judge.SCRIPTS.glob("*.diff")} <= {Path(name).stem for name in names}
    assert len(names) >= 48
    must_not = [i for i in INTENTS if i.expect in ("silent", "reported")]
    must = [i for i in INTENTS if i.expect == "fixed"]
    assert len(must) >= 48
    assert len(must_not) >= 48


@pytest.mark.parametrize("intent", INTENTS, ids=lambda intent: intent.script)
def test_script(intent: judge.Intent) -> None:
    assert judge.disagreements(intent) == []
    has_the_reviewed_diff(intent)
    has_the_intended_bytes(intent)
    if intent in FIXED:
        parses_and_settles(intent)


def has_the_reviewed_diff(intent: judge.Intent) -> None:
    reviewed = intent.diff.read_bytes() if intent.diff.exists() else b""
    assert judge.script_diff(intent.path) == reviewed, "run `python corpus/update.py --scripts` and review"
    assert bool(reviewed) == (intent.expect == "fixed") or intent.expect == "any"


def test_the_command_line_prints_these_diffs() -> None:
    done = placefix("apply", "--diff", "--isolated", "corpus/scripts", cwd=ROOT)
    reviewed = b"".join(intent.diff.read_bytes() for intent in sorted(FIXED, key=lambda i: i.script))
    assert done.stdout == reviewed
    assert done.returncode == 1, done.stderr.decode()


def parses_and_settles(intent: judge.Intent) -> None:
    before = intent.path.read_bytes()
    after, _ = judge.fix(intent.script, before)
    assert after != before
    assert _parses(before) == ("PF400" not in intent.safe)
    ast.parse(after)
    again, outcome = judge.fix(intent.script, after)
    assert again == after
    assert isinstance(outcome, Unchanged)


def _parses(data: bytes) -> bool:
    try:
        ast.parse(data)
    except SyntaxError:
        return False
    return True


def test_diffs_apply_and_revert(tmp_path: Path) -> None:
    scripts = tmp_path / "corpus" / "scripts"
    shutil.copytree(judge.SCRIPTS, scripts)
    git("init", "-q", cwd=tmp_path)
    for intent in FIXED:
        before = intent.path.read_bytes()
        git("apply", "--whitespace=nowarn", str(intent.diff), cwd=tmp_path)
        assert (scripts / intent.script).read_bytes() == judge.fix(intent.script, before)[0]
        git("apply", "--whitespace=nowarn", "-R", str(intent.diff), cwd=tmp_path)
        assert (scripts / intent.script).read_bytes() == before


_FORMATS = {
    "crlf": lambda data: b"\r\n" in data and b"\n" not in data.replace(b"\r\n", b""),
    "mixed-newlines": lambda data: b"\r\n" in data and b"\n" in data.replace(b"\r\n", b""),
    "tabs": lambda data: b"\n\t" in data,
    "bom": lambda data: data.startswith(b"\xef\xbb\xbf"),
    "no-final-newline": lambda data: not data.endswith(b"\n"),
    "form-feed": lambda data: b"\n\x0c" in data,
    "continuation": lambda data: b"\\\n" in data,
    "latin-1": lambda data: Source.from_bytes(data).encoding == "iso-8859-1" and not data.isascii(),
    "utf-8": lambda data: not data.isascii() and data.decode("utf-8") != "",
}


def has_the_intended_bytes(intent: judge.Intent) -> None:
    data = intent.path.read_bytes()
    seen = {name for name, test in _FORMATS.items() if name != "utf-8" and test(data)}
    assert seen == intent.format - {"utf-8"}
    if "utf-8" in intent.format:
        assert _FORMATS["utf-8"](data)
    # a fix leaves the format as it is
    after, _ = judge.fix(intent.script, data)
    kept = intent.format & {"crlf", "tabs", "bom", "no-final-newline", "form-feed", "latin-1"}
    assert kept == {name for name in kept if _FORMATS[name](after)}


def _torch_python() -> str | None:
    if importlib.util.find_spec("torch"):
        return sys.executable
    return os.environ.get("PLACEFIX_TORCH_PYTHON")


@pytest.mark.long
@pytest.mark.battery  # it runs every script twice; the simulator does so in the proofs
def test_scripts_run_on_a_cpu_before_and_after(tmp_path: Path) -> None:
    """Fixed scripts run on a machine without a GPU and print the same losses as before."""
    python = _torch_python()
    if python is None:
        pytest.skip("torch is not installed (nor PLACEFIX_TORCH_PYTHON set): the scripts are not run")
    for folder in ("before", "after"):
        (tmp_path / folder).mkdir()
    jobs = []
    for intent in INTENTS:
        data = intent.path.read_bytes()
        after, _ = judge.fix(intent.script, data)
        for folder, text in (("before", data), ("after", after)):
            path = tmp_path / folder / intent.script
            path.write_bytes(text)
            if folder == "before" or after != data:
                jobs.append(str(path))
    runner = Path(__file__).with_name("run_scripts.py")
    done = subprocess.run(
        [python, str(runner)], input=json.dumps(jobs), capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    results = {Path(path).parts[-2:]: result for path, result in json.loads(done.stdout).items()}

    problems = []
    for intent in INTENTS:
        before = results["before", intent.script]
        after = results.get(("after", intent.script))
        if intent.cpu == "after":
            if before["status"] == 0:
                problems.append(f"{intent.script}: runs without a GPU before the fix already")
        elif before["status"] != 0:
            problems.append(f"{intent.script}: does not run: {before['error']}")
        if after is None:
            continue
        if after["status"] != 0:
            problems.append(f"{intent.script}: does not run once fixed: {after['error']}")
        elif before["status"] == 0 and before["output"] != after["output"]:
            problems.append(f"{intent.script}: prints something else once fixed")
        elif intent.cpu == "after" and not after["output"].strip():
            problems.append(f"{intent.script}: prints nothing")
    assert problems == []
