"""Whether black would undo the layout of what `placefix apply` writes.

    python benchmarks/formatted.py TREE...             # the files of safe fixes
    python benchmarks/formatted.py TREE... --unsafe    # of all fixes

Needs black (`pip install black`). For each changed file the usual line lengths are searched at which black changes least of the text before; of
several, the one that is best for the text after counts. A file of which black changes no line counts as formatted, one of which it changes at most one line in fifty
as nearly formatted. For both, the lines that black would change in the text after, where apply wrote them, are printed. No file is
written.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]

from edits import Change, changes  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

LENGTHS = (88, 79, 80, 100, 120, 119, 110, 127, 99)
_LARGEST = 4000  # lines; black takes minutes for larger files
_FOREIGN = 0.25  # where black changes this share of a file at one length, it did not format it at another
_NEARLY = 0.02


class Form(NamedTuple):
    """How a file is formatted: the line lengths that it may have, and how many of its lines black changes at each."""

    lengths: tuple[int, ...]
    changed: int


def formatted(text: str, length: int) -> str | None:
    """The text as black writes it, with its quotes; None if black cannot read it."""
    black = importlib.import_module("black")
    try:
        return str(black.format_str(text, mode=black.Mode(line_length=length, string_normalization=False)))
    except (black.InvalidInput, black.NothingChanged, AssertionError):
        return None


def form_of(text: str) -> Form | None:
    """The form of a file that black formatted, or nearly so; None of any other."""
    lines = text.splitlines()
    if len(lines) > _LARGEST:
        return None
    best: Form | None = None
    for length in LENGTHS:
        after = formatted(text, length)
        if after is None:
            return None
        changed = sum((Counter(lines) - Counter(after.splitlines())).values())
        if best is None or changed < best.changed:
            best = Form((length,), changed)
        elif changed == best.changed:
            best = Form((*best.lengths, length), changed)
        if changed > _FOREIGN * len(lines):
            break
    return best if best is not None and best.changed <= max(2, _NEARLY * len(lines)) else None


def undone(change: Change, length: int) -> list[str]:
    """The differences, each as text, that black makes in the lines that apply wrote."""
    before, after = change.before.splitlines(), change.after.splitlines()
    again = (formatted(change.after, length) or change.after).splitlines()
    written: set[int] = set()
    for tag, _, _, start, end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        written.update(range(start, end) if tag != "equal" else ())
    found = []
    for tag, start, end, low, high in difflib.SequenceMatcher(None, after, again, autojunk=False).get_opcodes():
        if tag != "equal" and not written.isdisjoint(range(start - (start == end), max(end, start + 1))):
            found.append("\n".join([*(f"- {x}" for x in after[start:end]), *(f"+ {x}" for x in again[low:high])]))
    return found


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", metavar="TREE")
    parser.add_argument("--unsafe", action="store_true", help="the edits of unsafe fixes, too")
    asked = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    for change in changes(asked.trees, unsafe=asked.unsafe):
        form = form_of(change.before) if change.name.endswith(".py") else None
        if form is None:
            counts["others"] += 1
            continue
        counts["nearly" if form.changed else "formatted"] += 1
        length = min(form.lengths, key=lambda one: len(undone(change, one)))
        places = undone(change, length)
        if places:
            counts["undone"] += 1
            print(f"{change.name} (line length {length}, {form.changed} lines differ before)", *places, sep="\n")
    print(
        f"{counts['formatted']} formatted files and {counts['nearly']} nearly formatted ones are changed, black would change"
        f" what is written in {counts['undone']}; {counts['others']} others"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
