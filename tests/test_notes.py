"""Notes: what stays as it is is said, and is no fault: no run fails because of it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

import placefix
from command import run

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

STAYS = b"""import torch


def batches(loader, use_cuda, several):
    for x in loader:
        if use_cuda and several:
            x = x.half().cuda()
        yield x
"""


def check(folder: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
    (folder / "a.py").write_bytes(STAYS)
    return run("check", "--no-cache", *options, "a.py", cwd=folder)


def test_a_note_is_said_and_fails_nothing(tmp_path: Path) -> None:
    done = check(tmp_path)
    assert done.returncode == 0
    assert b"a.py:6:9: note PF403 " in done.stdout
    assert b"note: kept: " in done.stdout
    assert done.stderr == b"Nothing found in 1 file. 1 note on code that stays unchanged.\n"


@pytest.mark.parametrize(
    ("output_format", "holds"),
    [
        ("json", b'"severity": "note"'),
        ("sarif", b'"level": "note"'),
        ("gitlab", b'"severity": "info"'),
        ("github", b"::notice "),
    ],
)
def test_formats_for_machines_tell_notes_apart(tmp_path: Path, output_format: str, holds: bytes) -> None:
    assert holds in check(tmp_path, "--output-format", output_format).stdout


def test_a_note_is_no_failed_test_and_is_not_counted(tmp_path: Path) -> None:
    junit = check(tmp_path, "--output-format", "junit").stdout
    assert b"<failure" not in junit
    assert b"nothing found (1 read)" in junit
    assert json.loads(check(tmp_path, "--statistics", "--output-format", "json").stdout) == []


def test_the_page_shows_notes_and_counts_them_apart(tmp_path: Path) -> None:
    check(tmp_path, "--report", "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    cards = {name: int(number) for number, name in re.findall(r"<b>(\d+)</b><span>([^<]*)</span>", page)}
    assert cards == {
        "findings": 0,
        "safe fix": 0,
        "unsafe fix": 0,
        "suggestion only": 0,
        "no fix": 0,
        "notes": 1,
        "files with findings": 0,
        "files read": 1,
    }
    assert '"severity":"note"' in page
    assert '<g class="bar"' not in page


def test_a_device_that_is_bound_below_is_not_said_to_be_at_hand() -> None:
    """Its name is taken all the same."""
    text = "import torch\n\n\ndef run(args):\n    x = torch.ones(3).cuda()\n    device = args.pick()\n    return x.to(device)\n"
    notes = [d.note for d in placefix.check_source(text) if d.code == "PF401"]
    assert notes == ["not fixed: `device` is bound further down, and its value here is not known"]


@pytest.mark.parametrize(
    ("between", "reason"),
    [
        ("if fresh:\n    print('new')\n    net.weight.requires_grad_(False)", "line 8 changes the module's parameters"),
        ("for name in names:\n    if name:\n        break\n    exit()", "line 9 may leave this block"),
        (
            "while names:\n    if fresh:\n        continue\n    helper(net)",
            "line 9 passes the module to unknown code",
        ),
        ("net.weight.requires_grad_(False)", "line 6 changes the module's parameters"),
    ],
)
def test_a_reason_names_the_statement_not_its_block(between: str, reason: str) -> None:
    text = (
        "import torch\nfrom unseen import fresh, helper, names\n\nnet = torch.nn.Linear(2, 2)\n"
        f"opt = torch.optim.Adam(net.parameters())\n{between}\nnet.to('cuda')\nopt.step()\n"
    )
    (note,) = [d.note for d in placefix.check_source(text) if d.code == "PF201"]
    assert reason in note
