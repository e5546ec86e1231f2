"""The rules' documentation: one page a rule, or the list."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

from placefix.report.stream import Part

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Rule
    from placefix.report.stream import Stream

_SECTION = re.compile(r"^([A-Z][\w -]{2,30}):(?=\s|$)", re.MULTILINE)


def catalogue(rules: Iterable[Rule], out: Stream) -> None:
    """One line per rule: code, severity, name, summary."""
    for rule in rules:
        severity = rule.severity.value
        opt_in = " (only if selected by its code)" if rule.opt_in else ""
        out.line(Part(rule.code, "code"), "  ", Part(f"{severity:8}", severity), f"{rule.name}: {rule.summary}{opt_in}")


def explain(rule: Rule, out: Stream) -> None:
    """The rule's page: its docstring, laid out on a terminal and as it stands elsewhere."""
    doc = inspect.cleandoc(rule.doc) or rule.summary
    title = f"{rule.code} {rule.name} ({rule.severity.value})"
    if not out.colour:
        out.line(title)
        out.line()
        out.line(doc)
        return
    from placefix.report.terminal import markdown

    out.line(markdown(f"# {title}\n\n" + _SECTION.sub(r"**\1:**", doc)).rstrip("\n"))
