"""Reads the seeded bugs: scripts of 20 to 60 lines, each with one mistake about devices.

A file of `seeded_bugs/` begins with comments, which are not part of its script:

    # want: TEXT        a part of the first sentence about the mistake: it names the culprit
    # gpus: 2           the number of devices, 1 without this
    # memory: BYTES     of each device
    # notebook          the script is a notebook, with `# %%` before each cell
    # file: NAME        another file; the lines after it that begin with `#     ` are its text

The line with the mistake ends with `# here`. It is `train.py:LINE`, or `train.ipynb, cell N, line M`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent / "seeded_bugs"
_HEADER = re.compile(r"# (want|gpus|memory|file|notebook)(?:: (.*))?")


@dataclass
class SeededBug:
    """One script, its other files by name, and what is expected of it."""

    name: str
    text: str = ""
    want: str = ""
    gpus: int = 1
    memory: int = 0
    is_notebook: bool = False
    files: dict[str, str] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """The place of the mistake."""
        if not self.is_notebook:
            return f"train.py:{_line_of_mistake(self.text)}"
        cell, line = next((n, _line_of_mistake(cell)) for n, cell in enumerate(self.cells, 1) if "# here" in cell)
        return f"train.ipynb, cell {cell}, line {line}"

    @property
    def cells(self) -> list[str]:
        """The cells of a notebook."""
        return [cell.strip("\n") for cell in self.text.split("# %%\n")[1:]]

    def write(self, folder: Path) -> Path:
        """Write all files; returns the path of the script."""
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        path = folder / ("train.ipynb" if self.is_notebook else "train.py")
        text = self.text
        if self.is_notebook:
            cells = [
                {"cell_type": "code", "source": cell, "metadata": {}, "outputs": [], "execution_count": None}
                for cell in self.cells
            ]
            text = json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells})
        path.write_text(text, encoding="utf-8")
        return path


def _line_of_mistake(text: str) -> int:
    """The line that ends with `# here`, or the last one."""
    lines = text.splitlines()
    return next((number for number, line in enumerate(lines, 1) if line.endswith("# here")), len(lines))


def seeded_bugs() -> list[SeededBug]:
    """All of them."""
    return [_read(path) for path in sorted(FOLDER.glob("*.txt"))]


def _read(path: Path) -> SeededBug:
    bug = SeededBug(path.stem)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    other = ""
    while lines:
        match = _HEADER.match(lines[0])
        if match is not None:
            key, value = match[1], match[2] or ""
            if key == "file":
                other = value
                bug.files[other] = ""
            elif key == "notebook":
                bug.is_notebook = True
            else:
                setattr(bug, key, value if key == "want" else int(value))
        elif other and (lines[0].startswith("#     ") or lines[0] == "#\n"):
            bug.files[other] += lines[0][6:] or "\n"
        else:
            break
        lines.pop(0)
    bug.text = "".join(lines)
    return bug
