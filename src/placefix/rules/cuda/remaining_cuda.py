"""What still needs CUDA once the fixes of a file are applied, and which of them would leave a function half converted.

Where a function fails without CUDA all the same, a new device in it says something that is not so: no fix defines one there.
A device that is in scope is used.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Applicability, Delete, Move, Replace, Span, Unwrap
from placefix.facts import premises, reasons
from placefix.facts.finding import made_unsafe
from placefix.rules.common import not_fixed
from placefix.rules.cuda.cuda_only_functions import CudaOnly
from placefix.rules.cuda.device_rewrite import Respell
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from placefix.diagnostic import Diagnostic, Fix, Insert
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope, Stmt

# What becomes of a use: a safe fix, an unsafe one, or it stays.
_SAFE, _UNSAFE, _STAYS = range(3)
_LEVELS = {Applicability.SAFE: _SAFE, Applicability.UNSAFE: _UNSAFE}


class Need(NamedTuple):
    """A use of CUDA: the text that names it, the scope that runs it, and whether that fails without CUDA."""

    span: Span
    scope: Scope
    fails: bool


class _Left(NamedTuple):
    """The remaining needs of a scope: the worst outcome of one, and the offset of the first with that outcome."""

    level: int = _SAFE
    offset: int = 0


class Needs:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context

    # --- what there is -------------------------------------------------------------------------

    @cached_property
    def _all(self) -> list[Need]:
        """Every use of CUDA, in the order of the text."""
        found = [*self._of_sites(), *self._of_calls(), *self._of_exits()]
        return sorted(found, key=lambda need: need.span)

    def _of_sites(self) -> Iterator[Need]:
        context = self.context
        for site in context.get(Cuda).sites:
            if site.form == "cuda":
                end = context.span(site.node.func).end  # type: ignore[attr-defined]
                span = Span(end - len("cuda"), end)
            else:
                span = context.span(site.literal if site.literal is not None else site.node)
            fails = site.guard is None and not (site.is_definition and context.get(Respell).is_chosen(site))
            yield self._need(span, site.stmt, fails)

    def _of_calls(self) -> Iterator[Need]:
        """Functions of torch.cuda that raise without it, process groups of NCCL, modules that are wrapped for GPUs."""
        context = self.context
        for site, _ in context.get(CudaOnly).sites():
            yield self._need(context.span(site.node.func), site.stmt, site.guard is None)  # type: ignore[attr-defined]
        for call, stmt in context.index.called("init_process_group", "DistributedDataParallel"):
            name = context.tree.qualname(call.func, stmt.scope) or ""
            if name.endswith(".DistributedDataParallel"):
                needed = any(
                    k.arg == "device_ids" and not (isinstance(k.value, ast.Constant) and k.value.value is None)
                    for k in call.keywords
                )
            else:
                backend = next((k.value for k in call.keywords if k.arg == "backend"), (*call.args, None)[0])
                needed = (
                    name == "torch.distributed.init_process_group"
                    and isinstance(backend, ast.Constant)
                    and backend.value == "nccl"
                )
            if needed:
                yield self._need(context.span(call.func), stmt, context.get(Cuda).guard(call, stmt) is None)

    def _of_exits(self) -> Iterator[Need]:
        for stmt in self.context.get(Intents).exits:
            test: ast.expr = stmt.node.test  # type: ignore[attr-defined]
            yield self._need(self.context.span(test), stmt, self.context.get(Cuda).guard(test, stmt) is None)

    def _need(self, span: Span, stmt: Stmt, fails: bool) -> Need:
        scope = stmt.scope
        while scope.is_class and scope.parent is not None:
            scope = scope.parent  # the body of a class runs in the scope around it
        fails = (
            fails and not self.context.get(CudaOnly).for_several(stmt) and not self.context.get(Refusals).fallback(stmt)
        )
        return Need(span, scope, fails)

    # --- what becomes of it ----------------------------------------------------------------------

    def settled(self, found: Sequence[Diagnostic]) -> list[Diagnostic]:
        """The findings of a file, without the fixes that would define a device where CUDA is needed all the same. Where
        only unsafe fixes take that need away they are unsafe, too."""
        made = self.context.new_devices
        defining = [n for n, d in enumerate(found) if d.fix is not None and any(e in made for e in d.fix.edits)]
        settled = list(found)
        if not defining:
            return settled
        touched = [self._touched(d.fix) if d.fix is not None else [] for d in found]
        users: dict[Insert, list[int]] = {}
        for n in defining:
            for edit in found[n].fix.edits:  # type: ignore[union-attr]
                if edit in made:
                    users.setdefault(edit, []).append(n)  # type: ignore[arg-type]
        while True:
            left = self._left(settled, touched)
            own = {
                n: _worst(_Left(_level(settled[n])), *(left.get(self._all[need].scope, _Left()) for need in touched[n]))
                for n in defining
            }
            changed = False
            for insert, mine in users.items():
                # a device that one of them may define is in scope for the others
                best = min((own[n] for n in mine), key=lambda one: one.level)
                worst = _worst(left.get(made[insert], _Left()), best)
                for n in mine:
                    if worst.level > _level(settled[n]):
                        settled[n] = self._demoted(settled[n], worst)
                        changed = True
            if not changed:
                return settled

    def _demoted(self, finding: Diagnostic, left: _Left) -> Diagnostic:
        source, fix = self.context.source, finding.fix
        assert fix is not None
        row = source.row_name(source.line_of(left.offset))
        if left.level == _STAYS:
            return finding._replace(fix=None, note=not_fixed(reasons.STILL_NEEDS_CUDA(line=row)))
        premise = premises.CUDA_NEEDED_WITHOUT_UNSAFE(line=row)
        return finding._replace(fix=made_unsafe(fix, premise))

    def _left(self, found: Sequence[Diagnostic], touched: Sequence[Sequence[int]]) -> dict[Scope, _Left]:
        """The remaining needs of each scope; those of a function include the functions inside it."""
        levels = [_STAYS] * len(self._all)
        for finding, needs in zip(found, touched, strict=True):
            for need in needs:
                levels[need] = min(levels[need], _level(finding))
        left: dict[Scope, _Left] = {}
        for use, level in zip(self._all, levels, strict=True):
            scope: Scope | None = use.scope if use.fails and level != _SAFE else None
            while scope is not None:
                if level > left.get(scope, _Left()).level:
                    left[scope] = _Left(level, use.span.start)
                scope = scope.parent
                if scope is not None and not scope.is_function:
                    break
        return left

    def _touched(self, fix: Fix) -> list[int]:
        """The uses that a fix takes away, as indexes."""
        found = []
        for start, end in _spans(fix):
            n = bisect_left(self._starts, start)
            while n < len(self._all) and self._starts[n] < end:
                found.append(n)
                n += 1
        return found

    @cached_property
    def _starts(self) -> list[int]:
        return [need.span.start for need in self._all]


def _worst(*left: _Left) -> _Left:
    return max(left, key=lambda one: one.level)


def _level(finding: Diagnostic) -> int:
    return _LEVELS.get(finding.fix.applicability, _STAYS) if finding.fix is not None else _STAYS


def _spans(fix: Fix) -> Iterable[Span]:
    """The spans that the edits of a fix replace or delete."""
    for edit in fix.edits:
        if isinstance(edit, Replace):
            yield edit.span
        elif isinstance(edit, (Move, Unwrap)):
            yield from (replace.span for replace in edit.replace)
            if isinstance(edit, Unwrap):
                yield edit.statement
        elif isinstance(edit, Delete):
            yield from edit.statements
