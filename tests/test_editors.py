"""What docs/editors.md tells people to put into their editors, against real output."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parent.parent / "docs" / "editors.md").read_text()
SCRIPT = "import torch\nmodel = torch.nn.Linear(1, 1)\nmodel.cuda()\n"


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def concise(tmp_path: Path) -> str:
    (tmp_path / "train.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "placefix", "check", "--isolated", "--output-format", "concise", "train.py"]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout


def test_the_problem_matcher_reads_every_line(tmp_path: Path) -> None:
    pattern = json.loads(block("json"))["tasks"][0]["problemMatcher"]["pattern"]
    lines = concise(tmp_path).splitlines()
    assert lines
    for line in lines:
        match = re.match(pattern["regexp"], line)
        assert match is not None and match[pattern["file"]] == "train.py" and match[pattern["code"]].startswith("PF")


@pytest.mark.skipif(shutil.which("nvim") is None, reason="needs nvim (Debian: neovim)")
def test_vims_errorformat(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text(concise(tmp_path))
    errorformat = re.search(r"^set errorformat=.*$", block("vim"), re.MULTILINE)
    assert errorformat is not None
    show = "call writefile([json_encode(map(getqflist(), '[v:val.lnum, v:val.valid]'))], 'list.json')"
    subprocess.run(
        ["nvim", "--headless", "-u", "NONE", "-c", errorformat[0], "-c", "cgetfile out.txt", "-c", show, "-c", "qa!"],
        cwd=tmp_path, check=True, capture_output=True, timeout=60,
    )
    listed = json.loads((tmp_path / "list.json").read_text())
    assert listed and all(valid == 1 and row in (2, 3) for row, valid in listed)


@pytest.mark.skipif(shutil.which("nvim") is None, reason="needs nvim (Debian: neovim)")
def test_neovim_shows_what_the_server_finds(tmp_path: Path) -> None:
    listed = concise(tmp_path).splitlines()
    launch = block("lua").replace('{ "placefix", "server" }', f'{{ "{sys.executable}", "-m", "placefix", "server" }}')
    (tmp_path / "init.lua").write_text(
        "vim.cmd('filetype on')\n" + launch + "vim.cmd('edit train.py')\n"
        "vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 50)\n"
        "vim.fn.writefile({ vim.fn.json_encode(vim.diagnostic.get(0)) }, 'found.json')\nvim.cmd('qa!')\n"
    )
    command = ["nvim", "--headless", "-u", "NONE", "-c", "luafile init.lua"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=60)
    found = json.loads((tmp_path / "found.json").read_text())
    assert {(d["lnum"] + 1, d["col"] + 1, d["code"]) for d in found} == {
        (int(row), int(column), rest.split()[0]) for _, row, column, rest in (line.split(":", 3) for line in listed)
    }
