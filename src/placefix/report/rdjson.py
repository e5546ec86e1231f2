"""reviewdog's Diagnostic Format, as one JSON object. Columns count bytes of UTF-8, as that format wants them.

A fix of one edit is a suggestion; the edits of a larger one belong together, and suggestions are taken one by one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from placefix.diagnostic import Applicability, Severity
from placefix.report.concise import in_order
from placefix.report.links import addresses, rule_url
from placefix.report.machine import advice, in_cell, plain, relative, root

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.batch import FileResult
    from placefix.diagnostic import Diagnostic
    from placefix.report.edits import Edits
    from placefix.report.stream import Stream
    from placefix.source import Source

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.STYLE: "INFO", Severity.NOTE: "INFO"}


def render(results: Iterable[FileResult], out: Stream) -> None:
    folder, found = root(), []
    for result in results:
        source = result.current
        if source is None or not result.remaining:
            continue
        from placefix.report.edits import Edits

        edits, path = Edits(source, out), plain(relative(result.absolute, folder))
        found += [_diagnostic(path, diagnostic, source, edits) for diagnostic in in_order(result)]
    found += [
        {"message": plain(reason), "location": {"path": plain(relative(path, folder))}, "severity": "ERROR"}
        for path, reason in out.failures
        if path
    ]
    tool = {"name": "placefix"} | ({"url": url} if (url := addresses().get("repository", "")) else {})
    out.block(json.dumps({"source": tool, "severity": "WARNING", "diagnostics": found}, indent=2))


def _diagnostic(path: str, diagnostic: Diagnostic, source: Source, edits: Edits) -> dict[str, Any]:
    start, end = diagnostic.span
    text = ". ".join(
        [f"{diagnostic.severity.value}: {in_cell(source, start)}{diagnostic.message}", *advice(diagnostic)]
    )
    url = rule_url(diagnostic.rule)
    entry: dict[str, Any] = {
        "message": plain(text),
        "location": {"path": path, "range": _range(source, start, end)},
        "severity": _SEVERITIES[diagnostic.severity],
        "code": {"value": diagnostic.code} | ({"url": url} if url else {}),
    }
    fix = diagnostic.fix
    if fix is not None and fix.applicability is Applicability.SAFE and source.cell(start) is None:
        changes = edits.of(fix)
        if not isinstance(changes, str) and len(changes) == 1:
            ((at, until, content),) = changes
            entry["suggestions"] = [{"range": _range(source, at, until), "text": content}]
    return entry


def _range(source: Source, start: int, end: int) -> dict[str, Any]:
    if source.cell(start) is not None:  # lines of the notebook's file
        return {"start": {"line": source.file_row(start)}, "end": {"line": source.file_row(end)}}
    return {"start": _position(source, start), "end": _position(source, end)}


def _position(source: Source, offset: int) -> dict[str, int]:
    row, column = source.location(offset)
    return {"line": row, "column": 1 + len(source.text[offset - column + 1 : offset].encode("utf-8", "surrogatepass"))}
