"""Guards around hard-coded CUDA that a device can replace.

``if use_cuda: x = x.cuda()`` is ``x = x.to(device)`` if the device is CUDA under exactly that
test and the other arm does nothing else. A guard that does more stays, and only the calls in
it are rewritten.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Delete, Insert, Replace, Span, Unwrap
from placefix.facts import premises, reasons
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.name_availability import absent
from placefix.facts.devices.nullness import may_be_none
from placefix.facts.finding import Finding
from placefix.facts.naming import mentions_negation
from placefix.facts.program.ast_names import dotted
from placefix.facts.wording import unite
from placefix.rules import messages
from placefix.rules.cuda.comments import reworded
from placefix.rules.cuda.device_agreement import Meets
from placefix.rules.cuda.device_rewrite import Respell
from placefix.rules.cuda.gpu_index_guards import numbered
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.guard_branches import (
    Comparison,
    arms,
    brings_back,
    in_chain,
    last_of_chain,
    looks,
    nothing,
    places_only,
    pure,
    return_behind,
    same_but,
)
from placefix.rules.cuda.guard_device import Chosen
from placefix.rules.cuda.is_cuda_guards import anchor, follow, lies_with
from placefix.rules.cuda.prior_placement import doubt
from placefix.rules.cuda.tensor_type_guards import typed
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from placefix.diagnostic import Edit
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Guard, Site
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Premise, Reason
    from placefix.rules.cuda.device_choice import Choice


# Flags that are true when CUDA is not to be used.


class Guarded(NamedTuple):
    """A guard with its finding, and whether the guard is removed."""

    finding: Finding
    collapses: bool
    test: str


class Moved(NamedTuple):
    """The edits that rewrite the moves of a guard, with their premises; or why there are none."""

    edits: tuple[Replace, ...] = ()
    premises: tuple[Premise, ...] = ()
    why_not: Reason | None = None


class Unguard:
    """PF403 for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.cuda = context.get(Cuda)
        self.devices = context.get(Devices)
        self.respell = context.get(Respell)
        self.why_kept: dict[ast.AST, Reason] = {}  # why the moves of a guard that does more stay in it

    @cached_property
    def _groups(self) -> dict[ast.AST, list[Site]]:
        """The moves by the guard around them."""
        groups: dict[ast.AST, list[Site]] = {}
        for site in self.cuda.sites:
            if site.guard is not None and site.is_move:
                groups.setdefault(site.guard.node, []).append(site)
        return groups

    @cached_property
    def _chosen(self) -> Chosen:
        return Chosen(self.context, self._groups)

    @cached_property
    def _typed(self) -> dict[ast.AST, list[Site]]:
        """The uses of tensor types by the guard around them, where another arm may make the same on the CPU."""
        return {
            node: sites
            for node, sites in typed(self.context).items()
            if isinstance(node, ast.IfExp) or self._other_arm(sites[0])
        }

    def _other_arm(self, site: Site) -> list[Stmt]:
        """The statements that run where the guard of a site does not, the `return` behind it among them."""
        assert site.guard is not None
        mine, others = arms(site.guard)
        behind = return_behind(site.guard.stmt, mine) if not others else None
        return [behind] if behind is not None else others

    def of_types(self) -> Iterator[Guarded]:
        """Every guard that makes tensors by types only, and in its other arm the same on the CPU."""
        for node, sites in self._typed.items():
            guard = sites[0].guard
            if (
                node in self._groups
                or guard is None
                or guard.test is None
                or any(self.context.get(Intents).required(s) for s in sites)
            ):
                continue
            found = self._conditional(node, guard, sites) if isinstance(node, ast.IfExp) else self._if(guard, sites)
            if found is not None and found.collapses:
                yield found

    def collapses(self, site: Site) -> bool:
        """Whether the guard around the use of a tensor type says no more than where things are made."""
        guard = site.guard
        if guard is None or guard.node not in self._typed:
            return False
        sites = [*self._groups.get(guard.node, ()), *self._typed[guard.node]]
        if isinstance(guard.node, ast.IfExp):
            return True
        return pure(self.context, arms(guard)[0], self._other_arm(site), sites).alike

    def does_more(self, guard: Guard) -> bool:
        """Whether an ``if`` with nothing in its other arm does more than place: it is right, and may stay."""
        mine, others = arms(guard)
        sites = self._groups.get(guard.node, [])
        return not others and (in_chain(self.context, guard.stmt) or not pure(self.context, mine, others, sites).alike)

    def guards(self) -> Iterator[Guarded]:
        """Every guard that holds a hard-coded move and asks a pure CUDA question."""
        for node, moves in self._groups.items():
            guard = moves[0].guard
            assert guard is not None
            sites = [*moves, *self._typed.get(node, ())]
            if any(self.context.get(Intents).required(s) for s in sites):
                continue
            number = numbered(self.context, guard, sites)
            if number is not None:
                self._chosen.numbers[node] = number
                guard = guard._replace(test=number.test)
            if guard.test is None:
                part = self._followed(guard, sites) or (
                    self._conjunct(guard, sites) if isinstance(node, ast.If) else None
                )
                if part is not None:
                    yield part
                continue
            if all(s.form == "to" and self.respell.index_reason(s) for s in sites):
                continue  # a guarded move to one particular GPU is correct
            if isinstance(node, ast.IfExp):
                yield self._conditional(node, guard, sites)
            else:
                found = self._if(guard, sites)
                if found is not None:
                    yield found

    # --- statements ------------------------------------------------------------------------------

    def _if(self, guard: Guard, sites: list[Site]) -> Guarded | None:
        """The finding for an `if` whose arm places on CUDA: removed if it only places, else its moves are rewritten; None if it is correct."""
        node, stmt = guard.node, guard.stmt
        assert isinstance(node, ast.If) and guard.test is not None
        span = Span(self.context.span(stmt).start, self.context.span(node.test).end)
        what = f"`if {guard.test.text}:`" if "\n" not in guard.test.text else "the guard"
        test = guard.test.text

        def refused(reason: Reason) -> Guarded:
            """The guard without a fix."""
            return Guarded(Finding(span, what, why_not=reason), False, test)

        mine, others = arms(guard)
        behind = return_behind(stmt, mine) if not others else None
        others = others or ([behind] if behind is not None else [])
        arm_is_cuda = guard.positive != guard.test.negated
        if any(s.guard is not None and s.guard.arm != guard.arm for s in sites):
            return refused(reasons.BOTH_BRANCHES_PLACE)
        if (
            not arm_is_cuda
            and node not in self._chosen.numbers
            and (guard.test.available or not mentions_negation(test))
        ):
            return refused(reasons.BRANCH_WITHOUT_CUDA_PLACES)
        compared = pure(self.context, mine, others, sites)
        places, reason = compared.alike, compared.why_not
        if not places and behind is not None:
            behind, others = None, []
        beside = (
            self._beside_guard(guard, mine, others, sites) or self._split(guard, mine, others, sites)
            if not places and behind is None
            else None
        )
        if beside is not None:
            return Guarded(beside._replace(span=span, what=what), False, test)
        if not places and others and reason:
            asked = self._as_asked(guard, others, sites)
            return Guarded(asked._replace(span=span, what=what), False, test) if asked is not None else refused(reason)
        last = places and not others and node not in self._chosen.numbers and last_of_chain(self.context, stmt)
        collapses = places and not in_chain(self.context, stmt)
        choice = self._chosen.choice(guard, stmt, make=collapses or last, only=self._own_question(guard, sites))
        if choice is None:
            return None  # the guard is right, and stays
        if choice.why_not:
            return refused(choice.why_not)
        moved = self._moved(sites, choice, everywhere=collapses or last, back=brings_back(others, sites))
        if moved.why_not:
            return refused(moved.why_not)
        assumed = moved.premises
        done: tuple[Edit, ...] = moved.edits
        if last:
            head = Span(self.context.span(stmt).start, self.context.span(node.test).end)
            done = (Replace(head, "else", self.context.source.segment(head)), *done)
        elif collapses:
            keep = tuple(self.context.span(s) for s in mine if not nothing(s.node))
            gone = (Delete((self.context.span(behind),)),) if behind is not None else ()
            done = (Unwrap(self.context.span(stmt), keep, moved.edits), *gone, *self._flag(guard, choice))
            assumed = unite(assumed, compared.premise)
        found = Finding(
            span, what, (*choice.inserts, *done, *reworded(self.context, stmt)), assumed, device=choice.text
        )
        return Guarded(found, last or collapses, test)

    def _flag(self, guard: Guard, choice: Choice) -> tuple[Edit, ...]:
        """The edits for a removed guard besides its own: the flag goes if nothing else reads it."""
        from placefix.rules.cuda.dead_flags import unread

        return unread(self.context, guard) if not choice.inserts else ()

    def _beside_guard(
        self, guard: Guard, mine: Sequence[Stmt], others: Sequence[Stmt], sites: Sequence[Site]
    ) -> Finding | None:
        """The placements taken out of a guard that keeps the rest; None where they do not all go."""
        from placefix.rules.cuda.partial_guards import apart, lift, lines

        if in_chain(self.context, guard.stmt):
            return None
        moves = {s.node for s in sites}
        ways = lift(self.context, guard.stmt, mine, lambda node: places_only(self.context, node, moves))
        found = next((way for way in ways if (way.before or way.after) and apart(self.context, way, others)), None)
        if found is None:
            return None
        gone = [*found.before, *found.after]
        inside = {part for s in gone for part in (s, *(p for suite in s.suites for p in suite.stmts))}
        left = [s for s in sites if s.stmt not in inside]
        choice = self._chosen.choice(guard, guard.stmt, make=False) if left else None
        if choice is not None and not choice.why_not:
            return None  # with a device in scope all of it is rewritten in place
        choice = self._chosen.choice(guard, guard.stmt, make=True)
        assert choice is not None
        moved = (
            self._moved([s for s in sites if s.stmt in inside], choice, everywhere=True)
            if not choice.why_not
            else Moved()
        )
        stay = self._moved(left, choice, everywhere=False) if not choice.why_not else Moved()
        if why_not := choice.why_not or moved.why_not or stay.why_not:
            self.why_kept[guard.node] = why_not
            return None
        inserts = [
            Insert(
                self.context.span(guard.stmt),
                "\n".join(lines(self.context, s, self._rewritten(self.context.span(s), moved.edits)) for s in stmts),
                at,
            )
            for stmts, at in ((found.before, "under"), (found.after, "after"))
            if stmts
        ]
        edits = (*choice.inserts, *inserts, Delete(tuple(self.context.span(s) for s in gone)), *stay.edits)
        return Finding(Span(0, 0), "", edits, unite(moved.premises, stay.premises), device=choice.text)

    def _split(
        self, guard: Guard, mine: Sequence[Stmt], others: Sequence[Stmt], sites: Sequence[Site]
    ) -> Finding | None:
        """The move of ``x = x.cuda().half()`` in front of a guard that keeps the rest of it; None if it has to stay, or a
        device is in scope, with which it is rewritten in place."""
        from placefix.rules.cuda.partial_guards import chained

        name = (
            chained(self.context, mine[0], sites[0].node)
            if len(sites) == 1 and not others and not in_chain(self.context, guard.stmt)
            else ""
        )
        if not name or self._chosen.choice(guard, guard.stmt, make=False) is not None:
            return None
        choice = self._chosen.choice(guard, guard.stmt, make=True)
        assert choice is not None
        moved = self._moved(sites, choice, everywhere=True) if not choice.why_not else Moved(why_not=choice.why_not)
        if moved.why_not:
            self.why_kept[guard.node] = moved.why_not
            return None
        move = self.context.span(sites[0].node)
        above = Insert(self.context.span(guard.stmt), f"{name} = {self._rewritten(move, moved.edits)}", "under")
        assumed = unite(moved.premises, premises.MOVED_BEFORE_GUARD(name=name))
        return Finding(
            Span(0, 0),
            "",
            (*choice.inserts, above, Replace(move, name, self.context.source.segment(move))),
            assumed,
            device=choice.text,
        )

    def _as_asked(self, guard: Guard, others: Sequence[Stmt], sites: Sequence[Site]) -> Finding | None:
        """The moves of one arm of several, to the device whose name the guard asks; None where they do not all go."""
        from placefix.rules.cuda.device_name_guards import asked, choice

        device = asked(self.context, guard)
        if not device or any(isinstance(s.node, ast.Raise) for s in others):
            return None
        edits: list[Edit] = []
        assumed: tuple[Premise, ...] = ()
        for site in sites:
            moved = self._moved([site], choice(self.context, site, device), everywhere=False)
            if moved.why_not:
                return None
            edits += moved.edits
            assumed = unite(assumed, moved.premises)
        return Finding(Span(0, 0), "", tuple(edits), assumed, device=device)

    def _followed(self, guard: Guard, sites: Sequence[Site]) -> Guarded | None:
        """A guard that asks where something lies, with moves that follow it; None where it asks something else, or they
        have to stay."""
        found = anchor(self.context, guard)
        if found is None or any(s.form != "cuda" or s.guard is None or s.guard.arm != guard.arm for s in sites):
            return None
        moves = [(s, follow(self.context, s, found)) for s in sites]
        done = [(s, m) for s, m in moves if not m.why_not]
        if len(done) < len(moves):
            self.why_kept[guard.node] = next(m.why_not for _, m in moves if m.why_not is not None)
        if not done:
            return None
        edits: tuple[Edit, ...] = tuple(e for s, m in done for e in self.respell.call_edits(s, m.device))
        assumed = unite(*(m.premises for _, m in done))
        test = self.context.source.code(guard.node.test)
        idle = found.whole and len(done) == len(moves)
        span, what = self.context.span(guard.node), messages.CONDITIONAL_MOVE
        if isinstance(guard.node, ast.If):
            span = Span(self.context.span(guard.stmt).start, self.context.span(guard.node.test).end)
            what = f"`if {test}:`" if "\n" not in test else "the guard"
        if idle and all(m.idle for _, m in done):
            whole = self._unwrapped(guard, sites, edits)
            if whole is not None:
                return Guarded(Finding(span, what, whole, assumed, device=found.device), True, test)
        if all(s.extra is not None and lies_with(self.context, s)[0] == m.device for s, m in done):
            return None  # it stays, and its moves go to the GPU of that very tensor
        return Guarded(Finding(span, what, edits, assumed, device=found.device), False, test)

    def _unwrapped(self, guard: Guard, sites: Sequence[Site], moved: Sequence[Edit]) -> tuple[Edit, ...] | None:
        """The edits that put the guarded arm, with its moves respelled, in place of the guard; None where the other arm does
        something else."""
        if isinstance(guard.node, ast.IfExp):
            mine, other = (
                (guard.node.body, guard.node.orelse) if guard.arm == "body" else (guard.node.orelse, guard.node.body)
            )
            same = same_but(mine, other, {s.node for s in sites})
            return self._in_place(guard.node, mine, moved) if same else None
        arm, others = arms(guard)
        if in_chain(self.context, guard.stmt) or pure(self.context, arm, others, sites) != Comparison(alike=True):
            return None
        keep = tuple(self.context.span(s) for s in arm if not nothing(s.node))
        return (Unwrap(self.context.span(guard.stmt), keep, tuple(m for m in moved if isinstance(m, Replace))),)

    def _conjunct(self, guard: Guard, sites: Sequence[Site]) -> Guarded | None:
        """A guard that tests for CUDA and something else, and only places: the other test stays. None
        otherwise, or if no device follows the test for CUDA: then it is correct."""
        from placefix.rules.cuda.compound_guards import without_cuda

        stmt = guard.stmt
        assert isinstance(stmt.node, ast.If)
        mine, others = arms(guard)
        if (
            others
            or guard.arm != "body"
            or in_chain(self.context, stmt)
            or not pure(self.context, mine, others, sites).alike
        ):
            return None
        rest = without_cuda(self.context, stmt, looks)
        # the others of the function make one device for all of them first
        alone = self._alone(stmt, sites)
        choice = (
            self._chosen.choice(guard._replace(test=rest.test), stmt, make=alone, only=alone)
            if rest is not None
            else None
        )
        if rest is None or choice is None:
            return None
        moved = self._moved(sites, choice, everywhere=True) if not choice.why_not else Moved()
        if why_not := choice.why_not or moved.why_not:
            self.why_kept[guard.node] = why_not
            return None
        asked = self.context.span(stmt.node.test)
        edits = (*choice.inserts, Replace(asked, rest.text, self.context.text(stmt.node.test)), *moved.edits)
        assumed = unite(moved.premises, None if rest.asked else premises.TEST_NOT_EVALUATED(test=rest.text))
        span = Span(self.context.span(stmt).start, asked.end)
        what = f"`if {rest.test.text}`"
        return Guarded(Finding(span, what, edits, assumed, device=choice.text), True, rest.test.text)

    def _alone(self, stmt: Stmt, sites: Sequence[Site]) -> bool:
        """Whether nothing else in the function names CUDA."""
        return not any(s.stmt.scope is stmt.scope for s in self.cuda.sites if s not in sites)

    def _own_question(self, guard: Guard, sites: Sequence[Site]) -> bool:
        """Whether a guard asks what only its function knows, and nothing else in that names CUDA or a device."""
        roots = guard.test.roots if guard.test is not None else ()
        if not roots or not all(owner is guard.stmt.scope and owner.is_function for _, owner in roots):
            return False
        return self._alone(guard.stmt, sites) and not any(r.near for r in self.devices.candidates(guard.stmt))

    def _moved(self, sites: Sequence[Site], choice: Choice, *, everywhere: bool, back: bool = False) -> Moved:
        """Moves to a device in place of moves to CUDA; `everywhere`: also where the guard was false; `back`: where
        everything was moved to the CPU instead."""
        edits: list[Replace] = []
        assumed = choice.premises
        for site in sites:
            if site.names_type:
                from placefix.rules.cuda.tensor_types import TensorTypes

                found = self.context.get(TensorTypes).made(site, choice)
                if found.why_not:
                    return Moved(why_not=found.why_not)
                assumed = unite(assumed, found.premises)
                edits += [e for e in found.edits if isinstance(e, Replace)]
                continue
            found = self.respell.call(site, choice) if site.form == "cuda" else self.respell.literal(site, choice)
            if found.why_not:
                return Moved(why_not=found.why_not)
            assumed = unite(assumed, found.premises)
            if everywhere:
                handed = None if back else self._handed(site, choice.text)
                assumed = unite(assumed, self._unproven(site), self._absent(site), handed)
            edits += self.respell.site_edits(site, choice.text)
        return Moved(tuple(edits), assumed)

    def _unproven(self, site: Site) -> Premise | None:
        """Why it is not known that the move does nothing on the CPU, where nothing moved so far; None if it is."""
        assert isinstance(site.node, ast.Call)
        receiver = self.cuda.receivers.judge(site.node, site.stmt, guess=False)
        moved = site.node.func.value if isinstance(site.node.func, ast.Attribute) else site.node
        if receiver.verdict == "torch" and may_be_none(moved, site.stmt):
            return premises.RECEIVER_MAY_BE_NONE(name=self.context.text(moved))
        return receiver.premise

    def _handed(self, site: Site, device: str) -> Premise | None:
        """Why the value may be on a GPU if the guard is false; None if it is not, or meets a value on `device` there."""
        assert site.guard is not None
        number = self._chosen.numbers.get(site.guard.node)
        test = number.test if number is not None else site.guard.test
        why = doubt(self.context, site, test) if test is not None else None
        return why if why and not self.context.get(Meets).beyond(site, device) else None

    def _absent(self, site: Site) -> Premise | None:
        """Why there may be nothing to move where the guard is false; None where there is."""
        assert isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute) and site.guard is not None
        text, guard = dotted(site.node.func.value), site.guard.stmt
        around = list(site.stmt.ancestors())
        inner = (a.node for a in around[: around.index(guard)]) if guard in around else ()
        asked = {self.context.text(node.test) for node in inner if isinstance(node, ast.If)}
        return absent(self.context, text, guard, asked) if text and not any(text in a for a in asked) else None

    # --- conditional expressions -------------------------------------------------------------------

    def _conditional(self, node: ast.IfExp, guard: Guard, sites: list[Site]) -> Guarded:
        assert guard.test is not None
        span, what = self.context.span(node), messages.CONDITIONAL_MOVE
        test = guard.test.text

        def refused(reason: Reason) -> Guarded:
            """The guard without a fix."""
            return Guarded(Finding(span, what, why_not=reason), False, test)

        mine, other = (node.body, node.orelse) if guard.arm == "body" else (node.orelse, node.body)
        if any(s.guard is not None and s.guard.arm != guard.arm for s in sites):
            return refused(reasons.BOTH_BRANCHES_PLACE)
        if guard.test.available and guard.positive == guard.test.negated:
            return refused(reasons.BRANCH_WITHOUT_CUDA_PLACES)
        if not same_but(mine, other, {s.node for s in sites}):
            return refused(reasons.NOT_THE_SAME_EXPRESSION)
        choice = self._chosen.choice(guard, guard.stmt, make=True)
        assert choice is not None
        if choice.why_not:
            return refused(choice.why_not)
        if "#" in self.context.text(node):
            return refused(reasons.COMMENT_INSIDE)
        moved = self._moved(sites, choice, everywhere=True)
        if moved.why_not:
            return refused(moved.why_not)
        done: tuple[Edit, ...] = (*choice.inserts, *self._in_place(node, mine, moved.edits), *self._flag(guard, choice))
        return Guarded(Finding(span, what, done, moved.premises, device=choice.text), True, test)

    def _in_place(self, node: ast.IfExp, mine: ast.expr, moved: Sequence[Edit]) -> tuple[Edit, ...]:
        """The edit that puts one arm of a conditional expression, with its moves respelled, in its place."""
        text = self.context.source.text
        span = self.context.span(node)
        outer = self._parenthesised(span)
        new = self._rewritten(self.context.span(mine), (m for m in moved if isinstance(m, Replace)))
        simple = isinstance(mine, (ast.Call, ast.Name, ast.Attribute, ast.Subscript))
        whole = outer if simple and not ("\n" in new and "\n" in text[outer.start : outer.end]) else span
        return (Replace(whole, new, text[whole.start : whole.end]),)

    def _rewritten(self, span: Span, edits: Iterable[Replace]) -> str:
        """The text of `span` with the replacements inside it."""
        new = self.context.source.segment(span)
        for edit in sorted(edits, key=lambda e: e.span, reverse=True):
            if span.start <= edit.span.start and edit.span.end <= span.end:
                new = new[: edit.span.start - span.start] + edit.text + new[edit.span.end - span.start :]
        return new

    def _parenthesised(self, span: Span) -> Span:
        """The span with the parentheses that only group it."""
        text = self.context.source.text
        start, end = span.start, span.end
        before, after = text[:start].rstrip(), text[end:].lstrip()
        if not before.endswith("(") or not after.startswith(")"):
            return span
        head = before[:-1].rstrip(" \t")
        if head[-1:].isalnum() or head[-1:] in ("_", ")", "]", "}", '"', "'"):
            word = head[-7:].rsplit(None, 1)[-1] if head.split() else ""
            if word not in ("return", "yield", "in", "not", "and", "or", "else", "if", "=", "lambda", "await"):
                return span  # the parentheses of a call
        return Span(len(before) - 1, len(text) - len(after) + 1)
