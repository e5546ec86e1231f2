"""Calls of methods in the abstract interpreter: one transfer function for each kind of receiver."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret import distributions, random_generators
from placefix.facts.interpret.assignment_targets import set_by_name
from placefix.facts.interpret.choices import method_of_registry
from placefix.facts.interpret.constructors import Models
from placefix.facts.interpret.container_methods import container_method
from placefix.facts.interpret.device_contexts import places_new_tensors
from placefix.facts.interpret.library_calls import encoding_method, library_call
from placefix.facts.interpret.module_effects import effect_inside
from placefix.facts.interpret.module_methods import layer_with_mode, module_method, part_method, view_of
from placefix.facts.interpret.moved_values import tensor_moved
from placefix.facts.interpret.parameter_reads import parameter_of, read_parameter
from placefix.facts.interpret.values import Obj
from placefix.torch_model import libraries

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.facts.interpret.values import ObjKind
    from placefix.facts.program.tree import Scope

# Kinds with methods that move: modules, tensors, and values that may turn out to be one.
_MOVED: frozenset[ObjKind] = frozenset(
    ("module", "wrapper", "tensor", "element", "part", "unknown", "params", "list", "dict", "const")
)


class Methods(Models):
    """Evaluates calls of methods."""

    def method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """receiver.attr(…) where the receiver is a value, not an import."""
        if self.has_wrappers:
            self.owners[node.func].append(receiver)
        if receiver.kind != "compiled":
            return self._method(receiver, attr, node)
        inner = receiver.uncompiled()
        result = self._method(inner, attr, node)
        return receiver if result is inner else result

    def _method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        if attr in api.PLACING:
            self.values[node].append(receiver)
            self.lay[node].append(self.lying(receiver))
            own = receiver.cls is not None and attr in receiver.cls.own_moves
            if not own and receiver.kind in _MOVED:
                return self.move(receiver, attr, node)
        elif attr in ("load_state_dict", "type"):
            self.values[node].append(receiver)
        elif attr == "numpy":
            read_parameter(self, receiver, node)
        elif attr == "clone" and not receiver.is_tensor_like and isinstance(node.func, ast.Attribute):
            copied = parameter_of(self, node.func.value)
            if copied is not None and copied.place is not None:
                return self.new_tensor("torch.tensor", node, copied.place, premises=copied.premises)
        transfer = METHODS.get(receiver.kind)
        result = transfer(self, receiver, attr, node) if transfer is not None else None
        return result if result is not None else self._method_of_unknown(receiver, attr, node)

    def _method_of_unknown(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """A method of an object that is not known, and may hold modules: ``self.net(x)``."""
        for member in (*receiver.members, *receiver.given):
            self.touch(member, effect_inside(attr))
        held = self.state.fields.get((receiver, attr))
        if held is not None and held.is_module:
            return self.forward(held, node)
        if held is not None and held.kind == "function" and held.scope is not None:
            return self.local_call(held.scope, None, node)
        if receiver.members and torch_model.combines_in_place(attr):
            return self._computed_in_place(receiver, node)
        if attr == "update" and isinstance(node.func, ast.Attribute):
            set_by_name(self, node.func.value)
        args = self.arguments(node)
        if attr == "enter_context" and any(places_new_tensors(self, value, expr) for _, expr, value in args):
            self.ambient, self.entering = True, receiver
        result = self.opaque(node, f"{receiver.name}.{attr}" if receiver.name else attr, args=args)
        if result.is_unknown and receiver.is_unknown and torch_model.stays(attr):
            result.same = receiver
        return result

    def method_of_base(self, cls: Scope, attr: str, node: ast.Call) -> Obj | None:
        """``Base.__init__(self, …)`` in a method: the method of a class with the instance that the method is called on; None for others."""
        me = self.self_object()
        first = node.args[0] if node.args else None
        method = self.class_info(cls).methods.get(attr)
        if me is None or method is None or not isinstance(first, ast.Name) or self.eval(first) is not me:
            return None
        return self.local_call(method, me, node, self.arguments(node)[1:])

    def _computed_in_place(self, parameter: Obj, node: ast.Call) -> Obj:
        """``p.data.mul_(0.9).add_(0.1 * q.data)``: other parameters are only read there."""
        for _, expr, value in self.arguments(node):
            for item in self.flatten(value):
                self.opaque_argument(item, item.kind in ("params", "unknown"), expr)
        return Obj("unknown", node, members=parameter.members)


# --- one function for each kind of receiver: the interpreter, the receiver, the name of the method, the call ----------------------------


def _of_optimizer(machine: Methods, receiver: Obj, attr: str, node: ast.Call) -> Obj:
    """A method of an optimizer or a scheduler."""
    machine.touch(receiver, "use")
    result = Obj("unknown", node)
    for _, expr, value in machine.arguments(node):
        machine.use(value, "opaque", expr)
        if value.kind == "optimizer":
            machine.touch(value, "use")
        elif value.kind == "function" and value.scope is not None and attr == "step":
            result = machine.local_call(value.scope, None, node, [])  # the closure, whose loss step returns
    if attr in ("load_state_dict", "step"):
        machine.event("state", node, receiver, what=attr)
    return result


def _of_tensor(machine: Methods, receiver: Obj, attr: str, node: ast.Call) -> Obj:
    return machine.tensor_method(receiver, attr, node)


def _of_instance(machine: Methods, receiver: Obj, attr: str, node: ast.Call) -> Obj | None:
    """A method of an object or class of the file that is no module, or a call of an object that it holds."""
    if receiver.kind == "class" and receiver.scope is not None:
        result = machine.method_of_base(receiver.scope, attr, node)
        if result is not None:
            return result
    if attr == "__init__":
        return None
    slot = machine.state.fields.get((receiver, attr))
    if slot is not None and slot.is_module:
        return machine.forward(slot, node)
    if slot is not None and slot.is_unknown:
        made = library_call(machine, slot, libraries.CALL, node)
        return made or machine.called_unknown(slot, attr, node, receiver)
    info = receiver.cls if receiver.is_instance else None
    if info is not None and attr in info.methods and slot is None:
        return machine.local_call(info.methods[attr], receiver, node)
    return machine.opaque(node, attr, receiver=receiver)


def _of_super(machine: Methods, receiver: Obj, attr: str, node: ast.Call) -> Obj:
    """``super().attr(…)``: the method of the next class in the order of the instance's class, or unknown code that holds the instance."""
    cls = receiver.scope.cls if receiver.scope is not None else None
    if cls is not None and receiver.base is not None:
        info = receiver.base.cls
        order = info.order if info is not None and cls in info.order else machine.class_info(cls).order
        for base in order[order.index(cls) + 1 :]:
            method = base.functions.get(attr)
            if method is not None:
                return machine.local_call(method, receiver.base, node)
    if receiver.base is not None and receiver.base.is_instance:
        machine.escape_instance(receiver.base)
    for _, _, value in machine.arguments(node):
        for item in machine.flatten(value):
            machine.opaque_argument(item, attr == "forward", node)
    return Obj("unknown", node)


def _of_loader(machine: Methods, receiver: Obj, attr: str, node: ast.Call) -> Obj | None:
    return receiver if attr == "__iter__" else None


def _of_device(machine: Methods, receiver: Obj, attr: str, node: ast.Call) -> Obj:
    machine.arguments(node)
    return Obj("unknown", node)


def _of_parameters(machine: Methods, receiver: Obj, attr: str, node: ast.Call) -> Obj | None:
    """A method of a container of parameters, or of one of a module's layers, in a loop over them."""
    found = container_method(machine, receiver, attr, node) or _layer_parameters(machine, receiver, attr, node)
    return found or _view_of_parameter(machine, receiver, attr, node)


def _of_unknown(machine: Methods, receiver: Obj, attr: str, node: ast.Call) -> Obj | None:
    """A method of an object of a library, or of one of a module's layers, in a loop over them."""
    if attr in api.MODES:
        machine.switched.add(receiver)
        place = machine.state.place.get(receiver)
        if place is not None and place.is_off_cpu:  # only a module is both moved and switched
            machine.arguments(node)
            return (
                receiver
                if len(receiver.members) != 1
                else layer_with_mode(machine, receiver, receiver.members[0], node)
            )
    if torch_model.is_tensor_method(attr) and isinstance(node.func, ast.Attribute):
        tensor = tensor_moved(machine, receiver, node.func.value)
        if tensor is not receiver:
            return machine.tensor_method(tensor, attr, node)
    made = library_call(machine, receiver, attr, node) or method_of_registry(machine, receiver, attr, node)
    made = made or _layer_parameters(machine, receiver, attr, node)
    return made or _view_of_parameter(machine, receiver, attr, node)


def _view_of_parameter(machine: Methods, parameter: Obj, attr: str, node: ast.Call) -> Obj | None:
    """``p.expand_as(p)``, which changes nothing."""
    if not parameter.members or not torch_model.is_view_of_tensor(attr):
        return None
    for _, expr, value in machine.arguments(node):
        for item in machine.flatten(value):
            machine.opaque_argument(item, True, expr)
    return view_of(machine, parameter.members, Obj("unknown", node, name=attr), node)


def _layer_parameters(machine: Methods, receiver: Obj, attr: str, node: ast.Call) -> Obj | None:
    if attr not in ("parameters", "named_parameters") or not receiver.members:
        return None
    machine.arguments(node)
    for collector in machine.collectors:
        collector.extend(receiver.members)
    return Obj("params", node, members=receiver.members, attr="part")


METHODS: dict[ObjKind, Callable[[Methods, Obj, str, ast.Call], Obj | None]] = {
    "module": module_method,
    "wrapper": module_method,
    "part": part_method,
    "params": _of_parameters,
    "optimizer": _of_optimizer,
    "scheduler": _of_optimizer,
    "tensor": _of_tensor,
    "element": _of_tensor,
    "encoding": encoding_method,
    "distribution": distributions.distribution_method,
    "generator": random_generators.generator_method,
    "super": _of_super,
    "instance": _of_instance,
    "class": _of_instance,
    "list": container_method,
    "dict": container_method,
    "loader": _of_loader,
    "device": _of_device,
    "unknown": _of_unknown,
}
