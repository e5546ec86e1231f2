"""Judge a script by running it on simulated machines. Imports no torch."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from placefix.simulate.culprit import place_name
from placefix.simulate.device_errors import is_device_error, root_cause
from placefix.simulate.rank_findings import RankFinding, is_partner_loss, rank_findings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from placefix.simulate.client import Simulator
    from placefix.simulate.request import Request

    OnEvent = Callable[[dict[str, Any]], None]

#: Exit codes: the script ran clean; torch raised an error about devices; it could not be judged, for a reason of the
#: script or of the environment; it needs something that the simulator does not model.
CLEAN, DEVICE_ERROR, UNKNOWN, NOT_MODELLED = 0, 1, 2, 3
NAMES = {CLEAN: "clean", DEVICE_ERROR: "device error", UNKNOWN: "could not be judged", NOT_MODELLED: "not modelled"}

# Messages of torch where the simulator lacks a kernel or a function.
_LACKS = re.compile(
    r"DispatchStub: missing|INTERNAL ASSERT FAILED|on a simulated device|"
    # A kernel of the CPU, for a type that CUDA's takes.
    r"(?<!_cuda\" )not implemented for '|maximum recursion depth exceeded|DefaultCPUAllocator: can't allocate memory"
)


# Errors of torch's code where a function of the simulator is missing or has another signature.
_GAPS = (
    "NotImplementedError",
    "AttributeError",
    "ImportError",
    "TypeError",
    "KeyError",
    "IndexError",
    "AssertionError",
)
ONLY_WITH_DEVICES = "it fails with devices, and not without"


@dataclass
class Judgement:
    """The result of one text of a script, on each machine it was tried on."""

    verdict: int = CLEAN
    devices: int = 0  # of the run that decided
    error: dict[str, Any] | None = None
    reason: str = ""
    silent: list[str] = field(default_factory=list)
    ranks: list[RankFinding] = field(default_factory=list)
    reports: dict[int, dict[str, Any]] = field(default_factory=dict)


def judge(
    simulator: Simulator,
    request: Request,
    machines: Sequence[int],
    on_event: OnEvent | None = None,
    *,
    locate: bool = True,
) -> Judgement:
    """Run a script on machines with so many devices each, until one shows that something is wrong.

    locate: run a script with a device error again, to see where its tensors were made and moved. on_event: called with the events of the first run on each machine, if the request streams.
    """
    result = Judgement()
    for devices in machines:
        if on_event is not None and request.stream:
            on_event({"event": "machine", "devices": devices})
        report = simulator.run(replace(request, devices=devices), on_event)
        result.reports[devices] = report
        result.devices = devices
        ranks = rank_findings(report, request)
        if any(finding.kind == "never-meet" for finding in ranks):
            result.verdict, result.ranks = DEVICE_ERROR, ranks
            return result
        error = first_failure(report)
        if error is not None:
            result.error = error
            result.verdict, result.reason = _classify(simulator, request, report, error, result)
            if result.verdict == DEVICE_ERROR and locate and not request.trace:
                quiet = replace(request, devices=devices, trace=True, stream=False)
                traced = first_failure(simulator.run(quiet))
                if traced is not None and _without_index(traced["text"]) == _without_index(error["text"]):
                    result.error = traced
            return result
        result.silent, result.ranks = silent_errors(report, request), ranks
        if result.silent or result.ranks:
            result.verdict = DEVICE_ERROR
            return result
    return result


def _without_index(text: str) -> str:
    """A message without the numbers of devices: ranks fail in any order."""
    return re.sub(r"cuda:\d+", "cuda", text)


def first_failure(report: dict[str, Any]) -> dict[str, Any] | None:
    """The error of a run: the first one of its processes. A time limit after optimizer steps is none."""
    parts = [*report.get("children", ()), report]
    errors = [part["error"] for part in parts if "at" in (part.get("error") or ())]
    if any(part.get("status") == "stopped" for part in parts):
        others = [error for error in errors if not is_partner_loss(error["text"])]
        if len(others) < len(errors) and all(error["type"] == "RankFailedError" for error in others):
            return None  # the partner was stopped after its last step
        errors = others
    if errors:
        error: dict[str, Any] = min(errors, key=lambda error: error["at"])
        return error
    if report["status"] == "timeout" and not report.get("steps"):
        return {"type": "timeout", "text": "the script did not end in time", "where": []}
    if report["status"] == "deadlock":
        return {"type": "deadlock", "text": "the ranks never meet", "where": []}
    if report["status"] == "died":
        return {"type": "died", "text": _describe_crash(report), "where": []}
    return report.get("error")


def _describe_crash(report: dict[str, Any]) -> str:
    """The signal of a process that died, and the operator that faulthandler found on its stack."""
    text = f"the process died (signal {report.get('signal', '?')})"
    frames = re.findall(r'^  File "([^"]*)", line (\d+) in (\w+)', report.get("err", ""), re.MULTILINE)
    return f"{text} in {frames[0][2]} ({frames[0][0].rpartition('/')[2]}:{frames[0][1]})" if frames else text


def silent_errors(report: dict[str, Any], request: Request) -> list[str]:
    """The errors that did not end the script, one sentence each. request: of the run, which names the cells of a notebook."""
    parts = [report, *report.get("children", ())]
    found = [text for part in parts for text in part.get("silent", ())]
    for caught in (error for part in parts for error in part.get("caught", ())):
        place = place_name(caught["where"], request)
        found.append(f"the script caught a device error ({place}): {caught['type']}: {caught['text'].splitlines()[0]}")
    if any(finding.kind == "unequal-parameters" for finding in rank_findings(report, request)):
        return list(dict.fromkeys(found))  # which describes the fault and its place
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
    return list(dict.fromkeys(found))


def steps_of(report: dict[str, Any]) -> int:
    """The optimizer steps of a run, with those of the processes that it started."""
    return sum(part.get("steps", 0) for part in (report, *report.get("children", ())))


def _describe_failure(kind: str, text: str, report: dict[str, Any]) -> str:
    """An error that is not about devices, on one line: its type and message, or the missing requirement of the script."""
    if kind == "SystemExit":
        if not text.isdigit():
            return f"the script ends itself: {text.splitlines()[0][:200]}"
        lines = report.get("err", "").strip().splitlines()
        usage = any(line.startswith("usage: ") for line in lines)
        last = f" ({lines[-1].strip()[:200]})" if lines else ""
        hint = "; its arguments come after its name: `placefix verify SCRIPT ARGS`" if usage else ""
        return f"the script ends itself with exit code {text}{last}{hint}"
    if kind == "EOFError" and text == "EOF when reading a line":
        return "the script waits for input, and has none here"
    cause, line = root_cause(kind, text)
    return f"{cause}: {line[:200]}" if line else cause


def _classify(
    simulator: Simulator, request: Request, report: dict[str, Any], error: dict[str, Any], result: Judgement
) -> tuple[int, str]:
    kind, text = error["type"], error["text"]
    if kind in ("timeout", "died"):
        ended = kind == "timeout" or report.get("signal") in (
            signal.SIGKILL,
            signal.SIGTERM,
        )  # by the system or by itself
        return (UNKNOWN if ended else NOT_MODELLED), text
    if kind == "ProcessExitedException" and "terminated with signal" in text:
        return NOT_MODELLED, f"a process that the script started died: {text}"
    if kind == "ModuleNotFoundError":
        return UNKNOWN, f"the module {error.get('missing')!r} is not installed"
    is_lack = error.get("lacks") or _LACKS.search(text)
    if not is_lack and (is_device_error(text) or "Could not run '" in text):
        return DEVICE_ERROR, ""
    said = _describe_failure(kind, text, report)
    if is_lack:
        return NOT_MODELLED, f"the simulator cannot run this: {said}"
    plain = result.reports.setdefault(0, simulator.run(replace(request, devices=0, stream=False)))
    other = first_failure(plain)
    if other is not None:
        same = (other["type"], other["text"]) == (kind, text)
        return UNKNOWN, f"it fails without any device in the same way: {said}" if same else said
    if kind in _GAPS and not error.get("own"):
        return NOT_MODELLED, f"the simulator cannot run this: {said}"
    return UNKNOWN, f"{ONLY_WITH_DEVICES}: {said}"
