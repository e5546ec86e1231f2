"""GitLab's Code Quality report: a JSON list of issues that a merge request shows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from placefix.diagnostic import Severity
from placefix.report.concise import sorted_findings
from placefix.report.machine_formats import (
    Fingerprints,
    advice_lines,
    cell_position,
    plain_line,
    relative_path,
    report_root,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Diagnostic, Span
    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult
    from placefix.source import Source

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.STYLE: "minor", Severity.NOTE: "info"}


def render(results: Iterable[FileResult], out: OutputStream) -> None:
    """Write the remaining findings of each result to `out`, as the results come."""
    folder, fingerprints = report_root(), Fingerprints()
    issues = []
    for result in results:
        if result.current is not None:
            path = relative_path(result.absolute, folder)
            for diagnostic in sorted_findings(result):
                name = fingerprints.of(path, diagnostic, result.current)
                issues.append(_issue(plain_line(path), diagnostic, result.current, name))
    issues += [
        _failure(plain_line(relative_path(path, folder)), plain_line(reason)) for path, reason in out.failures if path
    ]
    out.block(json.dumps(issues, indent=2))


def _issue(path: str, diagnostic: Diagnostic, source: Source, fingerprint: str) -> dict[str, Any]:
    text = ". ".join(
        [
            f"{diagnostic.code}: {cell_position(source, diagnostic.span.start)}{diagnostic.message}",
            *advice_lines(diagnostic),
        ]
    )
    return {
        "type": "issue",
        "check_name": diagnostic.code,
        "description": plain_line(text),
        "categories": ["Bug Risk" if diagnostic.severity in (Severity.ERROR, Severity.WARNING) else "Style"],
        "severity": _SEVERITIES[diagnostic.severity],
        "fingerprint": fingerprint,
        "location": {
            "path": path,
            **_region(source, diagnostic.span),
        },
    }


def _failure(path: str, reason: str) -> dict[str, Any]:
    from hashlib import blake2b

    return {
        "type": "issue",
        "check_name": "error",
        "description": reason,
        "categories": ["Bug Risk"],
        "severity": "blocker",
        "fingerprint": blake2b(f"{path}\0{reason}".encode(), digest_size=16).hexdigest(),
        "location": {"path": path, "lines": {"begin": 1}},
    }


def _region(source: Source, span: Span) -> dict[str, Any]:
    if source.cell(span.start) is not None:  # columns in the JSON of a notebook are of no use
        return {"lines": {"begin": source.file_row(span.start), "end": source.file_row(span.end)}}
    return {"positions": {"begin": _position(source, span.start), "end": _position(source, span.end)}}


def _position(source: Source, offset: int) -> dict[str, int]:
    row, column = source.location(offset)
    return {"line": row, "column": column}
