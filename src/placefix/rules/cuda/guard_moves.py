"""The moves inside guards: the device that a guard gives them, and their respelling."""

from __future__ import annotations

import ast
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Replace, Span
from placefix.facts import premises
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.name_availability import absent
from placefix.facts.devices.nullness import may_be_none
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.ast_names import dotted
from placefix.facts.wording import unite
from placefix.rules.cuda.device_agreement import Meets
from placefix.rules.cuda.device_rewrite import DeviceRewrite
from placefix.rules.cuda.guard_device import GuardDevices
from placefix.rules.cuda.input_devices import InputDevices
from placefix.rules.cuda.prior_placement import doubt
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from placefix.diagnostic import Edit
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Guard, Site
    from placefix.facts.finding import Finding
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Premise, Reason
    from placefix.rules.cuda.device_choice import Choice


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


class GuardMoves:
    """The moves of a file that guards surround.

    why_kept: why the moves of a guard stay in it, by its node.
    """

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.cuda = context.get(Cuda)
        self.devices = context.get(Devices)
        self.respell = context.get(DeviceRewrite)
        self.why_kept: dict[ast.AST, Reason] = {}

    @cached_property
    def groups(self) -> dict[ast.AST, list[Site]]:
        """The moves by the guard around them."""
        groups: dict[ast.AST, list[Site]] = {}
        for site in self.cuda.sites:
            if site.guard is not None and site.is_move:
                groups.setdefault(site.guard.node, []).append(site)
        return groups

    @cached_property
    def chosen(self) -> GuardDevices:
        """The devices of the guards."""
        return GuardDevices(self.context, self.groups)

    def is_numbered(self, guard: Guard) -> bool:
        """Whether a guard tests the number of a GPU, and places on that GPU."""
        return guard.node in self.chosen.numbers

    def is_alone(self, stmt: Stmt, sites: Sequence[Site]) -> bool:
        """Whether nothing else in the function names CUDA."""
        mine = {id(site) for site in sites}
        return all(id(site) in mine for site in self._by_scope.get(stmt.scope, ()))

    @cached_property
    def _by_scope(self) -> dict[Scope, list[Site]]:
        """The uses of CUDA by the scope of their statement."""
        found: dict[Scope, list[Site]] = {}
        for site in self.cuda.sites:
            found.setdefault(site.stmt.scope, []).append(site)
        return found

    def tests_own_value(self, guard: Guard, sites: Sequence[Site]) -> bool:
        """Whether a guard tests a value that only its function knows, and nothing else in that names CUDA or a device."""
        roots = guard.test.roots if guard.test is not None else ()
        if not roots or not all(owner is guard.stmt.scope and owner.is_function for _, owner in roots):
            return False
        return self.is_alone(guard.stmt, sites) and not any(r.near for r in self.devices.candidates(guard.stmt))

    def unread_flag(self, guard: Guard, choice: Choice) -> tuple[Edit, ...]:
        """The edits that remove the flag of a guard that goes, if nothing else reads it; none where a new device reads it."""
        from placefix.rules.cuda.dead_flags import unread

        return unread(self.context, guard) if not choice.inserts else ()

    def equal_devices(self, guard: Guard, choice: Choice) -> tuple[Replace, ...]:
        """The edits that put the new device of a function in place of those that it writes out, with the fix of its first guard."""
        if guard.test is None or not choice.inserts:
            return ()
        mine = self.context.span(guard.node)
        if self._first_guards.get(guard.stmt.scope, mine) < mine:
            return ()
        return self.devices.reused(choice.text, choice.inserts[-1], (guard.test, guard.positive))

    @cached_property
    def _first_guards(self) -> dict[Scope, Span]:
        """The first of the guards that are looked at together, for each scope."""
        first: dict[Scope, Span] = {}
        for node, sites in self.groups.items():
            span, scope = self.context.span(node), sites[0].stmt.scope
            first[scope] = min(span, first.get(scope, span))
        return first

    def assigned_in_cell(self, guard: Stmt, last: Stmt) -> tuple[Replace, ...]:
        """The edit that assigns the module that `last` places, where that would be the last expression of a notebook cell without the
        guard: IPython would print the module."""
        node, end = last.node, self.context.span(guard).end
        if guard.node.col_offset or not self.context.source.displays(end) or not isinstance(node, ast.Expr):
            return ()
        call = node.value
        name = dotted(call.func.value) if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else ""
        objects = self.context.get(Flow).values.get(call, ())
        (start, behind), is_module = self.context.span(node), all(obj.is_module for obj in objects)
        if name and objects and is_module:
            return (Replace(Span(start, start), f"{name} = ", ""),)
        return (Replace(Span(behind, behind), ";", ""),)

    # --- respelling --------------------------------------------------------------------------------------------------------

    def moved(self, sites: Sequence[Site], choice: Choice, *, everywhere: bool, back: bool = False) -> Moved:
        """Moves to a device in place of moves to CUDA; `everywhere`: also where the guard was false; `back`: where
        everything was moved to the CPU instead."""
        if choice.why_not:
            return Moved(why_not=choice.why_not)
        edits: list[Replace] = []
        assumed = choice.premises
        for site in sites:
            one = self._made(site, choice) if site.names_type else self._respelled(site, choice, everywhere, back)
            if one.why_not:
                return one
            edits += one.edits
            assumed = unite(assumed, one.premises)
        return Moved(tuple(edits), assumed)

    def _made(self, site: Site, choice: Choice) -> Moved:
        """A tensor that a tensor type of CUDA makes."""
        from placefix.rules.cuda.tensor_types import TensorTypes

        found = self.context.get(TensorTypes).made(site, choice)
        edits = tuple(e for e in found.edits if isinstance(e, Replace))
        return Moved(edits, found.premises, found.why_not)

    def _respelled(self, site: Site, choice: Choice, everywhere: bool, back: bool) -> Moved:
        found = self.respell.move(site, choice)
        if found.why_not:
            return Moved(why_not=found.why_not)
        assumed = found.premises
        if everywhere:
            placed = None if back else self._placed_before(site, choice.text)
            assumed = unite(assumed, self._unproven(site), self._absent(site), placed)
        return Moved(self.respell.edits.site_edits(site, choice.text), assumed)

    def _unproven(self, site: Site) -> Premise | None:
        """Why it is not known that the move does nothing on the CPU, where nothing moved so far; None if it is."""
        assert isinstance(site.node, ast.Call)
        receiver = self.cuda.receivers.judge(site.node, site.stmt, guess=False)
        moved = site.node.func.value if isinstance(site.node.func, ast.Attribute) else site.node
        if receiver.verdict == "torch" and may_be_none(moved, site.stmt):
            return premises.RECEIVER_MAY_BE_NONE(name=self.context.text(moved))
        return receiver.premise

    def _placed_before(self, site: Site, device: str) -> Premise | None:
        """Why it may be on a GPU if the guard is false; None if it is not, or meets operands on `device` there."""
        assert site.guard is not None
        number = self.chosen.numbers.get(site.guard.node)
        test = number.test if number is not None else site.guard.test
        why = doubt(self.context, site, test) if test is not None else None
        if why is None or self.context.get(Meets).beyond(site, device):
            return None
        return None if self.context.get(InputDevices).is_met(site, device) else why

    def _absent(self, site: Site) -> Premise | None:
        """Why there may be nothing to move where the guard is false; None where there is."""
        assert isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute) and site.guard is not None
        text, guard = dotted(site.node.func.value), site.guard.stmt
        inner = (a.node for a in takewhile(guard.holds, site.stmt.ancestors()) if a is not guard)
        asked = {self.context.text(node.test) for node in inner if isinstance(node, ast.If)}
        return absent(self.context, text, guard, asked) if text and not any(text in a for a in asked) else None

    # --- text ------------------------------------------------------------------------------------------------------------------

    def in_place(self, node: ast.IfExp, mine: ast.expr, moved: Sequence[Edit]) -> tuple[Edit, ...]:
        """The edit that puts one arm of a conditional expression, with its moves respelled, in its place."""
        text = self.context.source.text
        span = self.context.span(node)
        outer = self._parenthesised(span)
        new = self.rewritten(self.context.span(mine), (m for m in moved if isinstance(m, Replace)))
        simple = isinstance(mine, (ast.Call, ast.Name, ast.Attribute, ast.Subscript))
        whole = outer if simple and not ("\n" in new and "\n" in text[outer.start : outer.end]) else span
        return (Replace(whole, new, text[whole.start : whole.end]),)

    def rewritten(self, span: Span, edits: Iterable[Replace]) -> str:
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
