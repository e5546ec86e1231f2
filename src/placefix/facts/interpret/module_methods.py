"""Methods of modules, of their wrappers and of their parts in the abstract interpreter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import made_attributes, only_initialises
from placefix.facts.interpret.module_effects import effect
from placefix.facts.interpret.values import UNKNOWN_PLACE, Obj, whole_of
from placefix.facts.program.ast_names import is_literal
from placefix.torch_model import libraries

if TYPE_CHECKING:
    import ast

    from placefix.facts.interpret.forward_calls import ForwardCalls
    from placefix.facts.interpret.interpreter_base import Arguments, Machine

# They give a module's parameters or parts.
_PARTS = frozenset(
    ("parameters", "named_parameters", "modules", "named_modules", "children", "named_children", "buffers")
)
# They give a part of a module, though they change nothing.
_GIVES_PART = frozenset(("get_submodule", "get_parameter"))


def module_method(machine: ForwardCalls, receiver: Obj, attr: str, node: ast.Call) -> Obj:
    """A method of a module or of its wrapper."""
    if attr in api.MODES and receiver.root().outside:
        machine.switched.add(receiver.root())
    if attr in _PARTS:
        machine.arguments(node)
        machine.touch(receiver.root(), "read")
        return _parameters(machine, receiver.root(), node, attr, receiver)
    followed = _followed(machine, receiver, attr, node)
    if followed is not None:
        return followed
    return _torch_method(machine, receiver, attr, node, machine.arguments(node))


def layer_of(part: Obj) -> Obj | None:
    """``self.fc1`` as a module, if the class makes it a layer of torch.nn; else None."""
    owner = part.base
    if owner is None or owner.cls is None or part.attr not in owner.cls.layers:
        return None
    return Obj("module", part.origin, base=owner, attr=part.attr, name=owner.cls.layers[part.attr])


def part_method(machine: ForwardCalls, receiver: Obj, attr: str, node: ast.Call) -> Obj:
    """A method of model.layer, model.weight and the like."""
    args = machine.arguments(node)
    if attr in ("parameters", "named_parameters"):
        base = whole_of(receiver)
        return _parameters(machine, base, node, "part", None) if base is not None else Obj("unknown", node)
    for _, expr, value in args:
        machine.use(value, "opaque", expr)
        for item in machine.flatten(value):
            if item.is_module:
                machine.opaque_argument(item, False, expr)
    whole = whole_of(receiver)
    if attr in api.MODES and whole is not None:
        return layer_with_mode(machine, receiver, whole, node)
    if attr in api.MODULE_NEUTRAL or torch_model.is_answer(attr):
        machine.touch_part(receiver, "read")
        return Obj("unknown", node)
    if torch_model.is_view_of_tensor(attr) and whole is not None:
        return view_of(machine, (whole,), Obj("tensor", node, place=UNKNOWN_PLACE), node)
    done = effect(attr)
    machine.touch_part(receiver, done if done != "read" else "opaque")
    return Obj("tensor", node, place=UNKNOWN_PLACE)


def layer_with_mode(machine: ForwardCalls, part: Obj, whole: Obj, node: ast.Call) -> Obj:
    """``model.features.eval()``: a part of a module as a module, since nothing else has a mode."""
    machine.touch_part(part, "read")
    layer = Obj("module", node, base=whole, attr=part.attr)
    if part in machine.state.place:
        machine.state.place[layer] = machine.state.place[part]
    return layer


def view_of(machine: Machine, modules: tuple[Obj, ...], view: Obj, node: ast.Call) -> Obj:
    """A view of a parameter of one of these modules, which are only read."""
    view.members = modules
    for module in modules:
        machine.touch(module, "read")
    machine.event("view", node, view, args=modules, places=tuple(machine.place_of(module) for module in modules))
    return view


def _parameters(machine: ForwardCalls, module: Obj, node: ast.Call, attr: str, base: Obj | None) -> Obj:
    """The parameters, or the parts, of a module."""
    for collector in machine.collectors:
        collector.append(module)
    return Obj("params", node, members=(module,), attr=attr, base=base)


def _followed(machine: ForwardCalls, receiver: Obj, attr: str, node: ast.Call) -> Obj | None:
    """A forward call, of the module or of one of its layers, or a method of its class that is run; None for others."""
    root = receiver.root()
    info = root.cls
    if info is not None and attr in info.layers:
        machine.touch(root, "call")
        return machine.forward(Obj("module", node.func, base=root, attr=attr, name=info.layers[attr]), node)
    row = libraries.member(root.name, attr) if root.name else None
    if attr == "forward" or (row is not None and row.result == "call"):
        return machine.forward(receiver, node)
    if row is not None and row.result == "own" and not node.args and not node.keywords:
        machine.touch(root, "read")
        place = machine.place_of(receiver)
        return Obj(
            "tensor", node, place=place if place.is_off_cpu else UNKNOWN_PLACE, premises=root.premises, maybe=True
        )
    if info is not None and attr in info.methods and attr != "__init__":
        return machine.local_call(info.methods[attr], root, node)
    field = machine.state.fields.get((root, attr))
    if field is not None and field.is_module:
        return machine.forward(field, node)
    if not _is_unseen_part(machine, root, attr, field):
        return None
    args = machine.arguments(node)
    return machine.called_part(root, attr, node, args) or _torch_method(machine, receiver, attr, node, args)


def _is_unseen_part(machine: ForwardCalls, root: Obj, attr: str, value: Obj | None) -> bool:
    """Whether an attribute of a placed module is made by its class, of another class that is not seen. value: its value, if known."""
    info = root.cls
    if value is not None and not value.is_unknown:
        return False
    if machine.abroad or info is None or not info.closed:
        return False
    return machine.place_of(root).is_off_cpu and attr in made_attributes(info)


def _may_return(machine: ForwardCalls, hook: Obj) -> bool:
    """Whether a function may return a value other than None."""
    if hook.scope is None or hook.kind not in ("function", "method"):
        return True
    values = (node.value for node in hook.scope.tree.returns.get(hook.scope, ()))
    return any(value is not None and not is_literal(value, None) for value in values)


def _torch_method(machine: ForwardCalls, receiver: Obj, attr: str, node: ast.Call, args: Arguments) -> Obj:
    """A method of torch.nn.Module, or one that is not known."""
    root = receiver.root()
    if attr == "load_state_dict":
        machine.touch(root, "params" if any(k == "assign" for k, _, _ in args) else "load")
        return Obj("unknown", node)
    if attr == "apply":
        function = args[0][2].scope if args and args[0][2].kind in ("function", "method") else None
        machine.touch(root, "init" if function is not None and only_initialises(function) else "opaque")
        return receiver
    if attr in api.FORWARD_HOOKS and args and _may_return(machine, args[0][2]):
        machine.state.fields[root, "forward"] = Obj("unknown", node)  # the hook may move inputs or outputs
    neutral = attr in api.MODULE_NEUTRAL
    machine.touch(root, "read" if neutral else "params" if attr in api.MODULE_PARAMS else "opaque")
    for _, expr, value in args:
        for item in machine.flatten(value):
            if item.is_module:
                machine.touch(item.root(), "opaque")
            else:
                machine.opaque_argument(item, False, expr)
    if attr in api.RETURNS_SELF:
        return receiver
    return Obj("unknown", node, members=(root,) if not neutral or attr in _GIVES_PART else ())
