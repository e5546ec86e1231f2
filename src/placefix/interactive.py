"""`apply --interactive`: fix by fix, as `git add -p` works hunk by hunk."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, NamedTuple

from placefix import writer
from placefix.diagnostic import Applicability
from placefix.engine import FixSelector, Unchanged
from placefix.report.fix_edits import FixEdits
from placefix.report.output_stream import StyledText
from placefix.report.rule_pages import why_section
from placefix.report.text import write_finding
from placefix.runner import FileResult

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterable, Sequence

    from placefix.diagnostic import Diagnostic, Fix, Rule
    from placefix.discover import Target
    from placefix.report.output_stream import OutputStream
    from placefix.source import Source

_HELP = """\
y - apply this fix
n - do not apply this fix
a - apply this fix and all that come after it in this file
r - apply this fix and all of its rule that come after it, in the other files too; unsafe ones only if this one is
b - go back to the question before this one in this file
d - apply neither this fix nor any that comes after it in this file
q - stop: apply neither this fix nor any that comes after it; what was chosen before is written
? - print help"""
_CONTEXT = 3  # lines around a change, as git shows them


class Prompter:
    """The questions of one run.

    read: gives the next line that was typed, "" at the end of the input. stopped: the user has ended the questions.
    """

    def __init__(self, read: Callable[[], str], out: OutputStream) -> None:
        self.stopped = False
        self._read = read
        self._out = out
        self._explained: set[str] = set()
        self.rules: frozenset[tuple[str, str]] = frozenset()  # code and applicability: applied without a question

    def about(self, target: Target, answers: list[str]) -> FilePrompter:
        """The prompter of one file. answers: the earlier answers, which are used again without a question; new ones are added."""
        return FilePrompter(self, target, answers)

    def show(self, target: Target, source: Source, found: Sequence[Diagnostic], texts: tuple[str, str] | None) -> None:
        """Print the findings with their diffs, and the reason of each rule at its first finding. texts: as in `finding`."""
        result = FileResult(target, Unchanged(tuple(found)), source)
        edits, shown = FixEdits(source, self._out), dict[Any, str]()
        for one in found:
            write_finding(result, one, source, edits, self._out, context=_CONTEXT, shown=shown, texts=texts)
            if one.code not in self._explained:
                self.explain(one.rule)
            self._explained.add(one.code)

    def explain(self, rule: Rule) -> None:
        """Print the section *Why* of a rule's page."""
        for row, line in enumerate(why_section(rule).splitlines()):
            self._out.line("  ", *(("     ", line) if row else (StyledText("why", "label"), f": {line}")))

    def ask(self, question: str, rules: Iterable[Rule], *, first: bool) -> str:
        """One of y, n, a, d, r, b and q. first: there is no question to go back to."""
        while True:
            answer = self._line(f"{question} [y,n,a,d,r,b,q,?]? ")
            if answer == "b" and first:
                self._out.line("This is the first question about this file.")
                continue
            if answer in ("y", "n", "a", "d", "r", "b", "q"):
                self.stopped = answer == "q"
                self._out.line()
                return answer
            self._out.block(_HELP)
            if answer == "?":
                for rule in rules:
                    self._out.line(StyledText(rule.code, "code"), f" {rule.name}: {rule.summary}")
                    self.explain(rule)

    def _line(self, prompt: str) -> str:
        """The typed line, in lower case; "q" at the end of the input and on Ctrl-C."""
        try:
            self._out.prompt(StyledText(prompt, "label"))
            line = "" if self._out.broken else self._read()
        except KeyboardInterrupt:
            line = ""
        if not line:
            return "q"
        return line.strip().lower()


class FilePrompter(FixSelector):
    """The choice among the fixes of one file.

    went_back: the user wants to change the last answer; the file is fixed again from its start, with the answers before it.
    rules: code and applicability of the fixes that are applied without a question from now on.

    Each round offers the fixes that `apply` would write in it, from the top of the file to its end; a fix that overlaps one of
    them is offered only if all of these are rejected. So yes to all is `apply`.
    """

    def __init__(self, questions: Prompter, target: Target, answers: list[str]) -> None:
        self.went_back = False
        self.rules = questions.rules
        self._questions = questions
        self._target = target
        self._answers = answers
        self._given = 0  # how many of them have been taken
        self._rest: bool | None = None  # the answer for all further fixes; None: prompt
        self._asked = 0
        self._rejected = Rejections()

    def select_fixes(self, source: Source, tree: ast.Module, found: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
        """The accepted fixes of a round, in the order of `found`; those that the layout refuses are passed on, for the engine to report."""
        left = self._rejected.others(source, found) if self._rest is not False else []
        kept: list[Diagnostic] = []
        refused: list[Diagnostic] = []  # the layout does not allow them; the engine reports that
        while left and not kept and self._rest is None:
            left = self._open(left)
            result = writer.apply(source, tree, [d.fix for d in left if d.fix is not None])
            refused += [left[index] for index, _ in result.refused]
            together = sorted(
                (left[index] for index in result.applied), key=lambda d: (d.rule.validate is None, d.span)
            )
            kept = self._accepted(source, tree, together)
            left = [d for d in left if d not in together and d not in refused]
        if self._rest:
            kept += self._open(left)
        return [d for d in found if d in kept or d in refused]

    def _open(self, found: list[Diagnostic]) -> list[Diagnostic]:
        """Without first steps, where something that may follow from them is not wanted."""
        return [d for d in found if d.rule.validate is None] if self._rejected else found

    def accept_syntax_fixes(self, source: Source, found: Sequence[Diagnostic]) -> bool:
        """Prompt for the fixes without which the file cannot be parsed."""
        question = "Apply this fix, without which the file cannot be parsed"
        if len(found) > 1:
            question = f"Apply these {len(found)} fixes, without which the file cannot be parsed"
        return self._answer(question, source, found, None)

    def _accepted(self, source: Source, tree: ast.Module, together: Sequence[Diagnostic]) -> list[Diagnostic]:
        by_fix: dict[Fix | None, list[Diagnostic]] = {}  # several findings may have one fix
        for diagnostic in together:
            by_fix.setdefault(diagnostic.fix, []).append(diagnostic)
        total = self._asked + len(by_fix)
        kept: list[Diagnostic] = []
        for fix, found in by_fix.items():
            if self._rest is not None:
                kept += found if self._rest else []
                continue
            self._asked += 1
            whole = any(d.rule.validate is not None for d in found)
            unsafe = fix is not None and fix.applicability is Applicability.UNSAFE
            question = (
                f"Apply this {'unsafe ' if unsafe else ''}fix"
                + (f" of {len(found)} problems" if len(found) > 1 else "")
                + (", and all that follows from it in this file" if whole else "")
            )
            texts = _texts(source, tree, kept, found[0])
            if self._answer(f"({self._asked}/{total}) {question}", source, found, texts):
                kept += found
                if whole:  # PF501: its fix was validated together with all fixes that follow
                    self._rest = True
            else:
                for diagnostic in found:
                    self._rejected.add(source, diagnostic)
        return kept

    def _answer(
        self, question: str, source: Source, found: Sequence[Diagnostic], texts: tuple[str, str] | None
    ) -> bool:
        kinds = {(d.code, d.fix.applicability.value) for d in found if d.fix is not None}
        if kinds <= self.rules:
            return True
        if self._given == len(self._answers):
            self._questions.show(self._target, source, found, texts)
            rules = dict.fromkeys(d.rule for d in found)
            answer = self._questions.ask(question, rules, first=not self._answers)
            if answer == "b":
                self._answers.pop()
                self.went_back, self._rest = True, False
                return False
            self._answers.append(answer)
        answer = self._answers[self._given]
        self._given += 1
        if answer in ("a", "d", "q"):
            self._rest = answer == "a"
        elif answer == "r":
            self.rules |= kinds
        return answer in ("y", "a", "r")


def _texts(source: Source, tree: ast.Module, kept: Sequence[Diagnostic], found: Diagnostic) -> tuple[str, str] | None:
    """The text with the fixes of `kept`, and with that of `found` as well; None where it does not go with them, or none is kept."""
    fixes = [d.fix for d in (*kept, found) if d.fix is not None]
    if not kept or found.fix is None:
        return None
    after = writer.apply(source, tree, fixes)
    if len(after.applied) < len(fixes):
        return None
    return writer.apply(source, tree, fixes[:-1]).text, after.text


class _RejectedFix(NamedTuple):
    """A finding whose fix was rejected: its 0-based line (-1 if the line is gone), its column, and the text of its span."""

    line: int
    column: int
    code: str
    about: str
    message: str


class Rejections:
    """Which findings were rejected, known again after the text around them has changed."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._items: list[_RejectedFix] = []

    def __bool__(self) -> bool:
        """Whether anything was rejected."""
        return bool(self._items)

    def add(self, source: Source, diagnostic: Diagnostic) -> None:
        """Remember a rejected finding of the text that `others` was called with last."""
        self._items.append(_rejected_of(source, diagnostic))

    def others(self, source: Source, found: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Those of `found`, findings in `source`, that were not rejected."""
        lines = [source.line(number) for number in range(1, len(source.line_starts) + 1)]
        blocks = SequenceMatcher(None, self._lines, lines, autojunk=False).get_opcodes() if self._items else []
        self._lines = lines
        there = {index: _rejected_of(source, diagnostic) for index, diagnostic in enumerate(found)}
        self._items = [_match_rejected(item, blocks, there) for item in self._items]
        return [found[index] for index in there]


def _match_rejected(
    item: _RejectedFix, blocks: Sequence[tuple[str, int, int, int, int]], there: dict[int, _RejectedFix]
) -> _RejectedFix:
    """A rejected finding at its current place, taken out of the findings that are `there`; `blocks` map old lines to new ones."""
    kind, start, _, new, end = next((b for b in blocks if b[1] <= item.line < b[2]), ("", 0, 0, 0, 0))
    moved = item._replace(line=new + item.line - start if kind == "equal" else -1)
    likeness = {index: _similarity(moved, other, range(new, end)) for index, other in there.items()}
    best = max(likeness, key=lambda index: likeness[index], default=None)
    return there.pop(best) if best is not None and likeness[best] else moved


def _similarity(item: _RejectedFix, other: _RejectedFix, block: range) -> int:
    """How surely a finding is the one that was rejected, 0: not. block: the lines that its line became a part of."""
    if item.code != other.code:
        return 0
    if item.line >= 0:  # its line has not changed: there or nowhere
        return int(item[:2] == other[:2])
    if item.about == other.about:
        return 4 if other.line in block else 3
    return 2 if item.message == other.message else int(other.line in block)


def _rejected_of(source: Source, diagnostic: Diagnostic) -> _RejectedFix:
    line = source.line_of(diagnostic.span.start)
    about = " ".join(source.segment(diagnostic.span).split())
    return _RejectedFix(
        line - 1, diagnostic.span.start - source.line_starts[line - 1], diagnostic.code, about, diagnostic.message
    )
