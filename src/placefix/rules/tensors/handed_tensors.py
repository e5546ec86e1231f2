"""Tensors that a function makes on the CPU and treats as others that it places: it returns or passes them together, or binds one name
to either of them.

What receives ``return ids, mask.to(device)`` gets tensors of two devices. In ``if x: y = ones(2).to(device)``, ``else: y = zeros(2)`` the
device of `y` depends on `x`.
"""

from __future__ import annotations

import ast
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.diagnostic import Insert
from placefix.facts import premises
from placefix.facts.context import FileAnalysis
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.facts.naming import last, mentions_device, names_called_module, names_lengths, names_plain_device
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import argument_values, dotted, is_name, may_give, under_methods
from placefix.facts.program.ast_walk import header, walk
from placefix.facts.program.device_values import move_destination, named_device
from placefix.facts.program.factory_dimensions import has_dimension
from placefix.facts.program.tree import common, dominates
from placefix.rules.tensors.creations import depends_on_place, factory_call, is_copied
from placefix.rules.tensors.sibling_evidence import DeviceTests
from placefix.rules.tensors.tensor_moves import moved, scatters
from placefix.torch_model import modules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from placefix.diagnostic import Edit, Span
    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.tree import Scope, Stmt

ARM = "arm"  # findings of arms of one test
ROUND = "round"  # findings of the rounds of a loop


class _Placed(NamedTuple):
    """A value that is on a device: the device (".cuda()" for a move without one), and the statement that moves or makes it."""

    device: str
    stmt: Stmt
    text: str


class HandedTensors(FileAnalysis):
    """Answers for one file."""

    def forgotten(self) -> Iterator[Finding]:
        """The tensors of the CPU, each with the placed one that it goes with."""
        for scope in self.context.tree.scopes.values():
            if scope.is_function and scope in self._placing:
                yield from self._in_function(scope)
        for scope, returns in self._returned.items():
            yield from self._of_returns(scope, returns)
        for node, stmt in self.index.conditionals:
            yield from self._of_expression(node, stmt)
        for group, stmt, whole in self._displayed():
            yield from self._of_display(group, stmt, whole)
            if isinstance(whole, ast.Call):
                yield from self._of_one_maker(group, stmt.scope)

    @cached_property
    def _placing(self) -> dict[Scope, dict[str, _Placed]]:
        """The functions that bind names to tensors on a device, with these names."""
        found: dict[Scope, dict[str, _Placed]] = {}
        for name, writes in self.index.writes.items():
            for write in writes if "." not in name else ():
                device = self._device_of(write.value)
                if device:
                    found.setdefault(write.stmt.scope, {})[name] = _Placed(device, write.stmt, name)
                elif len(writes) > 1 and _device_taken(write.value):
                    found.setdefault(write.stmt.scope, {})
        for _, stmt in self.index.called("to", "cuda"):
            if isinstance(stmt.node, ast.Return):
                found.setdefault(stmt.scope, {})
        tests = self.context.get(DeviceTests)
        return {scope: names for scope, names in found.items() if not tests.are_in(scope)}

    def _device_of(self, value: ast.expr | None) -> str:
        """The device that an expression moves a tensor to or makes it on; "" for others."""
        value = _scaled(value)
        if not isinstance(value, ast.Call):
            return ""
        device = named_device(value)
        if device:
            return device
        if isinstance(value.func, ast.Attribute) and torch_model.stays(value.func.attr):
            return self._device_of(value.func.value)
        first = value.args[0] if value.args else None
        parts = first.elts if isinstance(first, (ast.List, ast.Tuple)) else []  # torch.cat([x, y])
        return next(filter(None, map(self._device_of, parts)), "")

    def _in_function(self, scope: Scope) -> Iterator[Finding]:
        placed = self._placing[scope]
        for name in self.index.binders.get(scope, ()):
            writes = self.index.values(scope, name)
            if (
                not writes
                or len(writes) != len(self.index.binding(scope, name))
                or names_lengths(name)
                or depends_on_place(name, scope, self.index)
                or is_copied(name, scope, self.index)
            ):
                continue
            found = self._of_arms(name, writes)
            if found is None and name not in placed:
                found = self._of_group(name, writes, scope) or self._of_items(scope, name, writes)
            if found is not None:
                yield found

    @staticmethod
    def _is_made_on_cpu(value: ast.expr | None, scope: Scope, *, sized: bool = True) -> bool:
        """Whether a factory makes a value on the CPU; sized: with a dimension."""
        made = factory_call(_scaled(value), scope)
        if made is None or made.destination or may_give(made.call, "device", "out", "pin_memory"):
            return False
        like = any(isinstance(part, ast.Attribute) and part.attr == "device" for part in walk(made.call))
        return not like and (not sized or has_dimension(made.factory, made.call))

    def _is_left(self, name: str, write: AttributeWrite, value: ast.expr) -> bool:
        """Whether a function of the repository makes a tensor, and it is on the CPU in every run."""
        if not isinstance(value, ast.Call) or not self.context.get(Flow).on_host.get((name, write.stmt), False):
            return False
        made_by, called = self.context.tree.qualname(value.func, write.stmt.scope), dotted(value.func)
        return "." not in called.removeprefix("self.") if made_by is None else not made_by.startswith("torch.")

    # --- one name in two arms -------------------------------------------------------------------------

    def _of_arms(self, name: str, writes: Sequence[AttributeWrite]) -> Finding | None:
        """A name that one arm of a test binds to a tensor on a device, and another one to a tensor of the CPU, or to lists of them; or that a
        loop binds to one of the CPU for its next round."""
        bound = [(write, value) for write in writes if (value := _each(write.value)) is not None]
        there = [(write, value, self._device_of(value) or _device_taken(value)) for write, value in bound]
        placed = [(write, value, device) for write, value, device in there if device and device != ".cuda()"]
        for write, value, device in there:
            made = self._is_made_on_cpu(value, write.stmt.scope) or self._is_left(name, write, value)
            if device or not made or self._is_moved_below(name, write.stmt):
                continue
            for other, of_other, place in placed:
                if ways := self._ways(name, write.stmt, other.stmt):
                    edit = moved(self.context.source, value, place)
                    found = self._finding(self.context.span(value), edit, name, self.context.text(of_other), place)
                    return found._replace(what=ways)
        return None

    def _ways(self, name: str, stmt: Stmt, other: Stmt) -> str:
        """How two statements bind one name: in arms of a test, or `other` before a loop in which a module gets it, and the loop for its next
        round; "" for others."""
        first, second = common(stmt, other) or (stmt, other)
        if first is second:
            is_test = isinstance(first.node, ast.If) and not mentions_device(self.context.text(first.node.test))
            return ARM if is_test else ""
        is_loop = isinstance(first.node, (ast.For, ast.While)) and second is other and other.suite is first.suite
        passed = is_loop and other.index < first.index and first in self._passing_to_modules(name, stmt.scope)
        return ROUND if passed else ""

    def _passing_to_modules(self, name: str, scope: Scope) -> set[Stmt]:
        """The statements of a function around those that pass a name to a module."""
        from placefix.rules.cuda.device_agreement import Meets

        calls = [] if self._scatters else [(call, stmt) for call, stmt in self.index.calls if stmt.scope is scope]
        passing = [(c, s) for c, s in calls if any(is_name(given, name) for given in argument_values(c))]
        modules_called = (
            stmt
            for call, stmt in passing
            if names_called_module(last(dotted(call.func))) or self.context.get(Meets).is_module(call, scope)
        )
        return {outer for stmt in modules_called for outer in stmt.ancestors()}

    def _is_moved_below(self, name: str, stmt: Stmt) -> bool:
        """Whether a function moves a name elsewhere than in another arm of a test around the statement that binds it."""
        reads = self.index.attribute_reads(name)
        moves = [one for attr, one in reads if one.scope is stmt.scope and torch_model.moves(attr)]
        pairs = filter(None, (common(stmt, one) for one in moves))
        return any(first is not second for first, second in pairs)

    def _of_expression(self, node: ast.IfExp, stmt: Stmt) -> Iterator[Finding]:
        """An arm of a conditional expression that makes a tensor on the CPU, beside one that makes it on a device."""
        for made, other in ((node.body, node.orelse), (node.orelse, node.body)):
            if not self._is_made_on_cpu(made, stmt.scope) or mentions_device(self.context.text(node.test)):
                continue
            device = self._device_of(other)
            if device and device != ".cuda()":
                edit, text = moved(self.context.source, made, device), self.context.text(made)
                found = self._finding(self.context.span(made), edit, text, self.context.text(other), device)
                yield found._replace(what=ARM)

    @cached_property
    def _returned(self) -> dict[Scope, list[tuple[ast.Tuple, Stmt]]]:
        """The tuples that each function returns which moves something, if there are several, of one length."""
        found: dict[Scope, list[tuple[ast.Tuple, Stmt]]] = {}
        for stmt in self.context.tree.stmts.values():
            value = stmt.node.value if isinstance(stmt.node, ast.Return) and stmt.scope in self._placing else None
            if isinstance(value, ast.Tuple):
                found.setdefault(stmt.scope, []).append((value, stmt))
        return {scope: made for scope, made in found.items() if len({len(v.elts) for v, _ in made}) == 1 < len(made)}

    def _of_returns(self, scope: Scope, returns: list[tuple[ast.Tuple, Stmt]]) -> Iterator[Finding]:
        """Of several tuples that a function returns, a name that one of them moves, and another one does not, which moves the same beside it."""
        for (bare, stmt), (other, _) in permutations(returns, 2):
            placed = [(one, two, self._device_of(two)) for one, two in zip(bare.elts, other.elts, strict=True)]
            devices = {device for one, _, device in placed if device and self._device_of(one) == device}
            asked = {part.id for part in _asked(stmt) if isinstance(part, ast.Name)}
            for one, two, device in placed if devices else ():
                if not isinstance(one, ast.Name) or device not in devices or names_lengths(one.id):
                    continue
                is_left = one.id not in asked and one.id not in self._placing[scope]
                if is_left and any(is_name(part, one.id) for part in walk(two)):
                    edit, text = moved(self.context.source, one, device), self.context.text(two)
                    yield self._finding(self.context.span(one), edit, one.id, text, device)._replace(what=ARM)

    # --- tensors that are made side by side --------------------------------------------------------------

    def _displayed(self) -> Iterator[tuple[list[ast.expr], Stmt, ast.expr]]:
        """The arguments of each call, and the items of each tuple or list that one name is bound to, or that is returned; with the whole."""
        for call, stmt in self.index.calls:
            if len(call.args) + len(call.keywords) > 1:
                yield argument_values(call), stmt, call
        for stmt in self.context.tree.stmts.values():
            value = stmt.node.value if isinstance(stmt.node, (ast.Assign, ast.Return)) else None
            if isinstance(value, (ast.Tuple, ast.List)) and (
                isinstance(stmt.node, ast.Return) or assigned_text(stmt.node)
            ):
                yield value.elts, stmt, value

    def _of_display(self, group: list[ast.expr], stmt: Stmt, whole: ast.expr) -> Iterator[Finding]:
        """Of expressions that make tensors side by side, those on the CPU beside others on one device."""
        calls = {one: factory_call(one, stmt.scope) for one in group if isinstance(one, ast.Call)}
        made = {one: found.factory for one, found in calls.items() if found is not None}
        if len(made) < 2 or any(isinstance(one, ast.Starred) for one in group):
            return
        left = [one for one in made if self._is_made_on_cpu(one, stmt.scope)]
        devices = {self._device_of(one): one for one in made if one not in left}
        device = next(iter(devices), "")
        if left and len(devices) == 1 and device and self._is_for_one_device(whole, stmt, set(made.values())):
            for one in left:
                edit, other = moved(self.context.source, one, device), self.context.text(devices[device])
                yield self._finding(self.context.span(one), edit, self.context.text(one), other, device)

    def _of_one_maker(self, group: list[ast.expr], scope: Scope) -> Iterator[Finding]:
        """Of names side by side to which a function binds results of one call, in equal words, those that are not moved there beside another one."""
        calls = [one for one in group if isinstance(one, ast.Call) and move_destination(one)]
        moves = {self._maker(call.func.value, scope): call for call in calls if isinstance(call.func, ast.Attribute)}
        for one in group if moves else ():
            other = moves.get(self._maker(one, scope)) if self._maker(one, scope) else None
            if other is None or not isinstance(one, ast.Name) or names_lengths(one.id):
                continue
            if len(self.index.binding(scope, one.id)) == 1:
                device, text = move_destination(other), self.context.text(other)
                yield self._finding(
                    self.context.span(one), moved(self.context.source, one, device), one.id, text, device
                )

    def _maker(self, name: ast.expr, scope: Scope) -> str:
        """The words of the call that gives a name its first value; "" where that is none, makes a tensor by a factory, or names a device."""
        writes = self.index.values(scope, name.id) if isinstance(name, ast.Name) else ()
        first = writes[0].value if writes else None
        if not isinstance(first, ast.Call) or factory_call(first, scope) is not None:
            return ""
        return "" if mentions_device(self.context.text(first)) else ast.dump(first)

    def _is_for_one_device(self, whole: ast.expr, stmt: Stmt, factories: set[str]) -> bool:
        """Whether tensors side by side belong on one device: a distribution or a module gets them, the function returns them, or they are
        made alike."""
        from placefix.rules.cuda.device_agreement import Meets

        if not isinstance(whole, ast.Call):
            return isinstance(stmt.node, ast.Return) or len(factories) == 1
        name = self.context.tree.qualname(whole.func, stmt.scope) or ""
        called = not self._scatters and self.context.get(Meets).is_module(whole, stmt.scope)
        return modules.is_distribution(name) or called

    # --- several in one place -------------------------------------------------------------------------

    def _of_group(self, name: str, writes: Sequence[AttributeWrite], scope: Scope) -> Finding | None:
        """A name for a tensor of the CPU that the function returns, or passes to a module, with one that is on a device."""
        made = self._made_by(name, writes, scope)
        if made is None:
            return None
        for stmt in self._statements.get(scope, ()):
            for group in self._groups(stmt):
                node = next((one for one in group if is_name(one, name)), None)
                other = self._placed_in(group, stmt, scope) if node is not None else None
                if node is None or other is None:
                    continue
                edit: Edit = moved(self.context.source, node, other.device)
                if made is not writes[0]:  # it may be None where it is not converted
                    if not other.device.startswith("self.") or made.value is None:
                        continue
                    edit = moved(self.context.source, made.value, other.device)
                elif other.stmt is not stmt:
                    if not (dominates(made.stmt, other.stmt) and other.stmt is not made.stmt):
                        continue
                    call = other.device if other.device.startswith(".") else f".to({other.device})"
                    edit = Insert(self.context.span(other.stmt), f"{name} = {name}{call}", "after")
                return self._finding(self.context.span(made.stmt), edit, name, other.text, other.device)
        return None

    def _made_by(self, name: str, writes: Sequence[AttributeWrite], scope: Scope) -> AttributeWrite | None:
        """The assignment that makes a tensor of the CPU: the first one of the name, or one that converts the value that is unpacked,
        ``labels = torch.from_numpy(labels)``; None if the name is bound to something else as well."""
        converts = writes[0].value is None and len(writes) > 1
        made, *later = writes[1:] if converts else writes
        if not self._is_made_on_cpu(made.value, scope, sized=not converts) or not all(
            _is_of_itself(name, one.value) for one in later
        ):
            return None
        reads = any(is_name(part, name) for part in walk(made.value)) if made.value is not None else False
        return made if reads or not converts else None

    def _of_items(self, scope: Scope, name: str, writes: Sequence[AttributeWrite]) -> Finding | None:
        """A name for a tensor of the CPU whose items the function sets to tensors that it makes on a device."""
        if len(writes) != 1 or not self._is_made_on_cpu(writes[0].value, scope):
            return None
        for text, items in self.index.items.items():
            for item in items if text.startswith(f"{name}.[") else ():
                made = factory_call(item.value, scope) if item.stmt.scope is scope else None
                device = self._device_of(item.value) if made is not None else ""
                if made is None or not device or item.value is None or writes[0].value is None:
                    continue
                edit, other = moved(self.context.source, writes[0].value, device), self.context.text(item.value)
                return self._finding(self.context.span(writes[0].value), edit, name, other, device)
        return None

    @cached_property
    def _statements(self) -> dict[Scope, list[Stmt]]:
        """The statements that return several values or call something, of the functions that place something."""
        found: dict[Scope, list[Stmt]] = {scope: [] for scope in self._placing}
        called = dict.fromkeys(stmt for _, stmt in self.index.calls if stmt.scope in found)
        for stmt in called:
            found[stmt.scope].append(stmt)
        for stmt in self.context.tree.stmts.values():
            if isinstance(stmt.node, ast.Return) and stmt.scope in found and stmt not in called:
                found[stmt.scope].append(stmt)
        return found

    def _groups(self, stmt: Stmt) -> Iterator[list[ast.expr]]:
        """The expressions that a statement returns, or passes to a module, together."""
        from placefix.rules.cuda.device_agreement import Meets  # the analysis of uses of CUDA: most files never need it

        node = stmt.node
        if isinstance(node, ast.Return) and isinstance(node.value, (ast.Tuple, ast.Dict)):
            yield node.value.elts if isinstance(node.value, ast.Tuple) else node.value.values
        if self._scatters:
            return
        for call in [n for part in header(node) for n in walk(part) if isinstance(n, ast.Call)]:
            given = argument_values(call)
            named = names_called_module(last(dotted(call.func)))
            if len(given) > 1 and (named or self.context.get(Meets).is_module(call, stmt.scope)):
                yield given

    @cached_property
    def _scatters(self) -> bool:
        """Whether a module may move its inputs."""
        return scatters(self.context)

    def _placed_in(self, group: list[ast.expr], stmt: Stmt, scope: Scope) -> _Placed | None:
        """The first of several expressions that is on a device."""
        placed = self._placing[scope]
        for one in group:
            if isinstance(one, ast.Name) and one.id in placed:
                return placed[one.id]
            device = self._device_of(one)
            if device:
                return _Placed(device, stmt, self.context.text(one))
        return None

    def _finding(self, span: Span, edit: Edit, name: str, other: str, device: str) -> Finding:
        premise = premises.BOUND_ALIKE(name=name, other=other)
        return Finding(
            span, edits=(edit,), premises=(premise,), device=device, doubt=premises.DEVICE_NOT_SEEN, names=(name,)
        )


def _asked(stmt: Stmt) -> Iterator[ast.AST]:
    """The expressions in the tests around a statement."""
    return (part for outer in stmt.ancestors() if isinstance(outer.node, ast.If) for part in walk(outer.node.test))


def _scaled(value: ast.expr | None) -> ast.expr | None:
    """``x`` of ``2 * x - 1``."""
    while isinstance(value, ast.BinOp) and (
        isinstance(value.left, ast.Constant) or isinstance(value.right, ast.Constant)
    ):
        value = value.left if isinstance(value.right, ast.Constant) else value.right
    return value


def _each(value: ast.expr | None) -> ast.expr | None:
    """``zeros(n)`` of ``[zeros(n) for n in sizes]``; any other value itself."""
    return value.elt if isinstance(value, ast.ListComp) else value


def _device_taken(value: ast.expr | None) -> str:
    """The device that a call gets by position, perhaps to make a tensor there: ``grid(n, device)``; "" for others."""
    value = _scaled(value)
    given = map(dotted, value.args) if isinstance(value, ast.Call) else ()
    return next((device for device in given if names_plain_device(last(device))), "")


def _is_of_itself(name: str, value: ast.expr | None) -> bool:
    """Whether a name is bound to a tensor on the same device: ``x = x.float()``."""
    return value is not None and is_name(under_methods(value, torch_model.stays), name)
