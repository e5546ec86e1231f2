"""The output of `placefix verify`: text for people, JSON for programs. Imports no torch."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    if judgement.verdict == CLEAN:
        for devices, run in judgement.reports.items():
            if devices:
                yield f"ran clean: {_summary(devices, run)}"
    yield from _table(report)


def first_sentence(error: dict[str, Any], request: Request) -> str:
    """The culprit in one sentence, with the rule that repairs it; empty if the operands are not known.

    Example: "`target` (made in data.py:14, never moved) on cpu meets `pred` on cuda:0 in train.py:31. PF301 fixes it:
    placefix apply train.py".
    """
    operands = [o for o in error.get("operands", ()) if ", " not in o["device"]]
    operands.sort(
        key=lambda o: "[" not in o["what"]
    )  # tensors first: a loss has a weight, and its target is the culprit
    culprit = next((o for o in operands if o["device"] == "cpu"), None)
    if culprit is None and len({o["device"] for o in operands}) > 1:
        culprit = operands[-1]
    partner = next((o for o in operands if culprit is not None and o["device"] != culprit["device"]), None)
    if culprit is None or partner is None or not error["where"]:
        return ""
    history = []
    if culprit.get("made"):
        history.append(f"made in {_place(culprit['made'], request)}")
        history.append(f"moved in {_place(culprit['moved'], request)}" if culprit.get("moved") else "never moved")
    told = f" ({', '.join(history)})" if history else ""
    place = error["where"][-1]
    text = (
        f"`{culprit['name']}`{told} on {culprit['device']} meets `{partner['name']}` on {partner['device']} "
        f"in {_place(place, request)}."
    )
    rows = {(place["file"], place["line"])} | {
        (spot["file"], spot["line"]) for spot in (culprit.get("made"), culprit.get("moved")) if spot
    }
    return f"{text}{_suggest_fix(rows, request)}"


def _suggest_fix(rows: set[tuple[str, int]], request: Request) -> str:
    """The rule with a finding on one of these lines, and the command that repairs it."""
    import placefix

    for name in dict.fromkeys(sorted(file for file, _ in rows)):
        is_replaced = bool(request.source) and name == request.script
        is_notebook = name.endswith(".ipynb")
        try:
            text = Path(request.source if is_replaced and request.source else name).read_text(encoding="utf-8")
            data = Path(name).read_bytes() if is_notebook else text.encode()
            findings = placefix.check_source(data, name=name, path=name)
        except Exception:  # the advice is an addition: whatever is wrong with the file has been reported
            continue
        for finding in findings:
            first = text.count("\n", 0, finding.span.start) + 1
            last = text.count("\n", 0, max(finding.span.start, finding.span.end - 1)) + 1
            if any(file == name and first <= line <= last for file, line in rows) and finding.fix is not None:
                promise = finding.fix.applicability.value
                if promise in ("safe", "unsafe"):
                    option = " --unsafe-fixes" if promise == "unsafe" else ""
                    return f" {finding.code} fixes it: `placefix apply{option} {relative_path(name, request)}`"
    return ""


def _places(error: dict[str, Any], request: Request) -> Iterator[str]:
    """The chain of calls in the user's files, and the operands of the last line."""
    where = error["where"]
    for frame in where[-4:-1]:
        yield f"  {_place(frame, request)}: {frame['source']}  (calls)"
    for frame in where[-1:]:
        yield f"  {_place(frame, request)}: {frame['source']}"
    for operand in error.get("operands", ()):
        notes = [
            f"{word} in {_place(operand[key], request)}"
            for key, word in (("made", "made"), ("moved", "last moved"))
            if operand.get(key)
        ]
        yield f"    {operand['name']}: {operand['what']} on {operand['device']}{''.join(f', {n}' for n in notes)}"


def _place(place: dict[str, Any], request: Request) -> str:
    if place["file"] == request.script and request.line_names:
        return f"{relative_path(place['file'], request)}, {request.line_names[place['line'] - 1]}"
    return f"{relative_path(place['file'], request)}:{place['line']}"


def relative_path(name: str, request: Request) -> str:
    """A path relative to the working directory of the script."""
    try:
        return os.path.relpath(name, request.folder)
    except ValueError:
        return name


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
    stopped = " (stopped there)" if report["status"] == "stopped" else ""
    return (
        f"{_count(steps, 'optimizer step')} on {', '.join(places) or 'no device'}{stopped}, "
        f"with {_count(devices, 'simulated device')}"
    )


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
    return {
        "verdict": NAMES[judgement.verdict],
        "exit_code": judgement.verdict,
        "devices": judgement.devices,
        "reason": judgement.reason or None,
        "sentence": (first_sentence(error, request) or None)
        if error is not None and judgement.verdict == DEVICE_ERROR
        else None,
        "error": None if error is None else {key: error.get(key) for key in ("type", "text", "where", "operands")},
        "silent": judgement.silent,
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
