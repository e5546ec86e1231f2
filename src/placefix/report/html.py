"""One page to look through: totals, pictures by rule and folder, every finding with its diff and its reasons.

The page is `page.html` with the findings as JSON in it; it loads nothing from anywhere.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections import Counter
from datetime import datetime
from difflib import SequenceMatcher
from html import escape
from typing import TYPE_CHECKING, Any

import placefix
from placefix.diagnostic import Severity
from placefix.engine import Changed
from placefix.report.concise import row_and_column, sorted_findings
from placefix.report.fix_edits import FixEdits
from placefix.report.machine_formats import plain_line, relative_path, report_root

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from placefix.diagnostic import Diagnostic
    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult
    from placefix.source import Source

# The states of findings, in the order of the bars → their names on the page.
STATES = {"fixed": "fixed", "safe": "safe fix", "unsafe": "unsafe fix", "display": "suggestion only", "none": "no fix"}
_SEVERITIES = tuple(severity.value for severity in Severity)
_CONTEXT = 2  # lines around a change
_FOLDERS = 12  # bars in the picture of folders
_ALIKE = 0.5  # two lines are versions of one line if they share at least this part
_COMPARED = 2500  # pairs of lines of one block; a larger one is shown as removed and added
_BAR = 22  # pixels from one bar to the next

# A row of a side-by-side diff: kind ("" same, "~" changed, "-" gone, "+" new, "@" left out or the name of a cell), then
# number and text of the line on the left and on the right.
_Row = tuple[str, int, str, int, str]


class Page:
    """The findings of a run as the page needs them; sources are not kept.

    written: whether the applied fixes were written to the files (False for `apply --diff`).
    """

    def __init__(self, *, written: bool = True) -> None:
        self._states = STATES if written else STATES | {"fixed": "would be fixed"}
        self._root = report_root()
        self._files: list[dict[str, Any]] = []
        self._read = 0
        self._rules: dict[str, dict[str, str]] = {}

    def add(self, result: FileResult, out: OutputStream) -> None:
        """Add the findings and repairs of a file."""
        self._read += 1
        source, outcome = result.current, result.outcome
        applied = result.applied
        if source is None or not (result.remaining or applied):
            return
        edits = FixEdits(source, out)
        found = [self._finding(d, "fixed") for d in applied]
        found += [self._remaining(d, source, edits) for d in sorted_findings(result)]
        file: dict[str, Any] = {"path": plain_line(relative_path(result.absolute, self._root)), "findings": found}
        if isinstance(outcome, Changed) and result.source is not None:
            file["diff"] = _diff(result.source, result.source.text, outcome.text)
        self._files.append(file)

    def _remaining(self, diagnostic: Diagnostic, source: Source, edits: FixEdits) -> dict[str, Any]:
        from placefix.text_edits import splice

        state = "none" if diagnostic.fix is None else diagnostic.fix.applicability.value
        changes = "" if diagnostic.fix is None else edits.of(diagnostic.fix)
        start = diagnostic.span.start
        finding = self._finding(diagnostic, "none" if isinstance(changes, str) else state)
        finding["place"] = row_and_column(source, start)
        if changes and isinstance(changes, str):
            finding["note"] = plain_line(changes)
        if isinstance(changes, str):
            finding["code"] = _line(source.shown_line(source.line_of(start)))
        else:
            finding["diff"] = _diff(source, source.text, splice(source.text, changes))
        return finding

    def _finding(self, diagnostic: Diagnostic, state: str) -> dict[str, Any]:
        rule, fix = diagnostic.rule, diagnostic.fix
        self._rules.setdefault(rule.code, {"name": rule.name, "summary": rule.summary, "doc": rule.documentation})
        said = {"fix": fix.message if fix else "", "because": fix.premise if fix else "", "note": diagnostic.note}
        return {
            "rule": rule.code,
            "severity": diagnostic.severity.value,
            "state": state,
            "message": plain_line(diagnostic.message),
            **{key: plain_line(text) for key, text in said.items() if text},
        }

    def text(self, paths: Sequence[str], out: OutputStream) -> str:
        """The page."""
        from importlib.resources import files

        template = (files("placefix.report") / "page.html").read_text(encoding="utf-8")
        found = [(file["path"], finding) for file in self._files for finding in file["findings"]]
        # Notes are shown, and counted apart, as in the summary.
        faults = [(path, finding) for path, finding in found if finding["severity"] != Severity.NOTE.value]
        states = [state for state in STATES if state != "fixed" or any(f["state"] == state for _, f in found)]
        data = {"files": self._files, "rules": self._rules, "states": self._states}
        values = {
            "subject": escape(plain_line(", ".join(os.path.basename(os.path.abspath(path)) or path for path in paths))),
            "run": _run(),
            "version": escape(placefix.__version__),
            "totals": self._totals(faults, len(found) - len(faults), states, out),
            "rules": _picture(Counter((f["rule"], f["state"]) for _, f in faults), "rule", self._named),
            "place": "file" if _one_folder(faults) else "folder",
            "folders": _picture(_by_place(faults), "folder", lambda folder: folder or "."),
            "errors": _errors(
                [(relative_path(path, self._root) if path else "", reason) for path, reason in out.failures]
            ),
            "severity_choices": _choices("severity", {name: name for name in _SEVERITIES}),
            "state_choices": _choices("state", {state: self._states[state] for state in states}),
            # "<" alone could end the element that holds the data.
            "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        }
        return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template)

    def _named(self, code: str) -> str:
        return f"{code} {self._rules[code]['name']}"

    def _totals(
        self, faults: list[tuple[str, dict[str, Any]]], notes: int, states: list[str], out: OutputStream
    ) -> str:
        count = Counter(finding["state"] for _, finding in faults)
        cards = [("", "findings", len(faults)), *((state, self._states[state], count[state]) for state in states)]
        cards += [("", "notes", notes)] if notes else []
        cards += [
            ("", "files with findings", len({path for path, _ in faults})),
            ("", "files read", self._read + len(out.failures)),
        ]
        cards += [("failed", "errors", len(out.failures))] if out.failures else []
        return "".join(
            f'<div class="card {kind}"><b>{number:,}</b><span>{name}</span></div>' for kind, name, number in cards
        )


def _run() -> str:
    """When, on which commit and by which command the page was made, as HTML."""
    from placefix.git import head_commit

    parts = [datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")]
    if commit := head_commit(os.getcwd()):
        parts.append(f"commit <code>{escape(commit)}</code>")
    parts.append(f"<code>{escape(plain_line(shlex.join(['placefix', *sys.argv[1:]])))}</code>")
    return ", ".join(parts)


def _diff(source: Source, before: str, after: str) -> list[_Row]:
    """The side-by-side diff of a file; of a notebook cell by cell."""
    rows: list[_Row] = []
    for (name, old), (_, new) in zip(source.pieces(before), source.pieces(after)):
        if old != new:
            rows += [("@", 0, name, 0, "")] if name else []
            rows += side_by_side(old, new, _CONTEXT)
    return rows


def side_by_side(before: str, after: str, context: int) -> Iterator[_Row]:
    """The rows of a diff with `context` lines around each change; omitted lines are one row "@"."""
    left, right = before.split("\n"), after.split("\n")
    end = 0
    for group in SequenceMatcher(None, left, right, autojunk=False).get_grouped_opcodes(context):
        if group[0][1] > end:
            yield "@", 0, "", 0, ""
        end = group[-1][2]
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                pairs: Iterable[tuple[int, int]] = zip(range(i1, i2), range(j1, j2))
            else:
                pairs = (
                    (i1 + i if i >= 0 else i, j1 + j if j >= 0 else j)
                    for i, j in _pair_lines(left[i1:i2], right[j1:j2])
                )
            for i, j in pairs:
                old = (i + 1, _line(left[i])) if i >= 0 else (0, "")
                new = (j + 1, _line(right[j])) if j >= 0 else (0, "")
                kind = "" if tag == "equal" else "+" if i < 0 else "-" if j < 0 else "~"
                yield kind, *old, *new


def _pair_lines(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The lines of two versions of a block, paired by similarity: pairs of indices in order, -1 for a line without a counterpart. The
    sum of the similarities is the largest possible."""
    if len(old) * len(new) > _COMPARED:
        return [(i, -1) for i in range(len(old))] + [(-1, j) for j in range(len(new))]
    likeness = [[SequenceMatcher(None, a.strip(), b.strip(), autojunk=False).ratio() for b in new] for a in old]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]  # of the lines from i and from j on
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            alike = likeness[i][j] + best[i + 1][j + 1] if likeness[i][j] >= _ALIKE else 0.0
            best[i][j] = max(alike, best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(old) or j < len(new):
        if (
            i < len(old)
            and j < len(new)
            and likeness[i][j] >= _ALIKE
            and best[i][j] == likeness[i][j] + best[i + 1][j + 1]
        ):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif i < len(old) and best[i][j] == best[i + 1][j]:
            pairs.append((i, -1))
            i += 1
        else:
            pairs.append((-1, j))
            j += 1
    return pairs


def _line(text: str) -> str:
    return plain_line(text.rstrip("\r\n").replace("\f", " "))


def _one_folder(found: list[tuple[str, dict[str, Any]]]) -> bool:
    return len({os.path.dirname(path) for path, _ in found}) <= 1


def _by_place(found: list[tuple[str, dict[str, Any]]]) -> Counter[tuple[str, str]]:
    """Findings by folder and state, in folders as deep as there is room for and at least deep enough to separate two;
    by file if there is only one folder."""
    if _one_folder(found):
        return Counter((path, finding["state"]) for path, finding in found)
    folders = {path: path.split("/")[:-1] for path, _ in found}
    depth = max(map(len, folders.values()), default=0)

    def count(depth: int) -> int:
        """The number of groups if folders are cut to `depth` parts."""
        return len({tuple(parts[:depth]) for parts in folders.values()})

    # A single bar has no information: then show more folders than there is room for.
    while depth > 1 and count(depth) > _FOLDERS and count(depth - 1) > 1:
        depth -= 1
    return Counter(("/".join(folders[path][:depth]), finding["state"]) for path, finding in found)


def _picture(count: Counter[tuple[str, str]], kind: str, named: Callable[[str], str]) -> str:
    """Bars, longest first, one part for each state; clicking one filters by its key."""
    sums: Counter[str] = Counter()
    for (key, _), number in count.items():
        sums[key] += number
    keys = sorted(sums, key=lambda key: (-sums[key], key))
    shown, more = (
        (keys, []) if kind == "rule" or len(keys) <= _FOLDERS else (keys[: _FOLDERS - 1], keys[_FOLDERS - 1 :])
    )
    longest = max(sums.values(), default=1)
    bars = []
    for number, key in enumerate(shown):
        parts, x = [], 0.0
        for state, words in STATES.items():
            width = 100 * count[key, state] / longest
            if width:
                parts.append(
                    f'<rect class="{state}" x="{x:.2f}%" y="3" width="{width:.2f}%" height="{_BAR - 8}">'
                    f"<title>{escape(named(key))}: {count[key, state]} {words}</title></rect>"
                )
            x += width
        label = escape(named(key))
        bars.append(
            f'<g class="bar" tabindex="0" role="button" data-kind="{kind}" data-key="{escape(key)}" transform="translate(0 {number * _BAR})">'
            f'<rect class="hit" x="0" y="0" width="100%" height="{_BAR}"/>'
            f'<svg width="41%" height="{_BAR}"><text x="0" y="15"><title>{label}</title>{escape(_shorten(named(key)))}</text></svg>'
            f'<text class="count" x="48%" y="15">{sums[key]:,}</text><svg x="50%" width="50%" height="{_BAR}">{"".join(parts)}</svg></g>'
        )
    rest = f'<p class="rest">and {sum(sums[key] for key in more):,} in {len(more)} more</p>' if more else ""
    return f'<svg class="picture" width="100%" height="{len(shown) * _BAR}" aria-label="Findings by {kind}">{"".join(bars)}</svg>{rest}'


def _shorten(name: str, length: int = 30) -> str:
    return name if len(name) <= length else f"{name[:12]}…{name[-(length - 13) :]}"


def _choices(kind: str, names: dict[str, str]) -> str:
    return "".join(
        f'<label class="chip {key}"><input type="checkbox" checked data-filter="{kind}" value="{key}"><span>{name}</span></label>'
        for key, name in names.items()
    )


def _errors(failures: list[tuple[str, str]]) -> str:
    if not failures:
        return ""
    items = "".join(
        f"<li><code>{escape(plain_line(path))}</code> {escape(plain_line(reason))}</li>" for path, reason in failures
    )
    return f'<section class="errors"><h2>Not looked at</h2><ul>{items}</ul></section>'
