"""The output of `placefix verify`: text for people, JSON for programs. Imports no torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from placefix.simulate.culprit import first_sentence, place_name
from placefix.simulate.device_errors import root_cause
from placefix.simulate.judgement import CLEAN, DEVICE_ERROR, NAMES, NOT_MODELLED, UNKNOWN, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.simulate.judgement import Judgement
    from placefix.simulate.request import Request


def describe_judgement(judgement: Judgement, request: Request) -> Iterator[str]:
    """The lines about a judgement."""
    machine = _count(judgement.devices, "simulated device")
    report = judgement.reports.get(judgement.devices, {})
    error = judgement.error
    if judgement.verdict in (UNKNOWN, NOT_MODELLED):
        start = "could not be judged" if judgement.verdict == UNKNOWN else "not judged"
        yield f"{start}: {judgement.reason}"
        if error is not None:
            yield from _places(error, request)
            yield from _skipped_line(error, request)
        if judgement.verdict == NOT_MODELLED and report.get("traceback"):
            yield from (f"  | {line}" for line in report["traceback"].rstrip().splitlines())
        return
    if error is not None:
        sentence = first_sentence(error, request)
        if sentence:
            yield sentence
        cause, line = root_cause(error["type"], error["text"])
        yield f"device error with {machine}: {cause}: {line}"
        rest = error["text"].strip().splitlines()[1:] if line in error["text"].splitlines()[:1] else []
        yield from (f"  | {text}" for text in rest[:12])
        yield from _places(error, request)
    for text in judgement.silent:
        yield f"silent device error with {machine}: {text}"
    for finding in judgement.ranks:
        yield f"error between ranks with {machine}: {finding.text}"
    if judgement.verdict == CLEAN:
        for devices, run in judgement.reports.items():
            if devices:
                yield f"ran clean: {_summary(devices, run)}"
    yield from _table(report)


def _skipped_line(error: dict[str, Any], request: Request) -> Iterator[str]:
    """A hint at the last shell command or magic of a notebook above an error, if there is one."""
    if error["where"] and error["where"][0]["file"] == request.script:
        line = error["where"][0]["line"]
        above = [number for number in request.skipped_lines if number <= line]
        if above:
            yield f"  shell commands and magics were not run, such as that in {request.line_names[above[-1] - 1]}"


def _places(error: dict[str, Any], request: Request) -> Iterator[str]:
    """The chain of calls in the user's files, and the operands of the last line."""
    where = error["where"]
    for frame in where[-4:-1]:
        yield f"  {place_name(frame, request)}: {frame['source']}  (calls)"
    for frame in where[-1:]:
        yield f"  {place_name(frame, request)}: {frame['source']}"
    for operand in error.get("operands", ()):
        notes = [
            f"{word} in {place_name(operand[key], request)}"
            for key, word in (("made", "made"), ("moved", "last moved"))
            if operand.get(key)
        ]
        yield f"    {operand['name']}: {operand['what']} on {operand['device']}{''.join(f', {n}' for n in notes)}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' if number != 1 else ''}"


def _summary(devices: int, report: dict[str, Any]) -> str:
    steps = steps_of(report)
    parts = [report, *report.get("children", ())]
    places = sorted(
        {p for part in parts for row in part.get("table", ()) if row["kind"] == "optimizer" for p in row["places"]}
    )
    if report["status"] == "timeout":
        limit = f"then stopped at the time limit of {report['seconds']:.0f} s; use --steps or --timeout"
        return f"{_count(steps, 'optimizer step')}, {limit}, with {_count(devices, 'simulated device')}"
    stopped = " (stopped there)" if any(part.get("status") == "stopped" for part in parts) else ""
    made = _count(steps, "optimizer step") if steps else "no optimizer step"
    if steps and places:  # none where the optimizer is gone at the end
        made += f" on {', '.join(places)}"
    return f"{made}{stopped}, with {_count(devices, 'simulated device')}"


def _table(report: dict[str, Any]) -> Iterator[str]:
    rows = [
        (row["what"], row["kind"], row["places"])
        for part in (report, *report.get("children", ()))
        for row in part.get("table", ())
    ]
    if not rows:
        return
    yield "  devices at the end:"
    width = max(len(what) for what, _, _ in rows)
    for what, kind, places in rows:
        where = ", ".join(f"{count} on {place}" for place, count in places.items())
        yield f"    {what:<{width}}  {kind:<9}  {where}"


def judgement_json(judgement: Judgement, request: Request) -> dict[str, Any]:
    """A judgement as plain data, for --output-format json."""
    error = judgement.error
    is_between_ranks = bool(judgement.ranks) and error is None and not judgement.silent
    return {
        "verdict": "error between ranks" if is_between_ranks else NAMES[judgement.verdict],
        "exit_code": judgement.verdict,
        "devices": judgement.devices,
        "reason": judgement.reason or None,
        "sentence": (first_sentence(error, request) or None)
        if error is not None and judgement.verdict == DEVICE_ERROR
        else None,
        "error": None if error is None else {key: error.get(key) for key in ("type", "text", "where", "operands")},
        "silent": judgement.silent,
        "ranks": [vars(finding) for finding in judgement.ranks],
        "runs": [
            {
                "devices": devices,
                "status": report["status"],
                "steps": steps_of(report),
                "seconds": round(report["seconds"], 3),
                "objects": [row for part in (report, *report.get("children", ())) for row in part.get("table", ())],
            }
            for devices, report in judgement.reports.items()
        ],
    }
