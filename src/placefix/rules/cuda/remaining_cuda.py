"""The uses that still need CUDA after the fixes of a file, and the fixes that would leave a function half converted.

If a function fails without CUDA anyway, because of its code or of a function that it calls, a new device in it would be misleading:
no fix defines one there, or makes one the CPU without CUDA. If every run of it fails, no fix adds a test for CUDA or a
`map_location` either, and no safe fix does if unsafe ones are needed. If a test for CUDA stays next to a new device, no safe fix defines
it; so it is if another method of its class, or another function of its script, fails without CUDA, or would if no ``except`` caught
that. A device that is in scope is used.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Applicability, Delete, Move, Replace, Span, Unwrap
from placefix.facts import premises, reasons
from placefix.facts.devices.cuda_dependence import CudaDependence, certain_statements
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.execution import Execution
from placefix.facts.finding import made_unsafe
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.program.arguments import self_name
from placefix.facts.program.ast_names import argument_value, dotted, is_literal, is_name, keyword_value
from placefix.facts.program.conditions import is_of_cuda
from placefix.facts.program.dead_arms import is_dead
from placefix.rules.common import not_fixed
from placefix.rules.cuda.conversion_units import ConversionUnits
from placefix.rules.cuda.cuda_only_functions import CudaOnly
from placefix.rules.cuda.device_rewrite import DeviceRewrite
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from placefix.diagnostic import Diagnostic, Fix, Insert
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Premise

# The outcome for a use: a safe fix, an unsafe one, or it stays.
_SAFE, _UNSAFE, _STAYS = range(3)
# More methods of one module than these get no device each; of another class, only one does.
_MAX_METHODS_OF_MODULE = 2
_LEVELS = {Applicability.SAFE: _SAFE, Applicability.UNSAFE: _UNSAFE}


class Need(NamedTuple):
    """A use of CUDA: the text that names it, the scope that runs it, and whether that fails without CUDA. certain: whether every run of
    the scope reaches it; guard: the offset of the test for CUDA around it; borrowed: whether its device is that of a tensor; caught: whether
    it would fail if no ``except`` caught that."""

    span: Span
    scope: Scope
    fails: bool
    certain: bool = False
    guard: int | None = None
    borrowed: bool = False
    caught: bool = False


class _Left(NamedTuple):
    """The remaining needs of a scope: the worst outcome of one, and the offset of the first with that outcome. premise: another reason
    why a new device there takes an unsafe fix."""

    level: int = _SAFE
    offset: int = 0
    premise: Premise | None = None


class Needs:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self._reached: dict[Scope, frozenset[Stmt]] = {}
        self._converted: dict[tuple[Collection[Scope], Collection[Scope]], list[int]] = {}

    # --- needs ---------------------------------------------------------------------------------

    @cached_property
    def _all(self) -> list[Need]:
        """Every use of CUDA, in the order of the text."""
        found = [*self._of_sites(), *self._of_types(), *self._of_calls(), *self._of_exits(), *self._of_dependences()]
        return sorted(found, key=lambda need: need.span)

    def _of_sites(self) -> Iterator[Need]:
        context = self.context
        for site in context.get(Cuda).sites:
            if site.form == "cuda":
                end = context.span(site.node.func).end  # type: ignore[attr-defined]
                span = Span(end - len("cuda"), end)
            else:
                span = context.span(site.literal if site.literal is not None else site.node)
            fails = site.guard is None and not (site.is_definition and context.get(DeviceRewrite).is_chosen(site))
            fails = fails and site.form != "default"  # a caller may give another device
            need = self._need(span, site.stmt, fails)
            if not need.certain and context.get(Intents).is_for_tensorrt(site.stmt):
                need = need._replace(fails=False)  # the other runs have no engine
            need = need._replace(borrowed=site.node in context.borrowed_devices)
            guard = site.guard
            asks = guard is not None and guard.test is not None and is_of_cuda(guard.test)
            yield need._replace(guard=context.span(guard.node).start) if guard is not None and asks else need

    def _of_types(self) -> Iterator[Need]:
        """Names for types of CUDA tensors alone: ``T = torch.cuda.HalfTensor if half else torch.cuda.FloatTensor``."""
        cuda = self.context.get(Cuda)
        for writes in self.context.index.writes.values() if cuda.types else ():
            for write in writes:
                if write.value is not None and self._is_cuda_type(write.value, write.stmt):
                    guard = cuda.guard(write.value, write.stmt)
                    yield self._need(self.context.span(write.value), write.stmt, guard is None)

    def _is_cuda_type(self, value: ast.expr, stmt: Stmt) -> bool:
        """Whether every value of an expression is a type of CUDA tensors."""
        if isinstance(value, ast.IfExp):
            return self._is_cuda_type(value.body, stmt) and self._is_cuda_type(value.orelse, stmt)
        return bool(self.context.get(Cuda).tensor_type(value, stmt.scope))

    def _of_calls(self) -> Iterator[Need]:
        """Functions of torch.cuda that raise without it, process groups of NCCL, modules that are wrapped for GPUs."""
        context = self.context
        for site, name in context.get(CudaOnly).sites():
            assert isinstance(site.node, ast.Call)
            part = site.node.args[0] if name == "device" else site.node.func  # the part that the fix replaces
            yield self._need(context.span(part), site.stmt, site.guard is None)
        groups = [
            (call, stmt)
            for call, stmt in context.index.called("init_process_group")
            if context.tree.qualname(call.func, stmt.scope) == "torch.distributed.init_process_group"
            and is_literal(argument_value(call, 0, "backend"), "nccl")
        ]
        for call, stmt in (*groups, *self._with_numbers()):
            yield self._need(context.span(call.func), stmt, context.get(Cuda).guard(call, stmt) is None)

    def _with_numbers(self) -> Iterator[tuple[ast.Call, Stmt]]:
        """The calls that are given numbers of GPUs, ``device_ids=range(n)``. DataParallel runs its module itself where there are none."""
        context = self.context
        for call, stmt in context.index.calls if "device_ids" in context.source.text else ():
            ids = keyword_value(call, "device_ids")
            name = context.tree.qualname(call.func, stmt.scope) or dotted(call.func)
            distributed = name.endswith(".DistributedDataParallel") and not is_literal(ids, None)
            if ids is not None and (distributed or (_are_numbers(ids) and not name.endswith("DataParallel"))):
                yield call, stmt

    def _of_exits(self) -> Iterator[Need]:
        for stmt in self.context.get(Intents).exits:
            test: ast.expr = stmt.node.test  # type: ignore[attr-defined]
            yield self._need(self.context.span(test), stmt, self.context.get(Cuda).guard(test, stmt) is None)

    def _of_dependences(self) -> Iterator[Need]:
        for node, stmt in self.context.get(CudaDependence).causes():
            yield self._need(self.context.span(node), stmt, self.context.get(Cuda).guard(node, stmt) is None)

    def _need(self, span: Span, stmt: Stmt, fails: bool) -> Need:
        scope = stmt.scope.outside_classes()
        fails = fails and not is_dead(stmt) and not self.context.get(CudaOnly).for_several(stmt)
        caught = fails and self.context.get(Refusals).fallback(stmt) is not None
        return Need(span, scope, fails and not caught, stmt in self._certain(scope), caught=caught)

    def _certain(self, scope: Scope) -> frozenset[Stmt]:
        """The statements that every run of a scope reaches."""
        if scope not in self._reached:
            self._reached[scope] = frozenset(certain_statements(scope.body))
        return self._reached[scope]

    def _always(self, stmt: Stmt) -> bool:
        """Whether a statement is for one GPU as well, and nothing catches its failure."""
        return not self.context.get(CudaOnly).for_several(stmt) and not self.context.get(Refusals).fallback(stmt)

    @cached_property
    def _calls(self) -> list[tuple[Scope, Scope]]:
        """The functions of the file that run in, or before, every run of each of its scopes; that scope first. Before a method, the
        constructor of its class runs."""
        context = self.context
        found = [
            (method, scope.functions["__init__"])
            for scope in context.tree.scopes.values()
            if scope.is_class and "__init__" in scope.functions
            for method in scope.functions.values()
            if method.is_function and method.name != "__init__" and self_name(method)
        ]
        for call, stmt in context.index.calls:
            if stmt in self._certain(stmt.scope) and context.get(Cuda).guard(call, stmt) is None and self._always(stmt):
                found += [(stmt.scope, callee) for callee in context.get(CudaDependence).callees(call, stmt.scope)]
        return [pair for pair in found if pair[1].tree is context.tree]

    # --- outcomes ----------------------------------------------------------------------------------

    def settled(self, found: Sequence[Diagnostic]) -> list[Diagnostic]:
        """The findings of a file, without the fixes that would define a device, take that of a tensor, or test for CUDA, where CUDA is
        needed anyway. If only unsafe fixes remove that need, the definition of a device is unsafe, too."""
        made, tests = self.context.new_devices, self.context.cuda_tests
        defining = [n for n, d in enumerate(found) if d.fix is not None and any(e in made for e in d.fix.edits)]
        testing = {
            n: (tests[e], e in self.context.chosen_devices)
            for n, d in enumerate(found)
            if d.fix is not None
            for e in d.fix.edits
            if e in tests
        }
        settled = list(found)
        if not defining and not testing and not self.context.borrowed_devices:
            return settled
        touched = [self._touched(d) if d.fix is not None else [] for d in found]
        reported = {d.span.start for d in found}
        users: dict[Insert, list[int]] = {}
        for n in defining:
            for edit in found[n].fix.edits:  # type: ignore[union-attr]
                if edit in made:
                    users.setdefault(edit, []).append(n)  # type: ignore[arg-type]
        while self._demote(settled, touched, users, testing, reported):
            pass
        self._demote_repetitions(settled, users)
        while self._demote(settled, touched, users, testing, reported):
            pass
        return settled

    def _demote(
        self,
        settled: list[Diagnostic],
        touched: Sequence[Sequence[int]],
        users: Mapping[Insert, Sequence[int]],
        testing: Mapping[int, tuple[Scope, bool]],
        reported: Collection[int],
    ) -> bool:
        """Demote, by the findings as they are now, the fixes that define a device or test for CUDA; whether one changed.

        touched: the needs that each fix removes. users: the fixes by the device that they define. testing: the scopes of new tests, each
        with whether it chooses a device.
        """
        made = self.context.new_devices
        levels = self._levels(settled, touched)
        always = self._always_left(levels)
        left = self._left(levels, always)
        own = {
            n: _worst(_Left(_level(settled[n])), *(left.get(self._all[need].scope, _Left()) for need in touched[n]))
            for mine in users.values()
            for n in mine
        }
        changed = False
        for n, needs in enumerate(touched):
            worst = _worst(_Left(), *(left.get(self._all[m].scope, _Left()) for m in needs if self._all[m].borrowed))
            if settled[n].fix is not None and worst.level > _level(settled[n]):
                settled[n] = self._demoted(settled[n], worst)
                changed = True
        for insert, mine in users.items():
            # a device that one of them may define is in scope for the others
            best = min((own[n] for n in mine), key=lambda one: one.level)
            beside = self._tests(insert, made[insert], levels, reported)
            worst = _worst(
                left.get(made[insert], _Left()), best, beside, self._elsewhere(made[insert], levels, device=True)
            )
            for n in mine:
                if worst.level > _level(settled[n]):
                    settled[n] = self._demoted(settled[n], worst)
                    changed = True
        for n, (scope, device) in testing.items():
            needed = (left if device else always).get(scope, _Left())
            worst = _worst(needed, self._elsewhere(scope, levels, device=device))
            if settled[n].fix is not None and worst.level > _level(settled[n]):
                settled[n] = self._demoted(settled[n], worst)
                changed = True
        return changed

    def _demote_repetitions(self, settled: list[Diagnostic], users: Mapping[Insert, Sequence[int]]) -> None:
        """Demote the fixes that define one of several devices of an object, of those that are left, or one beside its own."""
        kept = [insert for insert, mine in users.items() if any(settled[n].fix is not None for n in mine)]
        made: dict[Scope, list[Insert]] = {}
        for insert in kept:
            cls = self.context.new_devices[insert].cls
            if cls is not None:
                made.setdefault(cls, []).append(insert)
        repeated: dict[Insert, _Left] = {}
        for cls, inserts in made.items():
            repeated.update(self._repeated(cls, inserts))
        for insert in kept:
            known = _worst(repeated.get(insert, _Left()), self._inherited(insert))
            for n in users[insert]:
                if known.level > _level(settled[n]):
                    settled[n] = self._demoted(settled[n], known)

    def _demoted(self, finding: Diagnostic, left: _Left) -> Diagnostic:
        source, fix = self.context.source, finding.fix
        assert fix is not None
        row = source.row_name(source.line_of(left.offset))
        if left.level == _STAYS:
            return finding._replace(fix=None, note=not_fixed(reasons.STILL_NEEDS_CUDA(line=row)))
        premise = left.premise or premises.CUDA_NEEDED_WITHOUT_UNSAFE(line=row)
        return finding._replace(fix=made_unsafe(fix, premise))

    def _levels(self, found: Sequence[Diagnostic], touched: Sequence[Sequence[int]]) -> list[int]:
        """The outcome of each use."""
        levels = [_STAYS] * len(self._all)
        for finding, needs in zip(found, touched, strict=True):
            for need in needs:
                levels[need] = min(levels[need], _level(finding))
        return levels

    def _left(self, levels: Sequence[int], always: Mapping[Scope, _Left]) -> dict[Scope, _Left]:
        """The remaining needs of each scope. Those of a function include the functions inside it; `always`: those of every run."""
        left: dict[Scope, _Left] = {}
        for use, level in zip(self._all, levels, strict=True):
            scope: Scope | None = use.scope if use.fails and level != _SAFE else None
            while scope is not None:
                left[scope] = _worst(left.get(scope, _Left()), _Left(level, use.span.start))
                scope = scope.parent
                if scope is not None and not scope.is_function:
                    break
        for scope, each in always.items():
            left[scope] = _worst(left.get(scope, _Left()), each)
        return left

    def _always_left(self, levels: Sequence[int]) -> dict[Scope, _Left]:
        """The remaining needs of every run of each scope. Those of a function include the functions that it always calls; those of a
        method, the constructor of its class; in a script, they include those of the module level."""
        always: dict[Scope, _Left] = {}
        for use, level in zip(self._all, levels, strict=True):
            if use.fails and use.certain and level != _SAFE:
                always[use.scope] = _worst(always.get(use.scope, _Left()), _Left(level, use.span.start))
        changed = bool(always)
        while changed:
            changed = False
            for caller, callee in self._calls:
                worst = _worst(always.get(caller, _Left()), always.get(callee, _Left()))
                if worst.level > always.get(caller, _Left()).level:
                    always[caller] = worst
                    changed = True
        root = self.context.tree.root
        if root in always and self.context.get(Execution).is_script:
            for scope in self.context.tree.scopes.values():
                always[scope] = _worst(always.get(scope, _Left()), always[root])
        return always

    def _tests(self, insert: Insert, scope: Scope, levels: Sequence[int], reported: Collection[int]) -> _Left:
        """The first test for CUDA that is reported and stays where a new device of `scope` is bound: of an object, in all of its
        methods. A test without a finding does more than place."""
        of_object = "." in insert.text.strip().partition(" ")[0]
        home = scope.parent if of_object and scope.parent is not None else scope
        for number in self._guarded.get(home, ()):
            use = self._all[number]
            if (use.scope is scope or not scope.is_root) and levels[number] != _SAFE and use.guard in reported:
                assert use.guard is not None
                row = self.context.source.row_name(self.context.source.line_of(use.guard))
                return _Left(_UNSAFE, use.guard, premises.TEST_STAYS(line=row))
        return _Left()

    def _elsewhere(self, scope: Scope, levels: Sequence[int], *, device: bool) -> _Left:
        """The first use that fails in the other functions that are converted together with `scope`: without a safe fix if it gets a new
        device, else without any."""
        units = self.context.get(ConversionUnits)
        converted = (units.of_script(scope), units.of_class(scope) if device else ())
        if converted not in self._converted:
            scopes = {*converted[0], *converted[1]}
            self._converted[converted] = sorted(n for other in scopes for n in self._failing.get(other, ()))
        for number in self._converted[converted]:
            if levels[number] > (_SAFE if device else _UNSAFE) and self._all[number].scope is not scope:
                offset = self._all[number].span.start
                row = self.context.source.row_name(self.context.source.line_of(offset))
                return _Left(_UNSAFE, offset, premises.CUDA_NEEDED_ELSEWHERE(line=row))
        return _Left()

    @cached_property
    def _failing(self) -> dict[Scope, list[int]]:
        """The uses that fail without CUDA, by their scopes, as indexes; also those whose failure is caught."""
        found: dict[Scope, list[int]] = {}
        for number, use in enumerate(self._all):
            if use.fails or use.caught:
                found.setdefault(use.scope, []).append(number)
        return found

    @cached_property
    def _guarded(self) -> dict[Scope, list[int]]:
        """The uses below tests for CUDA, by each scope around them, as indexes."""
        found: dict[Scope, list[int]] = {}
        for number, use in enumerate(self._all):
            scope: Scope | None = use.scope if use.guard is not None else None
            while scope is not None:
                found.setdefault(scope, []).append(number)
                scope = scope.parent
        return found

    def _repeated(self, cls: Scope, made: Iterable[Insert]) -> dict[Insert, _Left]:
        """The new devices that are several in the methods of a class, of those that `made` defines there: a module gets no attribute for
        them, nor does an object of which the constructor, or a base, is not known well enough. A device that follows a test takes the
        place of that."""
        scopes, flagged = self.context.new_devices, self.context.get(Devices).flagged
        is_module = self.context.get(ClassSummaries).of(cls).is_module
        counted = [insert for insert in made if is_module or insert not in flagged]
        count = len({scopes[insert] for insert in counted})
        if count <= (_MAX_METHODS_OF_MODULE if is_module else 1):
            return {}
        left = _Left(_UNSAFE, 0, premises.DEVICE_IN_EACH_METHOD(cls=cls.name, count=count))
        return dict.fromkeys(counted, left)

    def _inherited(self, insert: Insert) -> _Left:
        """Whether the object whose method defines a new device for itself has one already, by its class or a base of that."""
        cls, name = self.context.new_devices[insert].cls, self.context.settings.device_name
        families = self.context.get(Cuda).receivers.families
        if cls is None or not (name in cls.bindings or families.may_inherit(cls, name)):
            return _Left()
        return _Left(_UNSAFE, 0, premises.BASE_HAS_DEVICE(cls=cls.name, device=f"self.{name}"))

    def _touched(self, finding: Diagnostic) -> list[int]:
        """The uses that the fix of a finding takes away, as indexes: those in its edits, and the one that it reports."""
        found = []
        for start, end in (finding.span, *_spans(finding.fix)) if finding.fix is not None else ():
            n = bisect_left(self._starts, start)
            while n < len(self._all) and self._starts[n] < end:
                found.append(n)
                n += 1
        return found

    @cached_property
    def _starts(self) -> list[int]:
        return [need.span.start for need in self._all]


def _are_numbers(ids: ast.expr) -> bool:
    """A list or range of numbers."""
    return (isinstance(ids, ast.List) and bool(ids.elts)) or (isinstance(ids, ast.Call) and is_name(ids.func, "range"))


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
