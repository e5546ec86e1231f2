"""What commands print, in the pages that show it.

    python docs/tools/transcripts.py     runs the commands of all pages again and rewrites what they print

A page that needs a repository to show something in says so in a comment, `<!-- commands run in: example -->`. Its ```console blocks
are run one after another in a fresh git repository made of that folder; a line that starts with `$ ` is a command, and what follows
is what it prints. A long output may be cut by `| head` and the like in the command itself: nothing is left out silently.
`tests/test_docs.py` runs them too, and fails where they print something else.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).parents[1]
SOURCE = DOCS.parent / "src"

_FOLDER = re.compile(r"^<!-- commands run in: (\S+) -->$", re.MULTILINE)
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages() -> Iterator[Path]:
    """The pages with commands that can be run."""
    return (page for page in sorted(DOCS.glob("*.md")) if _FOLDER.search(page.read_text(encoding="utf-8")))


def needs_torch(text: str) -> bool:
    """Whether a page runs scripts, and not only placefix."""
    return any("placefix verify" in command for command in commands(text))


def commands(text: str) -> list[str]:
    return [line[2:] for block in _BLOCK.findall(text) for line in block.splitlines() if line.startswith("$ ")]


def rerun(text: str) -> str:
    """The page's text with what its commands print now."""
    folder = _FOLDER.search(text)
    if folder is None:
        return text
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        work = place / "project"
        shutil.copytree(DOCS / folder[1], work, ignore=shutil.ignore_patterns("__pycache__"))
        environment = _environment(place)
        for command in ("git init -q .", "git add -A", "git commit -qm start"):
            _printed(command, work, environment)

        def block(match: re.Match[str]) -> str:
            lines = []
            for line in match[1].splitlines():
                if line.startswith("$ "):
                    printed = _printed(line[2:], work, environment)
                    lines += [line, *printed.rstrip("\n").splitlines()] if printed.strip() else [line]
            return "\n".join(["```console", *lines, "```"])

        return _BLOCK.sub(block, text)


def _printed(command: str, work: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=work,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    return done.stdout


def _environment(place: Path) -> dict[str, str]:
    """Nothing of the user's, and `placefix` and `python` for commands."""
    (place / "bin").mkdir()
    for name, arguments in (("placefix", " -m placefix"), ("python", "")):
        command = place / "bin" / name
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n')
        command.chmod(0o755)
    home = place / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\nname = you\nemail = you@example.org\n[init]\ndefaultBranch = main\n")
    return {
        "PATH": f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "COLUMNS": "110",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(SOURCE),
        "GIT_CONFIG_NOSYSTEM": "1",
    }


if __name__ == "__main__":
    for page in pages():
        page.write_text(rerun(page.read_text(encoding="utf-8")), encoding="utf-8")
