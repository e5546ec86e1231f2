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
import hashlib
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

import placefix
from adversary_judge import HALF, HARMS, Judge, Task, Verdict, fixing_rules
from adversary_program import LAYOUTS, Program
from code_stamp import code_stamp
from hostile import PIECES, Piece
from hostile.surroundings import dress, surround
from placefix.config import Options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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
    first = _drawn(chance, [])
    if first.alone:
        return Plan(seed, ((0, first.name),))
    chosen = [first.name]
    for _ in range(chance.choice((0, 1, 1, 2, 2, 3))):
        chosen.append(_drawn(chance, chosen).name)
    chosen.sort(key=lambda name: PIECES[name].faulty)
    return Plan(seed, tuple(enumerate(chosen)))


def _drawn(chance: random.Random, beside: Sequence[str]) -> Piece:
    """A piece that may stand beside these: half of them by a rule, all rules alike, and half by their weights."""
    faulty = any(PIECES[name].faulty for name in beside)
    fitting = [piece for piece in PIECES.values() if not (beside and (piece.alone or (faulty and piece.faulty)))]
    if chance.random() < 0.5:
        code = chance.choice(sorted({code for piece in fitting for code in piece.rules}))
        fitting = [piece for piece in fitting if code in piece.rules]
    return chance.choices(fitting, [piece.weight for piece in fitting])[0]


def write(plan: Plan) -> Program:
    """Compose a program."""
    chance = random.Random(f"frame {plan.seed}")
    program = Program(chance.choice(LAYOUTS), chance)
    program.args = chance.choice(("args", "args", "opt", "FLAGS", "options"))
    program.names |= {program.args, "parser", "main", "Run", "F", "nn", "torch", "optim", "dist"}
    program.options_in_main = program.layout == "main" and chance.random() < 0.4
    program.constants_first = chance.random() < 0.15
    unplaced = any(PIECES[name].bare for _, name in plan.pieces)
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
        program.chance = random.Random(f"around {plan.seed} {place} {name}")
        surround(program)
    if chance.random() < 0.05:
        row = program.body[-1][-1]
        if "\n" not in row:
            program.body[-1][-1] = f"{row}  # placefix: ignore[{chance.choice(('PF303', 'PF201', 'PF401'))}]"
    return program


def files_of(plan: Plan) -> dict[str, str]:
    """The texts of a program."""
    return dress(write(plan).render(), random.Random(f"dress {plan.seed}"))


def options_of(plan: Plan) -> Options:
    """How `apply` is asked."""
    chance = random.Random(f"options {plan.seed}").random()
    wanted = {code for _, name in plan.pieces for code in PIECES[name].rules}
    placement = True if "PF501" in wanted else None
    if "PF404" in wanted:
        chance = 0.1 + chance / 4
    if chance < 0.05:
        return Options(target_torch="2.7", device_idiom="accelerator", add_placement=placement)
    return Options(target_torch="2.4" if chance < 0.35 else None, add_placement=placement)


def task_of(plan: Plan) -> Task:
    """A program as it is judged."""
    program = write(plan)
    apart = any(PIECES[name].apart for _, name in plan.pieces)
    return Task(files_of(plan), program.arguments, options_of(plan), program.several, apart)


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
    return PIECES[piece].shows if piece in PIECES and PIECES[piece].shows else piece.replace("_", " ")


class Known(NamedTuple):
    """What a record holds: by the number of a program its last row, and by the key of a verdict the row that has it."""

    rows: dict[int, dict[str, Any]]
    verdicts: dict[str, dict[str, Any]]


def read(file: Path | None) -> Known:
    """The record of a file by this judge; of several rows of one program the last one holds."""
    known, judge = Known({}, {}), judge_stamp()
    for line in file.read_text(encoding="utf-8").splitlines() if file is not None and file.exists() else ():
        row = json.loads(line)
        if row.get("judge") != judge:
            continue
        known.rows[row["seed"]] = row
        if row["key"]:
            known.verdicts[row["key"]] = row
    return known


def judge_stamp() -> str:
    """A hash of what says what harm is: the verdicts of another judge are not taken over."""
    room = Path(__file__).resolve().parent
    texts = [(room / name).read_bytes() for name in ("adversary_judge.py", "adversary_probe.py")]
    return hashlib.sha256(b"".join(texts)).hexdigest()[:12]


_STATE: dict[str, Any] = {}


def _start(known: dict[str, dict[str, Any]], code: str) -> None:
    judge = Judge()
    for key, row in known.items():
        judge.known[key] = Verdict(**{name: row[name] for name in Verdict._fields})
    _STATE.update(judge=judge, judge_stamp=judge_stamp(), rows=known, code=code)


def record(seeds: Sequence[int], only: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The rows of programs."""
    plans = [plan_of(seed, only) for seed in seeds]
    judge, rows = _STATE["judge"], []
    tasks = [task_of(plan) for plan in plans]
    try:
        verdicts = judge.judge_all(tasks)
    except Exception as error:
        if len(seeds) > 1:
            return [row for seed in seeds for row in record([seed], only)]
        verdicts = [Verdict(False, BROKEN, f"{type(error).__name__}: {error}")]
    for plan, task, verdict in zip(plans, tasks, verdicts, strict=True):
        row: dict[str, Any] = {"seed": plan.seed, "pieces": [name for _, name in plan.pieces]}
        row |= {
            "program": task.key(),
            "code": _STATE["code"],
            "judge": _STATE["judge_stamp"],
            "above": write(plan).constants_first,
        }
        if verdict.kind and verdict.kind != BROKEN:
            before = _STATE["rows"].get(verdict.key)
            if before is None:
                small, again = smallest(judge, plan, verdict)
                before = {"class": class_of(small, again), "small": [n for _, n in small.pieces], "first": again.what}
            row |= {name: before[name] for name in ("class", "small", "first")}
        rows.append(row | verdict._asdict())
    return rows


def run(
    seeds: Iterable[int], known: Known, workers: int, file: Path | None, seconds: float, only: Sequence[str]
) -> list[dict[str, Any]]:
    """Judge the programs of these numbers; each row is written as soon as it is known. Stops after so many seconds.

    A program that the record holds is not judged again by the same code. By other code it is analysed again, and run only if
    what is written now was not run before.
    """
    rows: list[dict[str, Any]] = []
    end, code = time.monotonic() + seconds, code_stamp()

    def wanted(seed: int) -> bool:
        row = known.rows.get(seed)
        return row is None or row["code"] != code or row["program"] != task_of(plan_of(seed, only)).key()

    numbers = (seed for seed in seeds if wanted(seed))
    with ExitStack() as stack:
        out = stack.enter_context(file.open("a", encoding="utf-8")) if file is not None else None
        several: Callable[..., Iterable[list[dict[str, Any]]]] = map
        if workers:
            pool = ProcessPoolExecutor(workers, initializer=_start, initargs=(known.verdicts, code))
            several = stack.enter_context(pool).map
        else:
            _start(known.verdicts, code)
        while time.monotonic() < end:
            some = [list(islice(numbers, 16)) for _ in range(2 * workers or 1)]
            if not some[0]:
                break
            for found in several(partial(record, only=only), [group for group in some if group]):
                rows += found
                if out is not None:
                    print(*(json.dumps(row) for row in found), sep="\n", file=out, flush=True)
    return rows


def summarise(rows: Sequence[dict[str, Any]], *, examples: int) -> None:
    """Print the tables: classes, rules, and the totals."""
    harmed = [row for row in rows if row["kind"] in HARMS]
    classes = sorted({piece.shows for piece in PIECES.values() if piece.shows})
    names = [ABOVE, *classes, *sorted({row["class"] for row in rows if row.get("class")} - {ABOVE, *classes})]
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
    program, files = write(plan), files_of(plan)
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
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1), help="processes; 0: this one")
    parser.add_argument("--seconds", type=float, default=1e9, help="start nothing after so long")
    parser.add_argument(
        "--record", type=Path, help="a file that keeps the rows; what is there already is not run again"
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
    known = read(options.summary or options.record)
    if options.summary is None:
        seeds = range(options.start, options.start + options.count)
        only = [name for name in options.only.split(",") if name]
        for row in run(seeds, known, options.workers, options.record, options.seconds, only):
            known.rows[row["seed"]] = row
    rows = list(known.rows.values())
    summarise(rows, examples=options.examples)
    sys.exit(any(row["kind"] in HARMS for row in rows))


if __name__ == "__main__":
    main()
