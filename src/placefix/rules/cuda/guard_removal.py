"""Guards around hard-coded CUDA that a device can replace.

``if use_cuda: x = x.cuda()`` is ``x = x.to(device)`` if the device is CUDA under exactly that
test and the other arm does nothing else. A guard that does more stays, and only the calls in
it are rewritten.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace, Span, Unwrap
from placefix.facts import premises
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.finding import Finding
from placefix.facts.wording import unite
from placefix.rules import messages
from placefix.rules.cuda.device_rewrite import DeviceRewrite
from placefix.rules.cuda.flag_readers import FlagReaders
from placefix.rules.cuda.gpu_index_guards import numbered
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.guard_branches import BranchComparison, arms, in_chain, looks, nothing, pure, same_but
from placefix.rules.cuda.guard_forms import arms_of_expression, of_expression, of_statement, other_arm
from placefix.rules.cuda.guard_moves import Guarded, GuardMoves
from placefix.rules.cuda.is_cuda_guards import anchor, follow, lies_with, only_moves_there
from placefix.rules.cuda.tensor_creation import TensorCreation
from placefix.rules.cuda.tensor_type_guards import typed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from placefix.diagnostic import Edit
    from placefix.facts.devices.cuda_uses import Guard, Site


class GuardRemoval(FileAnalysis):
    """PF403 for one file."""

    moves = requires(GuardMoves)
    respell = requires(DeviceRewrite)

    @cached_property
    def _typed(self) -> dict[ast.AST, list[Site]]:
        """The uses of tensor types by the guard around them, where another arm may make the same on the CPU."""
        return {
            node: sites
            for node, sites in typed(self.context).items()
            if isinstance(node, ast.IfExp) or (sites[0].guard is not None and other_arm(sites[0].guard))
        }

    def of_types(self) -> Iterator[Guarded]:
        """Every guard that makes tensors by types only, and in its other arm the same on the CPU."""
        for node, sites in self._typed.items():
            guard = sites[0].guard
            if node in self.moves.groups or guard is None or guard.test is None or self._requires_gpu(sites):
                continue
            found = self._of_test(guard, sites)
            if found is not None and found.collapses:
                yield found

    def collapses(self, site: Site) -> bool:
        """Whether the guard around the use of a tensor type only decides where tensors are made."""
        guard = site.guard
        if guard is None or guard.node not in self._typed:
            return False
        if isinstance(guard.node, ast.IfExp):
            return True
        sites = [*self.moves.groups.get(guard.node, ()), *self._typed[guard.node]]
        return pure(self.context, arms(guard)[0], other_arm(guard), sites).alike

    def does_more(self, guard: Guard) -> bool:
        """Whether an ``if`` with nothing in its other arm does more than place: it is right, and may stay."""
        mine, others = arms(guard)
        sites = self.moves.groups.get(guard.node, [])
        return not others and (in_chain(guard.stmt) or not pure(self.context, mine, others, sites).alike)

    def guards(self) -> Iterator[Guarded]:
        """Every guard that contains a hard-coded move and tests for nothing but CUDA."""
        return FlagReaders(self.context).settled(list(self._guards()))

    def _guards(self) -> Iterator[tuple[Guard, Guarded]]:
        """These guards, each with its finding."""
        for node, moves in self.moves.groups.items():
            guard = moves[0].guard
            assert guard is not None
            sites = [*moves, *self._typed.get(node, ())]
            if self._requires_gpu(sites):
                continue
            number = numbered(self.context, guard, sites)
            if number is not None:
                self.moves.chosen.numbers[node] = number
                guard = guard._replace(test=number.test)
            found = self._of_test(guard, sites) if guard.test is not None else self._of_other_test(guard, sites)
            if found is not None:
                yield guard, found

    def _requires_gpu(self, sites: Sequence[Site]) -> bool:
        """Whether one of some uses is meant for a GPU alone."""
        return any(self.context.get(Intents).required(s) for s in sites)

    def _of_test(self, guard: Guard, sites: Sequence[Site]) -> Guarded | None:
        """A guard that tests for CUDA; None where it is right."""
        if all(s.form == "to" and self.respell.index_reason(s) for s in sites):
            return None  # a guarded move to one particular GPU is right
        form = of_expression if isinstance(guard.node, ast.IfExp) else of_statement
        return form(self.moves, guard, sites)

    def _of_other_test(self, guard: Guard, sites: Sequence[Site]) -> Guarded | None:
        """A guard that tests the device of a tensor, or CUDA and another condition; None if it is correct."""
        return self._followed(guard, sites) or self._conjunct(guard, sites)

    def _followed(self, guard: Guard, sites: Sequence[Site]) -> Guarded | None:
        """A guard that tests the device of a tensor, with moves that follow it; None if it has another test, or the moves
        have to stay."""
        found = anchor(self.context, guard)
        if found is None or not all(_is_move_in(guard, s) for s in sites):
            return None
        moves = [(s, follow(self.context, s, found)) for s in sites]
        kept = next((m.why_not for _, m in moves if m.why_not is not None), None)
        if kept is not None:
            self.moves.why_kept[guard.node] = kept
        done = [(s, m) for s, m in moves if not m.why_not]
        if not done:
            return None
        edits: tuple[Edit, ...] = tuple(e for s, m in done for e in self.respell.edits.call_edits(s, m.device))
        assumed = unite(*(m.premises for _, m in done))
        test = self.context.source.code(guard.node.test)
        span, what = self._place(guard, test)
        whole = None
        if only_moves_there(found, sites) and kept is None and all(m.idle for _, m in done):
            whole = self._unwrapped(guard, sites, edits, found.device)
        if whole is not None:
            return Guarded(Finding(span, what, whole, assumed, device=found.device), True, test)
        if all(self._names_device(s, m.device) for s, m in done):
            return None  # it stays, and its moves go to the very device that it finds to be CUDA
        return Guarded(Finding(span, what, edits, assumed, device=found.device), False, test)

    def _names_device(self, site: Site, device: str) -> bool:
        """Whether the argument of a move is a device, or the GPU of the tensor whose device it is: ``y.cuda(x.get_device())``."""
        if site.extra is None:
            return False
        return self.context.text(site.extra) == device or lies_with(self.context, site)[0] == device

    def _place(self, guard: Guard, test: str) -> tuple[Span, str]:
        """The span of a guard in a finding, and its name there."""
        if not isinstance(guard.node, ast.If):
            return self.context.span(guard.node), messages.CONDITIONAL_MOVE
        span = Span(self.context.span(guard.stmt).start, self.context.span(guard.node.test).end)
        return span, f"`if {test}:`" if "\n" not in test else "the guard"

    def _unwrapped(
        self, guard: Guard, sites: Sequence[Site], moved: Sequence[Edit], device: str
    ) -> tuple[Edit, ...] | None:
        """The edits that put the guarded arm, with its moves respelled, in place of the guard, or create the moved tensors on `device`
        above it; None where the other arm does something else."""
        if isinstance(guard.node, ast.IfExp):
            mine, other = arms_of_expression(guard)
            same = same_but(mine, other, {s.node for s in sites})
            return self.moves.in_place(guard.node, mine, moved) if same else None
        arm, others = arms(guard)
        if in_chain(guard.stmt) or pure(self.context, arm, others, sites) != BranchComparison(alike=True):
            return None
        keep = tuple(self.context.span(s) for s in arm if not nothing(s.node))
        whole = Unwrap(self.context.span(guard.stmt), keep, tuple(m for m in moved if isinstance(m, Replace)))
        return self.context.get(TensorCreation).created_above(sites, guard.stmt, arm, device) or (whole,)

    def _conjunct(self, guard: Guard, sites: Sequence[Site]) -> Guarded | None:
        """A guard that tests for CUDA and something else, and only places: the other test stays. None
        otherwise, or if no device follows the test for CUDA: then it is correct."""
        from placefix.rules.cuda.compound_guards import without_cuda

        stmt = guard.stmt
        if not isinstance(guard.node, ast.If) or not isinstance(stmt.node, ast.If):
            return None
        mine, others = arms(guard)
        if others or guard.arm != "body" or in_chain(stmt) or not pure(self.context, mine, others, sites).alike:
            return None
        rest = without_cuda(self.context, stmt, looks)
        # the others of the function make one device for all of them first
        alone = self.moves.is_alone(stmt, sites)
        choice = (
            self.moves.chosen.choice(guard._replace(test=rest.test), stmt, make=alone, only=alone)
            if rest is not None
            else None
        )
        if rest is None or choice is None:
            return None
        moved = self.moves.moved(sites, choice, everywhere=True)
        if moved.why_not:
            self.moves.why_kept[guard.node] = moved.why_not
            return None
        asked = self.context.span(stmt.node.test)
        edits = (*choice.inserts, Replace(asked, rest.text, self.context.text(stmt.node.test)), *moved.edits)
        assumed = unite(moved.premises, None if rest.asked else premises.TEST_NOT_EVALUATED(test=rest.text))
        span = Span(self.context.span(stmt).start, asked.end)
        what = f"`if {rest.test.text}`"
        return Guarded(Finding(span, what, edits, assumed, device=choice.text), True, rest.test.text)


def _is_move_in(guard: Guard, site: Site) -> bool:
    """Whether a use of CUDA is `.cuda()` in the guarded arm."""
    return site.form == "cuda" and site.guard is not None and site.guard.arm == guard.arm
