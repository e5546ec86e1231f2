"""Tensors that numpy reads without a copy, and that are computed with tensors which their function copies to the CPU, or places.

`SiblingEvidence` has the reads for which this is certain. Here each operand of an operation is assumed to be a tensor with a dimension, and
the facts of all paths count. Each fix has a premise; `.cpu()` changes nothing for a tensor of the CPU.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from placefix import torch_model
from placefix.facts import premises
from placefix.facts.context import FileAnalysis
from placefix.facts.finding import Finding
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.device_facts import Closure
from placefix.facts.interpret.flow import Flow
from placefix.facts.interpret.values import Obj
from placefix.facts.naming import (
    last,
    mentions_move,
    names_called_module,
    names_device,
    names_move_to_cuda,
)
from placefix.facts.program.ast_names import (
    argument_value,
    argument_values,
    dotted,
    identifier,
    is_literal,
    last_name,
    parameters,
)
from placefix.facts.program.ast_walk import header, walk
from placefix.facts.program.device_values import named_device
from placefix.facts.program.placing_calls import goes_to_host, receivers
from placefix.facts.program.statement_forms import are_exclusive
from placefix.reachability import reachable
from placefix.rules.tensors.numpy_round_trips import RoundTrips, root_of
from placefix.rules.tensors.sibling_evidence import READ_BARE, DeviceTests, SiblingEvidence, is_tested
from placefix.rules.tensors.tensor_moves import moved

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from placefix.facts.interpret.constraint_runs import ConstraintRun
    from placefix.facts.interpret.device_facts import Fact
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Premise

_ONLY_CPU = re.compile(r"""(?:torch\.)?(?:device\()?["']cpu["']\)?""")
# A tensor with one of these was computed by what has parameters.
_OF_GRAPHS = frozenset(("detach", "grad"))
_MAY_BE_PLACED = re.compile(r"\bcpu\b|(?:cuda|gpu)\w*\s*\(|(?:\.|_)to\s*\(|to_device|\bdevice\s*=(?!=)", re.IGNORECASE)


class NumpyReads(FileAnalysis):
    """Answers for one file."""

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
            if _MAY_BE_PLACED.search(text) and READ_BARE.search(text) and not self._asks(scope):
                yield from self._read(scope, tensors)
                yield from self._taken_back(scope, tensors)
            if not self._asks(scope):
                yield from self._of_placed_modules(scope, tensors)

    def _read(self, scope: Scope, tensors: list[tuple[ast.expr, Stmt]]) -> Iterator[Finding]:
        """Those of the tensors of one function."""
        run = self.context.get(SiblingEvidence).run(scope)
        every = list(self._beside(scope, run)) if run is not None else []
        if run is None or not every:
            return
        copies = {
            call for call, stmt in self.context.index.called("cpu", "to") if stmt.scope is scope and _copied(call)
        }
        only_copied = self._only_copied_for_numpy(scope, copies)
        graph = self._in_graph(scope, run, tensors) if only_copied else set()
        for tensor, read in tensors:
            # an arm that excludes the read is for another kind of value: ``elif is_torch(x): x.cpu().numpy()``
            beside = {value: shown for value, shown, stmt in every if not are_exclusive(stmt, read)}
            seen = _seen(run, tensor, read, beside)
            name = self.context.text(tensor)
            if shown := _computed_with(seen, beside):
                other = self.context.text(shown[0])
                yield self._finding(tensor, premises.COMPUTED_TOGETHER(name=name, other=other))
                continue
            shown = _shown_before(tensor, beside, copies) if seen and tensor in graph else []
            shown = shown or (_computed_by_modules(run, tensor, beside) if seen and only_copied else [])
            if shown:
                other = self.context.text(shown[0])
                yield self._finding(tensor, premises.COMPUTED_BY_MODULE(name=name, other=other))

    def _taken_back(self, scope: Scope, tensors: list[tuple[ast.expr, Stmt]]) -> Iterator[Finding]:
        """Those of the tensors of one function of which something is computed that goes to the device of a tensor."""
        trips = RoundTrips(self.context, scope)
        copied = [pair for pair in tensors if any(isinstance(n, ast.Call) and _copied(n) for n in receivers(pair[0]))]
        given = parameters(scope.function.args) if scope.name == "forward" else ()
        for tensor, read in tensors:
            name = self.context.text(tensor)
            if any(tensor is one for one, _ in copied):
                continue
            if owner := trips.owner(tensor, read, copied):
                yield self._finding(tensor, premises.TAKEN_BACK(name=name, other=owner))
                continue
            move = trips.move(tensor, read) if root_of(tensor) in given else None
            if move is not None and self._is_of_module(scope):
                yield self._finding(tensor, premises.TAKEN_TO_DEVICE(name=name, move=self.context.text(move)))

    def _is_of_module(self, scope: Scope) -> bool:
        """Whether a function is a method of a class of modules, of which the base may be in another file."""
        if scope.cls is None:
            return False
        context = self.context.following
        info = context.get(ClassSummaries).of(context.tree.scopes[scope.cls.node])
        return info.is_module or info.is_module_by_name

    def _of_placed_modules(self, scope: Scope, tensors: list[tuple[ast.expr, Stmt]]) -> Iterator[Finding]:
        """Those of the tensors of a method that are part of a graph, where the class places something."""
        cls = scope.class_around
        if cls is None or not any(self._is_of_graph(tensor, cls) for tensor, _ in tensors):
            return
        events = self.context.get(Flow).index.of_kind("place")
        placed = (e for e in events if e.stmt.scope.class_around is cls and e.place is not None and e.place.is_off_cpu)
        first = next(placed, None)
        for tensor, _ in tensors if first is not None else ():
            copied = any(isinstance(part, ast.Call) and _copied(part) for part in receivers(tensor))
            if not copied and self._is_of_graph(tensor, cls):
                name, other = self.context.text(tensor), self.context.text(first.node)  # type: ignore[union-attr]
                yield self._finding(tensor, premises.COMPUTED_BY_MODULE(name=name, other=other))

    def _is_of_graph(self, tensor: ast.expr, cls: Scope) -> bool:
        """Whether a tensor is detached from a graph, is a gradient, or is differentiated in a class, and no line of that takes it to the CPU."""
        parts = list(receivers(tensor))
        root = self.context.text(parts[-1])
        writes = self.context.index.writes.get(root, ())
        if any(w.stmt.scope.class_around is cls and w.value is not None and goes_to_host(w.value) for w in writes):
            return False
        asked = {last_name(part.func) if isinstance(part, ast.Call) else last_name(part) for part in parts[:-1]}
        driven = (call.func for call, stmt in self.context.index.called("backward") if stmt.scope.class_around is cls)
        return bool(asked & _OF_GRAPHS) or any(
            isinstance(part, (ast.Name, ast.Attribute)) and dotted(part) == root
            for func in driven
            for part in walk(func)
        )

    def _finding(self, tensor: ast.expr, premise: Premise) -> Finding:
        return Finding(
            self.context.span(tensor),
            edits=(moved(self.context.source, tensor, ".cpu()"),),
            premises=(premise,),
            device="cpu",
            doubt=premises.NOTHING_FAILS_ON_CPU,
            names=(self.context.text(tensor),),
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
        named = sum(_names_cpu(node) for part in scope.function.body for node in walk(part))
        return copies <= read and named == len(copies)

    def _beside(self, scope: Scope, run: ConstraintRun) -> Iterator[tuple[Obj, ast.expr, Stmt]]:
        """The values that may be on a device, because a statement of the function copies them to the CPU, or places them."""
        for call, stmt in self.context.index.calls:
            if stmt.scope is scope and (not _copied(call) or not is_tested(self.context, call, stmt)):
                shown = _shown(call)
                value = run.value_at(shown) if shown is not None and not self._is_for_cpu(call) else None
                if value is not None and shown is not None and run.role(value) == "value":
                    yield value, shown, stmt
        for _, node, stmt in self.context.index.attributes("device".__eq__):
            value = run.value_at(node.value) if stmt.scope is scope and _binds(stmt.node, node) else None
            if value is not None and run.role(value) == "value":
                yield value, node.value, stmt  # ``device = x.device``: it is meant for tensors of any device

    def _is_for_cpu(self, call: ast.Call) -> bool:
        """Whether a call moves something to a device that is bound to the CPU alone: ``device = torch.device("cpu")``."""
        values = [write.value for write in self.context.index.writes.get(named_device(call), ())]
        return bool(values) and all(v is not None and _ONLY_CPU.fullmatch(self.context.text(v)) for v in values)

    def _asks(self, scope: Scope) -> bool:
        """Whether a function asks where a tensor is, or whether there is a GPU, for more than to choose a device or a context, or to
        place something."""
        tests = self.context.get(DeviceTests)
        if not tests.are_in(scope):
            return False
        stmts = (stmt for stmt in self.context.tree.stmts.values() if stmt.scope is scope)
        parts = (part for stmt in stmts if not _places(stmt) for part in header(stmt.node))
        return any(tests.are_between(*self.context.span(part)) for part in parts if isinstance(part, ast.expr))


def _tests_of(stmt: Stmt) -> set[str]:
    """The tests that hold where a statement runs: ``if is_array: x = torch.from_numpy(x)`` makes what ``if is_array: x.numpy()`` reads."""
    suites = [one.suite for one in (stmt, *stmt.ancestors())]
    owners = [suite.owner.node for suite in suites if suite.arm == "body" and suite.owner is not None]
    return {ast.dump(owner.test) for owner in owners if isinstance(owner, ast.If)}


def _binds(node: ast.stmt, value: ast.expr) -> bool:
    """Whether a statement binds a value to a name, perhaps one of several."""
    given = node.value if isinstance(node, ast.Assign) else None
    return given is value or (isinstance(given, ast.Tuple) and value in given.elts)


def _names_cpu(node: ast.AST) -> bool:
    """Whether a node is a method ``cpu``, a name, or a text with that word, but for a comment in the code."""
    return identifier(node) in ("cpu", "cpu:0")


def _places(stmt: Stmt) -> bool:
    """Whether a statement binds a device, enters a context, prints something, or is an ``if`` in which a device is bound, or something is
    placed, and nothing else happens: the other arm may bind the same names."""
    node = stmt.node
    if isinstance(node, ast.If):
        chosen = all(map(_binds_device, (*node.body, *node.orelse)))
        return chosen or (all(map(_is_placement, node.body)) and set(_bound(node.orelse)) <= set(_bound(node.body)))
    prints = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and dotted(node.value.func) == "print"
    return prints or isinstance(node, (ast.With, ast.AsyncWith)) or _binds_device(node)


def _bound(stmts: Iterable[ast.stmt]) -> Iterator[str]:
    """The names that statements bind; "" for one that does something else."""
    for node in stmts:
        yield from (map(dotted, node.targets) if isinstance(node, ast.Assign) else ("",))


def _binds_device(node: ast.stmt) -> bool:
    """``device = torch.device("cuda" if torch.cuda.is_available() else "cpu")``"""
    return isinstance(node, ast.Assign) and all(names_device(last(dotted(target))) for target in node.targets)


def _is_placement(node: ast.stmt) -> bool:
    """``x = x.cuda()``, ``data = to_cuda(data)``, ``x = torch.from_numpy(x).cuda().float()``"""
    calls = receivers(node.value) if isinstance(node, (ast.Assign, ast.Expr)) else ()
    names = [last_name(call.func) for call in calls if isinstance(call, ast.Call)]
    return any("cuda" in name or name == "to" for name in names)


def _is_copied(values: set[Obj]) -> bool:
    """Whether one of the values that share a place is copied to the CPU, here or in a function that is called."""
    return any(isinstance(one.origin, ast.Call) and _copied(one.origin) for one in values)


def _seen(run: ConstraintRun, tensor: ast.expr, read: Stmt, beside: Mapping[Obj, ast.expr]) -> set[Obj]:
    """The values that share the place of a tensor which numpy reads; none if that is copied, or made under a test under which it is read."""
    value = run.value_at(tensor)
    by_call = value is not None and value in beside and _is_placement_call(beside[value])
    seen = _shared(run, tensor) if by_call or value not in (None, *beside) else set()
    made = (creation.stmt for one in seen for creation in one.creations)
    return set() if _is_copied(seen) or any(_tests_of(read) & _tests_of(stmt) for stmt in made) else seen


def _computed_with(seen: set[Obj], beside: Mapping[Obj, ast.expr]) -> list[ast.expr]:
    """The expressions of those values that may be on a device with which a tensor is computed. seen: the values that share its place."""
    known = beside.keys() | {one.origin for one in beside if isinstance(one.origin, ast.Call)}
    return _in_order(beside.get(one) or one.origin for one in seen if one in known or one.origin in known)


def _shown_before(tensor: ast.expr, beside: dict[Obj, ast.expr], copies: set[ast.Call]) -> list[ast.expr]:
    """The expressions of the values that are placed before a tensor is read, or that are copied to the CPU anywhere."""
    copied = {call.func.value for call in copies if isinstance(call.func, ast.Attribute)}
    return _in_order(one for one in beside.values() if one.lineno <= tensor.lineno or one in copied)


def _computed_by_modules(run: ConstraintRun, tensor: ast.expr, beside: Mapping[Obj, ast.expr]) -> list[ast.expr]:
    """The expressions of the values that the function places and that a tensor is computed of, by what has the name of a module."""
    placed = {value: shown for value, shown in beside.items() if _is_placement_call(shown)}
    through = _shared(run, tensor, modules=True) if placed else set()
    return [] if _is_copied(through) else _computed_with(through, placed)


def _in_order(nodes: Iterable[object]) -> list[ast.expr]:
    """The expressions among some nodes, in the order of the text."""
    return sorted((n for n in nodes if isinstance(n, ast.expr)), key=lambda n: (n.lineno, n.col_offset))


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
    return call if _is_helper(call) or (devices and names_device(last(dotted(devices[0])))) else None


def _is_placement_call(node: ast.expr) -> bool:
    """Whether an expression is a call that places a tensor."""
    return isinstance(node, ast.Call) and _shown(node) is node


def _is_helper(node: ast.expr) -> bool:
    """Whether an expression calls a function that moves its argument, by its name: ``to_cuda(x)``, ``move_to(x, device)``."""
    if not isinstance(node, ast.Call) or not node.args:
        return False
    name = last(dotted(node.func))
    given = node.args[1:] if mentions_move(name) else []
    return names_move_to_cuda(name) or any(names_device(last(dotted(one))) for one in given)


def _copied(call: ast.Call) -> bool:
    """Whether a call copies a tensor to the CPU: ``x.cpu()``, ``x.to("cpu")``, ``to_device(x, "cpu")``."""
    if mentions_move(last(dotted(call.func))) and any(is_literal(one, "cpu") for one in argument_values(call)[1:]):
        return True
    given = argument_value(call, 0, "device")
    to_cpu = is_literal(given, "cpu")
    return isinstance(call.func, ast.Attribute) and (call.func.attr == "cpu" or (call.func.attr == "to" and to_cpu))


def _given(run: ConstraintRun, call: ast.AST | None) -> list[Obj]:
    """The values of the first arguments of a call, of each in a tuple; none for other code."""
    if not isinstance(call, ast.Call):
        return []
    given = [
        part for a in argument_values(call)[:2] for part in (a.elts if isinstance(a, (ast.Tuple, ast.List)) else [a])
    ]
    return [value for part in given if (value := run.value_at(part)) is not None and run.role(value) != "number"]


def _is_of_module(result: object) -> bool:
    """Whether a value is the result of a call of something that has the name of a module."""
    call = result.origin if isinstance(result, Obj) else None
    func = call.func if isinstance(call, ast.Call) else None
    if isinstance(func, ast.Attribute) and func.attr == "forward":
        return True
    return isinstance(func, (ast.Name, ast.Attribute)) and names_called_module(last(dotted(func)))


def _has_no_dimension(value: object) -> bool:
    """Whether a value is a number in a tensor, ``x.mean()``: that of the CPU may be computed with tensors of a device."""
    call = value.origin if isinstance(value, Obj) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.args or call.keywords:
        return False
    operator = torch_model.method(call.func.attr)
    return operator is not None and operator.rank == "reduces"


def _is_computed(value: object) -> bool:
    """Whether a value is the result of a method or an attribute of a tensor, or some of its items: ``x[:2]``, not ``x[0]``, which may be
    that of a dict."""
    node = value.origin if isinstance(value, Obj) else None
    part = node.slice if isinstance(node, ast.Subscript) else None
    return isinstance(node, (ast.Call, ast.Attribute)) or isinstance(part, (ast.Slice, ast.Tuple))


def _chain(run: ConstraintRun, tensor: ast.expr, *, modules: bool) -> set[Obj]:
    """The values of a chain of methods of tensors; with the items of a list or tuple that it begins with, ``[x, y][i].data``, and with
    `modules` the result of a module of which it is an item."""
    parts = list(receivers(tensor))
    last_part = parts[-1]
    if modules and isinstance(last_part, ast.Subscript) and _is_of_module(run.value_at(last_part.value)):
        parts.append(last_part.value)
    while isinstance(last_part, ast.Subscript):
        last_part = last_part.value
    found = {value for part in parts if (value := run.value_at(part)) is not None}
    listed = run.value_at(last_part)
    return found | set(run.flat([listed])) if listed is not None and run.role(listed) == "tuple" else found


def _shared(run: ConstraintRun, tensor: ast.expr, *, modules: bool = False) -> set[Obj]:
    """The values that are on the CPU if a tensor is, where each operand of an operation is a tensor with a dimension; the facts of all
    paths count. None if it is made on the CPU. modules: what has the name of a module and is called with tensors returns
    tensors of their device, or items that are."""
    moves = {("implies", *pair) for one, mate in run.mates.items() for pair in ((one, mate), (mate, one))}
    facts: set[Fact] = {fact for said in run.said for fact in said if not any(map(_has_no_dimension, fact[1:]))}
    facts -= moves  # a move to the device of a tensor shows nothing of that one
    operands = {value for fact in facts if fact[0] == "meets" for value in fact[1:] if isinstance(value, Obj)}
    chain = _chain(run, tensor, modules=modules)
    made = {
        value for fact in facts for value in fact[1:] if modules and isinstance(value, Obj) and _is_of_module(value)
    }
    images: dict[Any, list[Any]] = {}
    for fact in facts:
        if fact[0] in ("like", "of") and _is_computed(fact[1]):
            images.setdefault(fact[1], []).append(fact[2])
    whole = reachable(operands | chain, lambda value: images.get(value, ()))  # ``x`` of ``x[:2] + y``
    supposed = Closure([*facts, *(("dims", value) for value in operands)], assumed=whole | made)
    return _Ways(run, supposed, modules=modules).of_all(chain) or set()


class _Ways:
    """The values that share the place of a value: of one that has several ways, those of the ways on which nothing is made on the CPU."""

    def __init__(self, run: ConstraintRun, supposed: Closure, *, modules: bool) -> None:
        self._run = run
        self._supposed = supposed
        self._modules = modules
        self._entered: set[Obj] = set()

    def of_all(self, values: Iterable[Obj]) -> set[Obj] | None:
        """The values that share the place of several; None if one of them is made on the CPU."""
        found: set[Obj] = set()
        for value in values:
            more = self._of(value)
            if more is None:
                return None
            found |= more
        return found

    def _of(self, value: Obj) -> set[Obj] | None:
        if value in self._entered:
            return set()
        reached = self._supposed.reached(value)[0] - self._entered
        self._entered |= reached
        on_some_way = frozenset().union(*(one.creations for one in reached if one.alts))
        if any(one.creations - on_some_way for one in reached):
            return None
        found = set(reached)
        for one in reached:
            ways = [way for way in map(self._of, one.alts) if way is not None]
            given = _given(self._run, one.origin) if self._modules and _is_of_module(one) else ()
            inputs = self.of_all(given)
            if inputs is None or (one.alts and not ways):
                return None
            found = found.union(inputs, *ways)
        return found
