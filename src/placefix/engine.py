"""Source in, Outcome out: parse, check, select fixes, rewrite, verify. Touches no file."""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Applicability, Delete, Move, Unwrap, triggered_rules
from placefix.recursion import retry_deeper

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from placefix.changed_lines import ChangedLines
    from placefix.diagnostic import Diagnostic, Fix, Rule, Span
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.repository import Home
    from placefix.facts.wording import Doubt
    from placefix.finding_tracker import FindingTracker
    from placefix.joint_fixes import AbsentFinding
    from placefix.settings import Settings
    from placefix.source import Source


class Changed(NamedTuple):
    """The file changes to `text`. `applied`: the fixed findings; those of round 1 have their positions in the original.
    `remaining`: the findings left in `text`, with positions in `text`."""

    text: str
    applied: tuple[Diagnostic, ...]
    remaining: tuple[Diagnostic, ...]


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

    def tree() -> ast.Module:
        """Parse without warnings about the program."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source.text)

    try:
        return retry_deeper(tree)
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
        return tuple(_apply_configured_promise(d, settings) for d in _repair_syntax(source, rules, error)[0])
    whole = (*rules, *(rule for rule in beside if rule not in rules))
    every, absent = _check_rules(
        source, tree, settings, rules if live else _triggered_rules(source, rules), home, whole
    )
    found = [_validate_fix(d, source, tree, settings, whole, home) for d in _limit_to_lines(lines, source, every)]
    return _refuse_unwritable(
        _join_findings(source, tree, settings, found, (*absent, *_findings_outside(lines, source, every))), source, tree
    )


def _join_findings(
    source: Source, tree: ast.Module, settings: Settings, found: Sequence[Diagnostic], absent: Sequence[AbsentFinding]
) -> tuple[Diagnostic, ...]:
    """The findings; those whose fixes help only together get one common fix. absent: findings that the run does not report."""
    if not any(d.met or d.shares for d in found):
        return tuple(found)
    from placefix.joint_fixes import join_fixes

    return join_fixes(source, tree, found, absent, severity=settings.severity)


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


def _limit_to_lines(lines: ChangedLines | None, source: Source, found: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """The findings that touch the changed lines of the run. Errors that keep the file from being parsed concern all lines
    and are not filtered."""
    if lines is None:
        return found
    why = "not fixed: what follows from it does not stand on changed lines alone"
    return tuple(
        d if d.rule.validate is None else d._replace(fix=None, note=d.note or why)
        for d in found
        if lines.touches(source, d.span)
    )


def _findings_outside(
    lines: ChangedLines | None, source: Source, found: Sequence[Diagnostic]
) -> tuple[AbsentFinding, ...]:
    """The findings that touch none of the changed lines of the run, and may be connected with others."""
    if lines is None:
        return ()
    from placefix.joint_fixes import UNCHANGED, AbsentFinding

    return tuple(
        AbsentFinding(d, UNCHANGED) for d in found if (d.met or d.shares) and not lines.touches(source, d.span)
    )


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
        outcome = _apply_in_rounds(source, first, first_tree, settings, others, unsafe, home)
        if not isinstance(outcome, Changed):
            return finding._replace(fix=None, note="not fixed: what follows from it cannot be written")
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


def _triggered_rules(source: Source, rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """The rules that may find something in the text."""
    return triggered_rules(rules, source.text.encode("utf-8", "surrogatepass"))


def _repair_syntax(
    source: Source, rules: Sequence[Rule], error: ParseError
) -> tuple[tuple[Diagnostic, ...], Source, ast.Module]:
    """The findings in a text that cannot be parsed, whose fixes together make it parsable; the text after
    them and its tree. Raises ParseError: `error` if there are no such findings."""
    repairers = (rule for rule in rules if rule.recover_syntax is not None)
    found = [
        d
        for rule in _triggered_rules(source, repairers)
        if rule.recover_syntax is not None
        for d in rule.recover_syntax(source)
    ]
    found = _unsuppressed(source, found)
    if not found:
        raise error
    from placefix.text_edits import splice, token_edits

    edits = sorted(edit for d in found if d.fix is not None for edit in token_edits(d.fix))
    after = source.with_text(splice(source.text, edits))
    return tuple(sorted(found, key=lambda d: d.span)), after, parse(after)


def _check_rules(
    source: Source,
    tree: ast.Module,
    settings: Settings,
    rules: Sequence[Rule],
    home: Home | None,
    whole: Sequence[Rule],
    *,
    unsafe: bool = False,
) -> tuple[tuple[Diagnostic, ...], tuple[AbsentFinding, ...]]:
    """The findings of `rules`, the triggered ones of the selected rules `whole`; and findings that are not reported but may be
    connected with those. unsafe: whether unsafe fixes are applied with the safe ones."""
    if not rules:
        return (), ()
    from placefix.rules.registry import context_of

    context = context_of(source, tree, settings, home)
    found = [source.judged(d) for rule in rules for d in rule.check(context)]
    found = _mark_assumed(context, found, rules)
    loud = _unsuppressed(source, found, tree)
    absent = _absent_findings(context, found, loud, whole)
    left = _settle_guards(context, loud, rules, unsafe=unsafe)
    context.release()
    order = {rule.code: number for number, rule in enumerate(rules)}
    left += (d for rule in rules for d in _check_suppressions(source, rule, found, whole))
    left = [_apply_configured_promise(d, settings) for d in _match_quotes(source, left)]
    return _refuse_unbound(source, tree, sorted(left, key=lambda d: (d.span, order[d.code]))), absent


def _match_quotes(source: Source, found: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """The findings with the strings that their fixes add in the quotes of the file."""
    if all(d.fix is None for d in found):
        return found
    from placefix.string_quotes import StringQuotes

    quotes = StringQuotes(source)
    return [quotes.fixed(d) for d in found]


def _mark_assumed(context: AnalysisContext, found: list[Diagnostic], rules: Sequence[Rule]) -> list[Diagnostic]:
    """The findings; the fixes of those that are not found, or not with this promise, unless names that nothing binds are taken for what
    their use shows, are unsafe."""
    if not context.tree.assumed or not any(d.fix is not None for d in found):
        return found
    from placefix.facts import premises
    from placefix.facts.finding import made_unsafe
    from placefix.rules.registry import context_of

    plain = context_of(context.source, context.module, context.settings, context.home, assume=False)
    proven = {_promise(d) for rule in rules for d in rule.check(plain)}
    plain.release()
    premise = premises.NOT_BOUND(names=_assumed_names(context.tree.assumed))
    return [
        d._replace(fix=made_unsafe(d.fix, premise))
        if d.fix is not None and d.fix.applicability is not Applicability.DISPLAY and _promise(d) not in proven
        else d
        for d in found
    ]


def _promise(finding: Diagnostic) -> tuple[object, ...]:
    """What a finding promises, to compare it."""
    fix = finding.fix
    return finding.code, finding.span, fix and (fix.edits, fix.applicability)


def _assumed_names(assumed: Mapping[str, str]) -> str:
    """``"`torch`, `nn` (torch.nn) and `model` (a module)"``."""
    *rest, last = (f"`{name}`" if name == meaning else f"`{name}` ({meaning})" for name, meaning in assumed.items())
    return f"{', '.join(rest)} and {last}" if rest else last


def _absent_findings(
    context: AnalysisContext, found: Sequence[Diagnostic], loud: Sequence[Diagnostic], whole: Sequence[Rule]
) -> tuple[AbsentFinding, ...]:
    """The suppressed findings of `found`, and the findings of rules that are not selected, if reported findings may only be repaired
    together with them."""
    if not any(d.met or d.shares for d in loud):
        return ()
    from placefix.joint_fixes import SILENCED, AbsentFinding, unselected_finding
    from placefix.rules import RULES

    said = {id(d) for d in loud}
    absent = [AbsentFinding(d, SILENCED) for d in found if (d.met or d.shares) and id(d) not in said]
    others = [rule for rule in RULES if rule.code.startswith("PF3") and not rule.opt_in and rule not in whole]
    beside = (d for rule in _triggered_rules(context.source, others) for d in rule.check(context))
    return (*absent, *(unselected_finding(d) for d in beside if d.met or d.shares))


def _apply_configured_promise(finding: Diagnostic, settings: Settings) -> Diagnostic:
    """The finding with the applicability that the user configures for the fixes of its rule."""
    fix, promise = finding.fix, dict(settings.promises).get(finding.code)
    if fix is None or promise is None or fix.applicability is Applicability.DISPLAY:
        return finding
    from placefix.facts import premises
    from placefix.facts.finding import fix_of, made_unsafe

    if promise == "none":
        fix = fix_of(fix.edits, fix.message, (premises.CONFIGURED_UNFIXABLE(code=finding.code),), shown=True)
    elif promise == "safe":
        fix = fix_of(fix.edits, fix.message)
    elif fix.applicability is Applicability.SAFE:
        fix = made_unsafe(fix, premises.CONFIGURED_UNSAFE(code=finding.code))
    return finding._replace(fix=fix)


def _leaves_names_unbound(source: Source, tree: ast.Module, fixes: Sequence[Fix]) -> bool:
    """Whether the text after all fixes would read a name that may be unbound."""
    from placefix.draft import FixDraft

    try:
        return bool(FixDraft(source, tree).together(fixes, range(len(fixes))))
    except SyntaxError:
        return False


def _refuse_unbound(source: Source, tree: ast.Module, found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings, without the fixes after which a name that is read may be unbound."""
    fixes = [(index, d.fix) for index, d in enumerate(found) if d.fix is not None]
    if not fixes:
        return tuple(found)
    from placefix.draft import FixDraft

    try:
        draft = FixDraft(source, tree)
    except SyntaxError:  # a file that cannot be compiled has no names
        return tuple(found)
    for index, reason in draft.faults([fix for _, fix in fixes]).items():
        at = fixes[index][0]
        found[at] = found[at]._replace(fix=None, note=f"not fixed: {reason}")
    return tuple(found)


def _settle_guards(
    context: AnalysisContext, found: list[Diagnostic], rules: Sequence[Rule], *, unsafe: bool
) -> list[Diagnostic]:
    """The findings without the fixes that would leave a function half converted, and with new devices defined at their first use. The
    findings of CUDA rules that are not selected count as well: a fix must not depend on the selection."""
    if not context.new_devices:
        return found
    from placefix.facts.devices.definition_sinking import Sinking
    from placefix.rules import RULES
    from placefix.rules.cuda.remaining_cuda import Needs

    others = tuple(rule for rule in RULES if rule.code.startswith("PF40") and rule not in rules)
    beside = [d for rule in _triggered_rules(context.source, others) for d in rule.check(context)] if others else []
    return context.get(Sinking).sunk(context.get(Needs).settled([*found, *beside])[: len(found)], unsafe=unsafe)


def _check_suppressions(
    source: Source, auditor: Rule, found: Iterable[Diagnostic], whole: Sequence[Rule]
) -> Iterable[Diagnostic]:
    """The findings of a rule about suppressions that suppress nothing of `found`; none in a text that is only analysed in part."""
    if auditor.check_suppressions is None or source.problems:
        return ()
    from placefix.rules import RULES
    from placefix.suppression import Suppressions

    asked = {rule.code for rule in whole}

    def decided(prefix: str) -> bool | None:
        """Whether all rules with a prefix have run, so that unused suppressions are known; None if no rule has it."""
        fitting = [rule for rule in RULES if rule.code.startswith(prefix) or rule.name.upper() == prefix]
        if not fitting:
            return None
        fitting = [rule for rule in fitting if rule.check_suppressions is None]
        missing = [rule for rule in fitting if rule.code not in asked]
        # an opt-in rule counts only if it may find something
        return (
            len(missing) < len(fitting)
            and all(rule.opt_in for rule in missing)
            and not _triggered_rules(source, missing)
        )

    return auditor.check_suppressions(source, Suppressions(source).find_unused(found, decided, auditor.code))


def _unsuppressed(source: Source, found: list[Diagnostic], tree: ast.Module | None = None) -> list[Diagnostic]:
    if not found:
        return []
    from placefix.suppression import Suppressions

    suppressions = Suppressions(source, tree)
    return [d for d in found if not suppressions.covers(d)]


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
        return retry_deeper(lambda: _fix_source(source, settings, rules, unsafe, home, live, lines, choice))
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


def _fix_source(
    source: Source,
    settings: Settings,
    rules: Sequence[Rule],
    unsafe: bool,
    home: Home | None,
    live: Sequence[Rule] | None,
    lines: ChangedLines | None,
    choice: FixSelector | None,
) -> Outcome:
    try:
        current, tree = source, parse(source)
        mended: tuple[Diagnostic, ...] = ()
    except ParseError as error:
        mended, current, tree = _repair_syntax(source, rules, error)
        mended = tuple(_apply_configured_promise(d, settings) for d in mended)
        live = None
        if not all(_is_applicable(d, unsafe) for d in mended if d.fix is not None):
            return Unchanged(mended)
        if choice is not None and not choice.accept_syntax_fixes(source, mended):
            return Unchanged(mended)
    return _apply_in_rounds(source, current, tree, settings, rules, unsafe, home, mended, live, lines, choice)


def _apply_in_rounds(
    source: Source,
    current: Source,
    tree: ast.Module,
    settings: Settings,
    rules: Sequence[Rule],
    unsafe: bool,
    home: Home | None,
    before: tuple[Diagnostic, ...] = (),
    live: Sequence[Rule] | None = None,
    lines: ChangedLines | None = None,
    choice: FixSelector | None = None,
) -> Outcome:
    """Fix `current`, the text of `source` after the fixes of `before`, round by round. live: the rules that it triggers, if known."""
    order = {rule.code: number for number, rule in enumerate(rules)}
    applied = list(before)
    first: FindingTracker | None = None
    for _ in range(MAX_ROUNDS):
        asked = _triggered_rules(current, rules) if live is None else live
        live = None
        seen, absent = _check_rules(current, tree, settings, asked, home, rules, unsafe=unsafe)
        every = [_validate_fix(d, current, tree, settings, rules, home) for d in seen]
        if first is not None:
            every = first.limit_promises(current, every)
        within, outside = _limit_to_lines(lines, current, every), _findings_outside(lines, current, every)
        found = list(_join_findings(current, tree, settings, within, (*absent, *outside)))
        reached = (d for d in found if d.severity.reaches(settings.severity))
        chosen = sorted((d for d in reached if _is_applicable(d, unsafe)), key=lambda d: (order[d.code], d.span))
        if choice is not None and chosen:
            picked = {d.fix for d in choice.select_fixes(current, tree, chosen)}
            chosen = [d for d in chosen if d.fix in picked]  # of several findings that have one fix all
        if not chosen:
            return _outcome_of(source, current, applied, found)
        from placefix import writer
        from placefix.finding_tracker import FindingTracker

        if first is None:
            others = [d for d in every if lines is not None and not lines.touches(current, d.span)]
            first = FindingTracker(
                current, [*found, *others], [d for d in (*found, *others) if _is_applicable(d, unsafe)]
            )
        # a suppression may silence what only the other fixes bring to light
        groups = (
            [d for d in chosen if d.rule.check_suppressions is None],
            [d for d in chosen if d.rule.check_suppressions is not None],
        )
        for group in filter(None, groups):
            fixes = [d.fix for d in group if d.fix is not None]
            result = writer.apply(current, tree, fixes)
            if len(result.applied) > 1 and _leaves_names_unbound(
                current, tree, [*dict.fromkeys(fixes[i] for i in result.applied)]
            ):
                # each is right by itself: the others are looked at again once the first is written
                alone = fixes[result.applied[0]]
                one = writer.apply(current, tree, [alone])
                result = result._replace(
                    text=one.text, applied=tuple(i for i in result.applied if fixes[i] == alone), edits=one.edits
                )
            for index, reason in result.refused:
                # the layout does not allow it: the finding stays, without its fix
                refused = group[index]
                found[found.index(refused)] = refused._replace(fix=None, note=f"not fixed: {reason}")
            if result.applied:
                break
        if not result.applied:
            return _outcome_of(source, current, applied, found)
        if result.text == current.text:
            return Failed("a fix changed nothing; the file is left as it was, please report this")
        after = source.with_text(result.text)
        try:
            after_tree = parse(after)
        except ParseError as error:
            return Failed(f"the fixed text cannot be parsed ({error}); the file is left as it was, please report this")
        writer.verify(tree, after_tree, [fixes[i] for i in result.applied])
        after.encode(after.text)
        applied.extend(group[i] for i in result.applied)
        first.follow(result.edits, [fixes[i] for i in result.applied])
        if any(group[i].rule.validate is not None for i in result.applied):
            first = None  # the promise of a first step is one of all that follows from it
        current, tree = after, after_tree
    return Failed(f"fixes did not settle in {MAX_ROUNDS} rounds; the file is left as it was, please report this")


def _outcome_of(source: Source, current: Source, applied: list[Diagnostic], found: list[Diagnostic]) -> Outcome:
    if current is source:
        return Unchanged(tuple(found))
    return Changed(current.text, tuple(applied), tuple(found))
