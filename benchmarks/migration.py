"""`placefix migrate ddp`, shown by running: parameters after five steps on two simulated GPUs, by DataParallel and after the migration.

    python benchmarks/migration.py                 # every script of tests/migrate
    python benchmarks/migration.py NAME ...        # some of them, by the start of their names

Each script runs as it is in one process with two GPUs, then migrated in two processes with one each, in float64 and with the same global
batches: the order of the DistributedSampler is injected into the first run. The migrated script also runs alone, without a GPU. The columns:
the largest relative difference of a parameter after five steps, whether both runs printed the same numbers, and once, and whether the script
runs alone. The scripts of tests/migrate/different come last: of each, the page "From one GPU to many" tells why it trains differently. With
`--sync-batchnorm` the one with batch normalisation trains as on one GPU.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from placefix import engine
from placefix.migrate import migrate
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.simulate.client import Simulator
from placefix.simulate.judgement import first_failure
from placefix.simulate.request import Request
from placefix.source import Source

SCRIPTS = Path(__file__).parent.parent / "tests" / "migrate" / "scripts"
DIFFERENT = SCRIPTS.parent / "different"
NORMALISED = DIFFERENT / "batch_normalisation.py"
STEPS = 5
TOLERANCE = 1e-5
# Comes first in each script that runs: float64, the injected order, and the parameters after each optimizer's fifth step.
PRELUDE = """
import json as _json, os as _os, torch as _torch, torch.utils.data as _data, torch.utils.data.distributed
try:
    import tqdm
except ImportError:
    import sys as _sys, types as _types
    class _Bar:
        def __init__(self, iterable=None, **options): self.iterable = iterable
        def __iter__(self): return iter(self.iterable)
        def __enter__(self): return self
        def __exit__(self, *error): pass
        def __len__(self): return len(self.iterable)
        def set_postfix(self, *values, **named): pass
        def update(self, count=1): pass
        def close(self): pass
        write = staticmethod(print)
    _tqdm = _types.ModuleType("tqdm")
    _tqdm.tqdm, _tqdm.trange = _Bar, lambda count, **options: _Bar(range(count))
    import importlib.machinery as _machinery
    _tqdm.__spec__ = _machinery.ModuleSpec("tqdm", None)
    _sys.modules["tqdm"] = _sys.modules["tqdm.auto"] = _tqdm
_torch.set_default_dtype(_torch.float64)
_folder = {folder!r}
_rank = _os.environ.get("RANK", "alone")
_orders, _counts = {{}}, {{}}
_RandomSampler, _DistributedSampler = _data.RandomSampler, _data.distributed.DistributedSampler
_distributed = _DistributedSampler.__iter__
_path = _os.path.join(_folder, "epochs.json")
def _iterate_distributed(self):
    if self.shuffle:
        _orders.setdefault(str(len(self.dataset)), []).append(self.epoch)
        if _rank == "0":
            with open(_path, "w") as _file:
                _json.dump(_orders, _file)
    return _distributed(self)
def _iterate_random(self):
    size = str(len(self.data_source))
    epochs = _json.load(open(_path)).get(size, []) if _os.path.exists(_path) else []
    count = _counts.setdefault(size, 0)
    _counts[size] += 1
    generator = _torch.Generator()
    generator.manual_seed(epochs[count] if count < len(epochs) else count)
    return iter(_torch.randperm(int(size), generator=generator).tolist())
_DistributedSampler.__iter__ = _iterate_distributed
_RandomSampler.__iter__ = _iterate_random
_steps = {{}}
def _after_step(optimizer, args, options):
    key = id(optimizer)
    number, count = _steps.setdefault(key, [len(_steps), 0])
    _steps[key][1] += 1
    if _steps[key][1] in (1, {steps}):
        weights = [p.detach().cpu().flatten().tolist() for group in optimizer.param_groups for p in group["params"]]
        with open(_os.path.join(_folder, f"{{_rank}}-{{number}}-{{_steps[key][1]}}.json"), "w") as _file:
            _json.dump(weights, _file)
from torch.optim.optimizer import register_optimizer_step_post_hook as _hook
_hook(_after_step)
"""


@dataclass(frozen=True)
class Comparison:
    """The result for one script. difference: of the parameters, relative, None if a run failed. error: the reason."""

    name: str
    difference: float | None = None
    same_output: bool = False
    alone: bool = False
    error: str = ""

    @property
    def is_equal(self) -> bool:
        """Whether the migrated script trains as the original."""
        return self.difference is not None and self.difference <= TOLERANCE and self.same_output and self.alone


def migrated(path: Path, *, synchronised: bool = False) -> str:
    """The text of a migrated script. Raises ValueError with the reasons if there is none."""
    source = Source.from_bytes(path.read_bytes(), path.name)
    rules = engine.rules_for_single_file(rule for rule in RULES if not rule.opt_in)
    found = migrate(source, Settings(), rules, synchronised=synchronised)
    if found.refusals:
        raise ValueError("; ".join(f"{path.name}:{refusal.row}: {refusal.text}" for refusal in found.refusals))
    return found.text


def compare(simulator: Simulator, path: Path, folder: Path, *, synchronised: bool = False) -> Comparison:
    """Run a script before and after the migration; `folder` is empty. synchronised: with SyncBatchNorm, and before on one GPU, whose layers
    of batch normalisation have the whole batch as well."""
    text = path.read_text()
    try:
        after = migrated(path, synchronised=synchronised)
    except ValueError as error:
        return Comparison(path.stem, error=str(error))
    arguments = re.findall(r"^# arguments: (.*)$", text, re.MULTILINE)
    prelude = PRELUDE.format(folder=str(folder), steps=STEPS)

    def run(name: str, program: str, **options: Any) -> dict[str, Any]:
        """Run a program in a folder that has nothing else."""
        place = folder / name
        place.mkdir()
        script = place / path.name
        script.write_text(prelude + program)
        words = arguments[0].split() if arguments else []
        request = Request(str(script), words, str(place), timeout=120, shared_numbers=True)
        return simulator.run(replace(request, **options))

    outputs = {}
    for name, program, options in (
        ("after", after, {"devices": 2, "processes": 2}),
        ("before", text, {"devices": 1 if synchronised else 2}),
        ("single", after, {"devices": 0}),
    ):
        if name == "single":
            for file in folder.glob("alone-*.json"):
                file.rename(folder / file.name.replace("alone", "before"))
        report = run(name, program, **options)
        failure = first_failure(report)
        if failure is not None:
            return Comparison(path.stem, error=f"{name}: {failure['text']}")
        outputs[name] = report["out"]
        if "-v" in sys.argv:
            print(report["out"])
    difference = _difference(folder)
    return Comparison(path.stem, difference, _is_same_output(outputs["before"], outputs["after"]), alone=True)


def _difference(folder: Path) -> float | None:
    """The largest difference of a parameter after five steps, relative to the largest of its tensor; None if there are no five steps, or
    if they change nothing."""
    worst = None
    for file in sorted(folder.glob(f"before-*-{STEPS}.json")):
        before = json.loads(file.read_text())
        if before == json.loads((folder / file.name.replace(f"-{STEPS}.", "-1.")).read_text()):
            return None
        for rank in ("0", "1"):
            after = json.loads((folder / file.name.replace("before", rank)).read_text())
            for a, b in zip(before, after, strict=True):
                size = max(max(map(abs, a), default=0.0), 1e-12)
                found = max((abs(x - y) for x, y in zip(a, b, strict=True)), default=0.0) / size
                worst = max(worst or 0.0, found)
    return worst


def _is_same_output(before: str, after: str) -> bool:
    """Whether two runs printed the same lines, with numbers that are equal to three digits; the second prefixed with the rank."""
    first = [line for line in before.splitlines() if line.strip()]
    second = [line for line in after.splitlines() if line[4:].strip()]
    if any(not line.startswith("[0] ") for line in second) or len(first) != len(second):
        return False
    return all(_is_same_line(a, b[4:]) for a, b in zip(first, second, strict=True))


def _is_same_line(first: str, second: str) -> bool:
    number = re.compile(r"-?\d+\.\d+(?:e-?\d+)?|\d+")
    if number.sub("#", first) != number.sub("#", second):
        return False
    pairs = zip(number.findall(first), number.findall(second), strict=True)
    return all(abs(float(a) - float(b)) <= 2e-3 * max(abs(float(a)), 1.0) for a, b in pairs)


def main() -> None:
    """Print the table."""
    wanted = tuple(word for word in sys.argv[1:] if word != "-v")
    equal = different = 0
    runs = [(path, False) for folder in (SCRIPTS, DIFFERENT) for path in sorted(folder.glob("*.py"))]
    with Simulator() as simulator:
        for path, synchronised in [*runs, (NORMALISED, True)]:
            if not wanted or path.stem.startswith(wanted):
                with tempfile.TemporaryDirectory() as place:
                    found = compare(simulator, path, Path(place), synchronised=synchronised)
                name = f"{path.parent.name}/{found.name}{' synchronised' * synchronised}"
                equal += found.is_equal
                different += not found.is_equal
                print(
                    f"{name:44} {'-' if found.difference is None else f'{found.difference:.1e}':>9}  "
                    f"{'same output' if found.same_output else 'other output':12} {'runs alone' if found.alone else '-':10} {found.error}",
                    flush=True,
                )
    print(f"{equal} scripts train as before, {different} do not")


if __name__ == "__main__":
    main()
