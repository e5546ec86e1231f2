"""The first sentence about an error: it names the culprit. Imports no torch."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from placefix.simulate.request import Request


def first_sentence(error: dict[str, Any], request: Request) -> str:
    """The culprit in one sentence, with the rule that repairs it; empty if it is not known.

    Example: "`target` (made in data.py:14, never moved) on cpu meets `pred` on cuda:0 in train.py:31. PF301 fixes it:
    placefix apply train.py".
    """
    if not error["where"]:
        return ""
    for pattern, sentence in _SENTENCES:
        match = re.search(pattern, error["text"])
        if match is not None:
            return str(sentence(error, request, match))
    return _meeting(error, request)


def _memory(error: dict[str, Any], request: Request, _: re.Match[str]) -> str:
    """What holds the memory when there is not enough."""
    holders = error.get("holders", ())
    if not holders:
        return ""
    place = place_name(error["where"][-1], request)
    first = holders[0]
    return f"`{first['name']}` ({first['what']}) holds {first['bytes'] / 1e6:.1f} MB when {place} needs more memory."


def _fork(error: dict[str, Any], request: Request, _: re.Match[str]) -> str:
    """The line that uses CUDA in a forked process."""
    place = error["where"][-1]
    return (
        f"`{place['source']}` in {place_name(place, request)} uses CUDA in a process that was forked from one in which CUDA "
        "had started."
    )


def _numpy(error: dict[str, Any], request: Request, match: re.Match[str]) -> str:
    """The tensor that cannot become an array."""
    culprit = next((o for o in error.get("operands", ()) if o["device"] == match[1]), None)
    if culprit is None:
        return ""
    place = place_name(error["where"][-1], request)
    return f"`{culprit['name']}`{_history(culprit, request)} on {culprit['device']} becomes a NumPy array in {place}."


def _no_kernel(error: dict[str, Any], request: Request, match: re.Match[str]) -> str:
    """The tensor with a type that CUDA's operator does not take."""
    operands = [o for o in error.get("operands", ()) if o["device"].startswith("cuda") and "[" in o["what"]]
    culprit = next((o for o in operands if o["what"].startswith(_TYPES.get(match[1], match[1].lower()))), None)
    if culprit is None:
        return ""
    place = place_name(error["where"][-1], request)
    kind = culprit["what"].partition(" ")[0]
    return (
        f"`{culprit['name']}`{_history(culprit, request)} is {kind} on {culprit['device']}, and the operator in {place} has no "
        "CUDA kernel for this type."
    )


def _meeting(error: dict[str, Any], request: Request) -> str:
    """The operand on another device than the rest, and the operand that it meets."""
    operands = [o for o in error.get("operands", ()) if ", " not in o["device"]]
    # Tensors first: a loss has a weight, and its target is the culprit. Those that the line itself moves are not; those that the
    # function which raised has are.
    operands.sort(key=lambda o: ("[" not in o["what"], o.get("only_moved", False), not o.get("reached", False)))
    culprit = next((o for o in operands if o["device"] == "cpu"), None)
    if culprit is None and len({o["device"] for o in operands}) > 1:
        culprit = operands[-1]
    if culprit is None:
        return ""
    path = culprit.get("path", [])
    # Not the object that holds the culprit: `self` of `self.mask`.
    others = [o for o in operands if o["device"] != culprit["device"] and o.get("path", [])[: len(path)] != path]
    if not others:
        return ""
    # The nearest in the expression: in `weights * expert(x)` an expert meets `x`.
    partner = max(others, key=lambda o: _common_length(o.get("path", []), path))
    place = error["where"][-1]
    text = (
        f"`{culprit['name']}`{_history(culprit, request)} on {culprit['device']} meets `{partner['name']}` on "
        f"{partner['device']} in {place_name(place, request)}."
    )
    rows = {(place["file"], place["line"])} | {
        (spot["file"], spot["line"]) for spot in (culprit.get("made"), culprit.get("moved")) if spot
    }
    return f"{text}{_suggest_fix(rows, request)}"


def _common_length(first: list[int], second: list[int]) -> int:
    """The number of steps that two paths in a syntax tree share."""
    return next(
        (n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )


# Torch's word for a type, where it is not that of Python in capitals.
_TYPES = {"Long": "int64", "Int": "int32", "Short": "int16", "Char": "int8", "Byte": "uint8"}
# A message of torch, and the sentence about it. The rest is about operands on several devices.
_SENTENCES = (
    (r"CUDA out of memory", _memory),
    (r"Cannot re-initialize CUDA in forked subprocess", _fork),
    (r"can't convert (cuda:\d+) device type tensor to numpy", _numpy),
    (r"_cuda\" not implemented for '(\w+)'", _no_kernel),
)


def _history(operand: dict[str, Any], request: Request) -> str:
    """Where an operand was made and moved, in brackets after a space; empty if the run was not traced."""
    if not operand.get("made"):
        return ""
    moved = f"moved in {place_name(operand['moved'], request)}" if operand.get("moved") else "never moved"
    return f" (made in {place_name(operand['made'], request)}, {moved})"


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


def place_name(place: dict[str, Any], request: Request) -> str:
    """A place in the user's code: "train.py:31", or "train.ipynb, cell 3, line 2"."""
    if place["file"] == request.script and request.line_names:
        return f"{relative_path(place['file'], request)}, {request.line_names[place['line'] - 1]}"
    return f"{relative_path(place['file'], request)}:{place['line']}"


def relative_path(name: str, request: Request) -> str:
    """A path relative to the working directory of the script."""
    try:
        return os.path.relpath(name, request.folder)
    except ValueError:
        return name
