"""Findings as JSON in the shape of ruff's: rows and columns 1-based, columns in code points.

`url` is null while the project has no public address. Further keys: `severity`; `note`, why there is no fix (null where there is one); in a fix `premise`, why it is not safe (null in a safe one),
`premises`, the key and the text of each of its sentences, and `also`, the other findings that have this fix: to apply it once repairs all of them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from placefix.report.concise import sorted_findings
from placefix.report.web_links import rule_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Diagnostic, Fix
    from placefix.report.fix_edits import FixEdits
    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult
    from placefix.source import Location, Source
    from placefix.text_edits import TextEdit


def render(results: Iterable[FileResult], out: OutputStream) -> None:
    """Write the remaining findings of each result to `out`, as the results come."""
    found = [finding for result in results for finding in findings(result, out)]
    out.block(json.dumps(found, indent=2))


def findings(result: FileResult, out: OutputStream) -> list[dict[str, Any]]:
    """The findings of one file as JSON has them."""
    source = result.current
    if source is None or not result.remaining:
        return []
    from placefix.report.fix_edits import FixEdits

    edits = FixEdits(source, out)
    # A file name that is not text has no exact form in JSON.
    filename = result.absolute.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    found = sorted_findings(result)
    by_fix: dict[Fix | None, list[Diagnostic]] = {}
    for diagnostic in found:
        by_fix.setdefault(diagnostic.fix, []).append(diagnostic)
    return [_finding(diagnostic, by_fix[diagnostic.fix], filename, source, edits) for diagnostic in found]


def _finding(
    diagnostic: Diagnostic, together: Iterable[Diagnostic], filename: str, source: Source, edits: FixEdits
) -> dict[str, Any]:
    changes = "" if diagnostic.fix is None else edits.of(diagnostic.fix)
    others = [other for other in together if other is not diagnostic]
    return {
        "code": diagnostic.code,
        "name": diagnostic.rule.name,
        "url": rule_url(diagnostic.rule) or None,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "filename": filename,
        "location": _location(source, diagnostic.span.start),
        "end_location": _location(source, diagnostic.span.end),
        "cell": source.cell(diagnostic.span.start),
        "note": diagnostic.note or (changes if isinstance(changes, str) else "") or None,
        "fix": None
        if diagnostic.fix is None or isinstance(changes, str)
        else _fix(diagnostic.fix, source, changes, others),
    }


def _fix(fix: Fix, source: Source, changes: Iterable[TextEdit], others: Iterable[Diagnostic]) -> dict[str, Any]:
    return {
        "applicability": fix.applicability.value,
        "message": fix.message,
        "premise": fix.premise or None,
        "premises": [{"key": key, "text": text} for key, text in fix.premises],
        "edits": [
            {
                **({} if cell is None else {"cell": cell}),
                "content": content,
                "location": {"row": start.row, "column": start.column},
                "end_location": {"row": end.row, "column": end.column},
            }
            for cell, (start, end, content) in _located(source, tuple(changes))
        ],
        "also": [
            {
                **({} if (cell := source.cell(other.span.start)) is None else {"cell": cell}),
                "code": other.code,
                "location": _location(source, other.span.start),
            }
            for other in others
        ],
    }


def _located(
    source: Source, changes: tuple[TextEdit, ...]
) -> Iterable[tuple[int | None, tuple[Location, Location, str]]]:
    """Edits as edits of the file, each with its cell."""
    located = source.located_edits(changes)
    cells = [source.cell(edit.start) for edit in changes]
    return zip(cells if None not in cells else [None] * len(located), located, strict=True)


def _location(source: Source, offset: int) -> dict[str, int]:
    row, column = source.location(offset)
    return {"row": row, "column": column}
