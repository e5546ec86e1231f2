"""Tensors that numpy reads without a copy, and that are computed with tensors which their function copies to the CPU, or places.

`SiblingEvidence` has the reads for which this is certain. Here each operand of an operation is assumed to be a tensor with a dimension, and
the facts of all paths count. Each fix has a premise; `.cpu()` changes nothing for a tensor of the CPU.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts.finding import Finding
from placefix.facts.interpret.constraint_runs import receivers
from placefix.facts.interpret.device_facts import Closure
from placefix.facts.interpret.values import Obj
from placefix.facts.naming import last, names_device
from placefix.facts.program.ast_names import argument_value, dotted, is_literal
from placefix.facts.program.tree import common
from placefix.rules.tensors.sibling_evidence import READ_BARE, DeviceTests, SiblingEvidence, is_tested
from placefix.rules.tensors.tensor_moves import moved

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.constraint_runs import ConstraintRun
    from placefix.facts.interpret.device_facts import Fact
    from placefix.facts.program.tree import Scope, Stmt

_NAMES_CPU = re.compile(r"\bcpu\b")
# A tensor with one of these was computed by what has parameters.
_OF_GRAPHS = frozenset(("detach", "grad"))
_MAY_BE_PLACED = re.compile(r"\bcpu\b|\.cuda\s*\(|\.to\s*\(|\bdevice\s*=(?!=)")


class NumpyReads:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context

    def found(self) -> Iterator[Finding]:
        """The reads of tensors that may be on a device, as others of the function may, with which they are computed."""
        if not READ_BARE.search(self.context.source.text):
            return
        reads: dict[Scope, list[tuple[ast.expr, Stmt]]] = {}
        for call, stmt in self.context.index.called("numpy"):
            func = call.func
            plain = isinstance(func, ast.Attribute) and not call.args and not call.keywords
            if plain and stmt.scope.is_function and not is_tested(self.context, call, stmt):
                reads.setdefault(stmt.scope, []).append((func.value, stmt))  # type: ignore[attr-defined]
        for scope, tensors in reads.items():
            text = self.context.tree.text(scope)
            tested = self.context.get(DeviceTests).are_in(scope)
            if not tested and _MAY_BE_PLACED.search(text) and READ_BARE.search(text):
                yield from self._read(scope, tensors)

    def _read(self, scope: Scope, tensors: list[tuple[ast.expr, Stmt]]) -> Iterator[Finding]:
        """Those of the tensors of one function."""
        run = self.context.get(SiblingEvidence).run(scope)
        every = list(self._beside(scope, run)) if run is not None else []
        if run is None or not every:
            return
        copies = {
            call for call, stmt in self.context.index.called("cpu", "to") if stmt.scope is scope and _copied(call)
        }
        graph = self._in_graph(scope, run, tensors) if self._only_copied_for_numpy(scope, copies) else set()
        for tensor, read in tensors:
            # an arm that excludes the read is for another kind of value: ``elif is_torch(x): x.cpu().numpy()``
            beside = {value: shown for value, shown, stmt in every if not _excludes(stmt, read)}
            value = run.value_at(tensor)
            seen = _shared(run, tensor) if value is not None and value not in beside else set()
            if not seen or any(one.creations or one.origin in copies for one in seen):
                continue  # it is on the CPU
            shown = _computed_with(seen, beside)
            row = premises.COMPUTED_TOGETHER if shown else premises.COMPUTED_BY_MODULE
            if not shown and tensor in graph:
                shown = _shown_before(tensor, beside, copies)
            if not shown:
                continue
            name = self.context.text(tensor)
            yield Finding(
                self.context.span(tensor),
                edits=(moved(self.context.source, tensor, ".cpu()"),),
                premises=(row(name=name, other=self.context.text(shown[0])),),
                device="cpu",
                doubt=premises.NOTHING_FAILS_ON_CPU,
                names=(name,),
            )

    def _in_graph(self, scope: Scope, run: ConstraintRun, tensors: list[tuple[ast.expr, Stmt]]) -> set[ast.expr]:
        """Those of the tensors that are detached from a graph, are gradients, or are differentiated: a module has computed them. The result of
        code that is not seen may be anywhere."""
        index = self.context.index
        driven = {
            self.context.text(call.func.value)
            for call, stmt in index.called("backward")
            if stmt.scope is scope and isinstance(call.func, ast.Attribute)
        }
        found = set()
        for tensor, _ in tensors:
            parts = list(receivers(tensor))
            asked = {
                part.func.attr for part in parts if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)
            }
            asked |= {part.attr for part in parts if isinstance(part, ast.Attribute)}
            seen = run.value_at(parts[-1]) not in run.results
            if seen and (asked & _OF_GRAPHS or self.context.text(parts[-1]) in driven):
                found.add(tensor)
        return found

    def _only_copied_for_numpy(self, scope: Scope, copies: set[ast.Call]) -> bool:
        """Whether each copy of a function to the CPU is read by numpy: another one may take the module to the CPU."""
        read = {
            part for call, stmt in self.context.index.called("numpy") if stmt.scope is scope
            for part in receivers(call.func.value)  # type: ignore[attr-defined]
        }  # fmt: skip
        named = len(_NAMES_CPU.findall(self.context.tree.text(scope)))
        return copies <= read and named == len(copies)

    def _beside(self, scope: Scope, run: ConstraintRun) -> Iterator[tuple[Obj, ast.expr, Stmt]]:
        """The values that may be on a device, because a statement of the function copies them to the CPU, or places them."""
        for call, stmt in self.context.index.calls:
            if stmt.scope is scope and not is_tested(self.context, call, stmt):
                shown = _shown(call)
                value = run.value_at(shown) if shown is not None else None
                if value is not None and shown is not None and run.role(value) == "value":
                    yield value, shown, stmt


def _computed_with(seen: set[Obj], beside: dict[Obj, ast.expr]) -> list[ast.expr]:
    """The expressions of those values that may be on a device with which a tensor is computed. seen: the values that share its place."""
    known = beside.keys() | {one.origin for one in beside if isinstance(one.origin, ast.Call)}
    return _in_order(beside.get(one) or one.origin for one in seen if one in known or one.origin in known)


def _shown_before(tensor: ast.expr, beside: dict[Obj, ast.expr], copies: set[ast.Call]) -> list[ast.expr]:
    """The expressions of the values that are placed before a tensor is read, or that are copied to the CPU anywhere."""
    copied = {call.func.value for call in copies if isinstance(call.func, ast.Attribute)}
    return _in_order(one for one in beside.values() if one.lineno <= tensor.lineno or one in copied)


def _in_order(nodes: Iterable[object]) -> list[ast.expr]:
    """The expressions among some nodes, in the order of the text."""
    return sorted((n for n in nodes if isinstance(n, ast.expr)), key=lambda n: (n.lineno, n.col_offset))


def _excludes(one: Stmt, other: Stmt) -> bool:
    """Whether two statements of a function are in different arms of one ``if``, so that one call runs only one of them."""
    pair = common(one, other)
    return pair is not None and one is not other and pair[0] is pair[1] and isinstance(pair[0].node, ast.If)


def _shown(call: ast.Call) -> ast.expr | None:
    """The expression of a tensor that may be on a device, by a call: ``x`` in ``x.cpu()``, ``x.to(device)`` itself; None if there is none."""
    func = call.func
    devices = [k.value for k in call.keywords if k.arg == "device"]
    if isinstance(func, ast.Attribute) and func.attr in ("cpu", "cuda", "to"):
        if _copied(call):
            return func.value
        if func.attr == "cuda":
            return call
        devices += call.args[:1]
    return call if devices and names_device(last(dotted(devices[0]))) else None


def _copied(call: ast.Call) -> bool:
    """Whether a call copies a tensor to the CPU: ``x.cpu()``, ``x.to("cpu")``."""
    given = argument_value(call, 0, "device")
    to_cpu = is_literal(given, "cpu")
    return isinstance(call.func, ast.Attribute) and (call.func.attr == "cpu" or (call.func.attr == "to" and to_cpu))


def _shared(run: ConstraintRun, tensor: ast.expr) -> set[Obj]:
    """The values that are on the CPU if a tensor is, where each operand of an operation is a tensor with a dimension; the facts of all
    paths count, and a value with several ways is each of them."""
    facts: set[Fact] = set().union(*run.said)
    operands = {value for fact in facts if fact[0] == "meets" for value in fact[1:] if isinstance(value, Obj)}
    chain = {value for part in receivers(tensor) if (value := run.value_at(part)) is not None}
    supposed = Closure([*facts, *(("dims", value) for value in operands)], assumed=operands | chain)
    todo = list(chain)
    seen: set[Obj] = set()
    while todo:
        reached = supposed.reached(todo.pop())[0] - seen
        seen |= reached
        todo += [way for one in reached for way in one.alts if way not in seen]
    return seen
