"""What placefix costs, in ratios of CPU time against things everybody knows.

    python benchmarks/speed.py                  # the whole table (TorchFix takes most of the time)
    python benchmarks/speed.py --only check,apply,start
    python benchmarks/speed.py --pairs 9

Method: every command is a process of its own, pinned to one core; CPU time (user and system)
comes from wait4. Two commands are run in turn, A B A B, after one warm-up of each, and what
counts is the median of the ratios of the pairs, with their smallest and largest. Absolute
times are of this machine; ratios travel.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from corpus import fetch, judge  # noqa: E402

from placefix.files import DEFAULT_EXCLUDES  # noqa: E402
from placefix.rules import RULES  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PLACEFIX = [sys.executable, "-m", "placefix"]
# One line a finding, as the others print: diffs are another row.
COLD = [
    "--isolated",
    "--no-cache",
    "--jobs",
    "1",
]  # every run does its work, in one process, as what it is held against
CHECK = [*COLD, "--quiet", "--output-format", "concise"]


@dataclass(frozen=True)
class Command:
    """A process to measure; `before` runs ahead of each start, unmeasured."""

    words: Sequence[str]
    cwd: Path
    before: Callable[[], None] | None = None

    def cpu(self) -> float:
        """CPU seconds of one run, its children included."""
        if self.before:
            self.before()
        environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "FORCE_COLOR")}
        with subprocess.Popen(
            self.words,
            cwd=self.cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        ) as process:
            assert process.stderr is not None
            errors = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        # 1 and 2 are findings and files that do not parse; anything else is a broken measurement
        if process.returncode not in (0, 1, 2) or "Traceback" in errors or "No module named" in errors:
            raise SystemExit(f"{' '.join(map(str, self.words))[:200]}: status {process.returncode}\n{errors[-2000:]}")
        return usage.ru_utime + usage.ru_stime


@dataclass(frozen=True)
class Row:
    """One comparison: ours against theirs, and the bound on the ratio."""

    name: str
    ours: float
    theirs: float
    ratios: Sequence[float]
    bound: float
    at_least: bool = False

    @property
    def met(self) -> bool:
        middle = statistics.median(self.ratios)
        return middle >= self.bound if self.at_least else middle <= self.bound

    def __str__(self) -> str:
        middle, low, high = statistics.median(self.ratios), min(self.ratios), max(self.ratios)
        digits = 0 if middle >= 20 else 2
        sign = ">=" if self.at_least else "<="
        return (
            f"| {self.name:<58} | {self.ours:8.3f} | {self.theirs:8.3f} | {middle:7.{digits}f} "
            f"({low:.{digits}f}-{high:.{digits}f}) | {sign} {self.bound:g} | {'yes' if self.met else 'NO'} |"
        )


def compare(
    name: str, ours: Command, theirs: Command, bound: float, pairs: int, at_least: bool = False, warm: bool = True
) -> Row:
    """`at_least`: how many times theirs is ours; otherwise how many times ours is theirs."""
    if warm:
        ours.cpu(), theirs.cpu()
    times = [(ours.cpu(), theirs.cpu()) for _ in range(pairs)]
    ratios = [b / a if at_least else a / b for a, b in times]
    row = Row(
        name, statistics.median(a for a, _ in times), statistics.median(b for _, b in times), ratios, bound, at_least
    )
    print(row, flush=True)
    return row


def core_tree(folder: Path) -> Path:
    for member, data in fetch.read_members(fetch.fetch()):
        _write(folder / member.name, data)
    return folder


def bulk_tree(folder: Path) -> Path:
    """Every Python file of the bulk corpus that placefix would look at by itself."""
    for archive in fetch.fetch(fetch.BULK).values():
        for name, data in fetch.read_archive(archive):
            if name.endswith(".py") and not DEFAULT_EXCLUDES & set(Path(name).parts):
                _write(folder / archive.name / name, data)
    return folder


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def describe(folder: Path) -> str:
    files = list(folder.rglob("*.py"))
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    return f"{len(files)} files, {lines / 1000:.0f} k lines"


def check_rows(scratch: Path, core: Path, bulk: Path, pairs: int) -> None:
    triggers = scratch / "triggers.json"
    triggers.write_text(
        json.dumps([[[[w.decode() for w in words] for words in rule.triggers], rule.patterns] for rule in RULES])
    )
    for name, tree in (("core", core), ("bulk", bulk)):
        bare = Command([sys.executable, str(HERE / "bare.py"), str(triggers), str(tree)], scratch)
        ours = Command([*PLACEFIX, "check", *CHECK, str(tree)], scratch)
        compare(f"check, {name} corpus / bare scan, triggers and ast.parse", ours, bare, 3, pairs)


def apply_row(scratch: Path, core: Path, pairs: int) -> None:
    changed = [name for name, verdict in judge.read_expected().items() if verdict.outcome == "changed"]
    tree = scratch / "changed"

    def fresh() -> None:
        shutil.rmtree(tree, ignore_errors=True)
        for name in changed:
            _write(tree / name, (core / name).read_bytes())

    printer = (
        "import libcst, sys\n"
        "for name in sys.argv[1:]:\n"
        "    data = open(name, 'rb').read()\n"
        "    open(name, 'wb').write(libcst.parse_module(data).bytes)\n"
    )
    ours = Command([*PLACEFIX, "apply", *COLD, "--quiet", *changed], tree, fresh)
    theirs = Command([sys.executable, "-c", printer, *changed], tree, fresh)
    fresh()
    compare(f"apply, {len(changed)} changed files / libcst parse and print", ours, theirs, 1, pairs)


def ruff_rows(scratch: Path, bulk: Path, pairs: int) -> None:
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
    if ruff is None:
        print("ruff is not installed: no comparison", file=sys.stderr)
        return
    options = ["--isolated", "--no-cache", "--exit-zero", "--statistics", "--quiet"]
    ours = Command([*PLACEFIX, "check", *CHECK, str(bulk)], scratch)
    for name, select, bound in (("default", [], 3), ("ALL", ["--select", "ALL"], 1)):
        theirs = Command([ruff, "check", *options, *select, str(bulk)], scratch)
        compare(f"check, bulk corpus / ruff {name}", ours, theirs, bound, pairs)


def torchfix_row(scratch: Path, core: Path, pairs: int, environment: Path) -> None:
    python = environment / "bin" / "python"
    if not python.exists():
        venv.create(environment, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "torchfix"], check=True, stdin=subprocess.DEVNULL)
    theirs = Command([str(environment / "bin" / "torchfix"), "--select", "ALL", str(core)], scratch)
    ours = Command([*PLACEFIX, "check", *CHECK, str(core)], scratch)
    compare("TorchFix, core corpus / check", ours, theirs, 100, pairs, at_least=True, warm=False)


APP = """import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def main(path: str) -> None:
    {body}


app()
"""


def start_rows(scratch: Path, pairs: int) -> None:
    clean = scratch / "clean.py"
    clean.write_text(_repeat((judge.SCRIPTS / "trap_correct_modern.py").read_text(), 300))
    fixable = scratch / "fixable.py"
    fixable.write_text(_repeat((judge.SCRIPTS / "sgd_scheduler_before_placement.py").read_text(), 300))
    quiet = subprocess.run(
        [*PLACEFIX, "check", "--isolated", clean.name], cwd=scratch, capture_output=True, check=False
    )
    found = subprocess.run(
        [*PLACEFIX, "apply", "--diff", "--isolated", fixable.name], cwd=scratch, capture_output=True, check=False
    )
    assert quiet.returncode == 0, "the clean file has findings"
    assert found.returncode == 1, "the other file has none"
    _write(scratch / "app.py", APP.format(body="pass").encode())
    _write(scratch / "app_libcst.py", APP.format(body="import libcst").encode())
    typer = importlib.metadata.version("typer")
    empty = Command([sys.executable, "app.py", clean.name], scratch)
    ours = Command([*PLACEFIX, "check", *COLD, clean.name], scratch)
    compare(f"check, one clean file of 300 lines / an empty typer {typer} app", ours, empty, 1.6, pairs)
    loaded = Command([sys.executable, "app_libcst.py", clean.name], scratch)
    ours = Command([*PLACEFIX, "apply", "--diff", *COLD, fixable.name], scratch)
    compare("apply --diff, one fix in 300 lines / that app and import libcst", ours, loaded, 1.3, pairs)


def _repeat(text: str, lines: int) -> str:
    """`text`, followed by a class of plain methods until there are `lines` lines."""
    text = text.replace("\r\n", "\n").replace("\t", "    ").split("if __name__")[0]
    filler = ["class Report:", '    """Numbers of a run, by name."""', ""]
    while text.count("\n") + len(filler) < lines - 6:
        number = len(filler) // 6
        filler += [
            f"    def measure_{number}(self, values, scale={number}.5):",
            "        total = 0.0",
            "        for index, value in enumerate(values):",
            "            total += scale * value / (index + 1)",
            f'        self.results["measure_{number}"] = round(total, 4)',
            "",
        ]
    return text + "\n".join(filler) + '\n\nif __name__ == "__main__":\n    main()\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="start,check,apply,ruff,torchfix", help="which rows, comma separated")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--torchfix-pairs", type=int, default=2, help="minutes each; the ratio is in the hundreds")
    parser.add_argument("--torchfix", type=Path, default=fetch.cache_folder() / "torchfix", help="its environment")
    arguments = parser.parse_args()
    wanted = set(arguments.only.split(","))
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory(prefix="placefix-speed-") as folder:
        scratch = Path(folder)
        core = core_tree(scratch / "core") if wanted & {"check", "apply", "torchfix"} else scratch
        bulk = bulk_tree(scratch / "bulk") if wanted & {"check", "ruff"} else scratch
        if core is not scratch:
            print(f"core: {describe(core)}")
        if bulk is not scratch:
            print(f"bulk: {describe(bulk)}")
        print(f"| {'ours / theirs':<58} | ours, s | theirs, s | ratio (min-max) | target | met |")
        print(f"|{'-' * 60}|---|---|---|---|---|")
        if "start" in wanted:
            start_rows(scratch, max(arguments.pairs, 15))
        if "check" in wanted:
            check_rows(scratch, core, bulk, arguments.pairs)
        if "apply" in wanted:
            apply_row(scratch, core, arguments.pairs)
        if "ruff" in wanted:
            ruff_rows(scratch, bulk, arguments.pairs)
        if "torchfix" in wanted:
            torchfix_row(scratch, core, arguments.torchfix_pairs, arguments.torchfix)


if __name__ == "__main__":
    main()
