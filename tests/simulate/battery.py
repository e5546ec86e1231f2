"""Reads the battery."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "battery"
PRELUDE = 'import torch\nfrom torch import nn\nimport torch.nn.functional as F\nd = torch.device("cuda")\n'


@dataclass(frozen=True)
class Case:
    """One script and what is expected of it."""

    name: str
    gpus: int
    want: str
    script: str


def cases() -> list[Case]:
    """All of them; the twins are named after their case, and run clean."""
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        for entry in re.split(r"^== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            head, want, body = entry.split("\n", 2)
            name, *options = head.split()
            gpus = int(dict(option.split("=") for option in options).get("gpus", 1))
            script, _, twin = body.partition("\n--\n")
            found.append(Case(name, gpus, want.removeprefix("want: "), PRELUDE + script + "\n"))
            if twin:
                found.append(Case(f"{name}__twin", gpus, "clean", PRELUDE + twin))
    return found
