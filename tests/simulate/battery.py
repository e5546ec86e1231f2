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
    ranks: int = 0  # started with the environment of torchrun; 0: without a launcher
    source: str = ""  # "file: text in it", where the expectation comes from
    long: bool = False  # left out of the proofs: `pytest -m battery` runs it


def of_its_time(want: str, torch_version: str) -> str:
    """What an older torch says in the place of a newer one, from the source and the binary of that version."""
    if tuple(int(part) for part in torch_version.split(".")[:2]) >= (2, 8):
        return want
    want = want.replace("AcceleratorError: ", "RuntimeError: ")
    return re.sub(
        r"(?:but )?got (\w+) is on ([\w:]+), different from other tensors on ([\w:]+)( \(when checking argument)?",
        lambda m: (
            f"found at least two devices, {m[3]}"
            + ("" if m[3].endswith(":") else f" and {m[2]}! (when checking argument for argument {m[1]}")
        ),
        want,
    )


def cases(torch_version: str = "2.13.0") -> list[Case]:
    """All of them; the twins are named after their case, and run clean."""
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        for entry in re.split(r"^== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            head, want, body = entry.split("\n", 2)
            source = ""
            if body.startswith("source: "):
                source, body = body.removeprefix("source: ").split("\n", 1)
            name, *options = head.split()
            numbers = {key: int(value) for key, value in (option.split("=") for option in options)}
            gpus, ranks = numbers.get("gpus", 1), numbers.get("ranks", 0)
            long = bool(numbers.get("long"))
            script, _, twin = body.partition("\n--\n")
            want = of_its_time(want.removeprefix("want: "), torch_version)
            found.append(Case(name, gpus, want, PRELUDE + script + "\n", ranks, source, long))
            if twin:
                found.append(Case(f"{name}__twin", gpus, "clean", PRELUDE + twin, ranks, source, long))
    return found
