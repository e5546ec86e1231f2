"""The forms of a guard, each with its rewrite: ``if use_cuda: x = x.cuda()`` is ``x = x.to(device)``.

`STATEMENT_FORMS` and `EXPRESSION_FORMS` are tried in order. A form returns None for a guard of another form; the first one that
answers gives the finding: a rewrite, or the reason why there is none. A guard without any form is right, and stays.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Delete, Insert, Replace, Span, Unwrap
from placefix.facts import premises, reasons
from placefix.facts.finding import Finding
from placefix.facts.naming import mentions_negation
from placefix.facts.wording import unite
from placefix.rules import messages
from placefix.rules.cuda.comments import reworded
from placefix.rules.cuda.guard_branches import (
    BranchComparison,
    arms,
    brings_back,
    in_chain,
    last_of_chain,
    nothing,
    places_only,
    pure,
    return_behind,
    same_but,
)
from placefix.rules.cuda.guard_moves import Guarded
from placefix.rules.cuda.tensor_creation import TensorCreation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Literal

    from placefix.diagnostic import Edit, Side
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Guard, Site
    from placefix.facts.program.conditions import Test
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Premise, Reason
    from placefix.rules.cuda.device_choice import Choice
    from placefix.rules.cuda.guard_moves import GuardMoves, Moved
    from placefix.rules.cuda.partial_guards import Lift


class GuardedMoves(NamedTuple):
    """A guard that tests for CUDA, and the moves in it.

    span, what: the span and the text of the guard in the finding.
    """

    guard: Guard
    test: Test
    sites: Sequence[Site]
    span: Span
    what: str

    @property
    def stmt(self) -> Stmt:
        """The statement of the guard."""
        return self.guard.stmt

    def refused(self, reason: Reason) -> Guarded:
        """The finding without a fix."""
        return Guarded(Finding(self.span, self.what, why_not=reason), False, self.test.text)

    def rewritten(
        self, edits: tuple[Edit, ...], assumed: tuple[Premise, ...], device: str, *, collapses: bool
    ) -> Guarded:
        """The finding with a fix; `collapses`: the guard goes."""
        return Guarded(Finding(self.span, self.what, edits, assumed, device=device), collapses, self.test.text)


class Branches(NamedTuple):
    """The two arms of an ``if``.

    others: the statements of the other arm, where that is a `return` behind the guard (`behind`) as well.
    """

    mine: Sequence[Stmt]
    others: Sequence[Stmt]
    behind: Stmt | None
    compared: BranchComparison

    @property
    def place_only(self) -> bool:
        """Whether the arms differ in placement only."""
        return self.compared.alike


def of_statement(moves: GuardMoves, guard: Guard, sites: Sequence[Site]) -> Guarded | None:
    """The finding about an ``if`` that tests for CUDA; None where it is right."""
    assert isinstance(guard.node, ast.If) and guard.test is not None
    test, context = guard.test, moves.context
    span = Span(context.span(guard.stmt).start, context.span(guard.node.test).end)
    case = GuardedMoves(guard, test, sites, span, f"`if {test.text}:`" if "\n" not in test.text else "the guard")
    branches = _branches(context, guard, sites)
    found = (form(moves, case, branches) for form in STATEMENT_FORMS)
    return next((guarded for guarded in found if guarded is not None), None)


def of_expression(moves: GuardMoves, guard: Guard, sites: Sequence[Site]) -> Guarded | None:
    """The finding about a conditional expression that tests for CUDA."""
    assert isinstance(guard.node, ast.IfExp) and guard.test is not None
    span = moves.context.span(guard.node)
    case = GuardedMoves(guard, guard.test, sites, span, messages.CONDITIONAL_MOVE)
    found = (form(moves, case, guard.node) for form in EXPRESSION_FORMS)
    return next((guarded for guarded in found if guarded is not None), None)


def other_arm(guard: Guard) -> Sequence[Stmt]:
    """The statements that run where a guard does not, a `return` behind it among them."""
    mine, others = arms(guard)
    behind = return_behind(guard.stmt, mine) if not others else None
    return [behind] if behind is not None else others


def arms_of_expression(guard: Guard) -> tuple[ast.expr, ast.expr]:
    """The arm of a conditional expression that places, and the other one."""
    node = guard.node
    assert isinstance(node, ast.IfExp)
    return (node.body, node.orelse) if guard.arm == "body" else (node.orelse, node.body)


def _branches(context: AnalysisContext, guard: Guard, sites: Sequence[Site]) -> Branches:
    mine, others = arms(guard)
    behind = return_behind(guard.stmt, mine) if not others else None
    if behind is not None:
        compared = pure(context, mine, [behind], sites)
        return Branches(mine, [behind], behind, compared) if compared.alike else Branches(mine, (), None, compared)
    return Branches(mine, others, None, pure(context, mine, others, sites))


# --- forms of statements ---------------------------------------------------------------------------------------------------------


def _both_arms_place(moves: GuardMoves, case: GuardedMoves, branches: Branches | None = None) -> Guarded | None:
    """``if use_cuda: model.cuda()`` with ``else: model.cuda(0)``"""
    one_arm = all(s.guard is None or s.guard.arm == case.guard.arm for s in case.sites)
    return case.refused(reasons.BOTH_BRANCHES_PLACE) if not one_arm else None


def _other_arm_places(moves: GuardMoves, case: GuardedMoves, branches: Branches) -> Guarded | None:
    """``if not use_cuda: model.cuda()``, unless the flag has the negation in its name."""
    if case.guard.positive != case.test.negated or moves.is_numbered(case.guard):
        return None
    negated_name = not case.test.available and mentions_negation(case.test.text)
    return case.refused(reasons.BRANCH_WITHOUT_CUDA_PLACES) if not negated_name else None


def _places_among_others(moves: GuardMoves, case: GuardedMoves, branches: Branches) -> Guarded | None:
    """``if use_cuda: torch.cuda.manual_seed(1); model.cuda()``: the placements go in front of the guard, or behind it."""
    context = moves.context
    found = _lifted(moves, case, branches)
    if found is None:
        return None
    gone = [*found.before, *found.after]
    inside = {part for s in gone for part in (s, *(p for suite in s.suites for p in suite.stmts))}
    left = [s for s in case.sites if s.stmt not in inside]
    if left and (_has_device(moves, case) or {s.stmt for s in left}.issuperset({*branches.mine} - {*gone})):
        return None  # all moves stay together: they are respelled inside the guard, or nothing but moves would remain in it
    choice = moves.chosen.choice(case.guard, case.stmt, make=True)
    assert choice is not None
    moved = moves.moved([s for s in case.sites if s.stmt in inside], choice, everywhere=True)
    stay = moves.moved(left, choice, everywhere=False)
    if why_not := moved.why_not or stay.why_not:
        moves.why_kept[case.guard.node] = why_not
        return None
    inserts = _inserted(moves, case, found, moved)
    edits = (*choice.inserts, *inserts, Delete(tuple(context.span(s) for s in gone)), *stay.edits)
    return case.rewritten(edits, unite(moved.premises, stay.premises), choice.text, collapses=False)


def _lifted(moves: GuardMoves, case: GuardedMoves, branches: Branches) -> Lift | None:
    """The placements that may leave a guard that does more; None if there are none."""
    from placefix.rules.cuda.partial_guards import apart, lift

    context = moves.context
    if branches.place_only or in_chain(case.stmt):
        return None
    moving = {s.node for s in case.sites}
    ways = lift(context, case.stmt, branches.mine, lambda node: places_only(context, node, moving))
    return next((w for w in ways if (w.before or w.after) and apart(context, w, branches.others)), None)


def _inserted(moves: GuardMoves, case: GuardedMoves, lifted: Lift, moved: Moved) -> list[Insert]:
    """The edits that write the lifted placements in front of the guard and behind it."""
    from placefix.rules.cuda.partial_guards import lines

    context = moves.context
    sides: tuple[tuple[tuple[Stmt, ...], Side | Literal["under"]], ...] = (
        (lifted.before, "under"),
        (lifted.after, "after"),
    )
    return [
        Insert(
            context.span(case.stmt),
            "\n".join(lines(context, s, moves.rewritten(context.span(s), moved.edits)) for s in stmts),
            at,
        )
        for stmts, at in sides
        if stmts
    ]


def _has_device(moves: GuardMoves, case: GuardedMoves) -> bool:
    choice = moves.chosen.choice(case.guard, case.stmt, make=False)
    return choice is not None and not choice.why_not


def _chained_move(moves: GuardMoves, case: GuardedMoves, branches: Branches) -> Guarded | None:
    """``if use_cuda: x = x.cuda().half()``: the move goes in front of the guard, unless a device is there to respell it."""
    from placefix.rules.cuda.partial_guards import chained

    context, sites = moves.context, case.sites
    if branches.place_only or branches.others or len(sites) != 1 or in_chain(case.stmt):
        return None
    name = chained(context, branches.mine[0], sites[0].node)
    if not name or moves.chosen.choice(case.guard, case.stmt, make=False) is not None:
        return None
    choice = moves.chosen.choice(case.guard, case.stmt, make=True)
    assert choice is not None
    moved = moves.moved(sites, choice, everywhere=True)
    if moved.why_not:
        moves.why_kept[case.guard.node] = moved.why_not
        return None
    move = context.span(sites[0].node)
    above = Insert(context.span(case.stmt), f"{name} = {moves.rewritten(move, moved.edits)}", "under")
    edits = (*choice.inserts, above, Replace(move, name, context.source.segment(move)))
    assumed = unite(moved.premises, premises.MOVED_BEFORE_GUARD(name=name))
    return case.rewritten(edits, assumed, choice.text, collapses=False)


def _tests_device_name(moves: GuardMoves, case: GuardedMoves, branches: Branches) -> Guarded | None:
    """``if device == "cuda": x = x.cuda()`` with another arm that does more: the moves go to `device`."""
    from placefix.rules.cuda.device_name_guards import asked, choice

    if not _other_arm_does_more(branches):
        return None
    device = asked(moves.context, case.guard)
    if not device or any(isinstance(s.node, ast.Raise) for s in branches.others):
        return None
    found = [moves.moved([site], choice(moves.context, site, device), everywhere=False) for site in case.sites]
    if any(moved.why_not for moved in found):
        return None
    edits = tuple(edit for moved in found for edit in moved.edits)
    return case.rewritten(edits, unite(*(moved.premises for moved in found)), device, collapses=False)


def _arms_differ(moves: GuardMoves, case: GuardedMoves, branches: Branches) -> Guarded | None:
    """``if use_cuda: x = x.cuda()`` with ``else: y = 1``"""
    why_not = branches.compared.why_not
    return case.refused(why_not) if why_not is not None and _other_arm_does_more(branches) else None


def _other_arm_does_more(branches: Branches) -> bool:
    return not branches.place_only and bool(branches.others) and branches.compared.why_not is not None


def _last_of_chain(moves: GuardMoves, case: GuardedMoves, branches: Branches) -> Guarded | None:
    """``elif use_cuda: x = x.cuda()`` as the last branch: it becomes ``else: x = x.to(device)``."""
    if not branches.place_only or branches.others or moves.is_numbered(case.guard):
        return None
    if not last_of_chain(case.stmt):
        return None
    head = Replace(case.span, "else", moves.context.source.segment(case.span))
    premise = branches.compared.premise
    return _respelled(
        moves,
        case,
        branches,
        lambda choice, moved: (*choice.inserts, head, *moved.edits),
        everywhere=True,
        premise=premise,
    )


def _places_only(moves: GuardMoves, case: GuardedMoves, branches: Branches) -> Guarded | None:
    """``if use_cuda: x = x.cuda()``, alone or with the same without the move in the other arm: the guard goes."""
    context = moves.context
    if not branches.place_only or in_chain(case.stmt):
        return None
    keep = tuple(context.span(s) for s in branches.mine if not nothing(s.node))
    gone = (Delete((context.span(branches.behind),)),) if branches.behind is not None else ()

    def edits(choice: Choice, moved: Moved) -> tuple[Edit, ...]:
        """The guard removed, with its moves rewritten."""
        gone_too = (*gone, *moves.unread_flag(case.guard, choice), *moves.equal_devices(case.guard, choice))
        created = _created_above(moves, case, branches, choice)
        if created:
            return (*created, *gone_too)
        inside = (*moved.edits, *moves.assigned_in_cell(case.stmt, branches.mine[-1]))
        return (*choice.inserts, Unwrap(context.span(case.stmt), keep, inside), *gone_too)

    return _respelled(moves, case, branches, edits, everywhere=True, premise=branches.compared.premise)


def _created_above(moves: GuardMoves, case: GuardedMoves, branches: Branches, choice: Choice) -> tuple[Edit, ...]:
    """The guard removed, and the moved tensors created on the device by the statements above it; empty where they do not create them, or
    where other code may use a new device."""
    if choice.inserts and not moves.is_alone(case.stmt, case.sites):
        return ()
    creation = moves.context.get(TensorCreation)
    return creation.created_above(case.sites, case.stmt, branches.mine, choice.text, choice.inserts)


def _moves_inside(moves: GuardMoves, case: GuardedMoves, branches: Branches) -> Guarded | None:
    """``if use_cuda: x = x.cuda(); print(1)``: the guard stays, and its moves are respelled inside it."""
    return _respelled(moves, case, branches, lambda choice, moved: (*choice.inserts, *moved.edits), everywhere=False)


def _respelled(
    moves: GuardMoves,
    case: GuardedMoves,
    branches: Branches,
    edits: Callable[[Choice, Moved], tuple[Edit, ...]],
    *,
    everywhere: bool,
    premise: Premise | None = None,
) -> Guarded | None:
    """The finding with the moves respelled, by `edits`; None without a device: the guard is right.

    everywhere: the moves run without the guard, for which a device may be made.
    """
    guard, stmt = case.guard, case.stmt
    choice = moves.chosen.choice(guard, stmt, make=everywhere, only=moves.tests_own_value(guard, case.sites))
    if choice is None:
        return None
    moved = moves.moved(case.sites, choice, everywhere=everywhere, back=brings_back(branches.others, case.sites))
    if moved.why_not:
        return case.refused(moved.why_not)
    done = (*edits(choice, moved), *reworded(moves.context, stmt))
    return case.rewritten(done, unite(moved.premises, premise), choice.text, collapses=everywhere)


STATEMENT_FORMS: tuple[Callable[[GuardMoves, GuardedMoves, Branches], Guarded | None], ...] = (
    _both_arms_place,
    _other_arm_places,
    _places_among_others,
    _chained_move,
    _tests_device_name,
    _arms_differ,
    _last_of_chain,
    _places_only,
    _moves_inside,
)


# --- forms of conditional expressions ------------------------------------------------------------------------------------------------


def _both_expressions_place(moves: GuardMoves, case: GuardedMoves, node: ast.IfExp) -> Guarded | None:
    """``x.cuda() if use_cuda else x.cuda(0)``"""
    return _both_arms_place(moves, case)


def _other_expression_places(moves: GuardMoves, case: GuardedMoves, node: ast.IfExp) -> Guarded | None:
    """``x if torch.cuda.is_available() else x.cuda()``"""
    if not case.test.available or case.guard.positive != case.test.negated:
        return None
    return case.refused(reasons.BRANCH_WITHOUT_CUDA_PLACES)


def _expressions_differ(moves: GuardMoves, case: GuardedMoves, node: ast.IfExp) -> Guarded | None:
    """``x.cuda() if use_cuda else y``"""
    mine, other = arms_of_expression(case.guard)
    alike = same_but(mine, other, {s.node for s in case.sites})
    return case.refused(reasons.NOT_THE_SAME_EXPRESSION) if not alike else None


def _moved_expression(moves: GuardMoves, case: GuardedMoves, node: ast.IfExp) -> Guarded | None:
    """``x.cuda() if use_cuda else x`` is ``x.to(device)``."""
    choice = moves.chosen.choice(case.guard, case.stmt, make=True)
    assert choice is not None
    if choice.why_not is None and "#" in moves.context.text(node):
        return case.refused(reasons.COMMENT_INSIDE)
    moved = moves.moved(case.sites, choice, everywhere=True)
    if moved.why_not:
        return case.refused(moved.why_not)
    mine, _ = arms_of_expression(case.guard)
    edits = (
        *choice.inserts,
        *moves.in_place(node, mine, moved.edits),
        *moves.unread_flag(case.guard, choice),
    )
    return case.rewritten(edits, moved.premises, choice.text, collapses=True)


EXPRESSION_FORMS: tuple[Callable[[GuardMoves, GuardedMoves, ast.IfExp], Guarded | None], ...] = (
    _both_expressions_place,
    _other_expression_places,
    _expressions_differ,
    _moved_expression,
)
