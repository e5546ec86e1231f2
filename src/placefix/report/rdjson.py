"""reviewdog's Diagnostic Format, as one JSON object. Columns count bytes of UTF-8, as that format wants them.

A fix of one edit is a suggestion; the edits of a larger one belong together, but suggestions are applied one by one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from placefix.diagnostic import Applicability, Severity
from placefix.report.concise import sorted_findings
from placefix.report.machine_formats import advised_message, plain_line, relative_path, report_root
from placefix.report.web_links import project_urls, rule_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Diagnostic
    from placefix.report.fix_edits import FixEdits
    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult
    from placefix.source import Source

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.STYLE: "INFO", Severity.NOTE: "INFO"}


def render(results: Iterable[FileResult], out: OutputStream) -> None:
    """Write the remaining findings of each result to `out`, as the results come."""
    folder, found = report_root(), []
    for result in results:
        source = result.current
        if source is None or not result.remaining:
            continue
        from placefix.report.fix_edits import FixEdits

        edits, path = FixEdits(source, out), plain_line(relative_path(result.absolute, folder))
        found += [_diagnostic(path, diagnostic, source, edits) for diagnostic in sorted_findings(result)]
    found += [
        {
            "message": plain_line(reason),
            "location": {"path": plain_line(relative_path(path, folder))},
            "severity": "ERROR",
        }
        for path, reason in out.failures
        if path
    ]
    tool = {"name": "placefix"} | ({"url": url} if (url := project_urls().get("repository", "")) else {})
    out.block(json.dumps({"source": tool, "severity": "WARNING", "diagnostics": found}, indent=2))


def _diagnostic(path: str, diagnostic: Diagnostic, source: Source, edits: FixEdits) -> dict[str, Any]:
    start, end = diagnostic.span
    text = advised_message(diagnostic, source)
    url = rule_url(diagnostic.rule)
    entry: dict[str, Any] = {
        "message": plain_line(text),
        "location": {"path": path, "range": _range(source, start, end)},
        "severity": _SEVERITIES[diagnostic.severity],
        "code": {"value": diagnostic.code} | ({"url": url} if url else {}),
    }
    fix = diagnostic.fix
    if fix is not None and fix.applicability is Applicability.SAFE and source.is_verbatim:
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
    before = source.shown_line(source.line_of(offset))[: column - 1]
    return {"line": row, "column": 1 + len(before.encode("utf-8", "surrogatepass"))}
