"""The findings of the rules in a parsed text, after suppressions and settings, without the fixes that would break the program."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Applicability, Severity, triggered_rules
from placefix.prefilter.placements import runs_models

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from placefix.changed_lines import ChangedLines
    from placefix.diagnostic import Diagnostic, Fix, Rule, Span
    from placefix.draft import FixDraft
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.repository import Home
    from placefix.joint_fixes import AbsentFinding
    from placefix.settings import Settings
    from placefix.source import Source


class ParsedText:
    """A text with its tree, and the draft in which fixes of it are judged."""

    def __init__(self, source: Source, tree: ast.Module) -> None:
        self.source = source
        self.tree = tree

    @cached_property
    def draft(self) -> FixDraft | None:
        """The draft, made for the first fix; None if the text cannot be compiled: then it has no names."""
        from placefix.draft import FixDraft

        try:
            return FixDraft(self.source, self.tree)
        except SyntaxError:
            return None


# Rules about the text alone.
_OF_TEXT = ("PF001", "PF400", "PF404")
# Functions of torch that move nothing: a file that replaces them changes the device that code for every machine chooses.
_QUESTIONS = ("is_available", "device_count")


def check_rules(
    text: ParsedText,
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

    source, tree = text.source, text.tree
    context = context_of(source, tree, settings, home)
    found = [source.judged(d) for d in _confirm(context, [d for rule in rules for d in rule.check(context)], rules)]
    found = _that_may_run(context, _without_repetitions(found))
    found = _mark_replaced(context, _mark_assumed(context, found, rules))
    loud = unsuppressed(source, found, tree)
    absent = _absent_findings(context, found, loud, whole)
    left = _settle_guards(context, loud, rules, unsafe=unsafe)
    context.release()
    order = {rule.code: number for number, rule in enumerate(rules)}
    left += (d for rule in rules for d in _check_suppressions(source, rule, found, whole))
    left = [apply_configured_promise(d, settings) for d in _match_quotes(source, left)]
    return _refuse_unbound(text, sorted(left, key=lambda d: (d.span, order[d.code]))), absent


def _confirm(context: AnalysisContext, found: list[Diagnostic], rules: Sequence[Rule]) -> list[Diagnostic]:
    """The findings as they are when the other files of the repository are read as well: `AnalysisContext.tree` reads them only for files
    that train or load data, because most other files have no finding. Rules about CUDA in the text (PF4xx) are not asked again."""
    followed = context.following
    codes = {d.code for d in found if d.code < "PF4"} - set(_OF_TEXT)
    if followed is context or not codes:
        return found
    again = [d for rule in rules if rule.code in codes for d in rule.check(followed)]
    return [d for d in found if d.code not in codes] + again


def _without_repetitions(found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings without those that repeat another one: code that runs in several ways has one finding."""
    at: dict[tuple[str, Span], list[Diagnostic]] = {}
    for one in found:
        same = at.setdefault((one.code, one.span), [])
        if one not in same:
            same.append(one)
    return [one for same in at.values() for one in same]


def _match_quotes(source: Source, found: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """The findings with the strings that their fixes add in the quotes of the file."""
    if all(d.fix is None for d in found):
        return found
    from placefix.string_quotes import StringQuotes

    quotes = StringQuotes(source)
    return [quotes.fixed(d) for d in found]


def _mark_assumed(context: AnalysisContext, found: list[Diagnostic], rules: Sequence[Rule]) -> list[Diagnostic]:
    """The findings; a fix is made unsafe if it is not found, or not with the same applicability, without the meanings that are assumed
    for names that nothing binds."""
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


def _that_may_run(context: AnalysisContext, found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings, without those in arms that never run, such as that of ``if False:``."""
    if not found:
        return found
    from placefix.facts.program.dead_arms import dead_suites

    spans = [(context.span(s.stmts[0]).start, context.span(s.stmts[-1]).end) for s in dead_suites(context.tree)]
    return [d for d in found if not any(start <= d.span.start < end for start, end in spans)] if spans else found


def _mark_replaced(context: AnalysisContext, found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings; if the file replaces a method of torch that decides where tensors are, no error and no safe fix is among them."""
    if not found:
        return found
    from placefix.facts import premises
    from placefix.facts.finding import made_unsafe
    from placefix.facts.program.replaced_methods import replaced_method

    name = replaced_method(context.tree, context.index)
    if not name:
        return found
    moves = not name.endswith(_QUESTIONS)
    premise, doubt = premises.TORCH_REPLACED(name=name), premises.REPLACED_IN_FILE(name=name)
    return [
        d._replace(
            fix=made_unsafe(d.fix, premise)
            if d.fix is not None and d.fix.applicability is not Applicability.DISPLAY
            else d.fix,
            severity=Severity.WARNING if d.severity is Severity.ERROR else d.severity,
            message=f"{d.message}; {doubt.text}" if d.severity is Severity.ERROR else d.message,
        )
        if d.code not in _OF_TEXT and (moves or d.code.startswith("PF4"))
        else d
        for d in found
    ]


def _promise(finding: Diagnostic) -> tuple[object, ...]:
    """The part of a finding to compare: code, span, edits and applicability."""
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
    beside = (d for rule in triggered_in(context.source, others, context.home) for d in rule.check(context))
    return (*absent, *(unselected_finding(d) for d in beside if d.met or d.shares))


def triggered_in(source: Source, rules: Iterable[Rule], home: Home | None = None) -> tuple[Rule, ...]:
    """The rules that may find something in the text. home: its place in its repository, None to look at it alone."""
    return triggered_at(source.text.encode("utf-8", "surrogatepass"), rules, lambda: home)


def triggered_at(data: bytes, rules: Iterable[Rule], home: Callable[[], Home | None]) -> tuple[Rule, ...]:
    """The rules that may find something in a file with these bytes. home: gives its place in its repository; called only if other files
    may matter."""

    def imports_placements() -> bool:
        """Whether the file imports code that places something."""
        place = home() if runs_models(data) else None
        if place is None:
            return False
        from placefix.facts.program.placing_imports import placing_imports

        return bool(placing_imports(place, data))

    return triggered_rules(rules, data, imports_placements)


def apply_configured_promise(finding: Diagnostic, settings: Settings) -> Diagnostic:
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


def leaves_names_unbound(text: ParsedText, fixes: Sequence[Fix]) -> bool:
    """Whether the text after all fixes would read a name that may be unbound."""
    return text.draft is not None and bool(text.draft.together(fixes, range(len(fixes))))


def _refuse_unbound(text: ParsedText, found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings, without the fixes after which a name that is read may be unbound."""
    fixes = [(index, d.fix) for index, d in enumerate(found) if d.fix is not None]
    faults = text.draft.faults([fix for _, fix in fixes]) if fixes and text.draft is not None else {}
    for index, reason in faults.items():
        at = fixes[index][0]
        found[at] = found[at]._replace(fix=None, note=f"not fixed: {reason}")
    return tuple(found)


def _settle_guards(
    context: AnalysisContext, found: list[Diagnostic], rules: Sequence[Rule], *, unsafe: bool
) -> list[Diagnostic]:
    """The findings without the fixes that would leave a function half converted, and with new devices defined at their first use. The
    findings of CUDA rules that are not selected count as well: a fix must not depend on the selection."""
    if not context.new_devices and not context.cuda_tests and not context.borrowed_devices:
        return found
    from placefix.facts.devices.definition_sinking import Sinking
    from placefix.rules import RULES
    from placefix.rules.cuda.converted_loads import ConvertedLoads
    from placefix.rules.cuda.remaining_cuda import Needs

    others = tuple(rule for rule in RULES if rule.code.startswith("PF40") and rule not in rules)
    beside = [d for rule in triggered_in(context.source, others) for d in rule.check(context)] if others else []
    settled = context.get(ConvertedLoads).settled(context.get(Needs).settled([*found, *beside]))
    return context.get(Sinking).sunk(settled[: len(found)], unsafe=unsafe)


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
            len(missing) < len(fitting) and all(rule.opt_in for rule in missing) and not triggered_in(source, missing)
        )

    return auditor.check_suppressions(source, Suppressions(source).find_unused(found, decided, auditor.code))


def unsuppressed(source: Source, found: list[Diagnostic], tree: ast.Module | None = None) -> list[Diagnostic]:
    """The findings that no comment in the text suppresses."""
    if not found:
        return []
    from placefix.suppression import Suppressions

    suppressions = Suppressions(source, tree)
    return [d for d in found if not suppressions.covers(d)]


def join_findings(
    source: Source, tree: ast.Module, settings: Settings, found: Sequence[Diagnostic], absent: Sequence[AbsentFinding]
) -> tuple[Diagnostic, ...]:
    """The findings; those whose fixes help only together get one common fix. absent: findings that the run does not report."""
    if not any(d.met or d.shares for d in found):
        return tuple(found)
    from placefix.joint_fixes import join_fixes

    return join_fixes(source, tree, found, absent, severity=settings.severity)


def limit_to_lines(lines: ChangedLines | None, source: Source, found: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """The findings that touch the changed lines of the run. Errors that keep the file from being parsed concern all lines
    and are not filtered."""
    if lines is None:
        return found
    why = "not fixed: the fixes that follow from it may change other lines than the changed ones"
    return tuple(
        d if d.rule.validate is None else d._replace(fix=None, note=d.note or why)
        for d in found
        if lines.touches(source, d.span)
    )


def findings_outside(
    lines: ChangedLines | None, source: Source, found: Sequence[Diagnostic]
) -> tuple[AbsentFinding, ...]:
    """The findings that touch none of the changed lines of the run, and may be connected with others."""
    if lines is None:
        return ()
    from placefix.joint_fixes import UNCHANGED, AbsentFinding

    return tuple(
        AbsentFinding(d, UNCHANGED) for d in found if (d.met or d.shares) and not lines.touches(source, d.span)
    )
