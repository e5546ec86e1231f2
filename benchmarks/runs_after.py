"""Scripts that die on a machine without CUDA: how many run there after `apply`.

    python benchmarks/runs_after.py [--held-out] [--verbose] [NAME …]

The scripts are those of `laptop/scripts.txt`, and those of corpus/scripts whose INTENT.tsv has that they die; or, with `--held-out`,
those of `laptop/held_out.txt`, which were written before anybody looked at the result. A script counts if it fails on the simulator
without a GPU and runs with one. After the safe fixes, and after the unsafe ones too, it must run without a
GPU, and still print the same with one. A script that does not run is listed with its error and the findings that name the cause.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from corpus import judge

import placefix
from placefix.config import Options
from placefix.engine import Changed
from placefix.simulate.client import Simulator
from placefix.simulate.comparison import is_within_tolerance, printed_numbers
from placefix.simulate.judgement import first_failure
from placefix.simulate.request import Request

if TYPE_CHECKING:
    from collections.abc import Iterator

LAPTOP = Path(__file__).resolve().parent / "laptop"
PRELUDE = """\
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
images, labels = torch.randn(24, 4), torch.randint(0, 3, (24,))
loader = DataLoader(TensorDataset(images, labels), batch_size=6)
"""
RESULTS = ("safe", "unsafe", "named", "silent", "harmed")


class Script(NamedTuple):
    """A program, and why it dies without CUDA."""

    name: str
    cause: str
    text: str


class Result(NamedTuple):
    """What became of a script; error: why it still dies."""

    state: str
    error: str = ""
    findings: tuple[str, ...] = ()


def scripts(*, held_out: bool = False) -> Iterator[Script]:
    """All scripts of the benchmark, or the held-out ones."""
    path = LAPTOP / ("held_out.txt" if held_out else "scripts.txt")
    for part in path.read_text(encoding="utf-8").split("\n== ")[1:]:
        head, _, text = part.partition("\n")
        name, _, cause = head.partition(": ")
        yield Script(name, cause, f"{PRELUDE}{text.rstrip()}\n")
    for intent in () if held_out else judge.read_intents():
        if intent.cpu == "after":
            yield Script(intent.path.stem, "corpus/scripts", intent.path.read_text(encoding="utf-8-sig"))


def _run(simulator: Simulator, text: str, devices: int) -> tuple[str, list[str]]:
    """The error of a script on a machine, or nothing, and the numbers that it printed."""
    with tempfile.TemporaryDirectory(prefix="runs-after-") as folder:
        path = Path(folder) / "train.py"
        path.write_text(text, encoding="utf-8")
        request = Request(str(path), folder=folder, timeout=120, shared_numbers=True, devices=devices)
        report = simulator.run(request)
        error = first_failure(report)
        if error is None:
            return "", printed_numbers(report)
        return f"{error['type']}: {error['text'].splitlines()[0] if error['text'] else ''}", []


def _fixed(text: str, *, unsafe: bool) -> tuple[str, tuple[str, ...]]:
    """The text after `apply`, and the findings that it leaves."""
    outcome = placefix.fix_source(text, options=Options(unsafe_fixes=unsafe))
    left = tuple(f"{d.code}: {d.note or d.message}" for d in getattr(outcome, "remaining", ()))
    return (outcome.text if isinstance(outcome, Changed) else text), left


def try_script(simulator: Simulator, script: Script) -> Result | None:
    """The result of a script; nothing if it does not count."""
    error, _ = _run(simulator, script.text, 0)
    broken, numbers = _run(simulator, script.text, 1)
    if not error or broken:
        return None
    left: tuple[str, ...] = ()
    for state, unsafe in (("safe", False), ("unsafe", True)):
        text, left = _fixed(script.text, unsafe=unsafe)
        error, _ = _run(simulator, text, 0)
        failed, after = _run(simulator, text, 1)
        if failed or not is_within_tolerance(numbers, after):
            return Result("harmed", failed or f"{numbers} became {after}")
        if not error:
            return Result(state)
    return Result("named" if left else "silent", error, left)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--verbose", action="store_true", help="print scripts that run after the unsafe fixes, too")
    parser.add_argument("--held-out", action="store_true", help="run the scripts of laptop/held_out.txt")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    tally: Counter[str] = Counter()
    with Simulator() as simulator:
        for script in scripts(held_out=options.held_out):
            if options.names and script.name not in options.names:
                continue
            result = try_script(simulator, script)
            if result is None:
                tally["does not count"] += 1
                print(
                    f"does not count: {script.name} ({script.cause}): {_run(simulator, script.text, 1)[0]}", flush=True
                )
                continue
            tally[result.state] += 1
            if result.state != "safe" and (options.verbose or result.state != "unsafe"):
                print(f"{result.state}: {script.name} ({script.cause}): {result.error}", flush=True)
                for finding in result.findings:
                    print(f"    {finding}")
    count = sum(tally[state] for state in RESULTS)
    print(", ".join(f"{state} {tally[state]}" for state in (*RESULTS, "does not count")))
    runs = tally["safe"] + tally["unsafe"]
    if count:
        print(
            f"{count} scripts die without CUDA; {tally['safe'] / count:.0%} run after the safe fixes, {runs / count:.0%} after the unsafe ones too"
        )
    sys.exit(1 if tally["harmed"] else 0)


if __name__ == "__main__":
    main()
