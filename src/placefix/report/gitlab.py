"""GitLab's Code Quality report: a JSON list of issues that a merge request shows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from placefix.diagnostic import Severity
from placefix.report.concise import in_order
from placefix.report.machine import Fingerprints, advice, in_cell, plain, relative, root

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.batch import FileResult
    from placefix.diagnostic import Diagnostic, Span
    from placefix.report.stream import Stream
    from placefix.source import Source

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.STYLE: "minor", Severity.NOTE: "info"}


def render(results: Iterable[FileResult], out: Stream) -> None:
    folder, fingerprints = root(), Fingerprints()
    issues = []
    for result in results:
        if result.current is not None:
            path = relative(result.absolute, folder)
            for diagnostic in in_order(result):
                name = fingerprints.of(path, diagnostic, result.current)
                issues.append(_issue(plain(path), diagnostic, result.current, name))
    issues += [_failure(plain(relative(path, folder)), plain(reason)) for path, reason in out.failures if path]
    out.block(json.dumps(issues, indent=2))


def _issue(path: str, diagnostic: Diagnostic, source: Source, fingerprint: str) -> dict[str, Any]:
    text = ". ".join(
        [f"{diagnostic.code}: {in_cell(source, diagnostic.span.start)}{diagnostic.message}", *advice(diagnostic)]
    )
    return {
        "type": "issue",
        "check_name": diagnostic.code,
        "description": plain(text),
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
    if source.cell(span.start) is not None:  # what the columns of a notebook's file are, nobody wants to know
        return {"lines": {"begin": source.file_row(span.start), "end": source.file_row(span.end)}}
    return {"positions": {"begin": _position(source, span.start), "end": _position(source, span.end)}}


def _position(source: Source, offset: int) -> dict[str, int]:
    row, column = source.location(offset)
    return {"line": row, "column": column}
