"""Moves whose result is discarded: ``x.to(device)`` as a statement, where `x` is a tensor."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.diagnostic import Replace
from placefix.facts import premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.finding import Finding
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.flow import Flow
from placefix.facts.naming import names_class
from placefix.facts.program.ast_names import dotted, is_name, keyword_value, parameters
from placefix.facts.program.tree import common, dominates
from placefix.facts.wording import unite
from placefix.rules.tensors.device_conflicts import FREE, is_operand_in, keeps_gradient, origin_premises
from placefix.rules.tensors.target_devices import Destinations
from placefix.rules.tensors.tensor_evidence import TensorEvidence
from placefix.rules.tensors.tensor_moves import makes_its_tensors, moved_alike

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from placefix.diagnostic import Span
    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Event, EventKind, Obj
    from placefix.facts.program.device_values import Device
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Doubt, Premise, Reason


class DiscardedMoves:
    """The discarded moves of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.flow = context.get(Flow)

    def misplaced(self) -> Iterator[Finding]:
        """The discarded moves, each repaired by an assignment to the moved name."""
        for event in self.moves:
            if makes_its_tensors(event.node.func.value, event.stmt.scope):  # type: ignore[attr-defined]
                continue  # it starts CUDA, or asks whether that works
            found = self._repaired(event)
            if found is not None and not (found.doubt and self._is_displayed(event)):
                yield found

    def moved_before(self, roots: Iterable[Obj], conflict: Event) -> bool:
        """Whether one of the tensors was meant to be moved before a conflict."""
        plain = [e for e in self._each_run if not self._is_chain(e) and e.order < conflict.order]
        return any(e.obj is r or r in e.obj.roots for e in plain for r in roots)

    @cached_property
    def moves(self) -> list[Event]:
        """The placements whose result is thrown away, the last of each call."""
        return list({e.node: e for e in self._each_run}.values())

    @cached_property
    def _each_run(self) -> list[Event]:
        """The placements whose result is thrown away, each time that the interpreter follows them: twice in a loop."""
        return [e for e in self.flow.index.of_kind("place") if self._is_discarded(e)]

    def _is_discarded(self, event: Event) -> bool:
        node, obj = event.stmt.node, event.obj
        return (
            isinstance(node, ast.Expr)
            and obj.name != "torch.nn.Parameter"
            and (self._chain_start(node.value) is event.node or self._of_tuple(node.value, event.node))
            and not any(what == "called" for what, _ in self.flow.uses.get(obj, ()))
            and not (self._is_displayed(event) and not dotted(event.node.func.value))  # type: ignore[attr-defined]
            and (self._is_tensor(event) or self._is_used_as_tensor(event))
        )

    def _is_tensor(self, event: Event) -> bool:
        """Whether the moved value is a tensor, by its origin or by the lines around the move."""
        obj = event.obj
        is_held = obj.whole is not None and obj.whole.kind == "encoding"
        if not (obj.proven or is_held or obj.kind == "tensor" or self._is_called_with(event)):
            return False
        return obj.is_tensor_like or (obj.is_unknown and (self._is_shown(event) or self._is_called_with(event)))

    def _is_shown(self, event: Event) -> bool:
        """Whether the lines around the move of a value of unknown kind show that it is a tensor."""
        return self._used_as_tensor(event) or self._goes_with(event)  # the slow test comes last

    def _is_used_as_tensor(self, event: Event) -> bool:
        """Whether the code around the move shows that a value of unknown kind is a tensor: behind it, the value has a method or an attribute of
        tensors, or is sliced in several dimensions; it is moved like a value that comes with it, or the function computes with it
        (`TensorEvidence`); and nothing treats it as anything else."""
        call, stmt, obj = event.node, event.stmt, event.obj
        func = call.func if isinstance(call, ast.Call) else None
        name = dotted(func.value) if isinstance(func, ast.Attribute) else ""
        if obj.kind not in ("unknown", "element") or not name or stmt.node.value is not call:  # type: ignore[attr-defined]
            return False
        scope = stmt.scope
        owner = (scope.cls if "." in name else None) or scope
        if not _is_local(name, scope) or self._is_object(name, owner):
            return False
        index, bound = self.context.index, self.context.index.binding(scope, name) if owner is scope else []

        def follows(use: Stmt) -> bool:
            """Whether a use is one of the moved value."""
            if owner is not scope:
                return use.scope.parent is owner
            before = not any(_runs_after(use, b) and _runs_after(b, stmt) for b in bound)
            return use.scope is scope and _runs_after(use, stmt) and before

        attributes = {attr for attr, use in index.attribute_reads(name) if follows(use)}
        reads = [node for node, use in index.read(name) if follows(use)]
        evidence = self.context.get(TensorEvidence)
        if any(map(torch_model.shows_tensor, attributes)) or evidence.is_sliced(reads) or self._goes_with(event):
            return True
        return bool(reads) and not _made_by_class(obj) and evidence.shows(call, func.value, scope)  # type: ignore[union-attr]

    def _is_object(self, name: str, scope: Scope) -> bool:
        """Whether the code of a scope treats a value as something else than a tensor: it calls it, unpacks it as keywords, or reads an
        item under a text or an attribute that tensors have not."""
        for node in ast.walk(scope.node):
            if isinstance(node, ast.Call) and (
                dotted(node.func) == name or any(k.arg is None and dotted(k.value) == name for k in node.keywords)
            ):
                return True
            if isinstance(node, ast.Subscript) and dotted(node.value) == name:
                if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                    return True
            if isinstance(node, ast.Attribute) and dotted(node.value) == name and not _is_of_tensors(node.attr):
                return True
        return False

    def _is_called_with(self, event: Event) -> bool:
        """Whether a module on a device is called further down with an element of a batch, or a part of something, that is not proven to be a
        tensor."""
        obj = event.obj
        return (
            (obj.is_element or (obj.is_unknown and obj.whole is not None))
            and not self._to_cpu(event)
            and not any(what == "mapping" for what, _ in self.flow.uses.get(obj, ()))
            and any(
                call.order > event.order
                and obj in call.args
                and call.obj.kind == "module"
                and call.place is not None
                and call.place.is_off_cpu
                for call in self.flow.index.of_kind("call")
            )
        )

    def _is_displayed(self, event: Event) -> bool:
        """Whether it is the last expression of a notebook cell, whose value IPython shows."""
        return (
            event.stmt.node.col_offset == 0  # not in the block of another statement
            and self.context.source.displays(self.context.span(event.stmt.node).end)
        )

    def _repaired(self, event: Event) -> Finding | None:
        """The finding for a discarded move; None if the finding for another one of its statement includes it."""
        call, node = event.node, event.stmt.node
        assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(node, ast.Expr)
        target = dotted(call.func.value)
        why_not = self._why_not_assigned(event, target)
        sent = not self._fails(event, target) and self._is_sent(event, target)
        doubt = self._doubt(event, target)
        if why_not:
            name = target or self.context.text(call)
            return Finding(
                self.context.span(call),
                _what(event),
                why_not=why_not,
                doubt=doubt,
                met=self._met([event]),
                names=(name,),
            )
        assumed = unite(origin_premises(event.obj), self._premises(event, target))
        names: tuple[str, ...] = (target,)
        rest: list[Event] = []
        if isinstance(node.value, ast.Tuple):
            if call is not node.value.elts[0]:
                return None  # the finding for the first one includes them all
            names = tuple(dotted(e.func.value) for e in node.value.elts)  # type: ignore[attr-defined]
            rest = [e for e in self.moves if e.stmt is event.stmt and e is not event]
            if any(self._fails(e, name) for e, name in zip(rest, names[1:], strict=False)):
                doubt = None
            assumed = unite(assumed, *(self._premises(e, target) for e in rest))
        elif self._is_chain(event):
            assumed = unite(assumed, premises.RESULT_OF_CHAIN(name=target))
        span, text = self.context.span(node), self.context.text(node)  # with the parentheses around it
        moves = text
        if isinstance(node.value, ast.Tuple) and len(names) == 1:  # the comma goes: `x = x.to(d),` is a tuple
            moves = self.context.text(call)
        if (
            doubt is premises.NO_LATER_USE_FAILS
        ):  # the program may run to its end, and not all that takes the tensor is seen
            assumed = unite(assumed, premises.NO_LATER_USE_SHOWN(name=target))
        if sent:
            assumed = unite(assumed, premises.SENT_BY_NCCL(name=target))
        edits = (Replace(span, f"{', '.join(names)} = {moves}", text),)
        met, shares = self._met([event, *rest]), tuple(map(self.context.span, self._shared_operands(event)))
        return Finding(span, _what(event), edits, premises=assumed, doubt=doubt, met=met, shares=shares, names=names)

    def _met(self, events: Iterable[Event]) -> tuple[tuple[Span, Span], ...]:
        """The operations after discarded moves that fail without them, each with the operand."""
        span = self.context.span
        met = (met for event in events for met in self._failing(event))
        return tuple(sorted({(span(one.node), span(one.arg_node or one.node)) for one in met}))

    def _failing(self, event: Event) -> Iterator[Event]:
        """The failures after a discarded move, because the tensor is not where the move would have put it."""
        obj, looped = event.obj, event.stmt.in_loop()
        kind: EventKind = "host" if self._to_cpu(event) else "conflict"
        return (met for met in self.flow.index.of_source(kind, obj) if met.order > event.order or looped)

    def _shared_operands(self, event: Event) -> list[ast.expr]:
        """The operands of these failures that are made of another tensor as well, which has to be moved too."""
        if self._to_cpu(event):
            return []
        from placefix.rules.tensors.script_tensors import HostTensors

        others = self.context.get(HostTensors).with_discarded
        return [met.arg_node for met in self._failing(event) if met.arg_node in others and met.arg_node is not None]

    @staticmethod
    def _to_cpu(event: Event) -> bool:
        """Whether a move goes to the CPU."""
        device = event.place.device if event.place is not None else None
        return device is not None and device.is_cpu

    def _fails(self, event: Event, target: str) -> bool:
        """Whether something after a discarded move needs the tensor where that would have put it."""
        if next(self._failing(event), None) is not None:
            return True
        if self._to_cpu(event) or not target:
            return False
        call = event.node
        assert isinstance(call, ast.Call)
        from placefix.rules.tensors.sibling_tensors import SiblingTensors

        to = self.context.text(call.args[0]) if call.args else ".cuda()"
        meets = self.context.get(SiblingTensors).meets_moved(target, to, event.stmt.scope)
        return meets or self._goes_with(event) or self._is_fed(event, target)

    def _is_sent(self, event: Event, target: str) -> bool:
        """Whether a collective further down gets the unmoved tensor: NCCL accepts only tensors on a GPU."""
        index, scope = self.context.index, event.stmt.scope
        device = event.place.device if event.place is not None else None
        if not target or (device is not None and device.is_cpu) or "gloo" in self.context.source.text:
            return False
        bound = [b for b in index.binding(scope, target) if _runs_after(b, event.stmt)]
        return any(
            stmt.scope is scope
            and self._is_collective(call, scope)
            and _runs_after(stmt, event.stmt)
            and not any(_runs_after(stmt, b) for b in bound)
            for call, stmt in index.calls_with_argument(target)
        )

    def _is_collective(self, call: ast.Call, scope: Scope) -> bool:
        """Whether a call is one of torch.distributed that sends tensors."""
        name = self.context.tree.qualname(call.func, scope) or ""
        return name.startswith("torch.distributed.") and name.rpartition(".")[2] in api.COLLECTIVES

    def _is_fed(self, event: Event, target: str) -> bool:
        """Whether the function passes the unmoved value to a module: to a parameter or an attribute that it calls."""
        scope = event.stmt.scope
        given = parameters(scope.function.args) if scope.is_function else {}
        bound = self.context.index.binding(scope, target)
        for call, stmt in self.context.index.calls_with_argument(target):
            func = dotted(call.func)
            if (
                stmt.scope is scope
                and (dominates(event.stmt, stmt) or stmt in event.stmt.ancestors())
                and (func in given or (func.startswith("self.") and self._is_kept(scope, func)))
                and not any(dominates(event.stmt, b) and dominates(b, stmt) for b in bound)
            ):
                return True
        return False

    def _is_kept(self, scope: Scope, func: str) -> bool:
        """Whether ``self.f`` is no method of the class."""
        owner = scope.cls
        return (
            func.count(".") == 1
            and owner is not None
            and func.removeprefix("self.") not in self.context.get(ClassSummaries).of(owner).methods
        )

    def _why_not_assigned(self, event: Event, target: str) -> Reason | None:
        """Why the result cannot be assigned to the moved expression, None if it can; `target` is its name, "" without one."""
        if not target:
            return reasons.NOTHING_TO_ASSIGN
        if self._loop_item(event, target):
            return reasons.LOOP_ITEM(name=target)
        owner = event.stmt.scope.lookup(target.partition(".")[0])
        if owner is not None and owner is not event.stmt.scope and "." not in target:
            return reasons.NOT_OF_THIS_FUNCTION(name=target)
        return None

    @staticmethod
    def _chain_start(value: ast.expr) -> ast.expr:
        """``x.to(device)`` of ``x.to(device).float()``."""
        while (
            isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and torch_model.stays(value.func.attr)
        ):
            if not isinstance(value.func.value, ast.Call):
                break
            value = value.func.value
        return value

    @staticmethod
    def _is_chain(event: Event) -> bool:
        node = event.stmt.node
        return isinstance(node, ast.Expr) and node.value is not event.node and not isinstance(node.value, ast.Tuple)

    def _of_tuple(self, value: ast.expr, call: ast.expr) -> bool:
        """Whether a call is one of ``x.to(d), y.to(d)``, all of them moves of names."""
        return (
            isinstance(value, ast.Tuple)
            and call in value.elts
            and all(
                isinstance(e, ast.Call) and isinstance(e.func, ast.Attribute) and dotted(e.func.value)
                for e in value.elts
            )
            and all(e in {p.node for p in self.flow.index.of_kind("place")} for e in value.elts)
        )

    def _loop_item(self, event: Event, target: str) -> bool:
        """Whether a loop over a container of tensors binds the moved name, and nothing else uses the item there."""
        bound = self.flow.binds.get(event.obj)
        loop = bound[1] if bound is not None else None
        if loop is None or not isinstance(loop.node, ast.For) or event.obj.is_element:
            return False
        return dotted(loop.node.target) == target and not any(
            w == "device" for w, _ in self.flow.uses.get(event.obj, ())
        )

    def _doubt(self, event: Event, target: str) -> Doubt | None:
        """Why the program may run without error; None if it fails."""
        if origin_premises(event.obj):
            return premises.DATASET_MAY_PLACE if event.obj.is_element else premises.MAY_ARRIVE_ON_DEVICE
        if not self._is_tensor(event):
            return premises.NO_LATER_USE_FAILS
        if event.obj.is_unknown and not self._is_shown(event):
            return premises.MAY_ARRIVE_ON_DEVICE
        if self._fails(event, target) or self._is_sent(event, target):
            return None
        return premises.NO_LATER_USE_FAILS

    def _used_as_tensor(self, event: Event) -> bool:
        """Whether the function shows that the value it moves is a tensor: the result of a method of tensors, or an argument of torch."""
        call, scope = event.node, event.stmt.scope
        if not (isinstance(event.stmt.node, ast.Expr) and event.stmt.node.value is call and isinstance(call, ast.Call)):
            return False
        name = dotted(call.func.value) if isinstance(call.func, ast.Attribute) else ""
        if not scope.is_function or scope.lookup(name) is not scope:
            return False
        bound = self.context.index.binding(scope, name)
        before = next(
            (s for s in reversed(event.stmt.suite.stmts[: event.stmt.index]) if any(s in b.ancestors() for b in bound)),
            None,
        )
        value = getattr(before.node, "value", None) if before in bound and before is not None else None
        method = value.func.attr if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else ""
        return torch_model.is_tensor_method(method) or self._is_argument_of_torch(name, event.stmt, bound)

    def _is_argument_of_torch(self, name: str, move: Stmt, bound: Sequence[Stmt]) -> bool:
        """Whether a function of torch always gets the name after a move, with the value that was moved."""
        return any(
            stmt.scope is move.scope
            and dominates(move, stmt)
            and torch_model.computes_tensor(self.context.tree.qualname(taker.func, move.scope))
            and _takes(taker, name)
            and all(dominates(b, move) or b is stmt or dominates(stmt, b) for b in bound)
            for taker, stmt in self.context.index.calls
        )

    def _goes_with(self, event: Event) -> bool:
        """Whether the line before or after the discarded move assigns the same move of another name, and one
        statement unpacks both, or the forward of a module gets both: then both are tensors."""
        call, stmt = event.node, event.stmt
        if not (
            isinstance(stmt.node, ast.Expr)
            and stmt.node.value is call
            and isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
        ):
            return False
        name, scope = dotted(call.func.value), stmt.scope
        index = self.context.index
        if not scope.is_function or scope.lookup(name) is not scope or self._is_no_tensor(name, scope):
            return False
        given = parameters(scope.function.args) if scope.name == "forward" and self._in_module(scope) else {}
        mine = index.binding(scope, name)
        for beside in stmt.suite.stmts[max(stmt.index - 1, 0) : stmt.index + 2]:
            other = moved_alike(beside.node, call)
            if other and other != name:
                rest = [b for b in index.binding(scope, other) if b is not beside]
                if (name in given and other in given and not mine and not rest) or (mine and mine == rest):
                    return True
        return False

    def _is_no_tensor(self, name: str, scope: Scope) -> bool:
        """Whether a scope uses a name as a module or another object."""
        asked = self.context.index.attribute_reads(name)
        return any(attr in api.MODULE_NEUTRAL for attr, s in asked if s.scope is scope) or self._is_object(name, scope)

    def _in_module(self, scope: Scope) -> bool:
        return scope.cls is not None and self.context.get(Flow).class_info(scope.cls).is_module

    def _premises(self, event: Event, target: str) -> Iterator[Premise]:
        """The premises of assigning the result to `target`; none if that is proven."""
        obj = event.obj
        if obj.is_unknown:
            if not self._is_shown(event) and self._is_called_with(event):
                yield premises.NAME_IS_TENSOR(name=target)
            yield premises.USED_ON_OLD_DEVICE(name=target)
            return  # how it is used is not known
        if obj.is_element and obj.value != "tensor" and not self._tensor_by_use(obj):
            yield premises.NAME_IS_TENSOR(name=target)
        shared = self._shared_operands(event)
        later = [w for w, n in self._later_uses(event) if not any(is_operand_in(w, n, operand) for operand in shared)]
        device = event.place.device if event.place is not None else None
        if self._may_change_type(event, device):
            yield premises.TYPE_CHANGES(name=target)
        if device is not None and device.is_cpu:
            if "host" not in later or "device" in later:  # without it numpy refuses a tensor of the device
                yield premises.USED_ON_OLD_DEVICE(name=target)
            return
        if isinstance(obj.origin, ast.expr) and keeps_gradient(obj.origin):
            yield premises.COLLECTS_GRADIENTS(name=target)
        if any(w not in FREE for w in later):
            yield premises.WANTED_ON_OLD_DEVICE(name=target)
        met = self.flow.index.of_source("conflict", obj)
        yield from self.context.get(Destinations).premises(met, device.text if device is not None else "")

    def _later_uses(self, event: Event) -> list[tuple[str, ast.AST]]:
        """The uses of the moved value after the move; in a loop, of a value from outside, all of them."""
        uses = self.flow.uses.get(event.obj, [])
        here = next((i for i, (_, n) in enumerate(uses) if n is event.node), 0)
        after = uses if event.stmt.in_loop() and not event.obj.is_element else uses[here:]
        return [(use, n) for use, n in after if n is not event.node]

    def _may_change_type(self, event: Event, device: Device | None) -> bool:
        """Whether a move may give another dtype: ``x.to(d, torch.half)``, ``x.to(y)``."""
        call = event.node
        assert isinstance(call, ast.Call)
        like = any(device is not None and device.text == self.context.text(a) + ".device" for a in call.args)
        return len(call.args) > 1 or like or keyword_value(call, "dtype") is not None

    def _tensor_by_use(self, obj: Obj) -> bool:
        return any(what == "device" for what, _ in self.flow.uses.get(obj, ()))


def _is_local(name: str, scope: Scope) -> bool:
    """Whether a function binds a name, or the name is an attribute."""
    return scope.is_function and ("." in name or scope.lookup(name) is scope)


def _made_by_class(value: Obj) -> bool:
    """Whether a value is an instance of a class, by the name in the call that makes it."""
    return isinstance(value.origin, ast.Call) and names_class(dotted(value.origin.func).rpartition(".")[2])


def _is_of_tensors(attr: str) -> bool:
    """Whether tensors have a method or an attribute of this name."""
    return attr in api.PLACING or attr == "to" or (torch_model.method(attr) or torch_model.attribute(attr)) is not None


def _what(event: Event) -> str:
    """Whether a move is one of a batch, "batch", or of something else, ""."""
    return "batch" if event.obj.is_element else ""


def _runs_after(stmt: Stmt, first: Stmt) -> bool:
    """Whether a statement runs after another one, if it runs: further down in its suite, or in that of a block around."""
    pair = common(first, stmt)
    return pair is not None and pair[0].suite is pair[1].suite and pair[0].index < pair[1].index


def _takes(call: ast.Call, name: str) -> bool:
    """Whether a call is given a name, or a list with it: ``torch.cat([x, y])``."""
    given = [part for a in call.args for part in (a.elts if isinstance(a, (ast.List, ast.Tuple)) else [a])]
    return any(is_name(part, name) for part in given)
