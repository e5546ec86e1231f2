"""Draws docs/assets/terminal.svg: what placefix prints for a script, as a terminal shows it. The README and the first page show it.

    python docs/tools/make_picture.py

It is a real run with its real colours; only the fonts that rich would ask of a server are left out.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

DOCS = Path(__file__).parents[1]
PICTURE = DOCS / "assets" / "terminal.svg"
COMMAND = ("apply", "--diff", "train.py")
COLUMNS = 90

_DARK = TerminalTheme(
    (30, 30, 40),
    (220, 220, 225),
    [
        (60, 60, 75),
        (240, 100, 100),
        (120, 200, 110),
        (230, 190, 90),
        (110, 160, 250),
        (200, 130, 230),
        (90, 200, 200),
        (210, 210, 215),
    ],
    [
        (110, 110, 130),
        (250, 120, 120),
        (140, 220, 130),
        (240, 205, 110),
        (130, 180, 255),
        (215, 150, 240),
        (110, 215, 215),
        (255, 255, 255),
    ],
)


def picture() -> str:
    """The SVG."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "example"
        shutil.copytree(DOCS / "example", work)
        command = [sys.executable, "-m", "placefix", *COMMAND, "--isolated", "--color", "always"]
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("PLACEFIX_")},
            "COLUMNS": str(COLUMNS),
            "PYTHONPATH": str(DOCS.parent / "src"),
            "XDG_CACHE_HOME": folder,
        }
        done = subprocess.run(
            command, cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    assert done.returncode == 1, done.stdout
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi("$ placefix " + " ".join(COMMAND) + "\n" + done.stdout.rstrip("\n")))
    template = re.sub(r"@font-face \{\{.*?\}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    svg = console.export_svg(title="placefix", theme=_DARK, code_format=template, unique_id="placefix")
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
