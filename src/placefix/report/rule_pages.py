"""The rules' documentation: one page a rule, or the list."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

from placefix.report.output_stream import StyledText

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Rule
    from placefix.report.output_stream import OutputStream

_SECTION = re.compile(r"([A-Z][\w ]*):")


def rule_list(rules: Iterable[Rule], out: OutputStream) -> None:
    """One line per rule: code, severity, name, summary."""
    for rule in rules:
        severity = rule.severity.value
        opt_in = " (only if selected by its code)" if rule.opt_in else ""
        out.line(
            StyledText(rule.code, "code"),
            "  ",
            StyledText(f"{severity:8}", severity),
            f"{rule.name}: {rule.summary}{opt_in}",
        )


def rule_page(rule: Rule, out: OutputStream) -> None:
    """Print the rule's page: its docstring, laid out on a terminal, unchanged otherwise."""
    doc = inspect.cleandoc(rule.documentation) or rule.summary
    title = f"{rule.code} {rule.name} ({rule.severity.value})"
    if not out.colour:
        out.line(title)
        out.line()
        out.block(doc)
        return
    from placefix.report.terminal import markdown

    out.block(markdown(f"# {title}\n\n{as_markdown(doc)}").rstrip("\n"))


def why_section(rule: Rule) -> str:
    """The section *Why* of the rule's page as paragraphs of Markdown; the rule's summary if there is none."""
    section = re.search(r"(?ms)^Why:\n(.*?)(?=^\S|\Z)", inspect.cleandoc(rule.documentation))
    return inspect.cleandoc(section[1]) if section is not None else rule.summary


def as_markdown(doc: str) -> str:
    """A docstring whose sections are a title with a colon and an indented body."""
    lines: list[str] = []
    code = False
    for line in doc.split("\n"):
        section = _SECTION.fullmatch(line)
        if section is not None or (code and line and not line.startswith(" ")):
            lines += ["```"] if code else []
            code = False
        if section is not None:
            lines += [f"## {section[1]}", ""]
            code = section[1].startswith("Example")
            lines += ["```python"] if code else []
        else:
            lines.append(line.removeprefix("    "))
    return "\n".join(lines + (["```"] if code else []))
