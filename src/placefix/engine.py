"""Source in, Outcome out: parse, check, select fixes, rewrite, verify. Touches no file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Applicability, Delete, Move, Unwrap
from placefix.parsing import parse_quietly
from placefix.recursion import retry_deeper
from placefix.rule_findings import (
    ParsedText,
    apply_configured_promise,
    check_rules,
    findings_outside,
    join_findings,
    leaves_names_unbound,
    limit_to_lines,
    triggered_in,
    unsuppressed,
)

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable, Sequence

    from placefix.changed_lines import ChangedLines
    from placefix.diagnostic import Diagnostic, Fix, Rule, Span
    from placefix.facts.program.repository import Home
    from placefix.facts.wording import Doubt
    from placefix.finding_tracker import FindingTracker
    from placefix.settings import Settings
    from placefix.source import Source
    from placefix.writer import Result


class Changed(NamedTuple):
    """The file changes to `text`. `applied`: the fixed findings; those of round 1 have their positions in the original.
    `remaining`: the findings left in `text`, with positions in `text`. `followed`: how many of `applied` only the fixes of others
    brought about: `check` does not report them in the original."""

    text: str
    applied: tuple[Diagnostic, ...]
    remaining: tuple[Diagnostic, ...]
    followed: int = 0


class Unchanged(NamedTuple):
    """Nothing to fix; `remaining` are the findings without an applicable fix."""

    remaining: tuple[Diagnostic, ...] = ()


class Skipped(NamedTuple):
    """The file is not analysed, because it cannot be parsed; `reason` is one line. row, column: of the error, 1-based; 0 if unknown."""

    reason: str
    row: int = 0
    column: int = 0


class Failed(NamedTuple):
    """placefix itself failed on the file, which is not changed; `error` is one line."""

    error: str


Outcome = Changed | Unchanged | Skipped | Failed


class ParseError(ValueError):
    """The text is not Python 3; the message is one line with the row (1-based). place: row and column (1-based), (0, 0) in a notebook."""

    def __init__(self, message: str, place: tuple[int, int] = (0, 0)) -> None:
        super().__init__(message)
        self.place = place

    def skipped(self) -> Skipped:
        """The outcome of a file that cannot be parsed."""
        return Skipped(str(self), *self.place)


class FixSelector:
    """Selects the fixes to apply: all of them. Subclasses select some."""

    def select_fixes(self, source: Source, tree: ast.Module, found: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
        """Called in every round: the findings of `found` whose fixes are applied to `source` now, in the order of `found`. All
        of `found` have applicable fixes and are sorted by rule. An empty result ends the run of the file."""
        return found

    def accept_syntax_fixes(self, source: Source, found: Sequence[Diagnostic]) -> bool:
        """Whether to apply the fixes of all `found`; without them `source` cannot be parsed and has no other findings."""
        return True


# A fix may enable the next one (place before wrap, then the optimizer, then the spelling);
# more rounds than this mean two rules disagree.
MAX_ROUNDS = 16
# Comments that tie a statement to its place; `layout.why_protected` reads the rest of the comment.
_HOLDS = re.compile(r"#[ \t]*(?:fmt:|yapf:|type:)")


def parse(source: Source) -> ast.Module:
    """Parse the text as Python 3. Raises ParseError."""
    try:
        return retry_deeper(lambda: parse_quietly(source.text))
    except SyntaxError as error:
        from placefix.python2_syntax import find_python2_syntax

        old = find_python2_syntax(source.text)
        if old is not None:
            raise ParseError(
                f"{source.row_name(source.line_of(old.start))}: cannot be parsed as Python 3: {old.what}",
                _place(source, old.start),
            ) from None
        row = min(error.lineno or 1, len(source.line_starts))
        offset = source.line_starts[row - 1] + max((error.offset or 1) - 1, 0)
        raise ParseError(
            f"{source.row_name(row)}: cannot be parsed as Python 3: {error.msg}",
            _place(source, min(offset, len(source.text))),
        ) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise ParseError(f"line 1: cannot be parsed: {type(error).__name__}: {error}".splitlines()[0]) from None


def _place(source: Source, offset: int) -> tuple[int, int]:
    row, column = source.location(offset)
    return (0, 0) if source.cell(offset) is not None else (row, column)


def check(
    source: Source,
    settings: Settings,
    rules: Sequence[Rule],
    home: Home | None = None,
    *,
    live: bool = False,
    beside: Sequence[Rule] = (),
    lines: ChangedLines | None = None,
) -> tuple[Diagnostic, ...]:
    """The findings in `source`, sorted by position. Raises ParseError.

    home: the file's place in its repository, to read its imports from other files; without it the file is analysed alone.
    live: all of `rules` are known to be triggered by the file's bytes. beside: the selected rules that are not triggered; a fix may
    trigger them. lines: the lines that a finding must touch; by default all.
    If the text cannot be parsed and fixes of its tokens would repair that, the findings are those with these fixes.
    """
    source.limit = settings.line_length
    return retry_deeper(lambda: _check_source(source, settings, rules, home, live=live, beside=beside, lines=lines))


def _check_source(
    source: Source,
    settings: Settings,
    rules: Sequence[Rule],
    home: Home | None,
    *,
    live: bool,
    beside: Sequence[Rule],
    lines: ChangedLines | None,
) -> tuple[Diagnostic, ...]:
    try:
        tree = parse(source)
    except ParseError as error:
        return tuple(apply_configured_promise(d, settings) for d in _repair_syntax(source, rules, error)[0])
    whole = (*rules, *(rule for rule in beside if rule not in rules))
    text, triggered = ParsedText(source, tree), rules if live else triggered_in(source, rules, home)
    every, absent = check_rules(text, settings, triggered, home, whole)
    found = [_validate_fix(d, source, tree, settings, whole, home) for d in limit_to_lines(lines, source, every)]
    return _refuse_unwritable(
        join_findings(source, tree, settings, found, (*absent, *findings_outside(lines, source, every))), source, tree
    )


def _refuse_unwritable(found: tuple[Diagnostic, ...], source: Source, tree: ast.Module) -> tuple[Diagnostic, ...]:
    """The findings without the fixes that would move a statement which a comment ties to its place, as in `apply`."""
    if not found or not _HOLDS.search(source.text):
        return found
    said = []
    for finding in found:
        fix = finding.fix
        why = ""
        if fix is not None and _moves_protected(source, fix):  # the writer is slow: libcst takes longer than most files
            after = _apply_alone(source, tree, fix)
            why = after if isinstance(after, str) else ""
        said.append(finding._replace(fix=None, note=f"not fixed: {why}") if why else finding)
    return tuple(said)


def _moves_protected(source: Source, fix: Fix) -> bool:
    """Whether the fix would move or delete a statement that a comment ties to its place."""
    from placefix.layout import why_protected

    spans: list[Span] = []
    for edit in fix.edits:
        if isinstance(edit, Unwrap):
            spans.append(edit.statement)
        elif isinstance(edit, (Move, Delete)):
            spans += edit.statements
    return any(why_protected(source, span) for span in spans)


def _validate_fix(
    finding: Diagnostic, source: Source, tree: ast.Module, settings: Settings, rules: Sequence[Rule], home: Home | None
) -> Diagnostic:
    """A finding of a rule with `validate`, after its fix was tried: safe, unsafe with the premise, or refused."""
    validate, fix = finding.rule.validate, finding.fix
    if validate is None or fix is None or fix.applicability is Applicability.DISPLAY:
        return finding
    from placefix.facts import premises
    from placefix.facts.finding import made_unsafe
    from placefix.rules.registry import context_of

    others = tuple(rule for rule in rules if rule.validate is None)
    first = _apply_alone(source, tree, fix)
    if isinstance(first, str):
        return finding._replace(fix=None, note=f"not fixed: {first}")
    first_tree = parse(first)
    reason: Doubt | None = None
    for unsafe in (False, True):
        options = FixOptions(settings, others, unsafe, home, None, None)
        outcome = FixRounds(source, options, ()).run(first, first_tree, None)
        if not isinstance(outcome, Changed):
            return finding._replace(fix=None, note="not fixed: the fixes that follow from it cannot be written")
        after = first.with_text(outcome.text)
        context = context_of(after, parse(after), settings, home)
        found = sorted(dict.fromkeys(validate(context)), key=lambda doubt: not doubt[0])
        context.release()
        if not found and not unsafe:
            return finding
        if not any(wrong for wrong, _ in found):
            premise = reason or (found[0][1] if found else premises.FOLLOWING_PREMISES)
            return finding._replace(fix=made_unsafe(fix, premise))
        reason = reason or found[0][1]
    return finding._replace(fix=None, note=f"not fixed: {found[0][1].text}")


def _apply_alone(source: Source, tree: ast.Module, fix: Fix) -> Source | str:
    """The text with one fix, or why the layout does not allow it."""
    from placefix import writer

    result = writer.apply(source, tree, [fix])
    if result.refused:
        return result.refused[0][1]
    return source.with_text(result.text)


def rules_for_single_file(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """The rules that can check a text whose place in a repository is unknown."""
    return tuple(rule for rule in rules if rule.check_suppressions is None)


def _repair_syntax(
    source: Source, rules: Sequence[Rule], error: ParseError
) -> tuple[tuple[Diagnostic, ...], Source, ast.Module]:
    """The findings in a text that cannot be parsed, whose fixes together make it parsable; the text after
    them and its tree. Raises ParseError: `error` if there are no such findings."""
    repairers = (rule for rule in rules if rule.recover_syntax is not None)
    found = [
        d
        for rule in triggered_in(source, repairers)
        if rule.recover_syntax is not None
        for d in rule.recover_syntax(source)
    ]
    found = unsuppressed(source, found)
    if not found:
        raise error
    from placefix.text_edits import splice, token_edits

    edits = sorted(edit for d in found if d.fix is not None for edit in token_edits(d.fix))
    after = source.with_text(splice(source.text, edits))
    return tuple(sorted(found, key=lambda d: d.span)), after, parse(after)


def fix(
    source: Source,
    settings: Settings,
    rules: Sequence[Rule],
    *,
    unsafe: bool = False,
    home: Home | None = None,
    live: Sequence[Rule] | None = None,
    lines: ChangedLines | None = None,
    choice: FixSelector | None = None,
) -> Outcome:
    """Apply every applicable fix of `rules`, round by round, until none is left.

    home, lines: as in `check`; other files are read once, for all rounds. live: the rules that the file's bytes are known to
    trigger; by default they are determined. choice: selects some of the fixes.

    Returns Changed, Unchanged, Skipped (not Python 3) or Failed; raises nothing: after a failure of
    placefix itself the file is not changed, and the outcome is Failed.
    """
    source.limit = settings.line_length
    try:
        options = FixOptions(settings, rules, unsafe, home, lines, choice)
        return retry_deeper(lambda: _fix_source(source, options, live))
    except ParseError as error:
        return error.skipped()
    except RecursionError:
        return Failed("placefix failed: the file nests too deeply (RecursionError)")
    except Exception as error:  # a bug of ours must never touch the file
        return Failed(internal_error(error))


def internal_error(error: Exception) -> str:
    """A bug of placefix as a reason of one line.

    An interrupt that became another error is no bug, and is raised again: until 3.12 Python makes a RuntimeError of
    any exception in a `__set_name__`, for example while libcst is imported.
    """
    cause: BaseException | None = error
    while cause is not None:
        if not isinstance(cause, Exception):
            raise cause
        cause = cause.__cause__ or cause.__context__
    return f"placefix failed, please report it: {type(error).__name__}: {' '.join(str(error).split())}"


def _is_applicable(diagnostic: Diagnostic, unsafe: bool) -> bool:
    fix = diagnostic.fix
    return fix is not None and (fix.applicability.value == "safe" or (unsafe and fix.applicability.value == "unsafe"))


class FixOptions(NamedTuple):
    """The parameters of `fix`."""

    settings: Settings
    rules: Sequence[Rule]
    unsafe: bool
    home: Home | None
    lines: ChangedLines | None
    choice: FixSelector | None


def _fix_source(source: Source, options: FixOptions, live: Sequence[Rule] | None) -> Outcome:
    try:
        current, tree = source, parse(source)
        mended: tuple[Diagnostic, ...] = ()
    except ParseError as error:
        mended, current, tree = _repair_syntax(source, options.rules, error)
        mended = tuple(apply_configured_promise(d, options.settings) for d in mended)
        live = None
        if not all(_is_applicable(d, options.unsafe) for d in mended if d.fix is not None):
            return Unchanged(mended)
        if options.choice is not None and not options.choice.accept_syntax_fixes(source, mended):
            return Unchanged(mended)
    return FixRounds(source, options, mended).run(current, tree, live)


class WrittenFixes(NamedTuple):
    """The result of the writer for the fixes of some findings: result.applied are their indices."""

    findings: Sequence[Diagnostic]
    fixes: Sequence[Fix]
    result: Result

    @property
    def applied(self) -> list[Diagnostic]:
        """The findings that are fixed."""
        return [self.findings[i] for i in self.result.applied]

    @property
    def applied_fixes(self) -> list[Fix]:
        """Their fixes."""
        return [self.fixes[i] for i in self.result.applied]


class FixRounds:
    """Applies the fixes of a source, round by round.

    applied: the fixed findings so far, `followed` of them not in the original. first: the findings of the first round, whose
    safety holds for all rounds.
    """

    def __init__(self, source: Source, options: FixOptions, applied: Sequence[Diagnostic]) -> None:
        self.source = source
        self.options = options
        self.applied = list(applied)
        self.followed = 0
        self.first: FindingTracker | None = None
        self._is_original = not applied  # whether `first` are the findings in the original
        self._order = {rule.code: number for number, rule in enumerate(options.rules)}

    def run(self, current: Source, tree: ast.Module, live: Sequence[Rule] | None) -> Outcome:
        """The outcome for `current`, the source after the fixes of `applied`. live: the rules that it triggers, if known."""
        for _ in range(MAX_ROUNDS):
            text = ParsedText(current, tree)
            every, found = self._find(text, live)
            live = None
            chosen = self._choose(current, tree, found)
            if chosen and self.first is None:
                self.first = self._tracker(current, every, found)
            written = _write_first(text, found, chosen)
            if written is None:
                return self._outcome(current, found)
            if written.result.text == current.text:
                return Failed("a fix changed nothing; the file is left as it was, please report this")
            after = self.source.with_text(written.result.text)
            try:
                after_tree = parse(after)
            except ParseError as error:
                why = f"the fixed text cannot be parsed ({error}); the file is left as it was, please report this"
                return Failed(why)
            self._accept(written, after, tree, after_tree)
            current, tree = after, after_tree
        return Failed(f"fixes did not settle in {MAX_ROUNDS} rounds; the file is left as it was, please report this")

    def _outcome(self, current: Source, found: list[Diagnostic]) -> Outcome:
        if current is self.source:
            return Unchanged(tuple(found))
        return Changed(current.text, tuple(self.applied), tuple(found), self.followed)

    def _find(self, text: ParsedText, live: Sequence[Rule] | None) -> tuple[Sequence[Diagnostic], list[Diagnostic]]:
        """All findings in the text; and those on the lines of the run, joined."""
        current, tree = text.source, text.tree
        settings, rules, home, lines = (
            self.options.settings, self.options.rules, self.options.home, self.options.lines,
        )  # fmt: skip
        triggered = triggered_in(current, rules, home) if live is None else live
        seen, absent = check_rules(text, settings, triggered, home, rules, unsafe=self.options.unsafe)
        every: Sequence[Diagnostic] = [_validate_fix(d, current, tree, settings, rules, home) for d in seen]
        if self.first is not None:
            every = self.first.limit_promises(current, every)
        within, outside = limit_to_lines(lines, current, every), findings_outside(lines, current, every)
        return every, list(join_findings(current, tree, settings, within, (*absent, *outside)))

    def _choose(self, current: Source, tree: ast.Module, found: Sequence[Diagnostic]) -> list[Diagnostic]:
        """The findings whose fixes are applied, in the order of the rules."""
        severity, choice = self.options.settings.severity, self.options.choice
        reached = (d for d in found if d.severity.reaches(severity) and _is_applicable(d, self.options.unsafe))
        chosen = sorted(reached, key=lambda d: (self._order[d.code], d.span))
        if choice is None or not chosen:
            return chosen
        picked = {d.fix for d in choice.select_fixes(current, tree, chosen)}
        return [d for d in chosen if d.fix in picked]  # of several findings that have one fix all

    def _tracker(self, current: Source, every: Sequence[Diagnostic], found: Sequence[Diagnostic]) -> FindingTracker:
        from placefix.finding_tracker import FindingTracker

        lines = self.options.lines
        others = [d for d in every if lines is not None and not lines.touches(current, d.span)]
        known = [*found, *others]
        return FindingTracker(current, known, [d for d in known if _is_applicable(d, self.options.unsafe)])

    def _accept(self, written: WrittenFixes, after: Source, tree: ast.Module, after_tree: ast.Module) -> None:
        """Verify the written text, and follow the findings through it. Raises if the writer changed anything else."""
        from placefix import writer

        writer.verify(tree, after_tree, written.applied_fixes)
        after.encode(after.text)
        self.applied.extend(written.applied)
        known = self.first.known(written.applied) if self.first is not None and self._is_original else []
        self.followed += len(written.applied) - len(known)
        if self.first is not None:
            self.first.follow(written.result.edits, written.applied_fixes)
        if any(d.rule.validate is not None for d in written.applied):
            self._is_original = False
            self.first = None  # the promise of a first step is one of all that follows from it


def _write_first(text: ParsedText, found: list[Diagnostic], chosen: Sequence[Diagnostic]) -> WrittenFixes | None:
    """Write the fixes of the rules, or if that changes nothing, those of suppressions; None if nothing can be written. A
    suppression may silence findings that only the other fixes bring to light."""
    for of_suppressions in (False, True):
        group = [d for d in chosen if (d.rule.check_suppressions is not None) == of_suppressions]
        written = _write(text, found, group) if group else None
        if written is not None and written.result.applied:
            return written
    return None


def _write(text: ParsedText, found: list[Diagnostic], group: Sequence[Diagnostic]) -> WrittenFixes:
    """Write the fixes of some findings, or only the first if they would leave a name unbound together. Findings whose fix the
    layout does not allow lose it in `found`."""
    from placefix import writer

    fixes = [d.fix for d in group if d.fix is not None]
    result = writer.apply(text.source, text.tree, fixes)
    if len(result.applied) > 1 and leaves_names_unbound(text, [*dict.fromkeys(fixes[i] for i in result.applied)]):
        # each is right by itself: the others are looked at again once the first is written
        alone = fixes[result.applied[0]]
        one = writer.apply(text.source, text.tree, [alone])
        same = tuple(i for i in result.applied if fixes[i] == alone)
        result = result._replace(text=one.text, applied=same, edits=one.edits)
    for index, reason in result.refused:
        refused = group[index]
        found[found.index(refused)] = refused._replace(fix=None, note=f"not fixed: {reason}")
    return WrittenFixes(group, fixes, result)
