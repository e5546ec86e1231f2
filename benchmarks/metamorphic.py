"""Rewrite programs in ways that keep their meaning, and see whether placefix still finds the same.

    python benchmarks/metamorphic.py [--each 100] [--seed 1] [--two] [--only builder,cells] [--verbose]

The programs are those of `mutation.py`: a correct script of our own with one bug. Each is rewritten by the transformations of
`transformations.py`; the correct script is, too. A rewrite counts only if both keep their meaning on the simulator: the correct
program still runs clean and prints the same numbers, the one with the bug still fails. Then placefix repairs the rewritten program,
and the repair is judged by running it.

    safe, unsafe, reported, silent     what becomes of the bug
    harmed                             a repair that raises another error or computes other numbers
    lost                               something was said of the original program, and nothing of the rewritten one
    too safe                           the fix must be unsafe now, because a reader cannot prove it any more, and is still safe
    false                              an error in the correct program that its original does not have

The order of `safe` and so on is that of `mutation.py`; a row shows them before and after.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import placefix
from mutation import script_jobs
from mutators import CUDA, OPTIMIZER, WRAP
from placefix.config import Options
from placefix.diagnostic import Severity
from placefix.engine import Changed
from placefix.simulate.client import Simulator
from placefix.simulate.comparison import printed_numbers
from placefix.simulate.judgement import CLEAN, DEVICE_ERROR, first_failure, judge
from placefix.simulate.request import Request
from transformations import MAIN, TRANSFORMATIONS, NotApplicable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transformations import Files, Transformation

STATES = ("safe", "unsafe", "reported", "silent", "harmed")
_LINES = re.compile(r"\d+")


class Seen(NamedTuple):
    """What a program does with devices."""

    verdict: int
    numbers: list[str]


class Bug(NamedTuple):
    """A correct program, and one with a bug."""

    name: str
    kind: str
    correct: str
    broken: str


class Row(NamedTuple):
    """What becomes of one bug under one rewrite."""

    before: str
    after: str
    false: tuple[str, ...]


class Bench:
    """A simulator, and what it has found of which program."""

    def __init__(self) -> None:
        self.simulator = Simulator()
        self.known: dict[str, Seen] = {}
        self.states: dict[Bug, tuple[str, tuple[str, ...]]] = {}

    def run(self, files: Files, imports: str = "") -> Seen:
        """What a program does with one GPU, and with two where it spreads over them. imports: lines that go above it."""
        files = _runnable(files, imports)
        key = json.dumps(files, sort_keys=True)
        if key not in self.known:
            with tempfile.TemporaryDirectory(prefix="metamorphic-") as folder:
                _write(files, folder)
                machines = (1, 2) if any("Parallel" in text for text in files.values()) else (1,)
                request = Request(
                    str(Path(folder) / MAIN), folder=folder, timeout=60, shared_numbers=True, plain_optimizers=True,
                    devices=machines[0],
                )  # fmt: skip
                found = judge(self.simulator, request, machines)
                self.known[key] = Seen(found.verdict, printed_numbers(found.reports[found.devices]))
        return self.known[key]

    def dies_alone(self, files: Files, imports: str = "") -> bool:
        """Whether a program fails on a machine without a GPU."""
        files = _runnable(files, imports)
        with tempfile.TemporaryDirectory(prefix="metamorphic-") as folder:
            _write(files, folder)
            request = Request(str(Path(folder) / MAIN), folder=folder, timeout=60, shared_numbers=True, devices=0)
            return first_failure(self.simulator.run(request)) is not None

    def state(self, kind: str, correct: Files, broken: Files, imports: str = "") -> tuple[str, tuple[str, ...]]:
        """What becomes of a bug, and the errors found in the correct program."""
        clean = self.run(correct, imports)
        fine = _findings(correct)
        said = list((Counter(_findings(broken)) - Counter(fine)).elements())
        state = "reported" if said else "silent"
        for name, unsafe in (("safe", False), ("unsafe", True)):
            fixed = _fixed(broken, unsafe=unsafe)
            if fixed is None:
                continue
            after = self.run(fixed, imports)
            if after.verdict != CLEAN:
                continue
            if kind == CUDA:
                done = not self.dies_alone(fixed, imports)
            elif kind in (WRAP, OPTIMIZER):
                done = bool(said) and not [row for row in _findings(fixed) if row in said]
            else:
                done = True
            if after.numbers != clean.numbers:
                state = "harmed"
                break
            if done:
                state = name
                break
        return state, tuple(row[1] for row in fine if row[0] is Severity.ERROR)


def _runnable(files: Files, imports: str) -> Files:
    """The program with its notebook as a script."""
    if "main.ipynb" in files:
        cells = json.loads(files["main.ipynb"])["cells"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells) + "\n"
        return {**{n: t for n, t in files.items() if n != "main.ipynb"}, MAIN: text}
    return {**files, MAIN: imports + files[MAIN]} if imports else files


def _write(files: Files, folder: str) -> None:
    for name, text in files.items():
        (Path(folder) / name).write_text(text, encoding="utf-8")


def _findings(files: Files) -> list[tuple[Severity, str]]:
    """Severity and message of each finding of a program, without numbers of lines."""
    with tempfile.TemporaryDirectory(prefix="metamorphic-") as folder:
        _write(files, folder)
        results = placefix.check_paths([folder], options=Options(), isolated=True)
        return [
            (d.severity, f"{d.code} {_LINES.sub('N', d.message)}")
            for r in results for d in r.remaining
        ]  # fmt: skip


def _fixed(files: Files, *, unsafe: bool) -> Files | None:
    with tempfile.TemporaryDirectory(prefix="metamorphic-") as folder:
        _write(files, folder)
        results = placefix.fix_paths([folder], options=Options(unsafe_fixes=unsafe), isolated=True)
        if not any(isinstance(r.outcome, Changed) for r in results):
            return None
        return {name: (Path(folder) / name).read_text(encoding="utf-8") for name in files}


def mutated() -> list[Bug]:
    """The mutants of our own scripts, in an order drawn by chance, always the same. Whether one is a bug is not known yet."""
    found = []
    for path, script, choices in script_jobs([]):
        for mutant in choices[:1]:
            # Layout is lost in every rewrite, so it is lost in the original, too.
            correct, broken = (ast.unparse(ast.parse(text)) + "\n" for text in (mutant.base or script, mutant.text))
            found.append(Bug(path.stem, mutant.kind, correct, broken))
    random.Random(7).shuffle(found)
    return found


def is_bug(bench: Bench, bug: Bug) -> bool:
    """Whether the correct program runs clean and the other one does not (or has the wrong order, which mostly happens to work)."""
    if bench.run({MAIN: bug.correct}).verdict != CLEAN:
        return False
    if bug.kind == CUDA:
        return bench.dies_alone({MAIN: bug.broken}) and not bench.dies_alone({MAIN: bug.correct})
    return bug.kind in (WRAP, OPTIMIZER) or bench.run({MAIN: bug.broken}).verdict == DEVICE_ERROR


def rewritten(files: Files, steps: Sequence[Transformation], seed: str) -> Files:
    """The program after some transformations. Raises `NotApplicable`."""
    for step in steps:
        files = step.rewrite(files, random.Random(seed))
    return files


def _imports(text: str) -> str:
    tree = ast.parse(text)
    lines = [ast.unparse(n) for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
    return "\n".join(lines) + "\n"


def try_bug(bench: Bench, bug: Bug, steps: Sequence[Transformation]) -> Row | None:
    """Judge one rewrite of one bug; nothing if it does not apply or does not keep the meaning."""
    try:
        correct = rewritten({MAIN: bug.correct}, steps, bug.name)
        broken = rewritten({MAIN: bug.broken}, steps, bug.name)
    except NotApplicable:
        return None
    if not is_bug(bench, bug):
        return None
    imports = _imports(bug.correct) if any(step.name == "without imports" for step in steps) else ""
    original, runs = bench.run({MAIN: bug.correct}), bench.run(correct, imports)
    if runs.verdict != CLEAN or runs.numbers != original.numbers:
        return None
    if bench.run({MAIN: bug.broken}).verdict != bench.run(broken, imports).verdict:
        return None
    if bug.kind == CUDA and not bench.dies_alone(broken, imports):
        return None
    if bug not in bench.states:
        bench.states[bug] = bench.state(bug.kind, {MAIN: bug.correct}, {MAIN: bug.broken})
    before, known = bench.states[bug]
    after, errors = bench.state(bug.kind, correct, broken, imports)
    more = Counter(errors) - Counter(known)
    return Row(before, after, tuple(more) if len(errors) > len(known) else ())


def is_lost(row: Row) -> bool:
    """Whether a bug that was known is not mentioned after the rewrite."""
    return row.before in ("safe", "unsafe", "reported") and row.after == "silent"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--each", type=int, default=100, help="programs for each transformation, or for two at once")
    parser.add_argument("--two", action="store_true", help="two transformations at once, drawn by chance")
    parser.add_argument("--only", default="", help="names of transformations, with commas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--show", help="NAME:NUMBER of a verbose line: print the program before and after")
    options = parser.parse_args()
    wanted = [t for t in TRANSFORMATIONS if not options.only or t.name in options.only.split(",")]
    bench = Bench()
    rows: dict[str, list[tuple[Row, bool]]] = defaultdict(list)
    chance = random.Random(options.seed)
    try:
        for number, bug in enumerate(mutated()):
            plans: list[tuple[str, tuple[Transformation, ...]]] = [(t.name, (t,)) for t in wanted]
            if options.two:
                plans = [("two at once", tuple(chance.sample(wanted, 2))) for _ in range(4)]
            for name, steps in plans:
                if len(rows[name]) >= options.each:
                    continue
                row = try_bug(bench, bug, steps)
                if row is None:
                    continue
                rows[name].append((row, any(step.hides for step in steps)))
                words, place = " + ".join(step.name for step in steps), f"{bug.name}:{number}"
                if options.verbose and (row.before != row.after or row.false):
                    print(
                        f"{words}: {place} {bug.kind}: {row.before} -> {row.after} {'; '.join(row.false)}", flush=True
                    )
                if options.show == place:
                    for file, text in rewritten({MAIN: bug.broken}, steps, bug.name).items():
                        print(f"--- {file}\n{text}")
            if all(len(rows[name]) >= options.each for name, _ in plans):
                break
    finally:
        bench.simulator.close()
    names = ["two at once"] if options.two else [t.name for t in wanted]
    every = [pair for name in names for pair in rows[name]]
    for name in names:
        _print_row(name, rows[name], header=name is names[0])
    _print_row("all", every)
    bad = sum(bool(row.false) or row.after == "harmed" or (hides and row.after == "safe") for row, hides in every)
    sys.exit(1 if bad else 0)


def _print_row(name: str, found: list[tuple[Row, bool]], *, header: bool = False) -> None:
    if header:
        print(
            f"{'transformation':<44}{'bugs':>6}"
            + "".join(f"{s:>13}" for s in STATES)
            + f"{'safe kept':>11}{'lost':>7}{'too safe':>10}{'false':>7}"
        )
    if not found:
        print(f"{name:<44}{0:>6}")
        return
    before, after = Counter(r.before for r, _ in found), Counter(r.after for r, _ in found)
    safe = [r for r, _ in found if r.before == "safe"]
    kept = sum(r.after == "safe" for r in safe) / len(safe) if safe else 0.0
    said = [r for r, _ in found if r.before != "silent"]
    lost = sum(map(is_lost, said)) / len(said) if said else 0.0
    too_safe = sum(hides and r.after == "safe" for r, hides in found)
    states = "".join(f"{f'{before[s]} > {after[s]}':>13}" for s in STATES)
    print(
        f"{name:<44}{len(found):>6}{states}{kept:>10.0%} {lost:>6.1%}{too_safe:>10}{sum(bool(r.false) for r, _ in found):>7}",
        flush=True,
    )


if __name__ == "__main__":
    main()
