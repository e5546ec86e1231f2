"""`placefix verify`: judge a script by running it on the simulated machine. Imports no torch."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from placefix.simulate.client import CannotJudgeError, Simulator
from placefix.simulate.request import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CLEAN, DEVICE_ERROR, UNKNOWN = 0, 1, 2

# Messages that only concern devices. Another error counts as a device error if the script has it with
# devices and not without.
_DEVICE = re.compile(
    r"on the same device|at the same device|same type of devices|indices should be either on|"
    r"Input type \(torch\.|can't convert cuda|parameters and buffers on device|device_ids and output_device|"
    r"No backend type associated|cannot pin|device type for generator|deserialize object on CUDA|"
    r"invalid device ordinal|Cannot re-initialize CUDA|same device type|expected (self|input) and|"
    r"legacy constructor expects device|must be on devices\[0\]|Gather expects all inputs|SyncBatchNorm layers|"
    r"CPU int64 tensor|same dtype, device, and layout|expected device cuda|expected torch\.cuda\.|"
    r"Device index must not be negative"
)
# Messages of the simulator about missing kernels.
_LACKS = re.compile(
    r"Could not run '|DispatchStub: missing|INTERNAL ASSERT FAILED|on a simulated device|"
    # A kernel of the CPU, for a type that CUDA's takes.
    r"not implemented for '|maximum recursion depth exceeded"
)
# An accident, if it happens in the simulator.
_ACCIDENTS = ("TypeError", "AttributeError", "KeyError", "IndexError", "AssertionError")
_TOLERANCE = 1e-5


@dataclass
class Judgement:
    """The results of one text of a script, on each machine it was run on."""

    verdict: int = CLEAN
    devices: int = 0  # of the run that decided
    error: dict[str, Any] | None = None
    reason: str = ""
    silent: list[str] = field(default_factory=list)
    reports: dict[int, dict[str, Any]] = field(default_factory=dict)


def judge(simulator: Simulator, request: Request, machines: Sequence[int], *, locate: bool = True) -> Judgement:
    """Run a script on machines with so many devices each, until one shows that something is wrong.

    locate: run a script with a device error again, to see where its tensors were made and moved.
    """
    result = Judgement()
    for devices in machines:
        report = simulator.run(replace(request, devices=devices))
        result.reports[devices] = report
        result.devices = devices
        error = first_failure(report)
        if error is not None:
            result.error = error
            result.verdict, result.reason = _classify(simulator, request, report, error, result)
            if result.verdict == DEVICE_ERROR and locate and not request.trace:
                traced = first_failure(simulator.run(replace(request, devices=devices, trace=True)))
                if traced is not None and traced["text"] == error["text"]:
                    result.error = traced
            return result
        result.silent = silent_errors(report)
        if result.silent:
            result.verdict = DEVICE_ERROR
            return result
    return result


def first_failure(report: dict[str, Any]) -> dict[str, Any] | None:
    """The error of a run, that of a process it started before its own."""
    for child in report.get("children", ()):
        if child.get("error"):
            error: dict[str, Any] = child["error"]
            return error
    if report["status"] == "timeout":
        return {"type": "timeout", "text": "the script did not end in time", "where": []}
    if report["status"] == "died":
        return {"type": "died", "text": f"the process died (signal {report.get('signal', '?')})", "where": []}
    return report.get("error")


def silent_errors(report: dict[str, Any]) -> list[str]:
    """The faults without an error message."""
    found = list(report.get("silent", ()))
    for child in report.get("children", ()):
        found += [text for text in child.get("silent", ()) if text not in found]
    ranks: dict[str, set[str]] = {}
    for child in report.get("children", ()):
        for name, row in child.get("sums", {}).items():
            if row["ddp"]:
                ranks.setdefault(name, set()).add(row["weights"])
    found += [
        f"{name.partition('#')[0]}: the ranks end with different weights (gradients were not synchronised)"
        for name, sums in ranks.items()
        if len(sums) > 1
    ]
    return found


def _classify(
    simulator: Simulator, request: Request, report: dict[str, Any], error: dict[str, Any], result: Judgement
) -> tuple[int, str]:
    kind, text = error["type"], error["text"]
    if kind in ("timeout", "died"):
        return UNKNOWN, text
    if kind == "ProcessExitedException" and "terminated with signal" in text:
        return UNKNOWN, f"a process that the script started died: {text}"
    if kind == "ModuleNotFoundError":
        return UNKNOWN, f"the module {error.get('missing')!r} is not installed"
    if _LACKS.search(text):
        return UNKNOWN, f"the simulator cannot run this: {text.splitlines()[0][:200]}"
    if _DEVICE.search(text):
        return DEVICE_ERROR, ""
    plain = result.reports.setdefault(0, simulator.run(replace(request, devices=0)))
    other = first_failure(plain)
    if other is None:
        # No device error is a NotImplementedError, nor is an accident in the simulator.
        if kind == "NotImplementedError" or (error.get("inside") and kind in _ACCIDENTS):
            return UNKNOWN, f"the simulator cannot run this: {kind}: {text.splitlines()[0][:200] if text else ''}"
        return DEVICE_ERROR, ""
    if (other["type"], other["text"]) == (kind, text):
        return UNKNOWN, f"it fails without any device in the same way: {kind}: {text.splitlines()[0] if text else ''}"
    return UNKNOWN, f"{kind}: {text.splitlines()[0] if text else ''}"


# The command.


def verify(
    script: str,
    arguments: Sequence[str],
    *,
    fix: bool,
    gpus: int | None,
    idiom: str,
    steps: int | None,
    timeout: float,
    stub_data: bool,
    unsafe: bool,
    force: bool,
    write: Callable[[str], None],
) -> int:
    """Run the command; returns its exit code."""
    path = Path(script)
    if not path.is_file():
        write(f"error: {script}: no such file")
        return UNKNOWN
    machines = (1, 2) if gpus is None else (gpus,)
    request = Request(
        str(path.resolve()), list(arguments), os.getcwd(), steps=steps, timeout=timeout, stub_data=stub_data
    )
    write(f"This executes {script} on a SIMULATED machine (nothing is tested on a GPU).")
    try:
        with Simulator(force=force) as simulator:
            if not fix:
                judgement = judge(simulator, request, machines)
                _describe(judgement, request, write)
                return judgement.verdict
            return _fix_script(simulator, request, machines, idiom, unsafe, write)
    except CannotJudgeError as error:
        write(f"cannot be judged: {error}")
        return UNKNOWN


def _fix_script(
    simulator: Simulator,
    request: Request,
    machines: Sequence[int],
    idiom: str,
    unsafe: bool,
    write: Callable[[str], None],
) -> int:
    import placefix
    from placefix.config import Options
    from placefix.engine import Changed, Failed, Skipped

    options = Options(device_idiom=idiom, unsafe_fixes=unsafe)
    outcome = placefix.fix_source(
        Path(request.script).read_bytes(), name=request.script, path=request.script, options=options
    )
    write("")
    write("without fixes:")
    before = judge(simulator, request, machines)
    _describe(before, request, write)
    if isinstance(outcome, (Skipped, Failed)):
        write(f"not fixed: {outcome.reason if isinstance(outcome, Skipped) else outcome.error}")
        return UNKNOWN
    if not isinstance(outcome, Changed):
        write("apply would change nothing")
        return before.verdict
    with tempfile.TemporaryDirectory(prefix="placefix-") as folder:
        text = Path(folder) / "fixed.py"
        text.write_bytes(outcome.text.encode("utf-8"))
        write("")
        write(f"after the fixes of apply ({len(outcome.applied)} fixed):")
        changed = replace(request, source=str(text))
        after = judge(simulator, changed, machines)
        _describe(after, changed, write)
        if after.verdict == CLEAN:
            write(compare_with_cpu(simulator, changed, machines[0])[1])
    return after.verdict


def compare_with_cpu(simulator: Simulator, request: Request, devices: int) -> tuple[str, str]:
    """Whether a script prints and ends with the same on simulated devices and on the plain CPU.

    Returns "equal", "close", "different" or "unknown", and a sentence.
    """
    same = replace(request, shared_numbers=True, plain_optimizers=True)
    on_device = simulator.run(replace(same, devices=devices))
    plain = simulator.run(replace(same, devices=0))
    problem = first_failure(plain)
    if problem is not None:
        text = problem["text"].splitlines()[0] if problem["text"] else ""
        return "unknown", f"not comparable: on the plain CPU it fails: {problem['type']}: {text}"
    if first_failure(on_device) is not None:
        return "unknown", "not comparable: it fails with random numbers shared with the CPU"
    left, right = printed_numbers(on_device), printed_numbers(plain)
    if left == right and _sums(on_device, "sha") == _sums(plain, "sha"):
        return "equal", "printed numbers and parameter checksums equal those of the plain CPU, bit for bit"
    if is_within_tolerance(left, right) and is_within_tolerance(_sums(on_device, "sum"), _sums(plain, "sum")):
        return "close", f"printed numbers and parameter checksums equal those of the plain CPU within {_TOLERANCE:g}"
    return "different", "printed numbers or parameter checksums DIFFER from those of the plain CPU"


_NUMBER = re.compile(r"(?<![\w:.])[-+]?\d+\.\d+(?:[eE][-+]?\d+)?|\bnan\b|\binf\b")


def printed_numbers(report: dict[str, Any]) -> list[Any]:
    """The results that a run printed, as text: numbers with a decimal point, in lines without a duration."""
    # a device's name and a line's number are not results
    lines = [line for line in report["out"].splitlines() if not re.search(r"\d\s*(s|ms|sec|it/s)\b", line)]
    return _NUMBER.findall("\n".join(lines))


def _sums(report: dict[str, Any], what: str) -> list[Any]:
    return [row[what] for part in (report, *report.get("children", ())) for row in part.get("sums", {}).values()]


def is_within_tolerance(left: list[Any], right: list[Any]) -> bool:
    """Whether two lists of numbers, or texts of numbers, are as long as each other and equal up to rounding."""
    if len(left) != len(right):
        return False
    pairs = [(float(a), float(b)) for a, b in zip(left, right, strict=True)]
    return all(a == b or abs(a - b) <= _TOLERANCE * max(1.0, abs(a), abs(b)) for a, b in pairs)


def _describe(judgement: Judgement, request: Request, write: Callable[[str], None]) -> None:
    machine = f"{judgement.devices} simulated device{'s' if judgement.devices != 1 else ''}"
    report = judgement.reports.get(judgement.devices, {})
    if judgement.verdict == UNKNOWN:
        write(f"could not be judged: {judgement.reason}")
        if judgement.error is not None:
            _where(judgement.error, request, write)
        return
    if judgement.error is not None:
        error = judgement.error
        write(f"device error with {machine}: {error['type']}: {error['text'].splitlines()[0] if error['text'] else ''}")
        _where(error, request, write)
    for text in judgement.silent:
        write(f"silent device error with {machine}: {text}")
    if judgement.verdict == CLEAN:
        for devices, run in judgement.reports.items():
            if devices:
                write(f"ran clean: {_summary(devices, run)}")
    _table(report, write)


def _summary(devices: int, report: dict[str, Any]) -> str:
    parts = [report, *report.get("children", ())]
    steps = sum(part.get("steps", 0) for part in parts)
    places = sorted(
        {p for part in parts for row in part.get("table", ()) if row["kind"] == "optimizer" for p in row["places"]}
    )
    stopped = " (stopped there)" if report["status"] == "stopped" else ""
    return (
        f"{steps} optimizer step{'s' if steps != 1 else ''} on {', '.join(places) or 'no device'}{stopped}, "
        f"with {devices} simulated device{'s' if devices != 1 else ''}"
    )


def _where(error: dict[str, Any], request: Request, write: Callable[[str], None]) -> None:
    for frame in error["where"][-1:]:
        write(f"  {_relative(frame['file'], request)}:{frame['line']}: {frame['source']}")
    for operand in error.get("operands", ()):
        notes = [
            f"{word} at line {operand[key]}"
            for key, word in (("made", "made"), ("moved", "last moved"))
            if operand.get(key)
        ]
        write(f"    {operand['name']}: {operand['what']} on {operand['device']}{''.join(f', {n}' for n in notes)}")


def _relative(name: str, request: Request) -> str:
    try:
        return os.path.relpath(name, request.folder)
    except ValueError:
        return name


def _table(report: dict[str, Any], write: Callable[[str], None]) -> None:
    rows = [
        (row["what"], row["kind"], row["places"])
        for part in (report, *report.get("children", ()))
        for row in part.get("table", ())
    ]
    if not rows:
        return
    write("  what lives where at the end:")
    width = max(len(what) for what, _, _ in rows)
    for what, kind, places in rows:
        where = ", ".join(f"{count} on {place}" for place, count in places.items())
        write(f"    {what:<{width}}  {kind:<9}  {where}")
