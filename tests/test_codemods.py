"""The libcst commands write, byte for byte, what `placefix apply --select …` writes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from libcst.codemod import CodemodContext

from placefix import Options, fix_paths
from placefix.rules import RULES

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "corpus" / "scripts"
COMMANDS = {
    "place_before_wrap.PlaceBeforeWrapCommand": ("PF1",),
    "optimizer_after_placement.OptimizerAfterPlacementCommand": ("PF2",),
    "batch_to_device.BatchToDeviceCommand": ("PF3",),
    "device_agnostic.DeviceAgnosticCommand": ("PF4",),
    "placefix_all.PlacefixAllCommand": None,
}
CLASSIC = """\
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(8, 2)
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
model = nn.DataParallel(model)
model.to(device)  # onto the GPU: é
data = TensorDataset(torch.randn(64, 8), torch.randint(2, (64,)))
for x, y in DataLoader(data, batch_size=8):
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
"""


def layouts() -> dict[str, bytes]:
    """One program in the formats Python files come in."""
    utf8 = CLASSIC.encode()
    return {
        "lf.py": utf8,
        "crlf.py": utf8.replace(b"\n", b"\r\n"),
        "cr.py": utf8.replace(b"\n", b"\r"),
        "bom.py": b"\xef\xbb\xbf" + utf8.replace(b"\n", b"\r\n"),
        "latin.py": b"# -*- coding: latin-1 -*-\n" + CLASSIC.encode("latin-1"),
        "unended.py": utf8.rstrip(b"\n"),
        "feed.py": utf8.replace(b"model = nn.Linear", b"\fmodel = nn.Linear"),
        "tabs.py": utf8.replace(b"    ", b"\t"),
        "generated.py": b"# @" + b"generated\n" + utf8,
        "untouched.py": b"\f\fx = 1\r\ry = 2\n\n\n\r",
        "empty.py": b"",
    }


def fill(folder: Path) -> None:
    folder.mkdir()
    # libcst reads a file before a command sees it, and reads no async=True
    for diff in [diff for diff in sorted(SCRIPTS.glob("*.diff")) if diff.stem != "async_keyword"][::3]:
        script = diff.with_suffix(".py")
        (folder / script.name).write_bytes(script.read_bytes())
    for name, data in layouts().items():
        (folder / name).write_bytes(data)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.py"))}


def tool(*arguments: str) -> subprocess.CompletedProcess[str]:
    paths = [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    command = [sys.executable, "-m", "libcst.tool", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("command", COMMANDS)
def test_same_bytes_as_apply(command: str, tmp_path: Path) -> None:
    select = COMMANDS[command]
    mine, theirs = tmp_path / "placefix", tmp_path / "libcst"
    fill(mine)
    fill(theirs)
    before = contents(mine)
    fix_paths([mine], options=Options(select=select, ignore=("PF001",)))  # a command judges each file alone
    done = tool("codemod", command, "--hide-progress", "-j", "1", str(theirs))
    assert done.returncode == 0, done.stderr
    assert contents(theirs) == contents(mine)
    assert contents(mine) != before


@pytest.mark.parametrize("text", [b"print 'Python 2'\n", b"x = x.cuda(async=True)\n"])
def test_a_failure_leaves_the_file(text: bytes, tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_bytes(text)
    done = tool("codemod", "placefix_all.PlacefixAllCommand", "--hide-progress", "-j", "1", str(bad))
    assert done.returncode == 1
    assert "Failed to codemod 1 files" in done.stderr
    assert bad.read_bytes() == text


def test_the_tool_lists_them() -> None:
    done = tool("list")
    listed = {line.split(" ")[0] for line in done.stdout.splitlines()}
    assert listed == set(COMMANDS), done.stdout + done.stderr


def test_every_transform_has_a_command() -> None:
    prefixes = {code for select in COMMANDS.values() for code in select or ()}
    assert {
        rule.code[:3] for rule in RULES if not rule.opt_in and rule.check_suppressions is None
    } <= prefixes  # opt-in rules have an option of their own


def test_without_a_file_the_tree_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    import libcst as cst

    monkeypatch.syspath_prepend(str(ROOT))
    from codemods.placefix_all import PlacefixAllCommand

    fixed = PlacefixAllCommand(CodemodContext()).transform_module(cst.parse_module(CLASSIC))
    assert fixed.code != CLASSIC
    assert fixed.bytes == fixed.code.encode()
    assert PlacefixAllCommand(CodemodContext()).transform_module(cst.parse_module("x = 1")).code == "x = 1"
