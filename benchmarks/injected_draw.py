"""The draw of the mutants of `injected.py`: which bugs, in which distributions, and how far the reader has to look.

A mutant is named by distribution, file, kind, line, and its number among those of one line. `corpus/injected.tsv` has
the drawn ones; the draw needs no placefix.
"""

from __future__ import annotations

import ast
import csv
import random
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mutators import CUDA, DELETED, INPUT, ORDERED, STRUCTURAL, Mutant, is_move, mutants, structural_mutants
from shown import is_shown

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE = Path(__file__).resolve().parent.parent / "corpus" / "injected.tsv"
SAME, FUNCTION, FILE = "same function", "other function", "other file"
DISTANCES = (SAME, FUNCTION, FILE)
SHOWN, READER, ALWAYS = "shown", "reader", "always"
FILES_EACH = 7  # of one distribution that are read, drawn by chance
LONGEST = 40_000  # characters of such a file
LOOKED_AT = 40  # mutants of one distribution of which the distance is found
EACH = 16  # mutants of one distribution at most
EACH_KIND = 3  # of one kind in one distribution
_MOVE = re.compile(r"\btorch\b[\s\S]*(?:\.to\(|\.cuda\(|device=|register_buffer|ModuleList|map_location)")
_ORDER = re.compile(r"\.to\(|\.cuda\(")
_BELOW = re.compile(r"\boptim\w*[.(]|DataParallel\(")  # what goes below a placement: such files are read first
_SKIPPED = re.compile(r"(^|/)(tests?|testing|docs?)/|/test_|(^|/)setup\.py$")


class Drawn(NamedTuple):
    """A row of the table. `number`: among the mutants of the kind at the line. `verdict`: of the reader, where the oracle is the reader:
    needed, not needed or unknown."""

    distribution: str
    file: str
    line: int
    kind: str
    number: int
    distance: str
    oracle: str
    verdict: str = ""
    why: str = ""

    @property
    def counts(self) -> bool:
        """Whether the mutant is a bug by an oracle."""
        return self.oracle != READER or self.verdict == "needed"

    @property
    def key(self) -> tuple[str, str, int, str, int]:
        """What names the mutant."""
        return self[:5]


def read_table() -> list[Drawn]:
    """The rows of the table."""
    if not TABLE.exists():
        return []
    with TABLE.open(encoding="utf-8", newline="") as handle:
        rows = csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Drawn(**{**row, "line": int(row["line"]), "number": int(row["number"])}) for row in rows]  # type: ignore[arg-type]


def write_table(rows: list[Drawn]) -> None:
    """Write the table."""
    with TABLE.open("w", encoding="utf-8", newline="") as handle:
        print(*Drawn._fields, sep="\t", file=handle)
        for row in rows:
            print(*row, sep="\t", file=handle)


def numbered(text: str) -> Iterator[tuple[int, Mutant]]:
    """The fair mutants of a text, each with its number among those of its kind at its line."""
    seen: Counter[tuple[str, int]] = Counter()
    for mutant in (*mutants(text), *structural_mutants(text)):
        if mutant.fair:
            yield seen[mutant.kind, mutant.line], mutant
            seen[mutant.kind, mutant.line] += 1


def draw(distribution: str, held: dict[str, str], seed: int) -> list[Drawn]:
    """The mutants of a distribution: at most EACH, from FILES_EACH of its files. held: the text of each Python file."""
    chance = random.Random(f"{seed} {distribution}")
    names = sorted(
        n for n, text in held.items() if len(text) < LONGEST and _MOVE.search(text) and not _SKIPPED.search(n)
    )
    chance.shuffle(names)
    names.sort(key=lambda name: not (_ORDER.search(held[name]) and _BELOW.search(held[name])))
    repository = Repository(held)
    made: list[tuple[str, int, Mutant]] = []
    read = 0
    for name in names:
        text = held[name]
        if read == FILES_EACH:
            break
        try:
            inside = list(numbered(text))
        except (SyntaxError, ValueError, RecursionError):
            continue
        read += bool(inside)
        made += [(name, number, mutant) for number, mutant in inside]
    chance.shuffle(made)
    made.sort(key=lambda one: (one[2].kind not in ORDERED, one[2].kind == CUDA))
    found = []
    for name, number, mutant in made[:LOOKED_AT]:
        oracle = ALWAYS
        if mutant.kind in DELETED:
            oracle = SHOWN if is_shown(held[name], mutant.text) else READER
        found.append(
            Drawn(distribution, name, mutant.line, mutant.kind, number, repository.distance(name, mutant), oracle)
        )
    found.sort(key=lambda row: (row.kind not in ORDERED, -DISTANCES.index(row.distance), row.kind == CUDA))
    kinds: Counter[str] = Counter()
    places: set[tuple[str, int]] = set()
    kept: list[Drawn] = []
    for row in found:
        most = 1 if row.kind in (CUDA, *STRUCTURAL) else EACH_KIND + 3 * (row.kind == INPUT)
        if kinds[row.kind] < most and (row.file, row.line) not in places and len(kept) < EACH:
            kept.append(row)
            kinds[row.kind] += 1
            places.add((row.file, row.line))
    return kept


class Repository:
    """The names that the files of a distribution define and call, to find how far a value comes."""

    def __init__(self, held: dict[str, str]) -> None:
        self.held = held
        self.tops = {part for name in held for part in name.removesuffix(".py").split("/")}
        self.trees: dict[str, ast.Module] = {}

    def distance(self, name: str, mutant: Mutant) -> str:
        """How far apart the places are that show the bug: creation and placement of what is moved and of what it meets, and the use.
        The farthest of the creation and of the nearest use."""
        return _Place(self, name, self.held[name], mutant).distance()


class _Place:
    """The function around a mutated line."""

    def __init__(self, repository: Repository, name: str, text: str, mutant: Mutant) -> None:
        self.repository, self.name, self.text = repository, name, text
        tree = (
            repository.trees.setdefault(name, ast.parse(text))
            if name not in repository.trees
            else repository.trees[name]
        )
        self.function: ast.AST = tree
        self.owner: ast.ClassDef | None = None
        for node in ast.walk(tree):
            if not hasattr(node, "lineno") or not node.lineno <= mutant.line <= node.end_lineno:  # type: ignore[attr-defined]
                continue
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.function = node
            elif isinstance(node, ast.ClassDef):
                self.owner = node
        inner = [n for n in ast.walk(self.function) if getattr(n, "lineno", 0) == mutant.line]
        self.statement = next((n for n in inner if isinstance(n, ast.stmt)), None)
        self.moved = [n.func.value for n in inner if is_move(n)]  # type: ignore[attr-defined]
        self.tree = tree
        arguments = getattr(self.function, "args", None)
        self.parameters = {a.arg for a in ast.walk(arguments) if isinstance(a, ast.arg)} if arguments else set()
        self.imported = {
            a.asname or a.name.partition(".")[0]: (node.module or "." if isinstance(node, ast.ImportFrom) else a.name)
            if not (isinstance(node, ast.ImportFrom) and node.level)
            else "."
            for node in ast.walk(tree)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for a in node.names
        }

    def distance(self) -> str:
        """SAME, FUNCTION or FILE."""
        made = [self._origin(node, 0) for node in self.moved]
        return max(max(made, default=SAME, key=DISTANCES.index), self._use(), key=DISTANCES.index)

    def _use(self) -> str:
        """The nearest use of what the statement binds."""
        target = self._bound()
        if target is None:
            return SAME
        uses = []
        for node in ast.walk(self.function):
            words = (
                [ast.unparse(a) for a in (*node.args, *(k.value for k in node.keywords))]
                if isinstance(node, ast.Call)
                else []
            )
            if (
                isinstance(node, ast.Call)
                and any(target in re.findall(r"[\w.]+", w) for w in words)
                and not is_move(node)
            ):
                uses.append(self._origin(node.func, 0))
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == target:
                uses += [self._origin(a, 0) for a in node.args[:1]]
            elif isinstance(node, (ast.BinOp, ast.Compare)) and target in ast.unparse(node):
                uses.append(SAME)
            elif isinstance(node, ast.Return) and node.value is not None and target in ast.unparse(node.value):
                uses.append(FUNCTION if re.search(rf"\b{self._called()}\(", self._elsewhere()) else FILE)
        if not uses:
            return FUNCTION if target.startswith("self.") else FILE if self._is_called_outside() else FUNCTION
        return min(uses, key=DISTANCES.index)

    def _bound(self) -> str | None:
        if isinstance(self.statement, ast.Assign):
            return ast.unparse(self.statement.targets[0])
        return ast.unparse(self.moved[0]) if self.moved else None

    def _called(self) -> str:
        name = getattr(self.function, "name", "")
        return self.owner.name if name == "__init__" and self.owner is not None else re.escape(name) or "$^"

    def _elsewhere(self) -> str:
        """The file without the definition of the function."""
        lines = self.text.splitlines()
        start = getattr(self.function, "lineno", 1)
        return "\n".join([*lines[: start - 1], *lines[getattr(self.function, "end_lineno", len(lines)) :]])

    def _is_called_outside(self) -> bool:
        """Whether the function's callers are all in other files, or are not known."""
        return not re.search(rf"\b{self._called()}\(", self._elsewhere())

    def _origin(self, node: ast.AST, depth: int) -> str:
        """Where what an expression gives was made."""
        while isinstance(node, (ast.Subscript, ast.Starred)) or (
            isinstance(node, ast.Attribute) and not _is_self(node)
        ):
            node = node.value
        if isinstance(node, ast.Call):
            called = self._origin(node.func, depth)
            given = [self._origin(a, depth) for a in node.args[:1]] if depth < 4 else []
            return max([called, *given], key=DISTANCES.index)
        if _is_self(node):
            attribute = node.attr  # type: ignore[attr-defined]
            if self._stores(self.function, attribute):
                return SAME
            return FUNCTION if self.owner is not None and self._stores(self.owner, attribute) else FILE
        if not isinstance(node, ast.Name):
            return SAME
        if node.id in self.parameters and node.id not in ("self", "cls"):
            return FILE if self._is_called_outside() else FUNCTION
        if depth < 4:
            for inner in ast.walk(self.function):
                if isinstance(inner, (ast.Assign, ast.For)):
                    targets = inner.targets if isinstance(inner, ast.Assign) else [inner.target]
                    value = inner.value if isinstance(inner, ast.Assign) else inner.iter
                    if any(isinstance(t, ast.Name) and t.id == node.id for target in targets for t in ast.walk(target)):
                        if inner is self.statement and is_move(value):
                            continue
                        return self._origin(value, depth + 1)
        if node.id in self.imported:
            module = self.imported[node.id]
            own = module.startswith(".") or module.partition(".")[0] in self.repository.tops
            return FILE if own and module.partition(".")[0] != "torch" else SAME
        local = any(isinstance(n, (ast.FunctionDef, ast.Assign)) and node.id in _defined(n) for n in self.tree.body)
        return FUNCTION if local and self.function is not self.tree else SAME

    @staticmethod
    def _stores(inside: ast.AST, attribute: str) -> bool:
        return any(_is_self(n) and n.attr == attribute and isinstance(n.ctx, ast.Store) for n in ast.walk(inside))  # type: ignore[attr-defined]


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def _defined(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef):
        return {node.name}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
