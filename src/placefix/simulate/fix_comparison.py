"""Compare a fixed script with the original: exceptions, objects that left a device, steps and numbers. Imports no torch."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from placefix.simulate.comparison import (
    DIFFERENT,
    NOT_REPEATABLE,
    Comparison,
    compare_reports,
    compare_with_cpu,
    is_repeatable,
)
from placefix.simulate.judgement import CLEAN, first_failure, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.simulate.client import Simulator
    from placefix.simulate.judgement import Judgement
    from placefix.simulate.request import Request

# An edit of names or of syntax is the only cause of these.
_NAME_ERRORS = ("NameError", "UnboundLocalError", "SyntaxError", "IndentationError")
# The ends of a run that are no exception of the script.
_ENDS = ("timeout", "died")


@dataclass
class FixComparison:
    """The failures of a fix, one sentence each, and the comparisons of numbers, by the name of the run compared with."""

    failures: list[str] = field(default_factory=list)
    comparisons: dict[str, Comparison] = field(default_factory=dict)


def compare_fix(
    simulator: Simulator, original: Request, fixed: Request, before: Judgement, after: Judgement
) -> FixComparison:
    """Compare the runs of a fixed script with those of the original on the same devices, and, if it ran clean, with the plain CPU."""
    result = FixComparison()
    error = _new_exception(simulator, original, before, after)
    if error:
        result.failures.append(error)
    both = [devices for devices in before.reports if devices and devices in after.reports]
    for devices in both:
        result.failures += lost_devices(before.reports[devices], after.reports[devices])
    if after.verdict == CLEAN:
        _compare_numbers(simulator, fixed, before, after, both, result)
    result.failures = list(dict.fromkeys(result.failures))
    return result


def _compare_numbers(
    simulator: Simulator,
    fixed: Request,
    before: Judgement,
    after: Judgement,
    machines: list[int],
    result: FixComparison,
) -> None:
    """Add the comparisons of a fixed script that ran clean, and what fails of them."""
    result.comparisons["cpu"] = decisive = compare_with_cpu(simulator, fixed, machines[0])
    if before.verdict == CLEAN:
        for devices in machines:
            old, new = before.reports[devices], after.reports[devices]
            if steps_of(old) != steps_of(new):
                result.failures.append(f"{steps_of(new)} optimizer steps after the fix, {steps_of(old)} before")
            decisive = compare_reports(new, old, "the original on the device")
            if decisive.kind == DIFFERENT and not is_repeatable(simulator, replace(fixed, devices=devices), new):
                decisive = NOT_REPEATABLE
            result.comparisons["original"] = decisive
            if decisive.kind == DIFFERENT:
                break
    if decisive.kind == DIFFERENT:
        result.failures.append("the results differ")


def _new_exception(simulator: Simulator, original: Request, before: Judgement, after: Judgement) -> str:
    """One sentence about the exception that ends the fixed script, if the fix is its cause; else empty.

    That is certain if the original runs clean where the fixed script fails, or if the exception is one about names that the
    original does not raise.
    """
    error = after.error
    if error is None or error["type"] in _ENDS:
        return ""
    text = f"{error['type']}: {error['text'].strip().splitlines()[0] if error['text'].strip() else ''}"
    if before.verdict == CLEAN:
        return f"the fixed script raises {text}; the original runs clean"
    if error["type"] not in _NAME_ERRORS and first_failure(after.reports.get(0, {"status": "clean"})) is None:
        return ""  # the original may have stopped before this place
    plain = first_failure(simulator.run(replace(original, devices=0, stream=False)))
    if plain is None:
        return f"the fixed script raises {text}; the original runs clean without a device"
    is_known = any(
        known and (known["type"], known["text"]) == (error["type"], error["text"]) for known in (before.error, plain)
    )
    return (
        f"the fixed script raises {text}; the original does not"
        if error["type"] in _NAME_ERRORS and not is_known
        else ""
    )


def lost_devices(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The objects and variables that ended on a device in one run, and on the CPU in the other; one sentence each."""
    known: dict[tuple[str, str], list[dict[str, int]]] = {}
    for name, kind, places in _objects(before):
        known.setdefault((name, kind), []).append(places)
    found = []
    for name, kind, places in _objects(after):
        rows = known.get((name, kind))
        old = rows.pop(0) if rows else {}
        if _is_on_device(old) and not _is_on_device(places):
            found.append(f"{name} ({kind}) is on the CPU; it was on {', '.join(old)} before the fix")
    return found


def _objects(report: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, int]]]:
    """The name, the kind and the devices of each object of a run."""
    for part in (report, *report.get("children", ())):
        for row in part.get("table", ()):
            yield row["what"], row["kind"], row["places"]
        for name, device in part.get("variables", {}).items():
            yield name, "variable", {device: 1}


def _is_on_device(places: dict[str, int]) -> bool:
    return any(place.startswith("cuda") for place in places)
