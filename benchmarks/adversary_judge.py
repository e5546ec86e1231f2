"""Judge a program by running it before and after `apply`, on machines with no, one and two GPUs."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs" / "tools"))

import placefix
from adversary_program import program_of
from pages import safe_fix
from placefix.engine import Changed, Failed
from placefix.rules import RULES
from placefix.simulate.client import Simulator
from placefix.simulate.comparison import is_within_tolerance, printed_numbers
from placefix.simulate.judgement import first_failure
from placefix.simulate.request import Request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.config import Options

# What is harm, and what is only told.
RAISES, PRINTS, VALUES, PULLED, UNLIKE, FAILED = "raises", "prints", "values", "pulled", "unlike", "failed"
HARMS = (RAISES, PRINTS, VALUES, PULLED, UNLIKE, FAILED)
HALF = "half"
SECONDS = 20.0
_PLACED = re.compile(r"PF3\d\d")
_UNBOUND = ("NameError", "UnboundLocalError", "SyntaxError", "IndentationError")
_FRAME = """\
import sys; sys.path.append({room!r}); import adversary_probe as _probe; sys.dont_write_bytecode = True; _probe.watch({folder!r}); import warnings; warnings.simplefilter("ignore")
{text}
_probe.tell(dict(globals()), {report!r})
"""
_TOGETHER = """\
import sys; sys.path.append({room!r}); import adversary_probe as _probe; sys.dont_write_bytecode = True
import warnings; warnings.simplefilter("ignore")
_probe.several({jobs!r}, {report!r})
"""


class Run(NamedTuple):
    """What one run did: its error, what it printed, and what it held at its end."""

    error: str
    function: str  # where the error is
    out: str
    numbers: list[str]
    held: dict[str, list[Any]]


class Verdict(NamedTuple):
    """What became of a program. kind: of the harm, or nothing; what: the first sign of it."""

    changed: bool
    kind: str = ""
    what: str = ""
    rules: tuple[str, ...] = ()
    clean: bool = False  # it ran with one GPU, so that it can be harmed
    died: bool = False  # it raised without CUDA
    runs: bool = False  # and no longer does
    repaired: bool = False  # it raised with one GPU, and no longer does
    key: str = ""  # of the program and of what became of it: the same key, the same verdict


class Task(NamedTuple):
    """A program to be judged: its files, its command line, how `apply` is asked, whether it may do another thing with two GPUs, and
    whether it must have a process to itself."""

    files: dict[str, str]
    arguments: list[str]
    options: Options
    several: bool
    apart: bool = False

    def key(self, after: dict[str, str] | None = None) -> str:
        """A hash of the program and how it is run, and of what has become of it."""
        said = [self.files, self.arguments, self.several, self.apart, str(self.options) if after is None else after]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:24]


class Judge:
    """A simulator, and folders to run in."""

    def __init__(self, simulator: Simulator | None = None) -> None:
        self.simulator = simulator or Simulator()
        self.room = str(Path(__file__).resolve().parent)
        self.known: dict[str, Verdict] = {}

    def close(self) -> None:
        """Stop the simulator."""
        self.simulator.close()

    def judge(self, task: Task) -> Verdict:
        """The verdict on one program."""
        return self.judge_all([task])[0]

    def judge_all(self, tasks: Sequence[Task]) -> list[Verdict]:
        """The verdicts on programs. They are run together, and those that seem harmed once more, alone."""
        with tempfile.TemporaryDirectory(prefix="adversary-") as folder:
            verdicts: list[Verdict | None] = []
            waiting: list[tuple[int, Path, Path, tuple[str, ...], str]] = []
            for number, task in enumerate(tasks):
                before, after = Path(folder) / f"{number}" / "before", Path(folder) / f"{number}" / "after"
                before.mkdir(parents=True)
                for name, text in task.files.items():
                    (before / name).write_text(text, encoding="utf-8")
                shutil.copytree(before, after)
                verdict, rules, key = self._fixed(task, after)
                verdicts.append(verdict)
                if verdict is None:
                    waiting.append((number, before, after, rules, key))
            quick = self._together(tasks, waiting) if waiting else {}
            for number, before, after, rules, key in waiting:
                verdict = quick.get(number)
                if verdict is None or verdict.kind:
                    task = tasks[number]
                    verdict = self.compare(before, after, task.arguments, several=task.several, rules=rules)
                self.known[key] = verdicts[number] = verdict._replace(key=key)
        return [verdict for verdict in verdicts if verdict is not None]

    def rules_applied(self, task: Task) -> tuple[str, ...]:
        """The rules of which `apply` writes safe fixes into a program. Nothing is run."""
        with tempfile.TemporaryDirectory(prefix="adversary-") as folder:
            for name, text in task.files.items():
                (Path(folder) / name).write_text(text, encoding="utf-8")
            return self._fixed(task, Path(folder))[1]

    def _together(
        self, tasks: Sequence[Task], waiting: Sequence[tuple[int, Path, Path, tuple[str, ...], str]]
    ) -> dict[int, Verdict]:
        """The verdicts by the programs' places, of runs that share a process; none of a program whose process ended early."""
        runs: dict[int, dict[int, list[Run]]] = {}
        for devices in (1, 0, 2):
            rows = [row for row in waiting if not tasks[row[0]].apart and (devices < 2 or tasks[row[0]].several)]
            jobs = [(side, tasks[row[0]].arguments) for row in rows for side in row[1:3]]
            found = self.run_all(jobs, devices) if len(rows) > 1 else []
            for place, row in enumerate(rows if found else ()):
                runs.setdefault(row[0], {})[devices] = found[2 * place : 2 * place + 2]
        rules = {row[0]: row[3] for row in waiting}
        return {
            number: decide(rules[number], machines)
            for number, machines in runs.items()
            if len(machines) == (3 if tasks[number].several else 2)
        }

    def _fixed(self, task: Task, folder: Path) -> tuple[Verdict | None, tuple[str, ...], str]:
        """Apply the safe fixes in a folder: the verdict, if that is all, or the rules applied and the key of the result."""
        results = placefix.fix_paths([folder], options=task.options, isolated=True)
        failed = [result.outcome.error for result in results if isinstance(result.outcome, Failed)]
        if failed:
            return Verdict(False, FAILED, failed[0]), (), ""
        applied = {d.rule.code for r in results if isinstance(r.outcome, Changed) for d in r.outcome.applied}
        if not any(isinstance(result.outcome, Changed) for result in results):
            return Verdict(False), (), ""
        rules = tuple(sorted(applied))
        new = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
        key = task.key(new)
        known = self.known.get(key)
        return (None if known is None else known._replace(rules=rules)), rules, key

    def compare(
        self, before: Path, after: Path, arguments: list[str], *, several: bool, rules: tuple[str, ...] = ()
    ) -> Verdict:
        """The verdict on two folders: a program, and what these rules have made of it. Each run has a process of its own."""
        machines = (1, 0, 2) if several else (1, 0)
        runs = {n: [self.run(before, arguments, n), self.run(after, arguments, n)] for n in machines}
        fixed = [new for _, new in runs.values() if new.error.startswith(_UNBOUND)]
        own = frozenset(new.error for new in fixed if is_own_fault(new, texts_in(before), texts_in(after)))
        verdict = decide(rules, runs, own)
        if verdict.kind == UNLIKE:
            # The devices have generators of their own, and what autocast computes is another thing on the CPU.
            shared = self.run(after, arguments, 1, shared=True)
            mixed = any(path.is_file() and b"amp" in path.read_bytes() for path in after.iterdir())
            if mixed or shared.error or is_within_tolerance(shared.numbers, runs[0][1].numbers):
                return verdict._replace(kind="", what="")
        return verdict

    def run_all(self, jobs: Sequence[tuple[Path, list[str]]], devices: int) -> list[Run]:
        """Run programs one after another in one process; nothing where that ended early."""
        with tempfile.TemporaryDirectory(prefix="adversary-") as room:
            rows = []
            for number, (folder, arguments) in enumerate(jobs):
                place = Path(room) / str(number)
                shutil.copytree(folder, place)
                files = {path.name: path.read_text(encoding="utf-8") for path in place.iterdir()}
                given = arguments if "main.py" in files else []
                rows.append({"folder": str(place), "arguments": given, "text": program_of(files)})
            source, report, list_ = Path(room) / "text.py", Path(room) / "report.json", Path(room) / "jobs.json"
            list_.write_text(json.dumps(rows), encoding="utf-8")
            source.write_text(_TOGETHER.format(room=self.room, jobs=str(list_), report=str(report)), encoding="utf-8")
            self.simulator.run(
                Request(str(Path(room) / "main.py"), [], room, str(source), devices, timeout=SECONDS * len(jobs))
            )
            said = json.loads(report.read_text(encoding="utf-8")) if report.exists() else []
            return [Run(error, where, out, printed_numbers({"out": out}), held) for error, where, out, held in said]

    def run(self, folder: Path, arguments: list[str], devices: int, *, shared: bool = False) -> Run:
        """Run a program's main file in its folder, copied, so that runs do not see each other's files."""
        with tempfile.TemporaryDirectory(prefix="adversary-") as room:
            place = Path(room) / "program"
            shutil.copytree(folder, place)
            files = {path.name: path.read_text(encoding="utf-8") for path in place.iterdir()}
            source, report = Path(room) / "text.py", Path(room) / "held.json"
            text = program_of(files)
            source.write_text(
                _FRAME.format(room=self.room, folder=str(place), text=text, report=str(report)), encoding="utf-8"
            )
            request = Request(
                str(place / "main.py"), list(arguments) if "main.py" in files else [], str(place), str(source), devices,
                timeout=SECONDS, shared_numbers=shared,
            )  # fmt: skip
            said = self.simulator.run(request)
            error = first_failure(said)
            where = error["where"][-1] if error and error["where"] else {"in": ""}
            held = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
            kind = f"{error['type']}: {error['text'].splitlines()[0][:160] if error['text'] else ''}" if error else ""
            return Run(kind, where["in"], said.get("out", ""), printed_numbers(said), held)


def texts_in(folder: Path) -> dict[str, str]:
    """The texts of a program's files by their names."""
    return {
        path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if path.suffix in (".py", ".ipynb")
    }


def is_own_fault(run: Run, before: dict[str, str], after: dict[str, str]) -> bool:
    """Whether a program without a fix would end with an error about a name as well if it came that far: no fix touches a line with the name,
    or the function of the error is as it was and no fix binds the name, or takes away what does."""
    found = re.search(r"'(\w+)'", run.error)
    if found is None:
        return False
    name = found[1]
    pairs = [(before.get(file, "").splitlines(), text.splitlines()) for file, text in after.items()]
    lines = [line[1:] for old, new in pairs for line in difflib.ndiff(old, new) if line[:1] in "+-"]
    touching = [line for line in lines if re.search(rf"\b{name}\b", line)]
    if not touching:
        return True
    # `f(device=device)` binds nothing
    binds = rf"^[^(]*\b{name}\b\s*(?:=(?!=)|,[^()]*=(?!=)|:[^=]*=(?!=)|\+=)|\b(?:import|as|for|def|class|del|global|with)\b[^=]*\b{name}\b"
    versions = [[_functions(run.function, "\n".join(side)) for side in pair] for pair in pairs]
    unchanged = all(old == new for old, new in versions)
    return unchanged and not any(re.search(binds, line) for line in touching)


def _functions(name: str, text: str) -> list[str]:
    """The lines of each function of a name, by their indentation; in a notebook, those of its cell's source."""
    whole = rf'^([ "]*)def {re.escape(name)}\(.*(?:\n\1[ \t"].*|\n[ \t]*)*'
    return [found[0] for found in re.finditer(whole, text, re.MULTILINE)]


def decide(rules: tuple[str, ...], runs: dict[int, list[Run]], own: frozenset[str] = frozenset()) -> Verdict:
    """The verdict by the runs before and after, by the number of GPUs. own: errors that are no harm (`is_own_fault`)."""
    (one, fixed), (none, plain) = runs[1], runs[0]
    verdict = Verdict(
        True, rules=rules, clean=not one.error, died=bool(none.error), runs=bool(none.error) and not plain.error,
        repaired=bool(one.error) and not fixed.error,
    )  # fmt: skip
    raised = own.union(old.error for old, _ in runs.values())
    for devices, (old, new) in runs.items():
        kind, what = harm(old, new, raised)
        if kind:
            return verdict._replace(kind=kind, what=f"with {devices} GPUs: {what}")
    if not one.error and verdict.runs and not is_within_tolerance(fixed.numbers, plain.numbers):
        return verdict._replace(kind=UNLIKE, what=f"{fixed.numbers} with a GPU, {plain.numbers} without")
    tried = any(_PLACED.match(rule) for rule in rules) and "device" in fixed.error
    if one.error and tried and one.function == fixed.function not in ("<module>", "main", "start", ""):
        return verdict._replace(kind=HALF, what=fixed.error)
    return verdict


def harm(old: Run, new: Run, raised: frozenset[str] = frozenset()) -> tuple[str, str]:
    """The kind of the harm between two runs on one machine and the first sign of it; nothing where there is none. Of a program
    that raised before, and no longer does, what it printed until then is compared. raised: its errors on all machines."""
    if old.error:
        if new.error.startswith(_UNBOUND) and new.error not in raised:
            return RAISES, f"{new.error} in {new.function}"
        if new.error or _placeless(new.out).startswith(_placeless(old.out)):
            return "", ""
        return _printed(old, new)
    if new.error:
        return RAISES, f"{new.error} in {new.function}"
    for path, (device, _) in old.held.items():
        if device.startswith("cuda") and new.held.get(path, [device])[0] == "cpu":
            return PULLED, f"{path} lay on {device}"
    if _masked(old.out) != _masked(new.out):
        return _printed(old, new)
    for path, (_, value) in old.held.items():
        now = new.held.get(path, [None, value])[1]
        if now != value and not (now != now and value != value) and not _close(now, value):
            return VALUES, f"{path} was {value}, is {now}"
    return "", ""


def _printed(old: Run, new: Run) -> tuple[str, str]:
    left, right = _masked(old.out).splitlines(), _masked(new.out).splitlines()
    return PRINTS, " ".join(line for line in difflib.ndiff(left, right) if line[:1] in "+-")[:160]


def _masked(text: str) -> str:
    """What was printed; how a GPU's device is spelled is no result, in capitals neither."""
    return re.sub(r"(?i)cuda(:\d+)?|\bgpu\b", "cuda", re.sub(r"0x[0-9a-f]+", "0x", text))


def _placeless(text: str) -> str:
    """What was printed without the places: where something lies is what is repaired in a program that raises. One that could not run
    without GPUs is not harmed if it prints the device that it has there: CPU for CUDA, in any case of the letters."""
    return re.sub(r"\b(True|False|(?i:cpu)|cuda)\b", "", _masked(text))


def _close(left: Any, right: Any) -> bool:
    return isinstance(left, float) and isinstance(right, float) and abs(left - right) <= 1e-4 * max(1.0, abs(left))


def fixing_rules() -> tuple[str, ...]:
    """The rules that may have a safe fix, by the rule index of the documentation."""
    return tuple(rule.code for rule in RULES if safe_fix(rule) == "yes")
