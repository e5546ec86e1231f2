"""Functions that have a device and do not read it: the modules and tensors that they make, and those that they give to a model, stay on the CPU."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import premises, reasons
from placefix.facts.finding import Finding
from placefix.facts.interpret.class_summaries import moves_in
from placefix.facts.interpret.flow import Flow
from placefix.facts.naming import mentions_move, names_host_value
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import dotted, is_name, may_give, parameters
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.callees import chain_start
from placefix.facts.program.factory_dimensions import has_dimension
from placefix.facts.program.tree import dominates
from placefix.rules.tensors.companion_batches import CompanionBatches
from placefix.rules.tensors.creations import decides_place
from placefix.rules.tensors.tensor_moves import moved, placed, scatters
from placefix.rules.tensors.unplaced_modules import UnplacedModules
from placefix.rules.tensors.unread_devices import UnreadDevices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Obj
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Doubt

# A statement that makes a tensor moves it, reads its values, or makes it like another one.
_STAYS = frozenset(("to", "cuda", "cpu", "numpy", "tolist", "item", "type_as", "device"))


class IgnoredDevices:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.functions = context.get(UnreadDevices).functions

    def modules(self) -> Iterator[Finding]:
        """Modules with parameters that such a function makes, and that nothing places."""
        run = self.context.get(CompanionBatches).run if self.functions else None
        if run is None:
            return
        flow = run.get(Flow)
        parts = {obj.base for event in flow.events for obj in event.args if obj.base is not None}
        wrapped = {event.obj.root() for event in flow.index.of_kind("wrap")}  # only what has parameters is
        for event in flow.index.of_kind("module"):
            node, obj = event.stmt.node, event.obj
            device = self.functions.get(event.stmt.scope)
            if (
                device is None
                or obj.root() in flow.index.placed
                or obj in parts
                or obj.loss
                or not isinstance(node, ast.Assign)
            ):
                continue
            is_alone = chain_start(node.value) is obj.origin and len(node.targets) == 1 and dotted(node.targets[0])
            holds = obj in wrapped or run.get(UnplacedModules).has_parameters(obj)
            if is_alone and holds and not _gets(event.node, device):
                yield self._moved(node.value, device, dotted(node.targets[0]), premises.CALLER_MAY_PLACE)

    def inputs(self) -> Iterator[Finding]:
        """Items of a loop that such a function gives to a model that it gets as well."""
        run = self.context.get(CompanionBatches).run if self.functions and not scatters(self.context) else None
        if run is None:
            return
        seen: set[ast.expr] = set()
        for event in run.get(Flow).index.of_kind("call"):
            device = self.functions.get(event.stmt.scope)
            node = event.node
            if device is None or node in seen or not isinstance(node, ast.Call) or not event.obj.root().param:
                continue
            if any(move.func.attr != "cpu" for move in moves_in(event.stmt.scope)):  # type: ignore[attr-defined]
                continue  # it has another device
            for argument, value in zip(node.args, event.args, strict=False):
                if _is_on_host(value):
                    seen.add(node)
                    yield self._moved(argument, device, self.context.text(argument), premises.MAY_ARRIVE_ON_DEVICE)

    def movers(self) -> Iterator[Finding]:
        """The arguments that a function moves, by its name, and returns unmoved: ``batch_to_device(batch, device)``."""
        for scope, device in self.functions.items():
            given = parameters(scope.function.args)
            first = next((argument for name, argument in given.items() if name not in ("self", "cls", device)), None)
            if first is None or not mentions_move(scope.name) or moves_in(scope):
                continue
            returned = (part.value for part in walk(scope.node) if isinstance(part, ast.Return))
            if any(value is not None and is_name(value, first.arg) for value in returned):
                yield Finding(
                    self.context.span(first),
                    why_not=reasons.CONTENTS_NOT_KNOWN,
                    device=device,
                    doubt=premises.MAY_ARRIVE_ON_DEVICE,
                    names=(first.arg,),
                )

    def tensors(self) -> Iterator[Finding]:
        """Tensors that such a function makes, or one that binds a name to a device and does not read it."""
        bound = self.context.get(UnreadDevices).bound
        for call, stmt in self.context.index.calls if bound or self.functions else ():
            write = bound.get(stmt.scope)
            device = self.functions.get(stmt.scope) or (assigned_text(write.stmt.node) if write is not None else "")
            if write is not None and not dominates(write.stmt, stmt):
                continue
            if device and self._is_left(call, stmt):
                yield Finding(
                    self.context.span(call),
                    edits=placed(self.context, call, stmt, device),
                    premises=(premises.MEANT_FOR(device=device),),
                    device=device,
                    doubt=premises.NO_LATER_USE_FAILS,
                    names=(self.context.text(call.func),),
                )

    def _is_left(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether a call makes a tensor with a dimension on the CPU, where nothing shows that it is to stay."""
        name = self.context.tree.qualname(call.func, stmt.scope)
        if name is None or not torch_model.is_factory(name) or not has_dimension(name, call):
            return False
        if may_give(call, "device", "out", "pin_memory", "generator") or any(
            isinstance(n, ast.Attribute) and n.attr in _STAYS for n in walk(stmt.node)
        ):
            return False
        bound, scope, index = assigned_text(stmt.node), stmt.scope, self.context.index
        if not bound:
            return isinstance(stmt.node, (ast.Assign, ast.Return))
        if names_host_value(bound) or decides_place(bound, scope, index):
            return False
        names = (node for node, one in index.read(bound) if one.scope is scope)
        read = sum(isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) for node in names)
        return read > sum(one.scope is scope and torch_model.is_answer(a) for a, one in index.attribute_reads(bound))

    def _moved(self, node: ast.expr, device: str, name: str, doubt: Doubt) -> Finding:
        return Finding(
            self.context.span(node),
            edits=(moved(self.context.source, node, device),),
            premises=(premises.MEANT_FOR(device=device),),
            device=device,
            doubt=doubt,
            names=(name,),
        )


def _gets(node: ast.expr, device: str) -> bool:
    """Whether a call has the device among its arguments."""
    return any(isinstance(part, ast.Name) and part.id == device for part in ast.walk(node))


def _is_on_host(value: Obj) -> bool:
    """Whether a value is an item of a loop, or made of one, and on the CPU."""
    is_item = value.is_element or any(root.is_element for root in value.roots)
    return is_item and value.place is not None and value.place.is_host
