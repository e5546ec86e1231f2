"""Compare the results of two runs of a script: printed numbers, parameters, and the devices of objects. Imports no torch."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from placefix.simulate.judgement import first_failure, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.simulate.client import Simulator
    from placefix.simulate.request import Request

_TOLERANCE = 1e-5
DIFFERENT = "different"


@dataclass(frozen=True)
class Comparison:
    """How the results of two runs agree: "equal" bit for bit, "close" within the tolerance, "different", "explained" (different for a
    known reason), or "unknown".

    largest: the largest difference, relative for numbers above 1. place: where it is.
    """

    kind: str
    sentence: str
    largest: float = 0.0
    place: str = ""


def compare_with_cpu(simulator: Simulator, request: Request, devices: int) -> Comparison:
    """Compare a script on simulated devices with the same script on the plain CPU, both with the CPU's random numbers."""
    same = replace(request, shared_numbers=True, plain_optimizers=True, stream=False)
    on_device = simulator.run(replace(same, devices=devices))
    plain = simulator.run(replace(same, devices=0))
    problem = first_failure(plain)
    if problem is not None:
        text = problem["text"].splitlines()[0] if problem["text"] else ""
        return Comparison("unknown", f"not comparable: on the plain CPU it fails: {problem['type']}: {text}")
    if first_failure(on_device) is not None:
        return Comparison("unknown", "not comparable: it fails with random numbers shared with the CPU")
    found = compare_reports(on_device, plain, "the plain CPU")
    if found.kind != DIFFERENT:
        return found
    why = _explain_difference(on_device, plain)
    if why:
        return replace(found, kind="explained", sentence=f"{found.sentence} ({why})")
    return found if is_repeatable(simulator, replace(same, devices=devices), on_device) else NOT_REPEATABLE


def compare_reports(left: dict[str, Any], right: dict[str, Any], other: str) -> Comparison:
    """Compare the printed numbers and the parameters of two runs that ended. other: the name of the right one."""
    numbers = printed_numbers(left), printed_numbers(right)
    if numbers[0] == numbers[1] and _sums(left, "sha") == _sums(right, "sha"):
        return Comparison("equal", f"printed numbers and parameter checksums equal those of {other}, bit for bit")
    if len(numbers[0]) != len(numbers[1]) or len(_sums(left, "sum")) != len(_sums(right, "sum")):
        counts = f"{len(numbers[0])} printed numbers and {len(numbers[1])}"
        return Comparison("different", f"the output DIFFERS from that of {other}: {counts}")
    largest, place = max([*_differences(left, right), (0.0, "")], key=lambda pair: pair[0])
    if largest <= _TOLERANCE:
        text = f"printed numbers and parameter checksums equal those of {other} within {_TOLERANCE:g}"
        return Comparison("close", text, largest, place)
    text = f"printed numbers or parameter checksums DIFFER from those of {other}: by {largest:.2g} in {place}"
    return Comparison("different", text, largest, place)


def _differences(left: dict[str, Any], right: dict[str, Any]) -> Iterator[tuple[float, str]]:
    """The difference of each pair of numbers, with its place."""
    for (a, line), (b, _) in zip(_numbers_in_lines(left), _numbers_in_lines(right), strict=True):
        yield _difference(float(a), float(b)), f"the output `{line.strip()[:80]}`"
    for (old, name), (new, _) in zip(_named_sums(left), _named_sums(right), strict=True):
        yield _difference(old, new), f"the parameters of {name.partition('#')[0]}"


def _difference(a: float, b: float) -> float:
    if a == b or (a != a and b != b):
        return 0.0
    difference = abs(a - b) / max(1.0, abs(a), abs(b))
    return difference if difference == difference else float("inf")


def _explain_difference(on_device: dict[str, Any], plain: dict[str, Any]) -> str:
    """The known cause of a difference between a run on a device and one on the plain CPU; empty if none is known."""
    if any(part.get("autocast") for part in (on_device, *on_device.get("children", ()))):
        return "autocast computes with another precision on a device"
    if steps_of(on_device) and not steps_of(plain):
        return "without a device the script makes no optimizer step"
    return ""


def is_repeatable(simulator: Simulator, request: Request, report: dict[str, Any]) -> bool:
    """Whether another run of a request gives the numbers of its report."""
    again = simulator.run(replace(request, stream=False))
    return compare_reports(again, report, "the first run").kind != DIFFERENT


NOT_REPEATABLE = Comparison("unknown", "not comparable: two runs of the same script give other numbers (no seed?)")


_NUMBER = re.compile(r"(?<![\w:.])[-+]?\d+\.\d+(?:[eE][-+]?\d+)?|\bnan\b|\binf\b")


def _numbers_in_lines(report: dict[str, Any]) -> list[tuple[str, str]]:
    # a device's name and a line's number are not results
    lines = [line for line in report["out"].splitlines() if not re.search(r"\d\s*(s|ms|sec|it/s)\b", line)]
    return [(number, line) for line in lines for number in _NUMBER.findall(line)]


def printed_numbers(report: dict[str, Any]) -> list[Any]:
    """The results that a run printed, as text: numbers with a decimal point, in lines that tell of no time."""
    return [number for number, _ in _numbers_in_lines(report)]


def _named_sums(report: dict[str, Any]) -> list[tuple[float, str]]:
    parts = (report, *report.get("children", ()))
    return [(row["sum"], name) for part in parts for name, row in part.get("sums", {}).items()]


def _sums(report: dict[str, Any], what: str) -> list[Any]:
    return [row[what] for part in (report, *report.get("children", ())) for row in part.get("sums", {}).values()]


def is_within_tolerance(left: list[Any], right: list[Any]) -> bool:
    """Whether two lists of numbers, or texts of numbers, are as long as each other and equal up to rounding."""
    if len(left) != len(right):
        return False
    return all(_difference(float(a), float(b)) <= _TOLERANCE for a, b in zip(left, right, strict=True))
