"""Inject a placement bug into a correct program, let placefix repair it, and judge the repair.

    python benchmarks/mutation.py [--verbose] [--kind K] [--delete-only] [--memo FILE] [SCRIPT …]
    python benchmarks/mutation.py --members N     # instead: N mutants of members of the core corpus

The correct scripts are those of corpus/scripts as `apply --unsafe-fixes` leaves them, where they run clean on
the simulator. A mutant counts if the simulator finds a device error in it; for hard-coded CUDA, if it fails
without a device; for an exchanged order, which mostly happens to work, always. The others are harmless (the line
is not run, or nothing needs the move). Of those that count: repaired by the safe fixes, by the unsafe ones too,
reported only, silent, or harmed: an error of another kind, or other numbers than the correct script's.

Members of the corpus are not run; each is analysed inside its distribution, as a user has it. A mutant of theirs is repaired where every move of the original is back, up to
its spelling and before what uses it, and harmed where the repair changes anything but placement. Of deleted and
discarded moves those count whose function shows that the move was needed (`shown.py`); what became of the others,
which may be right without it, stands below.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import queue
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from corpus import fetch

from mutators import BEYOND, CUDA, INJECTED, INPUT, MODULE, OPTIMIZER, WRAP, Mutant, Text, is_move, mutants, weighted
from packed import Packed
from placefix import engine
from placefix.engine import Changed
from placefix.facts.program.repository import Home, Project
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.simulate.client import Simulator
from placefix.simulate.comparison import printed_numbers
from placefix.simulate.judgement import CLEAN, DEVICE_ERROR, first_failure, judge
from placefix.simulate.request import Request
from placefix.source import Source
from predicates import changes_placement_alone, in_order, restored
from shown import is_shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic

__all__ = ["Text", "is_move"]

CORPUS = Path(__file__).resolve().parent.parent / "corpus" / "scripts"
RESULTS = ("safe", "unsafe", "reported", "silent", "harmed")
ASKED = tuple(rule for rule in RULES if not rule.opt_in)
COMMENT = re.compile(r"#\s*(?:placefix:|noqa\b).*")
NOT_SHOWN = "not shown to be a bug"
OTHERS = ("device error", "harmless", "not judged")


class Seen(NamedTuple):
    """What a run showed: the verdict, the printed numbers and the error."""

    verdict: int
    numbers: list[str]
    said: str


class Bench:
    """Simulators, and what they have said of which text."""

    def __init__(self, memo: Path | None, workers: int) -> None:
        self.simulators: queue.SimpleQueue[Simulator] = queue.SimpleQueue()
        self.workers = [Simulator() for _ in range(workers)]
        for simulator in self.workers:
            self.simulators.put(simulator)
        self.memo = memo
        lines = memo.read_text(encoding="utf-8").splitlines() if memo is not None and memo.exists() else []
        self.known: dict[str, list[object]] = dict(json.loads(line) for line in lines)

    def close(self) -> None:
        """Stop the simulators."""
        for simulator in self.workers:
            simulator.close()

    def ask(self, path: Path, text: str) -> Seen:
        """What the text does on one simulated device, and on two where it uses several."""
        return self._seen(path, text, (1, 2) if "Parallel" in text else (1,))

    def alone(self, path: Path, text: str) -> str:
        """The error of the text on a machine without a device, or nothing."""
        return self._seen(path, text, (0,)).said

    def _seen(self, path: Path, text: str, machines: tuple[int, ...]) -> Seen:
        key = f"{path.stem} {machines} {hashlib.sha256(text.encode()).hexdigest()}"
        if key not in self.known:
            simulator = self.simulators.get()
            try:
                with tempfile.TemporaryDirectory() as folder:
                    source = Path(folder) / "text.py"
                    source.write_text(text, encoding="utf-8")
                    request = Request(
                        str(path), folder=folder, source=str(source), timeout=60, trace=True, shared_numbers=True,
                        plain_optimizers=True, devices=machines[0],
                    )  # fmt: skip
                    if machines == (0,):
                        error = first_failure(simulator.run(request))
                        self.known[key] = [CLEAN, [], "" if error is None else error["text"] or error["type"]]
                    else:
                        found = judge(simulator, request, machines)
                        said = (
                            f"{found.error['type']}: {found.error['text'][:120]}"
                            if found.error
                            else "; ".join(found.silent)
                        )
                        self.known[key] = [found.verdict, printed_numbers(found.reports[found.devices]), said]
            finally:
                self.simulators.put(simulator)
            if self.memo is not None:
                with self.memo.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, self.known[key]]) + "\n")
        return Seen(*self.known[key])  # type: ignore[arg-type]


class Result(NamedTuple):
    """One row of the verbose output."""

    kind: str
    name: str
    line: int
    result: str
    said: str
    shown: bool = True  # that it is a bug


def repaired(text: str, name: str, *, unsafe: bool, home: Home | None = None) -> str | None:
    """The text as apply leaves it, or None where it changes nothing."""
    outcome = engine.fix(Source(text, name), Settings(), ASKED, unsafe=unsafe, home=home)
    return outcome.text if isinstance(outcome, Changed) else None


def try_script(bench: Bench, path: Path, script: str, choices: list[Mutant], *, repair: bool) -> Result:
    """Judge one mutant by running; of several `choices` the first whose correct text runs clean."""
    for mutant in choices:
        text = mutant.base or script
        base = bench.ask(path, text)
        if base.verdict == CLEAN:
            break
    else:
        return Result(choices[0].kind, path.stem, choices[0].line, "", "")
    kind, line = mutant.kind, mutant.line
    # what says cuda runs as before where there is one
    broken = base if kind == CUDA else bench.ask(path, mutant.text)
    counts = broken.verdict == DEVICE_ERROR or kind in (WRAP, OPTIMIZER)
    if kind == CUDA:
        counts = bool(bench.alone(path, mutant.text)) and not bench.alone(path, text)
    result = ""
    if not repair or not counts:
        result = "device error" if counts else "harmless" if broken.verdict == CLEAN else "not judged"
    for name, unsafe in (("safe", False), ("unsafe", True)) if repair else ():
        fixed = repaired(mutant.text, path.name, unsafe=unsafe)
        if fixed is None:
            continue
        if ast.dump(ast.parse(fixed)) == ast.dump(ast.parse(text)):
            result = result or name
            break
        if kind == CUDA and bench.ask(path, mutant.text).verdict != CLEAN:
            result = "not judged"  # cuda is not what the device was
            break
        after = bench.ask(path, fixed)
        if after.verdict == CLEAN and after.numbers != base.numbers:
            result = "harmed"
        elif after.verdict == CLEAN:
            done = (
                not bench.alone(path, fixed)
                if kind == CUDA
                else in_order(fixed, text)
                if kind in (WRAP, OPTIMIZER)
                else True
            )
            result = result or (name if done else "")
        elif broken.verdict == CLEAN:
            result = "harmed"
        if result in ("safe", "harmed"):
            break
    return Result(kind, path.stem, line, result or _said_of(mutant, switched_off=True), broken.said)


def _said_of(mutant: Mutant, home: Home | None = None, *, switched_off: bool = False) -> str:
    """What check says of a mutant that is not repaired. With `switched_off` one is not judged of which a comment of the
    script wants nothing said."""
    if _reports(mutant.text, mutant.line, home):
        return "reported"
    open_text = COMMENT.sub("#", mutant.text)
    return (
        "not judged"
        if switched_off and open_text != mutant.text and _reports(open_text, mutant.line, home)
        else "silent"
    )


def _reports(text: str, line: int, home: Home | None) -> bool:
    found = engine.check(Source(text), Settings(), ASKED, home)
    return any(_near(text, f, line) for f in found)


def _near(text: str, found: Diagnostic, line: int) -> bool:
    """Whether a finding is about the part of the program that was changed."""
    return abs(text.count("\n", 0, found.span.start) + 1 - line) <= 12


def try_member(job: MemberJob, home: Home) -> Result:
    """Judge a mutant of a program that is not run."""
    mutant, name, result = job.mutant, job.name, ""
    for promise, unsafe in (("safe", False), ("unsafe", True)):
        fixed = repaired(mutant.text, name, unsafe=unsafe, home=home)
        if fixed is None:
            continue
        correct = (
            repaired(job.text, name, unsafe=unsafe, home=home) or job.text
        )  # what is fixed elsewhere is not the repair
        if not changes_placement_alone(mutant.text, fixed, correct):
            result = "harmed"
        elif restored(correct, fixed) and in_order(fixed, correct):
            result = promise
        if result in ("safe", "harmed"):
            break
    shown = mutant.kind in (CUDA, WRAP, OPTIMIZER) or is_shown(job.text, mutant.text)
    return Result(mutant.kind, name, mutant.line, result or _said_of(mutant, home), "", shown)


def script_jobs(names: list[str]) -> list[tuple[Path, str, list[Mutant]]]:
    """(path, correct text, mutant or alternatives) of our own scripts."""
    jobs = []
    for path in sorted(CORPUS.glob("*.py")):
        if names and path.stem not in names:
            continue
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:  # one of the scripts is there for its coding cookie
            continue
        text = repaired(text, path.name, unsafe=True) or text
        if "spawn(" in text:  # seconds for every run, and the battery has them
            continue
        jobs += [(path, text, [mutant]) for mutant in mutants(text) if mutant.fair]
        jobs += [(path, text, choices) for choices in weighted(text) if choices]
    return jobs


class MemberJob(NamedTuple):
    """A mutant of a member of the core corpus: the archive, the member's path in it and its name, its text."""

    archive: Path
    path: str
    name: str
    text: str
    mutant: Mutant


def member_jobs(count: int) -> list[MemberJob]:
    """Mutants of members of the core corpus, drawn by chance, always the same; those of an archive together."""
    archives = fetch.fetch()
    jobs = []
    for member, data in fetch.read_members(archives):
        try:
            text = data.decode("utf-8").replace("\r\n", "\n")
            jobs += [MemberJob(archives[member.sha256], member.path, member.name, text, m) for m in mutants(text)]
        except (SyntaxError, ValueError):
            continue
    random.Random(0).shuffle(jobs)
    return sorted((job for job in jobs[:count] if job.mutant.fair), key=lambda job: job.archive)


def try_members(jobs: list[MemberJob]) -> Iterator[Result]:
    """Judge mutants, each inside its distribution."""
    for archive, group in groupby(jobs, key=lambda job: job.archive):
        packed = Packed(archive)
        project = Project(packed, (packed.root,))
        for job in group:
            yield try_member(job, project.home(f"{packed.root}/{job.path}"))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--kind", help="only mutants whose class has this in its name")
    parser.add_argument("--delete-only", action="store_true", help="only judge deleted moves, repair nothing")
    parser.add_argument("--members", type=int, default=0, help="judge so many mutants of corpus members by predicate")
    parser.add_argument("--memo", type=Path, help="a file that keeps what the simulator said")
    parser.add_argument("--workers", type=int, default=min(4, os.cpu_count() or 1))
    parser.add_argument("scripts", nargs="*")
    options = parser.parse_args()
    tally: dict[str, Counter[str]] = defaultdict(Counter)

    def note(found: Result) -> None:
        if found.result:
            tally[found.kind if found.shown else NOT_SHOWN][found.result] += 1
            if options.verbose or found.result == "harmed":
                print(
                    f"{found.result:<12} {found.kind:<28} {found.name}:{found.line} {found.said if found.shown else NOT_SHOWN}",
                    flush=True,
                )

    def wanted(kind: str) -> bool:
        return (not options.kind or options.kind in kind) and (not options.delete_only or kind in (INPUT, MODULE))

    with ThreadPoolExecutor(options.workers) as pool:
        if options.members:
            for found in try_members([job for job in member_jobs(options.members) if wanted(job.mutant.kind)]):
                note(found)
        else:
            bench = Bench(options.memo, options.workers)
            scripts = [job for job in script_jobs(options.scripts) if wanted(job[2][0].kind)]
            try:
                for found in pool.map(lambda job: try_script(bench, *job, repair=not options.delete_only), scripts):
                    note(found)
            finally:
                bench.close()
    _print(tally)


def _print(tally: dict[str, Counter[str]]) -> None:
    columns = [
        column for column in (*RESULTS, *OTHERS) if column in RESULTS or any(row[column] for row in tally.values())
    ]
    print(f"{'injected':<30}" + "".join(f"{column:>13}" for column in columns))

    def line(name: str, row: Counter[str]) -> None:
        print(f"{name:<30}" + "".join(f"{row[column]:>13}" for column in columns))

    total: Counter[str] = Counter()
    for kind in INJECTED:
        total.update(tally[kind])
        line(kind, tally[kind])
    line("all", total)
    judged = sum(total[c] for c in RESULTS)
    if judged:
        safe, both = total["safe"] / judged, (total["safe"] + total["unsafe"]) / judged
        print(f"repaired: {safe:.1%} safe, {both:.1%} with the unsafe fixes; harmed {total['harmed']} of {judged}")
    for kind in (*BEYOND, NOT_SHOWN):
        if tally[kind]:
            line(f"beyond: {kind}", tally[kind])


if __name__ == "__main__":
    main()
