"""Inject a placement bug into a repository, let placefix repair the repository, and judge the repair.

    python benchmarks/injected.py --draw                            # write the rows of corpus/injected.tsv
    python benchmarks/injected.py --record F --seconds 300          # judge; the rows that F has by the same code are not judged again
    python benchmarks/injected.py --record F --summary [--silent]   # the tables of F

The mutants are drawn from the distributions of core and further by a seed (`injected_draw.py`). A mutant loses one move, or has a wrap or an
optimizer before the placement, a buffer that is not registered and so on (`mutators.py`). A lost move counts only where the function
shows that it was needed (`shown.py`), or where the reader who wrote the table found that it was.

The distribution is unpacked and the changed file written into it. `check` and `apply` run over all files of which the results may
differ: the changed file and those that import it, directly or through another one. What is found there and was not found in the correct
distribution is what placefix says of the bug:

    safe      a fix of it is safe, and the move is back, up to its spelling, before the use (or at the use)
    unsafe    the same with --unsafe-fixes
    reported  a finding without such a fix
    silent    nothing
    harmed    `apply` changes something else than placement, in any file
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from corpus import fetch  # noqa: E402

import placefix  # noqa: E402
from code_stamp import code_stamp  # noqa: E402
from injected_draw import DISTANCES, READER, Drawn, draw, numbered, read_table, write_table  # noqa: E402
from mutators import BUFFER, CONTAINER, CUDA, DELETED, LOAD, ORDERED  # noqa: E402
from placefix.config import Options  # noqa: E402
from precision import unpack  # noqa: E402
from predicates import changes_placement_alone, in_order, restored  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mutators import Mutant

RESULTS = ("safe", "unsafe", "reported", "silent", "harmed")
IMPORTERS = 40  # files that are analysed again with the changed one, at most
SAMPLE = 190  # rows that a reader judges
_IMPORT = re.compile(r"^[ \t]*(?:from|import)\b[^\n(]*(?:\([^)]*)?", re.MULTILINE)

Key = tuple[str, str, str]  # of a finding: its file, its rule, the text of its line


class Found(NamedTuple):
    """What `check` or `apply` gives: the findings that are left, how they can be fixed, and the text."""

    findings: Counter[Key]
    fixes: dict[Key, str]
    text: str


class Distribution:
    """A distribution, unpacked below a temporary folder."""

    def __init__(self, archive: Path, folder: Path) -> None:
        unpack(archive, folder)
        (folder / ".git").mkdir()  # the root of the repository
        self.folder = folder
        self.texts = texts_of(archive)
        self.imports = {name: " ".join(_IMPORT.findall(text)) for name, text in self.texts.items()}
        self.known: dict[tuple[str, str], Found] = {}

    def importers(self, name: str) -> list[str]:
        """The file and those that may import it, by the names in their import statements, in two steps."""
        found, step = {name: None}, [name]
        for _ in range(2):
            if not step:
                break
            stems = {re.escape(_stem(n)) for n in step}
            words = re.compile(rf"\b(?:{'|'.join(sorted(stems))})\b")
            step = [n for n, imports in self.imports.items() if n not in found and words.search(imports)]
            found.update(dict.fromkeys(step))
        return list(found)[: IMPORTERS + 1]

    def run(self, names: Iterable[str], mode: str, *, correct: bool) -> dict[str, Found]:
        """What placefix gives for files: `check`, or `apply` by "safe" or "unsafe" fixes. correct: the distribution is as it was
        published, so that it is run once."""
        wanted = list(names)
        if not correct:
            return self._run(wanted, mode)
        missing = [name for name in wanted if (mode, name) not in self.known]
        for name, found in (self._run(missing, mode) if missing else {}).items():
            self.known[mode, name] = found
        return {name: self.known[mode, name] for name in wanted if (mode, name) in self.known}

    def _run(self, names: list[str], mode: str) -> dict[str, Found]:
        paths = [self.folder / name for name in names]
        options = Options(unsafe_fixes=mode == "unsafe")
        if mode == "check":
            results = placefix.check_paths(paths, options=options, isolated=True)
        else:
            results = placefix.fix_paths(paths, options=options, isolated=True, write=False)
        found = {}
        for name, result in zip(names, results, strict=True):
            text = getattr(result.outcome, "text", None) or (result.source.text if result.source is not None else "")
            lines = text.splitlines()
            findings: Counter[Key] = Counter()
            fixes = {}
            for finding in result.remaining:
                row = text.count("\n", 0, finding.span.start)
                key = name, finding.rule.code, lines[row].strip() if row < len(lines) else ""
                findings[key] += 1
                fixes[key] = finding.fix.applicability.value if finding.fix is not None else ""
            found[name] = Found(findings, fixes, text)
        return found


def _stem(name: str) -> str:
    path = Path(name)
    return path.parent.name if path.name == "__init__.py" else path.stem


def texts_of(archive: Path) -> dict[str, str]:
    """The Python files of a distribution."""
    held = {}
    for name, data in fetch.read_archive(archive):
        if name.endswith(".py"):
            try:
                held[name] = data.decode("utf-8-sig").replace("\r\n", "\n")
            except UnicodeDecodeError:
                continue
    return held


def archives() -> list[Path]:
    """The distributions of core and further. Raises fetch.FetchError."""
    found = {**fetch.fetch(fetch.CORE), **fetch.fetch(fetch.FURTHER)}
    return sorted(set(found.values()), key=lambda path: path.name)


def judge(inside: Distribution, row: Drawn, mutant: Mutant) -> tuple[str, list[str]]:
    """The result of a mutant, and the findings that are new with it."""
    family = ("PF4",) if row.kind in (CUDA, LOAD) else ("PF1", "PF2", "PF3")
    path = inside.folder / row.file
    original = path.read_bytes()
    names = inside.importers(row.file)
    before = inside.run(names, "check", correct=True)
    path.write_text(mutant.text, encoding="utf-8")
    try:
        after = inside.run(names, "check", correct=False)
        changed = [n for n in names if n == row.file or after.get(n) != before.get(n)]
        new = _new(after, before, family)
        said = sorted(f"{n}:{code} {fix or 'none'} {line[:60]}" for (n, code, line), fix in new.items())
        results: dict[str, str] = {}
        for mode in ("safe", "unsafe"):
            if not any(_may_write(after.get(n), before.get(n), mode) for n in changed):
                continue
            fixed = inside.run(changed, mode, correct=False)
            path.write_bytes(original)
            wanted = inside.run(changed, mode, correct=True)
            path.write_text(mutant.text, encoding="utf-8")
            results[mode] = _judge_fix(inside, row, mutant, fixed, wanted, set(new), family)
            if results[mode] in ("harmed", "repaired"):
                break
    finally:
        path.write_bytes(original)
    if "harmed" in results.values():
        return "harmed", said
    done = next((mode for mode, result in results.items() if result == "repaired"), "")
    return done or ("reported" if new else "silent"), said


def _may_write(after: Found | None, before: Found | None, mode: str) -> bool:
    """Whether `apply` may write something else than in the correct file: a finding that it fixes is new."""
    applied = ("safe",) if mode == "safe" else ("safe", "unsafe")
    known = before.fixes if before is not None else {}
    return after is not None and any(fix in applied and known.get(key) != fix for key, fix in after.fixes.items())


def _new(after: dict[str, Found], before: dict[str, Found], family: tuple[str, ...]) -> dict[Key, str]:
    """The findings that the mutant has more than the correct distribution, with the applicability of their fixes."""
    found = {}
    for name, here in after.items():
        more = here.findings - (before[name].findings if name in before else Counter())
        found.update({key: here.fixes[key] for key in more if key[1].startswith(family)})
    return found


def _judge_fix(
    inside: Distribution,
    row: Drawn,
    mutant: Mutant,
    fixed: dict[str, Found],
    wanted: dict[str, Found],
    new: set[Key],
    family: tuple[str, ...],
) -> str:
    """What `apply` has made of the mutant: repaired, harmed, or nothing."""
    for name, here in fixed.items():
        text, correct = here.text, wanted[name].text
        start = mutant.text if name == row.file else inside.texts[name]
        if not text or text in (correct, start):
            continue
        if row.kind in (BUFFER, CONTAINER, LOAD) and name == row.file:
            continue  # the line is another one, as it should be
        if not changes_placement_alone(start, text, correct or inside.texts[name]):
            return "harmed"
    text, correct = fixed[row.file].text, wanted[row.file].text or inside.texts[row.file]
    if text and ast.dump(ast.parse(text)) == ast.dump(ast.parse(correct)):
        return "repaired"
    left = _new(fixed, wanted, family)
    gone = new - set(left)
    if not gone:
        return ""
    if row.kind in ORDERED:
        return "repaired" if in_order(text, correct) else ""
    if row.kind in DELETED and not restored(correct, text):
        return "repaired" if not left else ""
    return "repaired"


def judge_all(rows: list[Drawn], record: Path, seconds: float) -> None:
    """Judge rows, those of a distribution together, and append each to the record. Starts nothing after so many seconds."""
    code, end = code_stamp(), time.monotonic() + seconds
    known = {key for key, _ in read_record(record, code)}
    here = {path.name: path for path in archives()}
    with record.open("a", encoding="utf-8") as out:
        for name in sorted({row.distribution for row in rows if row.key not in known}):
            mine = [row for row in rows if row.distribution == name and row.key not in known]
            if time.monotonic() > end:
                return
            with tempfile.TemporaryDirectory() as scratch:
                inside = Distribution(here[name], Path(scratch) / name)
                for row in mine:
                    if time.monotonic() > end:
                        return
                    result, said = judge(inside, row, mutant_of(inside.texts, row))
                    print(
                        json.dumps({"code": code, "key": row.key, "result": result, "said": said}), file=out, flush=True
                    )


def mutant_of(texts: dict[str, str], row: Drawn) -> Mutant:
    """The mutant that a row names. Raises KeyError where there is none."""
    for number, mutant in numbered(texts[row.file]):
        if (mutant.line, mutant.kind, number) == (row.line, row.kind, row.number):
            return mutant
    raise KeyError(row.key)


def read_record(record: Path, code: str | None) -> list[tuple[tuple[str, str, int, str, int], dict[str, object]]]:
    """The rows of a record by this code, or by that of its last row."""
    rows = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()] if record.exists() else []
    code = code or (rows[-1]["code"] if rows else "")
    return [(tuple(row["key"]), row) for row in rows if row["code"] == code]


def draw_all(seed: int) -> list[Drawn]:
    """The rows of all distributions; of those that need a reader a sample. Verdicts of the table are kept."""
    import random

    before = {row.key: row for row in read_table()}
    rows = [row for archive in archives() for row in draw(archive.name, texts_of(archive), seed)]
    asked = [row for row in rows if row.oracle == READER]
    chosen = {row.key for row in random.Random(seed).sample(asked, min(SAMPLE, len(asked)))}
    kept = [row for row in rows if row.oracle != READER or row.key in chosen]
    return [
        row._replace(verdict=before[row.key].verdict, why=before[row.key].why) if row.key in before else row
        for row in kept
    ]


def summarise(
    rows: list[Drawn], results: dict[tuple[str, str, int, str, int], dict[str, object]], *, silent: bool
) -> None:
    """Print the tables by kind and by distance."""
    tables: dict[str, dict[str, Counter[str]]] = {"kind": defaultdict(Counter), "distance": defaultdict(Counter)}
    for row in rows:
        if row.counts and row.key in results:
            result = str(results[row.key]["result"])
            tables["kind"][row.kind][result] += 1
            tables["distance"][row.distance][result] += 1
            if result == "harmed" or (silent and result == "silent"):
                print(f"{result:<9}{row.kind:<30}{row.distribution} {row.file}:{row.line} [{row.distance}]")
    counted = [row for row in rows if row.counts and row.key in results]
    for name, table in tables.items():
        print(f"\n{name:<40}" + "".join(f"{r:>10}" for r in RESULTS) + f"{'all':>10}")
        for key in DISTANCES if name == "distance" else sorted(table):
            print(f"{key:<40}" + "".join(f"{table[key][r]:>10}" for r in RESULTS) + f"{table[key].total():>10}")
    total = sum(tables["distance"].values(), Counter[str]())
    count = total.total() or 1
    print(
        f"\n{count} mutants in {len({row.distribution for row in counted})} distributions: safe {total['safe'] / count:.1%}, "
        f"with unsafe {(total['safe'] + total['unsafe']) / count:.1%}, reported {total['reported'] / count:.1%}, "
        f"silent {total['silent'] / count:.1%}, harmed {total['harmed']}"
    )


def main() -> None:
    """Draw, judge, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", action="store_true", help="write the table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=Path, help="the file of the results")
    parser.add_argument("--seconds", type=float, default=1e9, help="start nothing after so long")
    parser.add_argument("--only", default="", help="distributions with this in their name")
    parser.add_argument("--kind", default="", help="mutants whose class has this in its name")
    parser.add_argument("--summary", action="store_true", help="judge nothing")
    parser.add_argument("--silent", action="store_true", help="list the silent mutants")
    asked = parser.parse_args()
    if asked.draw:
        rows = draw_all(asked.seed)
        write_table(rows)
        print(
            Counter(row.kind for row in rows),
            Counter(row.distance for row in rows),
            Counter(row.oracle for row in rows),
            len({r.distribution for r in rows}),
        )
        return
    rows = [row for row in read_table() if asked.only in row.distribution and asked.kind in row.kind]
    if not asked.summary:
        judge_all([row for row in rows if row.counts], asked.record, asked.seconds)
    known = dict(read_record(asked.record, None if asked.summary else code_stamp()))
    summarise(rows, known, silent=asked.silent)


if __name__ == "__main__":
    main()
