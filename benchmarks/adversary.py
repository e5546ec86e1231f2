"""Hostile programs, composed at random, run before and after `apply` on simulated machines with no, one and two GPUs.

    python benchmarks/adversary.py --count 400 [--start 0] [--workers 2] [--record FILE]
    python benchmarks/adversary.py --only PIECE,…        # programs of one piece each
    python benchmarks/adversary.py --summary FILE        # the table of what was recorded
    python benchmarks/adversary.py --show SEED           # one program, its diff and the verdict; --only PIECE,… of its pieces

A program's number is its seed: the same number is the same program. What harms is in README.md.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

import placefix
from adversary_judge import HALF, HARMS, Judge, Task, Verdict, fixing_rules
from adversary_pieces import PIECES
from adversary_program import LAYOUTS, Program
from placefix.config import Options

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# The classes of wrong edits that a review found at 8d07b9f, by the pieces that may show them.
CLASSES = {
    "a flag that is about something else": (
        "results_by_flag",
        "attribute_by_flag",
        "parked_by_flag",
        "module_parked_by_flag",
        "metrics",
    ),
    "a flag that changes": ("changed_flag",),
    "a flag in a module's forward": ("guard_in_forward",),
    "a flag in a helper": ("guard_in_helper",),
    "a class with a cuda of its own": ("own_cuda", "own_batch"),
    "a function that wants a string": ("string_wanted",),
    "a device bound further down": ("bound_further_down",),
    "a device that is something else": ("shadowed_device",),
    "a move as a statement": ("move_as_a_statement",),
    "a helper with a CPU caller": ("helper_of_both",),
    "what a function returns": ("escapes",),
    "the current device": ("current_device", "visible_devices"),
    "a parameter moved in __init__": ("parameter_in_init",),
    "half of a state": ("hidden_state",),
}
ABOVE = "a constant above the import"
BROKEN = "broken"  # the benchmark itself failed


class Plan(NamedTuple):
    """What a program is composed of."""

    seed: int
    pieces: tuple[tuple[int, str], ...]  # with their places, which their randomness hangs on


def plan_of(seed: int, only: Sequence[str] = ()) -> Plan:
    """The program of this number. only: a program of one of these pieces."""
    chance = random.Random(f"plan {seed}")
    if only:
        return Plan(seed, ((0, only[seed % len(only)]),))
    if chance.random() < 0.08:
        alone = [piece for piece in PIECES.values() if piece.alone]
        return Plan(seed, ((0, chance.choices(alone, [piece.weight for piece in alone])[0].name),))
    free = [piece for piece in PIECES.values() if not piece.alone]
    chosen: list[str] = []
    for _ in range(chance.choice((1, 2, 2, 3, 3, 4))):
        fitting = [piece for piece in free if not piece.faulty or not any(PIECES[name].faulty for name in chosen)]
        chosen.append(chance.choices(fitting, [piece.weight for piece in fitting])[0].name)
    chosen.sort(key=lambda name: PIECES[name].faulty)
    return Plan(seed, tuple(enumerate(chosen)))


def write(plan: Plan) -> Program:
    """Compose a program."""
    chance = random.Random(f"frame {plan.seed}")
    program = Program(chance.choice(LAYOUTS), chance)
    program.args = chance.choice(("args", "args", "opt", "FLAGS", "options"))
    program.names |= {program.args, "parser", "main", "Run", "F", "nn", "torch", "optim", "dist"}
    program.options_in_main = program.layout == "main" and chance.random() < 0.4
    program.constants_first = chance.random() < 0.15
    unplaced = any(name in ("unplaced", "distributed") for _, name in plan.pieces)
    idiom = chance.randrange(8)
    if not unplaced:
        name = chance.choice(("device", "device", "DEVICE", "dev"))
        literal = chance.choice(('"cuda"', 'torch.device("cuda")', '"cuda:0"'))
        if idiom <= 1:
            program.definitions.append(f'{name} = torch.device("cuda" if torch.cuda.is_available() else "cpu")')
        elif idiom == 2:
            (program.above if chance.random() < 0.6 and "torch" not in literal else program.definitions).append(
                f"{name} = {literal}"
            )
        elif idiom == 3:
            test = program.flag(True, everywhere=True, about_cuda=True).test
            program.definitions.append(f'{name} = torch.device("cuda" if {test} else "cpu")')
        if idiom <= 3:
            program.text_of_device = name
            program.names.add(name)
        if idiom == 2 and program.constants_first:
            program.above.insert(0, "BATCH = 2")
    for place, name in plan.pieces:
        program.chance = random.Random(f"piece {plan.seed} {place} {name}")
        program.body.append([])
        PIECES[name].write(program)
    if chance.random() < 0.05:
        row = program.body[-1][-1]
        if "\n" not in row:
            program.body[-1][-1] = f"{row}  # placefix: ignore[{chance.choice(('PF303', 'PF201', 'PF401'))}]"
    return program


def options_of(plan: Plan) -> Options:
    """How `apply` is asked."""
    chance = random.Random(f"options {plan.seed}").random()
    placement = True if any(name == "unplaced" for _, name in plan.pieces) else None
    if chance < 0.05:
        return Options(target_torch="2.7", device_idiom="accelerator", add_placement=placement)
    return Options(target_torch="2.4" if chance < 0.35 else None, add_placement=placement)


def task_of(plan: Plan) -> Task:
    """A program as it is judged."""
    program = write(plan)
    return Task(program.render(), program.arguments, options_of(plan), program.several)


def smallest(judges: Judge, plan: Plan, verdict: Verdict) -> tuple[Plan, Verdict]:
    """The fewest pieces of a program that still do harm of this kind."""

    def harms(other: Plan) -> Verdict | None:
        again = judges.judge(task_of(other))
        return again if again.kind == verdict.kind else None

    found = (plan, verdict)
    for size in range(1, min(3, len(plan.pieces))):
        smaller = [plan._replace(pieces=pieces) for pieces in combinations(plan.pieces, size)]
        hit = next(((other, again) for other in smaller if (again := harms(other)) is not None), None)
        if hit is not None:
            found = hit
            break
    return found


def class_of(plan: Plan, verdict: Verdict) -> str:
    """The class of a harm, by what remains of the program."""
    if "NameError" in verdict.what and "'torch'" in verdict.what:
        return ABOVE
    return " + ".join(sorted({class_of_piece(name) for _, name in plan.pieces}))


def class_of_piece(piece: str) -> str:
    """The class that a piece may show, or its own name."""
    return next((name for name, pieces in CLASSES.items() if piece in pieces), piece.replace("_", " "))


_JUDGE: list[Judge] = []


def _start(memo: Sequence[Path] = ()) -> None:
    judges = Judge()
    for file in memo:
        for row in read(file):
            if row.get("key"):
                judges.known[row["key"]] = Verdict(**{name: row[name] for name in Verdict._fields if name in row})
    _JUDGE.append(judges)


def read(file: Path) -> list[dict[str, Any]]:
    """The rows of a file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def record(seeds: Sequence[int], only: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The rows of programs."""
    plans = [plan_of(seed, only) for seed in seeds]
    judges, rows = _JUDGE[0], []
    try:
        verdicts = judges.judge_all([task_of(plan) for plan in plans])
    except Exception as error:
        if len(seeds) > 1:
            return [row for seed in seeds for row in record([seed], only)]
        verdicts = [Verdict(False, BROKEN, f"{type(error).__name__}: {error}")]
    for plan, verdict in zip(plans, verdicts, strict=True):
        row: dict[str, Any] = {"seed": plan.seed, "pieces": [name for _, name in plan.pieces]}
        row["above"] = write(plan).constants_first
        if verdict.kind and verdict.kind != BROKEN:
            small, again = smallest(judges, plan, verdict)
            row["class"] = class_of(small, again)
            row["small"] = [name for _, name in small.pieces]
            row["first"] = again.what
        rows.append(row | verdict._asdict())
    return rows


def run(
    seeds: Iterable[int], workers: int, file: Path | None, seconds: float, only: Sequence[str], memo: Sequence[Path]
) -> list[dict[str, Any]]:
    """Judge the programs of these numbers; each row is written as soon as it is known. Stops after so many seconds."""
    rows: list[dict[str, Any]] = []
    end = time.monotonic() + seconds
    with ProcessPoolExecutor(workers, initializer=_start, initargs=(memo,)) as pool:
        numbers = iter(seeds)
        out = file.open("a", encoding="utf-8") if file is not None else None
        while time.monotonic() < end:
            some = [[number for _, number in zip(range(12), numbers, strict=False)] for _ in range(2 * workers)]
            if not some[0]:
                break
            for found in pool.map(partial(record, only=only), [group for group in some if group]):
                rows += found
                if out is not None:
                    print(*(json.dumps(row) for row in found), sep="\n", file=out, flush=True)
    return rows


def summarise(rows: Sequence[dict[str, Any]], *, examples: int) -> None:
    """Print the tables: classes, rules, and the totals."""
    harmed = [row for row in rows if row["kind"] in HARMS]
    names = [ABOVE, *CLASSES, *sorted({row["class"] for row in rows if row.get("class")} - {ABOVE, *CLASSES})]
    print(f"{'class':<60}{'programs':>9}{'harmed':>8}{'half':>6}")
    for name in names:
        here = [
            row
            for row in rows
            if (row["above"] if name == ABOVE else any(class_of_piece(piece) == name for piece in row["pieces"]))
        ]
        mine = [row for row in rows if row.get("class") == name]
        count = Counter("half" if row["kind"] == HALF else "harmed" for row in mine)
        print(f"{name[:58]:<60}{len(here) or '':>9}{count['harmed']:>8}{count['half']:>6}")
        kinds: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for row in mine:
            kinds.setdefault((row["kind"], " + ".join(row["small"])), []).append(row)
        for (kind, pieces), found in sorted(kinds.items(), key=lambda item: -len(item[1]))[: examples or 0]:
            print(
                f"    {len(found):>4} {kind:<7} {pieces}: {', '.join(str(row['seed']) for row in found[:6])}: {found[0]['first'][:110]}"
            )
    changed = [row for row in rows if row["changed"]]
    counts = Counter(code for row in changed for code in row["rules"])
    print("\nrules applied in programs: " + ", ".join(f"{code} {counts[code]}" for code in fixing_rules()))
    died = [row for row in changed if row["died"]]
    broken = [row for row in rows if row["kind"] == BROKEN]
    print(
        f"{len(rows)} programs, {len(changed)} changed, {sum(row['clean'] for row in changed)} of these ran with a GPU before; harmed {len(harmed)}; "
        f"half repaired {sum(row['kind'] == HALF for row in rows)}; raised without CUDA {len(died)}, of which {sum(row['runs'] for row in died)} run now; "
        f"raised with a GPU and run now: {sum(row['repaired'] for row in changed)}; not judged {len(broken)}"
    )
    for row in broken[:3]:
        print("not judged:", row["seed"], row["what"])


def show(seed: int, only: Sequence[str], verdict: bool) -> None:
    """Print a program, what apply does to it, and the verdict."""
    plan = plan_of(seed)
    if only and not any(name in only for _, name in plan.pieces):
        plan = plan_of(seed, only)
    elif only:
        plan = plan._replace(pieces=tuple((place, name) for place, name in plan.pieces if name in only))
    program = write(plan)
    files = program.render()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        print(f"# {plan.pieces} {program.layout} {program.arguments}")
        placefix.fix_paths([folder], options=options_of(plan), isolated=True)
        for name, text in files.items():
            after = (Path(folder) / name).read_text(encoding="utf-8")
            print(f"# {name}\n{text}")
            print("\n".join(difflib.unified_diff(text.splitlines(), after.splitlines(), name, name, lineterm="")))
    if verdict:
        judges = Judge()
        print(judges.judge(task_of(plan)))
        judges.close()


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--seconds", type=float, default=1e9, help="start nothing after so long")
    parser.add_argument(
        "--record", type=Path, help="a file that keeps the rows; what is there already is not run again"
    )
    parser.add_argument(
        "--memo",
        type=Path,
        nargs="*",
        default=[],
        help="rows of other runs: what apply writes as it did then is not run again",
    )
    parser.add_argument("--summary", type=Path)
    parser.add_argument("--examples", type=int, default=3)
    parser.add_argument("--show", type=int)
    parser.add_argument("--only", default="")
    parser.add_argument("--no-verdict", action="store_true")
    options = parser.parse_args()
    if options.show is not None:
        show(options.show, [name for name in options.only.split(",") if name], not options.no_verdict)
        return
    file = options.summary or options.record
    rows = read(file) if file else []
    if options.summary is None:
        done = {row["seed"] for row in rows}
        seeds = (seed for seed in range(options.start, options.start + options.count) if seed not in done)
        only = [name for name in options.only.split(",") if name]
        rows += run(seeds, options.workers, options.record, options.seconds, only, options.memo)
    summarise(rows, examples=options.examples)
    sys.exit(any(row["kind"] in HARMS for row in rows))


if __name__ == "__main__":
    main()
