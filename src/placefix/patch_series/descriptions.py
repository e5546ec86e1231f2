"""The Markdown page of each patch of a series: its changes, the reasons, and the points to review."""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import TYPE_CHECKING

import placefix
from placefix.diagnostic import Applicability, Severity
from placefix.report.concise import row_and_column, sorted_findings
from placefix.report.output_stream import count_phrase, printable
from placefix.report.rule_pages import why_section

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from placefix.diagnostic import Diagnostic
    from placefix.patch_series import Patch
    from placefix.runner import FileResult


def overview_page(series: Sequence[Patch], names: Sequence[str]) -> str:
    """The page about the whole series; `names` are those of the patches, without their suffix."""
    lines = [
        "# Device placement, in pieces",
        "",
        f"What `placefix apply` ({placefix.__version__}) would change in {count_phrase(len(_paths(series)), 'file')}, as "
        f"{count_phrase(len(series), 'patch')}.",
        "Each applies alone and in any order with the others; all of them together are what `placefix apply` does.",
        "",
        "| Patch | About | Files | Findings | Unsafe fixes |",
        "|---|---|---:|---:|---:|",
    ]
    for piece, name in zip(series, names, strict=True):
        found = _applied(piece)
        unsafe = sum(map(_unsafe, found))
        lines.append(f"| [{name}]({name}.md) | {_cell(piece.title)} | {len(piece.parts)} | {len(found)} | {unsafe} |")
    return "\n".join([*lines, "", *_how_to(f"{names[0]}.patch" if len(names) == 1 else "0*.patch", "")])


def patch_page(piece: Patch, name: str, total: int) -> str:
    """The page about one patch, `name`, without its suffix, of `total`."""
    found = _applied(piece)
    lines = [
        f"# Device placement: {_text(piece.title)}",
        "",
        f"Repairs {count_phrase(len(found), 'finding')} of placefix {placefix.__version__} in {count_phrase(len(piece.parts), 'file')}. "
        f"Patch {int(name[:4])} of {total}: [{name}.patch]({name}.patch).",
        "",
    ]
    if piece.together:
        lines += [piece.together, ""]
    lines += _rules_section(found)
    lines += ["## Files", ""]
    for part in piece.parts:
        counts = Counter(d.code for d in part.result.applied)
        lines.append(
            f"- {_code(part.result.path)}: {', '.join(f'{code} × {count}' for code, count in sorted(counts.items()))}"
        )
    lines += [
        "",
        *_review_section(piece),
        *_remaining_section(piece),
        *_how_to(f"{name}.patch", " alone, before or after the others"),
    ]
    return "\n".join(lines)


def _rules_section(found: Sequence[Diagnostic]) -> Iterator[str]:
    """The number of repairs by each rule, and the section *Why* of its page."""
    counts = Counter(d.code for d in found)
    unsafe = Counter(d.code for d in found if _unsafe(d))
    rules = sorted({d.rule.code: d.rule for d in found}.items())
    yield from ("## What and why", "", "| Rule | Findings | Unsafe fixes | |", "|---|---:|---:|---|")
    for code, rule in rules:
        yield f"| {code} {rule.name} | {counts[code]} | {unsafe[code]} | {_cell(rule.summary)} |"
    yield ""
    for code, rule in rules:
        yield from (f"**{code}** {why_section(rule)}", "")


def _review_section(piece: Patch) -> Iterator[str]:
    """The fixes whose premise is not proven."""
    found = [(part.result, d) for part in piece.parts for d in part.result.applied if _unsafe(d)]
    if found:
        yield from ("## Unsafe fixes", "", "They rest on a premise that is not proven: please check it.", "")
        for result, diagnostic in found:
            premise = diagnostic.fix.premise if diagnostic.fix is not None else ""
            yield f"- {_code(result.path)} {diagnostic.code}: {_text(diagnostic.message)}; **premise**: {_text(premise)}"
        yield ""


def _remaining_section(piece: Patch) -> Iterator[str]:
    """The findings that remain in these files, with the reason."""
    codes = {d.code for d in _applied(piece)}
    found = [
        (part.whole, d)
        for part in piece.parts
        for d in _remaining(part.whole)
        if part.result is part.whole or d.code in codes
    ]
    if found:
        yield from (
            "## Left to a person",
            "",
            "Found in these files, and not repaired. Positions are those after the whole series.",
            "",
        )
        for result, diagnostic in found:
            assert result.current is not None  # a finding has a place in a file
            where = f"{result.path}:{row_and_column(result.current, diagnostic.span.start)}"
            yield f"- {_code(where)} {diagnostic.code}: {_text(diagnostic.message)}{_reason(diagnostic)}"
        yield ""


def _reason(diagnostic: Diagnostic) -> str:
    fix = diagnostic.fix
    if fix is None:
        return f"; {_text(diagnostic.note)}" if diagnostic.note else ""
    if fix.applicability is Applicability.UNSAFE:
        return f"; `--unsafe-fixes` would repair it, on the premise: {_text(fix.premise)}"
    return f"; a suggestion: {_text(fix.message)}"


def _how_to(patches: str, order: str) -> list[str]:
    folder = os.getcwd()
    return [
        "## Apply and check",
        "",
        f"In the folder in which placefix ran (here {_code(os.path.basename(folder) or folder)}), apply the patch{'es' if '*' in patches else ''}{order}:",
        "",
        f"    git apply FOLDER/{patches}",
        "",
        "where FOLDER is the folder of this page. Then `git diff` shows the changes, `placefix check` the remaining findings, and",
        "`placefix verify SCRIPT` runs a script on a simulated machine with CUDA devices.",
        "",
    ]


def _applied(piece: Patch) -> list[Diagnostic]:
    return [d for part in piece.parts for d in part.result.applied]


def _remaining(result: FileResult) -> Iterable[Diagnostic]:
    return (d for d in sorted_findings(result) if d.severity is not Severity.NOTE)


def _unsafe(diagnostic: Diagnostic) -> bool:
    return diagnostic.fix is not None and diagnostic.fix.applicability is Applicability.UNSAFE


def _paths(series: Iterable[Patch]) -> set[str]:
    return {part.result.absolute for piece in series for part in piece.parts}


def _code(text: str) -> str:
    """Text as inline code, between as many backticks as it needs."""
    text = printable(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence} {text} {fence}" if len(fence) > 1 else f"`{text}`"


def _text(text: str) -> str:
    """Our own words, which name code between backticks, on one line."""
    return printable(" ".join(text.split()))


def _cell(text: str) -> str:
    return _text(text).replace("|", "\\|")
