"""Findings and fixes as plain data.

All positions are `Span`s: half-open ranges of code points into `Source.text`
(the decoded file without its byte order mark). Spans are the only seam between
the analysis, which reads with `ast`, and the writer, which uses libcst.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from placefix.byte_patterns import BEGINS, in_bytes
from placefix.lazy_function import LazyFunction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from placefix.source import Source
    from placefix.suppression import UnusedSuppression


class Applicability(str, Enum):
    """The promise a fix makes (the words are ruff's).

    SAFE: same observable behaviour on every machine where the program ran to the
    end; it may repair a crash elsewhere. UNSAFE: a plausible repair whose premise
    is not proven; needs ``--unsafe-fixes``. DISPLAY: shown, never applied.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class Severity(str, Enum):
    """How bad the finding is: ERROR crashes or trains wrongly, WARNING is fragile
    or machine-dependent, STYLE works but is not the canonical order or spelling. NOTE is
    no problem: it explains why code stays unchanged, and does not affect the exit code."""

    ERROR = "error"
    WARNING = "warning"
    STYLE = "style"
    NOTE = "note"

    def reaches(self, least: str) -> bool:
        """Whether this is as bad as `least`, the value of a severity, or worse. "style" includes notes."""
        order = ("note", "style", "warning", "error")
        return least in ("note", "style") or order.index(self.value) >= order.index(least)


class Span(NamedTuple):
    """A half-open range [start, end) of code points into `Source.text`, 0-based."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        """Whether the ranges have text in common; a point has it with a range that it is inside of."""
        return self.start < other.end and other.start < self.end


class Replace(NamedTuple):
    """Replace an expression, or a run of tokens inside one, by `text`.

    `expect` is the text the span must hold now; the writer raises if it does not.
    """

    span: Span
    text: str
    expect: str


Side = Literal["before", "after"]  # of a statement


class Insert(NamedTuple):
    """Insert whole statements before, under the comments of, or after the statement at `anchor`.

    `text` holds one or more statements, lines joined by ``\\n``, not indented, no final
    newline; the writer indents it like the anchor and uses the file's newline.
    Equal inserts of several fixes (a device definition they share) are written once.
    """

    anchor: Span
    text: str
    where: Side | Literal["under"] = "before"


class Move(NamedTuple):
    """Move whole statements of one suite next to the statement at `anchor` of the same suite.

    `statements` are in source order. Their own comments (directly above, no blank line
    between; trailing) move with them. `replace` are edits made inside them on the way.
    """

    statements: tuple[Span, ...]
    anchor: Span
    where: Side = "before"
    replace: tuple[Replace, ...] = ()


class Unwrap(NamedTuple):
    """Replace an ``if`` statement by the statements of one of its suites, dedented.

    `statement` is the span of the whole ``if``; `keep` the spans of the statements that
    stay (all in one suite of it, in source order); the rest of the ``if`` goes.
    `replace` are edits inside the kept statements.
    """

    statement: Span
    keep: tuple[Span, ...]
    replace: tuple[Replace, ...] = ()


class Delete(NamedTuple):
    """Delete whole statements of one suite, with the comments that belong to them.

    The suite must keep at least one statement.
    """

    statements: tuple[Span, ...]


class Remark(NamedTuple):
    """Replace a comment, or the white space around it, by `text`; code is not affected.

    `expect` is the text the span must hold now.
    """

    span: Span
    text: str
    expect: str


Edit = Remark | Replace | Insert | Move | Unwrap | Delete


class Fix(NamedTuple):
    """A repair: all of its edits are applied together, or none.

    `premise` is why the fix is unsafe or display-only, one or more sentences; empty when safe. `premises` has the key and the text of
    each sentence.
    """

    edits: tuple[Edit, ...]
    message: str
    applicability: Applicability = Applicability.SAFE
    premise: str = ""
    premises: tuple[tuple[str, str], ...] = ()


class Diagnostic(NamedTuple):
    """One finding.

    note: why there is no fix, in one sentence. met: the operations that fail without its fix, each with the operand that the finding
    is about. shares: numbers or places that its repair has in common with other necessary repairs: the numbers of tensors that are moved
    at several uses, the places of tensors that are computed with each other. Findings that can only be repaired together have the
    same `fix` (`joint_fixes`).
    """

    rule: Rule
    span: Span
    message: str
    severity: Severity
    fix: Fix | None = None
    note: str = ""
    met: tuple[tuple[Span, Span], ...] = ()
    shares: tuple[int | Span, ...] = ()

    @property
    def code(self) -> str:
        """The code of the rule, such as "PF301"."""
        return self.rule.code


def spans(value: object) -> Iterator[Span]:
    """The places in a finding, a fix or several of them, those in their fields as well."""
    if isinstance(value, Span):
        yield value
    elif isinstance(value, tuple) and not isinstance(value, Rule):
        for item in value:
            yield from spans(item)


# A regular expression, or several of which one is enough.
Pattern = str | tuple[str, ...]


class Rule(NamedTuple):
    """A rule: its code, name, severity, byte triggers and a pure check.

    triggers: alternatives, each a tuple of byte strings. A file can have a finding only if its bytes contain all strings of one
    alternative. They are searched in their order until one is missing, so the rarest comes first.
    patterns: regular expressions (multi-line) that the file has to match as well; of a tuple of them one is enough.
    followed: words that, with code of other files that places something and that the file imports, are enough, whatever the other
    triggers are; None if such code does not matter.
    scan: the method of `prefilter.scanner.CodeScanner` that tests the file's code, after all patterns; "" for none.
    check: yields the findings. It and the functions below may be `LazyFunction`: a rule that is not triggered is not loaded.
    doc: the documentation; by default the docstring of the module of `check`.
    opt_in: the rule runs only if its whole code is selected (`--add-placement` selects PF501).
    recover_syntax: called for a text that cannot be parsed. Yields findings whose fixes replace tokens; the text with all of them
    applied can be parsed.
    validate: if set, the fixes of the rule are applied all together or not at all. The engine applies them to a copy, then the
    fixes of the other rules; `validate` gets the context of the result and yields its faults: whether the fault is a proven error,
    and the doubt.
    check_suppressions: runs last. Gets the suppressions that suppress no finding; the engine applies its fixes after all others.
    """

    code: str
    name: str
    summary: str
    severity: Severity
    triggers: tuple[tuple[bytes, ...], ...]
    check: Callable[[Any], Iterable[Diagnostic]]  # of the AnalysisContext, which is built from this module
    doc: str = ""
    opt_in: bool = False
    patterns: tuple[Pattern, ...] = ()
    followed: tuple[bytes, ...] | None = None
    scan: str = ""
    recover_syntax: Callable[[Source], Iterable[Diagnostic]] | None = None
    validate: Callable[[Any], Iterable[tuple[bool, Any]]] | None = None  # the second is a `facts.wording.Doubt`
    check_suppressions: Callable[[Source, Iterable[UnusedSuppression]], Iterable[Diagnostic]] | None = None

    @property
    def documentation(self) -> str:
        """The documentation: `doc`, or the docstring of the module that `check` is loaded from."""
        return self.doc or (self.check.documentation if isinstance(self.check, LazyFunction) else "")

    def diagnostic(
        self,
        span: Span,
        message: str,
        *,
        fix: Fix | None = None,
        note: str = "",
        severity: Severity | None = None,
        met: tuple[tuple[Span, Span], ...] = (),
        shares: tuple[int | Span, ...] = (),
    ) -> Diagnostic:
        """Build a Diagnostic of this rule; `severity` overrides the rule's default."""
        return Diagnostic(self, span, message, severity or self.severity, fix, note, met, shares)


_STEM = b"cuda"  # many words hold it, and most files do not


class _PatternCache(dict["bytes | Pattern", bool]):
    """Whether a file holds a word or matches a pattern; computed at the first query."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __missing__(self, wanted: bytes | Pattern) -> bool:
        if isinstance(wanted, str):
            found = self._matches(wanted)
        elif isinstance(wanted, tuple):
            found = any(self[pattern] for pattern in wanted)
        elif _STEM in wanted and wanted != _STEM:
            found = self[_STEM] and wanted in self._data
        else:
            found = wanted in self._data
        self[wanted] = found
        return found

    def _matches(self, pattern: str) -> bool:
        """Whether the file matches a pattern. A word is found several times faster, and where it is missing no pattern is compiled."""
        word, begins, _ = pattern.partition(BEGINS)
        if not word.isidentifier():
            return in_bytes(pattern).search(self._data) is not None
        if begins:
            return self[word] and in_bytes(pattern).search(self._data) is not None
        return word.encode() in self._data

    def all(self, wanted: Iterable[bytes | Pattern]) -> bool:
        """Whether the file holds each; the first that it lacks ends the search."""
        for one in wanted:  # noqa: SIM110 - a generator costs more than most of the answers, which are there already
            if not self[one]:
                return False
        return True


def _is_triggered(rule: Rule, held: _PatternCache) -> bool:
    """Whether the bytes of a file trigger a rule."""
    for words in rule.triggers:
        if held.all(words):
            return held.all(rule.patterns)
    return False


def matches_pattern(data: bytes, pattern: Pattern) -> bool:
    """Whether a text, as bytes that keep ASCII, matches a pattern."""
    return _PatternCache(data)[pattern]


def triggered_rules(
    rules: Iterable[Rule], data: bytes, imports_placements: Callable[[], bool] | None = None
) -> tuple[Rule, ...]:
    """Those of `rules` that the file can matter to at all, by its bytes and by a glance at its code, in their order.

    imports_placements: whether the file imports code of other files that places something, if that is known."""
    held = _PatternCache(data)
    found = []
    for rule in rules:
        if _is_triggered(rule, held):
            found.append(rule)
        elif imports_placements is not None and rule.followed is not None and held.all(rule.followed):
            if imports_placements():
                found.append(rule)
    questions = {rule.scan for rule in found} - {""}
    if not questions:
        return tuple(found)
    from placefix.prefilter.scanner import CodeScanner

    answered = CodeScanner(data).possible(questions, parsed=any(not rule.scan for rule in found)) | {""}
    return tuple([rule for rule in found if rule.scan in answered])
