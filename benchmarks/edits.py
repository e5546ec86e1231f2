"""What `placefix apply` writes, for a reader who decides whether a maintainer would merge it.

    python benchmarks/edits.py TREE...                        # 100 edits of safe fixes, drawn with seed 1
    python benchmarks/edits.py TREE... --count 30 --seed 7
    python benchmarks/edits.py TREE... --unsafe               # of all fixes
    python benchmarks/edits.py TREE... --diffs FOLDER         # also the whole diff of each file of these edits
    python benchmarks/edits.py TREE... --half                 # only: how many changed files are left half converted

A tree is a folder of code; no file is written. The settings are those that the code's own files give, such as its oldest torch and its
line length. An edit is a hunk of a changed file's diff with six lines of context. Edits are drawn without
replacement, every one with the same chance, from the hunks in the order of their paths: the same code, seed and version of placefix give
the same edits.

A file or notebook is half converted where a function (or the module level; or, more loosely, the file) binds a device that it did not, or
one that is the CPU without CUDA now, and holds a use of CUDA that the scan of `hardcoded.py`, which shares no code with placefix, still
finds there, or loads a checkpoint with no location.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import random
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import hardcoded  # noqa: E402
import placefix  # noqa: E402
from placefix.config import Options  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Change(NamedTuple):
    """A file that changes: how it is called, its text before and after."""

    name: str
    before: str
    after: str


def changes(trees: Iterable[str], *, unsafe: bool) -> list[Change]:
    """The files of `trees` that apply changes, by their names."""
    found = []
    for tree in trees:
        for result in placefix.fix_paths([tree], options=Options(unsafe_fixes=unsafe), write=False):
            before, after = result.before_after()
            if before != after:
                name = str(Path(result.path).resolve().relative_to(Path(tree).resolve().parent))
                found.append(Change(name, before.decode(errors="replace"), after.decode(errors="replace")))
    return sorted(found)


def hunks(change: Change) -> Iterator[str]:
    """The edits of a file, each with what stands around it."""
    lines = difflib.unified_diff(change.before.splitlines(), change.after.splitlines(), lineterm="", n=6)
    hunk: list[str] = []
    for line in list(lines)[2:]:
        if line.startswith("@@") and hunk:
            yield "\n".join(hunk)
            hunk = []
        hunk.append(line)
    if hunk:
        yield "\n".join(hunk)


def half_converted(change: Change, *, anywhere: bool) -> list[int]:
    """The rows, in the text after, of the uses of CUDA beside a new device of their function; anywhere: of their file."""
    try:
        before, after = (ast.parse(_code(change.name, text)) for text in (change.before, change.after))
    except (SyntaxError, ValueError):
        return []
    was = _devices(before)
    new = {scope for scope, count in _devices(after).items() if count > was.get(scope, 0)}
    rows = {spot.first for spot in hardcoded.spots(after) if not spot.tests} | set(_bare_loads(after))
    return sorted(row for row in rows if (new if anywhere else new & set(_around(after, row))))


def _code(name: str, text: str) -> str:
    """The code of a file; that of the cells of a notebook, without its commands."""
    if not name.endswith(".ipynb"):
        return text
    cells = ("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")
    lines = (line for cell in cells for line in cell.splitlines())
    return "\n".join(re.sub(r"^(\s*)[%!].*", r"\1pass", line) for line in lines)


def _bare_loads(tree: ast.Module) -> Iterator[int]:
    """The rows of the calls of ``torch.load`` with a path alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "torch.load" and len(node.args) == 1:
            if not {keyword.arg for keyword in node.keywords} & {"map_location", None}:
                yield node.lineno


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    todo: list[tuple[str, ast.AST]] = [("", tree)]
    while todo:
        path, node = todo.pop()
        for child in ast.iter_child_nodes(node):
            inner = (
                f"{path}.{child.name}"
                if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
                else path
            )
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield inner, child
            todo.append((inner, child))


def _around(tree: ast.Module, row: int) -> list[str]:
    """The functions around a row; the module level where there are none."""
    found = [path for path, node in _functions(tree) if node.lineno <= row <= (node.end_lineno or row)]
    return found or [""]


def _devices(tree: ast.Module) -> dict[str, int]:
    """How many assignments of a device a function, or the module level, holds; one that chooses the CPU counts twice."""
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        value = ast.unparse(node.value)
        if ".device(" in value or re.search("'cuda.* else 'cpu'", value):
            innermost = _around(tree, node.lineno)[-1]
            found[innermost] = found.get(innermost, 0) + 1 + ("'cpu'" in value)
    return found


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", metavar="TREE")
    parser.add_argument("--count", type=int, default=100, help="how many edits")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unsafe", action="store_true", help="the edits of unsafe fixes, too")
    parser.add_argument(
        "--diffs", type=Path, metavar="FOLDER", help="where the whole diffs go, by the number of an edit"
    )
    parser.add_argument("--half", action="store_true", help="count the files that are left half converted")
    asked = parser.parse_args(arguments)
    found = changes(asked.trees, unsafe=asked.unsafe)
    if asked.half:
        for anywhere, where in ((False, "in a function with a new device"), (True, "in a file with a new device")):
            left = [(change.name, rows) for change in found if (rows := half_converted(change, anywhere=anywhere))]
            for name, rows in left:
                print(f"{name}: {', '.join(map(str, rows))}")
            print(f"{len(left)} of {len(found)} changed files hold a use of CUDA {where}\n")
        return 0
    edits = [(change.name, hunk) for change in found for hunk in hunks(change)]
    drawn = sorted(random.Random(asked.seed).sample(range(len(edits)), min(asked.count, len(edits))))
    for number, index in enumerate(drawn, 1):
        name, hunk = edits[index]
        print(f"--- {number}: {name}\n{hunk}\n")
        if asked.diffs is not None:
            asked.diffs.mkdir(parents=True, exist_ok=True)
            change = next(change for change in found if change.name == name)
            (asked.diffs / f"{number}.diff").write_text("\n\n".join(hunks(change)) + "\n", encoding="utf-8")
    print(f"{len(drawn)} of {len(edits)} edits in {len(found)} changed files, seed {asked.seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
