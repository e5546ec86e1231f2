"""SARIF 2.1.0, for code scanning and editors: findings with their rules' pages and with their fixes.

Fixes for display only are omitted: readers of SARIF offer to apply every fix.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import placefix
from placefix.diagnostic import Applicability, Severity
from placefix.report.concise import sorted_findings
from placefix.report.machine_formats import (
    Fingerprints,
    advice_lines,
    cell_position,
    plain_line,
    relative_path,
    report_root,
)
from placefix.report.web_links import rule_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Diagnostic, Fix, Rule
    from placefix.report.fix_edits import FixEdits
    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult
    from placefix.source import Source

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.STYLE: "note", Severity.NOTE: "note"}
_BASE = "SRCROOT"


def render(results: Iterable[FileResult], out: OutputStream) -> None:
    """Write the remaining findings of each result to `out`, as the results come."""
    folder, fingerprints = report_root(), Fingerprints()
    rules: dict[str, Rule] = {}
    found = []
    for result in results:
        source = result.current
        if source is None or not result.remaining:
            continue
        from placefix.report.fix_edits import FixEdits

        edits, path = FixEdits(source, out), relative_path(result.absolute, folder)
        for diagnostic in sorted_findings(result):
            rules.setdefault(diagnostic.code, diagnostic.rule)
            fingerprint = fingerprints.of(path, diagnostic, source)
            found.append(_result(_artifact(path), diagnostic, source, edits, fingerprint))
    codes = sorted(rules)
    for entry in found:
        entry["ruleIndex"] = codes.index(entry["ruleId"])
    run = {
        "tool": {
            "driver": {
                "name": "placefix",
                "version": placefix.__version__,
                "semanticVersion": placefix.__version__,
                "rules": [_rule(rules[code]) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_BASE: {"uri": _uri(folder.rstrip(os.sep) + os.sep)}},
        "invocations": [
            {
                "executionSuccessful": not out.failures,
                "toolExecutionNotifications": [_notification(path, reason, folder) for path, reason in out.failures],
            }
        ],
        "results": found,
    }
    out.block(json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2))


def _rule(rule: Rule) -> dict[str, Any]:
    from inspect import cleandoc

    from placefix.report.rule_pages import as_markdown

    doc = cleandoc(rule.documentation) or rule.summary
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": doc.split("\n")[0]},
        "help": {"text": doc, "markdown": as_markdown(doc)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        **({"helpUri": url} if (url := rule_url(rule)) else {}),
    }


def _result(
    artifact: dict[str, Any], diagnostic: Diagnostic, source: Source, edits: FixEdits, fingerprint: str
) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "level": _LEVELS[diagnostic.severity],
        "message": {
            "text": plain_line(
                cell_position(source, diagnostic.span.start)
                + ". ".join([diagnostic.message, *advice_lines(diagnostic)])
            )
        },
        "locations": [
            {"physicalLocation": {"artifactLocation": artifact, "region": _region(source, *diagnostic.span)}}
        ],
        "partialFingerprints": {"placefix/v1": fingerprint},
        "properties": {"severity": diagnostic.severity.value},  # levels do not separate style from notes
    }
    fix = diagnostic.fix
    if fix is not None and fix.applicability is not Applicability.DISPLAY and source.is_verbatim:
        result |= _fixes(fix, artifact, source, edits)
    return result


def _fixes(fix: Fix, artifact: dict[str, Any], source: Source, edits: FixEdits) -> dict[str, Any]:
    changes = edits.of(fix)
    if isinstance(changes, str):
        return {}
    unsafe = "unsafe: " if fix.applicability is Applicability.UNSAFE else ""
    replacements = [
        {"deletedRegion": _region(source, edit.start, edit.end), "insertedContent": {"text": edit.content}}
        for edit in changes
    ]
    return {
        "fixes": [
            {
                "description": {"text": plain_line(unsafe + ". ".join(filter(None, (fix.message, fix.premise))))},
                "artifactChanges": [{"artifactLocation": artifact, "replacements": replacements}],
                "properties": {"applicability": fix.applicability.value},
            }
        ]
    }


def _region(source: Source, start: int, end: int) -> dict[str, int]:
    if source.cell(start) is not None:  # lines of the notebook's file
        return {"startLine": source.file_row(start), "endLine": source.file_row(end)}
    (row, column), (last, behind) = source.location(start), source.location(end)
    return {"startLine": row, "startColumn": column, "endLine": last, "endColumn": behind}


def _artifact(path: str) -> dict[str, Any]:
    if os.path.isabs(path):
        return {"uri": _uri(path)}
    return {"uri": quote(os.fsencode(path)), "uriBaseId": _BASE}


def _uri(absolute: str) -> str:
    drive, rest = os.path.splitdrive(absolute)
    return "file://" + (f"/{drive}" if drive else "") + quote(os.fsencode(rest.replace(os.sep, "/")))


def _notification(path: str, reason: str, folder: str) -> dict[str, Any]:
    where = {"locations": [{"physicalLocation": {"artifactLocation": _artifact(relative_path(path, folder))}}]}
    return {"level": "error", "message": {"text": plain_line(reason)}, **(where if path else {})}
