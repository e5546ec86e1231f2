"""`placefix explain`: the values that the analysis has at a line, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.report.output_stream import StyledText

if TYPE_CHECKING:
    from placefix.explain import ExplainedExpression, Explanation
    from placefix.report.output_stream import OutputStream

FORMATS = ("text", "json")


def render(explanation: Explanation, output_format: str, out: OutputStream) -> None:
    """Write an explanation. output_format: one of FORMATS."""
    if output_format == "json":
        import json

        out.block(json.dumps(as_data(explanation), indent=2))
        return
    for line in as_text(explanation):
        out.line(*line)


def as_text(explanation: Explanation) -> list[tuple[StyledText | str, ...]]:
    """The lines of an explanation."""
    cell = "" if explanation.cell is None else f"{explanation.cell}:"
    lines: list[tuple[StyledText | str, ...]] = [
        (StyledText(explanation.filename, "path"), f":{cell}{explanation.row}: {explanation.line}")
    ]
    if not any(view.entries for view in explanation.views):
        lines += [(), ("  Nothing on this line is placed anywhere.",)]
    for view in explanation.views:
        if not view.entries:
            continue
        lines.append(())
        if view.called_from:
            lines.append((f"  called from {', from '.join(view.called_from)}",))
        width = max(len(entry.name) for entry in view.entries)
        for entry in view.entries:
            lines.append(("  ", StyledText(f"{entry.name:{width}}", "code"), "  ", describe_value(entry)))
            lines += [(" " * (width + 4), f"if {premise}") for premise in entry.premises]
    if explanation.unseen:
        lines += [(), ("  Calls that placefix cannot see into:",), *((f"    {call}",) for call in explanation.unseen)]
    if explanation.findings:
        lines += [(), ("  Found here:",)]
        for finding in explanation.findings:
            lines.append(("    ", StyledText(finding.code, "code"), f" {finding.message}"))
            why = finding.note or (f"unsafe: {finding.fix.premise}" if finding.fix and finding.fix.premise else "")
            lines += [(f"      {why}",)] if why else []
    return lines


def describe_value(entry: ExplainedExpression) -> str:
    """Kind and place of an expression: `module, on the CPU (made on line 3)`."""
    since = f" ({entry.since})" if entry.since else ""
    if entry.after:
        return f"{entry.kind}, {entry.place} before this line, {entry.after} after it"
    return ", ".join(filter(None, (entry.kind, entry.place))) + since


def as_data(explanation: Explanation) -> dict[str, object]:
    """The explanation as JSON has it; rows and cells are 1-based."""
    return {
        "filename": explanation.filename,
        "cell": explanation.cell,
        "row": explanation.row,
        "line": explanation.line,
        "views": [
            {"called_from": list(view.called_from), "values": [entry._asdict() for entry in view.entries]}
            for view in explanation.views
        ],
        "not_seen_into": list(explanation.unseen),
        "findings": [
            {
                "code": finding.code,
                "message": finding.message,
                "note": finding.note or None,
                "premise": (finding.fix.premise or None) if finding.fix else None,
            }
            for finding in explanation.findings
        ],
    }
