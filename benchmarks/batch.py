"""How fast a large tree goes, and where the time goes.

    python benchmarks/batch.py                 # the bulk corpus, unpacked for the duration of the run
    python benchmarks/batch.py --tree FOLDER   # another tree, which is only read
    python benchmarks/batch.py --only rates

Rates are files by the second of wall-clock time, of whole processes: cold with an empty cache (which the run fills), cached with
what that run has left; medians of `--repeat` runs. Shares are of one process without a cache and without its start: each
moment belongs to the innermost stage it is spent in. Both are of this machine, and want it quiet: the load is printed.
"""

from __future__ import annotations

import argparse
import gc
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from placefix import discover, engine, files, rule_findings, runner, writer
from placefix.config import Configs, Options
from speed import PLACEFIX, bulk_tree, describe

if TYPE_CHECKING:
    from collections.abc import Callable

JOBS = (1, 2)
# Stage → the functions that are it, as module and name; the time of what they call and is a stage itself is not theirs.
STAGES: dict[str, tuple[tuple[Any, str], ...]] = {
    "scan": ((discover, "discover"),),
    "read": ((files, "read"),),
    "triggers": ((runner, "_triggered_rules"), (rule_findings, "triggered_in")),
    "decode, parse": ((runner, "decode_target"), (engine, "parse")),
    "analysis": ((engine, "check"), (engine, "fix")),
    "rewrite": ((writer, "apply"), (writer, "verify")),
    "write": ((files, "replace"),),
}


class Clock:
    """Seconds by stage; what is in none is the rest."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._inside = ["rest"]
        self._since = time.perf_counter()

    def tick(self) -> None:
        """Give the time since the last tick to the stage that is on."""
        now = time.perf_counter()
        self.seconds[self._inside[-1]] += now - self._since
        self._since = now

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, its time counted for a stage."""

        def call(*arguments: Any, **named: Any) -> Any:
            self.tick()
            self._inside.append(stage)
            try:
                return function(*arguments, **named)
            finally:
                self.tick()
                self._inside.pop()

        return call


def rate(command: list[str], tree: Path, jobs: int, cache: Path, *, cold: bool) -> float:
    """Files by the second of a run over a tree."""
    if cold:
        shutil.rmtree(cache, ignore_errors=True)
    words = [*PLACEFIX, *command, "--jobs", str(jobs), "--cache-dir", str(cache), str(tree)]
    start = time.perf_counter()
    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False
    )
    seconds = time.perf_counter() - start
    if done.returncode not in (0, 1, 2) or "Traceback" in done.stderr:
        raise SystemExit(done.stderr[-2000:])
    return sum(1 for _ in tree.rglob("*.py")) / seconds


def rates(tree: Path, scratch: Path, repeat: int) -> None:
    print("\n| files/s | jobs | cold | cached |\n|---|---:|---:|---:|")
    for command in (
        ["check", "--isolated", "--quiet", "--output-format", "concise"],
        ["apply", "--diff", "--isolated", "--quiet"],
    ):
        for jobs in JOBS:
            cache = scratch / "cache"
            pairs = [
                tuple(rate(command, tree, jobs, cache, cold=cold) for cold in (True, False)) for _ in range(repeat)
            ]
            cold, cached = (statistics.median(column) for column in zip(*pairs, strict=True))
            print(
                f"| {' '.join(word for word in command[:2] if word != '--isolated')} | {jobs} | {cold:.0f} | {cached:.0f} |",
                flush=True,
            )


def shares(tree: Path, scratch: Path) -> None:
    found = {"check": _shares(tree, write=False)}
    shutil.copytree(tree, scratch / "copy")
    found["apply"] = _shares(scratch / "copy", write=True)
    print(f"\n| share of time | {' | '.join(found)} |\n|---|{'---:|' * len(found)}")
    for stage in (*STAGES, "rest"):
        columns = (f"{clock.seconds[stage] / sum(clock.seconds.values()):.1%}" for clock in found.values())
        print(f"| {stage} | {' | '.join(columns)} |")
    print(f"| seconds | {' | '.join(f'{sum(clock.seconds.values()):.2f}' for clock in found.values())} |")


def _shares(tree: Path, *, write: bool) -> Clock:
    """One run over a tree in this process. write: repair its files."""
    clock = Clock()
    real = [(module, name, getattr(module, name)) for functions in STAGES.values() for module, name in functions]
    for stage, functions in STAGES.items():
        for module, name in functions:
            setattr(module, name, clock.timed(stage, getattr(module, name)))
    try:
        clock.tick()
        clock.seconds.clear()
        targets = discover.discover([str(tree)], Configs(Options(), isolated=True))
        for _ in runner.fix(targets, [tree], write=True) if write else runner.check(targets, [tree]):
            pass
        clock.tick()
    finally:
        for module, name, function in real:
            setattr(module, name, function)
    return clock


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, help="a folder instead of the bulk corpus")
    parser.add_argument("--only", default="rates,shares", help="which tables, comma separated")
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    gc.disable()  # as `__main__` has it
    with tempfile.TemporaryDirectory(prefix="placefix-batch-") as folder:
        scratch = Path(folder)
        tree = arguments.tree or bulk_tree(scratch / "bulk")
        print(
            f"{describe(tree)}; {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}"
        )
        wanted = set(arguments.only.split(","))
        if "rates" in wanted:
            rates(tree, scratch, arguments.repeat)
        if "shares" in wanted:
            shares(tree, scratch)


if __name__ == "__main__":
    main()
