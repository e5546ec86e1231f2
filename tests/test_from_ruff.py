"""The tables of docs/from-ruff.md: each command is run by ruff and by placefix, and each key is read by both."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from command import run
from fakes import git

PAGE = (Path(__file__).parent.parent / "docs" / "from-ruff.md").read_text(encoding="utf-8")
BIN = Path(sys.executable).parent
# Both find one problem, with a safe fix.
SCRIPT = "import os\n\nimport torch\n\nx = torch.zeros(1).cuda()\n"
NONE = "none"
_SHELL = frozenset("|<>&;$*~")  # what a shell reads in a command

_ROW = re.compile(r"^\| (`[^`]+`|none) \| (`[^`]+`|none) \| (\d|-) \| (\d|-) \|", re.MULTILINE)
ROWS = [tuple(cell.strip("`") for cell in row) for row in _ROW.findall(PAGE)]
KEYS = re.findall(r"^\| `([\w-]+)` \| `([\w-]+)` \|", PAGE, re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.py").write_text(SCRIPT)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")
    return root


def ended(command: str, folder: Path) -> tuple[int, str]:
    """The exit code of a command, and what it prints."""
    tool, _, rest = command.partition(" ")
    if tool == "ruff" and not (BIN / "ruff").exists():
        pytest.skip("needs ruff")
    program = f'"{BIN / "ruff"}"' if tool == "ruff" else f'"{sys.executable}" -m placefix'
    home = str(folder.parent)
    environment = {
        **os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1", "XDG_STATE_HOME": home,
        "XDG_CACHE_HOME": home, "RUFF_NO_CACHE": "true",
    }  # fmt: skip
    if tool == "placefix" and _SHELL.isdisjoint(rest):
        ran = run(*shlex.split(rest), cwd=folder, stdin=SCRIPT.encode(), env=environment)
        return ran.returncode, (ran.stdout + ran.stderr).decode()
    done = subprocess.run(
        f"{program} {rest}",
        shell=True,
        cwd=folder,
        input=SCRIPT,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=600,
    )
    return done.returncode, done.stdout + done.stderr


def test_there_are_rows() -> None:
    assert len(ROWS) + len(KEYS) >= 40
    assert len(set(ROWS)) == len(ROWS)


@pytest.mark.proof  # a hundred commands
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1] if row[1] != NONE else row[0])
def test_a_row_is_true(row: tuple[str, str, str, str], folder: Path) -> None:
    for command, code in zip(row[:2], row[2:], strict=True):
        assert (command == NONE) == (code == "-")
        if command != NONE:
            git(folder, "checkout", "-q", ".")
            found, said = ended(command, folder)
            assert str(found) == code, f"{command}: {said}"
            assert command.startswith("ruff") or "Traceback" not in said


# key → (its value for ruff, its value for placefix, whether the problem is still reported)
VALUES: dict[str, tuple[str, str, bool]] = {
    "required-version": ('">=0.1"', '">=0.1"', True),
    "extend": ('"base.toml"', '"base.toml"', False),
    "select": ('["E7"]', '["PF1"]', False),
    "extend-select": ('["E501"]', '["PF501"]', True),
    "ignore": ('["F401"]', '["PF401"]', False),
    "per-file-ignores": ('{"a.py" = ["F"]}', '{"a.py" = ["PF4"]}', False),
    "exclude": ('["a.py"]', '["a.py"]', False),
    "fixable": ('["E"]', '["PF1"]', True),
    "unfixable": ('["F401"]', '["PF401"]', True),
    "extend-safe-fixes": ('["F"]', '["PF4"]', True),
    "extend-unsafe-fixes": ('["F401"]', '["PF401"]', True),
    "line-length": ("100", "100", True),
}
FIXES = {"extend-safe-fixes", "required-version", "extend-select", "line-length"}  # after which `--fix` repairs it
_LINT = {
    "select",
    "extend-select",
    "ignore",
    "per-file-ignores",
    "fixable",
    "unfixable",
    "extend-safe-fixes",
    "extend-unsafe-fixes",
}


@pytest.mark.parametrize("key", [ruff for ruff, _ in KEYS])
@pytest.mark.parametrize("tool", ["ruff", "placefix"])
def test_a_key_is_read(key: str, tool: str, folder: Path) -> None:
    value = VALUES[key][tool == "placefix"]
    if tool == "ruff":
        (folder / "base.toml").write_text('lint.ignore = ["F401"]\n')
        (folder / "ruff.toml").write_text(f"{'lint.' * (key in _LINT)}{key} = {value}\n")
    else:
        (folder / "base.toml").write_text('ignore = ["PF401"]\n')
        (folder / "placefix.toml").write_text(f"{key} = {value}\n")
    code, said = ended(f"{tool} check", folder)
    assert code == int(VALUES[key][2]), said
    if VALUES[key][2]:
        assert ended(f"{tool} check --fix", folder)[0] == int(key not in FIXES)


def test_every_key_has_its_counterpart() -> None:
    assert {ruff for ruff, _ in KEYS} == set(VALUES)
    assert all(ruff == ours for ruff, ours in KEYS)
