"""How often each rule was found: a line a rule, the most frequent first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.report.output_stream import StyledText

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Rule
    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult

# The formats that a table of counts has.
FORMATS = ("full", "concise", "json", "json-lines")


class Count:
    """The findings of one rule: how many, how many of them `apply` repairs, and in how many files."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.found = self.fixable = self.files = 0


def counts(results: Iterable[FileResult]) -> list[Count]:
    """The rules that were found, the most frequent first."""
    found: dict[str, Count] = {}
    for result in results:
        here = set()
        for diagnostic in result.faults:
            count = found.setdefault(diagnostic.code, Count(diagnostic.rule))
            count.found += 1
            count.fixable += result.is_fixable(diagnostic)
            here.add(diagnostic.code)
        for code in here:
            found[code].files += 1
    return sorted(found.values(), key=lambda count: (-count.found, count.rule.code))


def render(results: Iterable[FileResult], out: OutputStream, output_format: str) -> None:
    """Write the table; `output_format` is one of FORMATS. [*] where `apply` repairs all, [-] where it repairs some."""
    table = counts(results)
    if output_format.startswith("json"):
        import json

        entries = [
            {
                "code": count.rule.code,
                "name": count.rule.name,
                "severity": count.rule.severity.value,
                "count": count.found,
                "fixable": count.fixable,
                "files": count.files,
            }
            for count in table
        ]
        for line in [json.dumps(entries, indent=2)] if output_format == "json" else map(json.dumps, entries):
            out.block(line)
        return
    width = max((len(str(count.found)) for count in table), default=0)
    for count in table:
        severity = count.rule.severity.value
        mark = "[*]" if count.fixable == count.found else "[-]" if count.fixable else "[ ]"
        out.line(
            f"{count.found:{width}}  ",
            StyledText(f"{severity:7}", severity),
            " ",
            StyledText(count.rule.code, "code"),
            " ",
            StyledText(mark, "fixable"),
            f" {count.rule.name}",
        )
