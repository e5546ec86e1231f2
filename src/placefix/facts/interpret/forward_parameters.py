"""The parameters of a class's `forward`: which of them it moves, and which it uses as tensors or reads on the CPU."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import class_info, decorated, moves_in
from placefix.facts.program.ast_names import (
    argument_value,
    dotted,
    has_name,
    is_name,
    is_of_dimensions,
    last_name,
    parameters,
)
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.callees import class_of
from placefix.reachability import reachable
from placefix.torch_model import modules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope

# In `moves_inputs`: anything that a module is called with.
ANYTHING = "*"


def moves_inputs(info: ClassInfo) -> frozenset[str]:
    """The parameters of its `forward` that a module of this class may move: the receivers of moves outside __init__ that are neither
    the module itself nor made on the spot. `ANYTHING` among them, where one is no parameter of `forward`."""
    if info.moves_inputs is None:
        info.moves_inputs = _moves_inputs(info)
    return info.moves_inputs


def _moves_inputs(info: ClassInfo) -> frozenset[str]:
    if "forward" in info.methods and decorated(info.methods["forward"]):
        return frozenset((ANYTHING,))
    moved: set[str] = set()
    for name, method in _run_by_forward(info).items():
        given = parameters(method.function.args)
        for call in moves_in(method):
            receiver, attr = call.func.value, call.func.attr  # type: ignore[attr-defined]
            if isinstance(receiver, ast.Call) and (
                attr == "cpu"  # a result, which nothing brings to a device
                or torch_model.fills(method.tree.qualname(receiver.func, method))
                or _is_made_of_shapes(receiver, method)
            ):
                continue
            if not isinstance(receiver, ast.Name) or receiver.id == "self":
                moved |= set() if isinstance(receiver, ast.Name) else {ANYTHING}
            elif receiver.id in given:
                moved.add(receiver.id if name == "forward" else ANYTHING)
            elif not _made_inside(receiver.id, method):
                moved.add(ANYTHING)
    return frozenset(moved)


def _run_by_forward(info: ClassInfo) -> dict[str, Scope]:
    """The methods that a call of the module runs: those that `forward` names, and those that they name. All but the constructor if the
    class has no `forward`, or one that names methods by strings."""
    methods = {name: method for name, method in info.methods.items() if name != "__init__"}
    if "forward" not in methods:
        return methods

    def named(method: str) -> set[str]:
        """The methods that a method names."""
        return methods.keys() & {n.attr for n in walk(methods[method].function) if isinstance(n, ast.Attribute)}

    starts: list[str] = [name for name in ("__call__", "forward") if name in methods]
    found = reachable(starts, named)
    if any(has_name(methods[name].function, "getattr") for name in found):
        return methods
    return {name: method for name, method in methods.items() if name in found}


def _made_inside(name: str, method: Scope) -> bool:
    """Whether a method computes every value that it binds to a name only from the shapes, devices and types of its arguments."""
    bound = method.bindings.get(name, [])
    made = False
    for binding in bound:
        if not isinstance(binding, ast.Assign) or not any(is_name(t, name) for t in binding.targets):
            return False
        if _names_values(binding.value, method, name):
            return False
        made = made or _makes_tensor(binding.value, method)
    return made


def _is_made_of_shapes(value: ast.expr, method: Scope) -> bool:
    """Whether an expression makes a tensor only from the shapes, devices and types of the arguments: ``torch.tensor([]).view(-1)``."""
    return _makes_tensor(value, method) and not _names_values(value, method)


def _makes_tensor(value: ast.expr, method: Scope) -> bool:
    """Whether an expression calls a factory of tensors."""
    calls = (node for node in walk(value) if isinstance(node, ast.Call))
    return any(torch_model.is_factory(method.tree.qualname(call.func, method)) for call in calls)


def _names_values(value: ast.expr, method: Scope, *known: str) -> bool:
    """Whether an expression names something that the method binds, for more than its shape, but for the known names."""
    parts = walk(value)
    asked = {id(n.value) for n in parts if isinstance(n, ast.Attribute) and n.attr in _TOLD}
    names = (n for n in parts if isinstance(n, ast.Name) and n.id in method.bindings and n.id not in known)
    return any(id(name) not in asked for name in names)


# Properties of a tensor that are independent of its values.
_TOLD = frozenset(("size", "shape", "device", "dtype", "dim", "ndim", "numel"))
# Functions and methods that read values on the CPU.
_HOST_CALLS = frozenset({"pack_padded_sequence", "range", "int", "list", "tolist", "numpy"})
_HOST_METHODS = _HOST_CALLS | {"cpu"}
# Built-in functions that take the items of their arguments one by one.
_ITERATING = frozenset(("enumerate", "map", "reversed", "sorted", "tuple", "zip"))
# Where the names of functions and layers that take tensors begin.
_TENSOR_CODE = frozenset(("self", "F", "torch", "nn"))


def forward_argument(info: ClassInfo, position: int, keyword: str | None) -> str:
    """The use of an argument in `forward`: "tensor" (passes it directly to a layer or a torch
    function, or calls a tensor method on it), "sequence" (uses its items one by one: it may be a list of tensors), "host" (needs it on
    the CPU, or passes it to unknown code), "other"."""
    found = info.usage.get((position, keyword))
    if found is None:
        found = info.usage[position, keyword] = _forward_argument(info, position, keyword)
    return found


def forward_parameter(info: ClassInfo, position: int, keyword: str | None) -> str:
    """The parameter of `forward` that an argument of a call goes to, an empty string where that is not known."""
    forward = info.methods.get("forward")
    return _parameter(forward, position, keyword) or "" if forward is not None else ""


def _forward_argument(info: ClassInfo, position: int, keyword: str | None) -> str:
    forward, name = info.methods.get("forward"), forward_parameter(info, position, keyword)
    if forward is not None and keyword == "**":  # a mapping has all that `forward` needs
        uses = {_forward_argument(info, 0, needed) for needed in _needed(forward)}
        return "tensor" if "tensor" in uses and "host" not in uses else "host"
    if forward is None or not name or _counts_lengths(forward, name):
        return "host"
    return _usage(name, forward, info, ())


def _usage(name: str, method: Scope, info: ClassInfo, callers: tuple[Scope, ...]) -> str:
    """The use of a parameter by a method of the class and by those methods that get it; `callers`: the methods that called this one."""
    if method in callers:
        return "other"
    found = {use for node in method.nodes for use in _uses(node, name, method, info, (*callers, method))}
    return next((use for use in ("host", "tensor", "sequence") if use in found), "other")


def _uses(node: ast.AST, name: str, forward: Scope, info: ClassInfo, callers: tuple[Scope, ...]) -> Iterator[str]:
    """The uses of a parameter in one expression: as an operand, as a receiver, as an iterable and as arguments."""
    if isinstance(node, ast.BinOp) and (is_name(node.left, name) or is_name(node.right, name)):
        yield "tensor"
    if isinstance(node, ast.Subscript) and is_name(node.value, name) and is_of_dimensions(node.slice):
        yield "tensor"
    if isinstance(node, ast.Slice) and any(is_name(bound, name) for bound in (node.lower, node.upper, node.step)):
        yield "host"
    if isinstance(node, (ast.For, ast.comprehension)) and is_name(node.iter, name):
        yield "sequence"
    if not isinstance(node, ast.Call):
        return
    if isinstance(node.func, ast.Attribute) and is_name(node.func.value, name):
        if node.func.attr in _HOST_METHODS:
            yield "host"
        elif torch_model.shows_tensor(node.func.attr):
            yield "tensor"
    for number, argument in enumerate(node.args):
        if is_name(argument, name):
            yield from _uses_as_argument(node.func, number, forward, info, callers)


def _uses_as_argument(
    func: ast.expr, number: int, forward: Scope, info: ClassInfo, callers: tuple[Scope, ...]
) -> Iterator[str]:
    """The use of an argument by a function, by its position: torch, the layers and the class's other methods take tensors."""
    last = last_name(func)
    if forward.tree.qualname(func, forward) in api.PACK:
        yield "host" if number else "tensor"
    elif dotted(func) == f"self.{last}" and last in info.methods:
        inner = _parameter(info.methods[last], number, None)
        if inner is None or _counts_lengths(info.methods[last], inner):
            yield "host"
        else:
            yield _usage(inner, info.methods[last], info, callers)
    elif number and dotted(func) == f"self.{last}":
        yield _usage_by_part(last, number, info, callers)
    elif _first_name(func) in _TENSOR_CODE:
        yield _use_by_operator(forward.tree.qualname(func, forward) or "", number)
    elif last in _HOST_CALLS or (isinstance(func, ast.Attribute) and _is_count_of_method(last, number)):
        yield "host"
    elif isinstance(func, ast.Name) and func.id in _ITERATING:
        yield "sequence"


def _use_by_operator(name: str, number: int) -> str:
    """The use of an argument by a function of torch, by its position."""
    operator = torch_model.function(name)
    operand = operator.operand(number, None) if operator is not None else None
    if operator is not None and operand is None:
        return "host"  # a size, a dimension, a count
    return "sequence" if operand is not None and operand.several else "tensor"


def _is_count_of_method(name: str, number: int) -> bool:
    """Whether a method of tensors takes no tensor at this position: ``x.view(n, -1)``."""
    operator = torch_model.method(name)
    return operator is not None and operator.operand(number, None, method=True) is None


def _usage_by_part(attr: str, number: int, info: ClassInfo, callers: tuple[Scope, ...]) -> str:
    """The use of an argument, not the first, by the part in an attribute: it may hold lengths, which belong on the CPU, unless the part is a layer
    of a library or its class is known."""
    init = info.methods.get("__init__")
    made = [
        node.value.func
        for node in (init.nodes if init is not None else ())
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and any(dotted(target) == f"self.{attr}" for target in node.targets)
    ]
    if init is None or len(made) != 1:
        return "tensor" if attr in info.layers else "host"
    cls = class_of(init, made[0])
    if cls is None:
        return "tensor" if init.tree.qualname(made[0], init) else "host"
    part = class_info(cls, {})
    forward = part.methods.get("forward")
    inner = _parameter(forward, number, None) if forward is not None else None
    if forward is None or inner is None or _counts_lengths(forward, inner):
        return "host"
    return _usage(inner, forward, part, callers)


def _first_name(func: ast.expr) -> str:
    """`self` of ``self.layers[0].weight``; "" where no name comes first."""
    while isinstance(func, (ast.Attribute, ast.Subscript)):
        func = func.value
    return func.id if isinstance(func, ast.Name) else ""


def _counts_lengths(forward: Scope, name: str) -> bool:
    """Whether pack_padded_sequence, under any name, gets lengths that are made from a parameter, on its device."""
    made = {name}
    lengths = [
        value
        for call in forward.nodes
        if isinstance(call, ast.Call) and forward.tree.qualname(call.func, forward) in api.PACK
        if (value := argument_value(call, 1, "lengths")) is not None
    ]
    if not lengths:
        return False
    bindings = [n for n in forward.nodes if isinstance(n, ast.Assign)]
    for _ in bindings:
        made |= {
            part.id
            for n in bindings
            if _made_of(n.value, made)
            for target in n.targets
            for part in walk(target)
            if isinstance(part, ast.Name)
        }
    return any(_made_of(value, made) for value in lengths)


def _made_of(value: ast.expr, names: set[str]) -> bool:
    """Whether a value is one of these names, or is computed from one on its device."""
    if isinstance(value, ast.Name):
        return value.id in names
    if isinstance(value, ast.Attribute):
        return value.attr not in _TOLD and _made_of(value.value, names)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if value.func.attr in ("cpu", "numpy", "tolist", "item") or value.func.attr in _TOLD:
            return False
        return _made_of(value.func.value, names)
    parts: tuple[ast.expr, ...] = ()
    if isinstance(value, ast.BinOp):
        parts = (value.left, value.right)
    elif isinstance(value, ast.Subscript):
        parts = (value.value,)
    elif isinstance(value, ast.Compare):
        parts = (value.left, *value.comparators)
    return any(_made_of(part, names) for part in parts)


def packed_by(info: ClassInfo, position: int, keyword: str | None) -> ast.Name | None:
    """The argument that `forward` passes unchanged to pack_padded_sequence as the lengths; None if it does not."""
    forward = info.methods.get("forward")
    if forward is None or decorated(forward) or "pack_padded_sequence" not in forward.tree.text(forward):
        return None
    name = _parameter(forward, position, keyword)
    uses = [n for n in forward.nodes if isinstance(n, ast.Name) and n.id == name]
    if name is None or any(not isinstance(n.ctx, ast.Load) for n in uses):
        return None
    for n in forward.nodes:
        if isinstance(n, ast.Call) and forward.tree.qualname(n.func, forward) in api.PACK:
            given = argument_value(n, 1, "lengths")
            if isinstance(given, ast.Name) and given in uses:
                return given
    return None


def given_states(info: ClassInfo) -> set[str]:
    """The values that `forward` gives a recurrent layer as its state, by their texts: an argument, or ``self.hidden``, which is no layer."""
    forward, found = info.methods.get("forward"), set[str]()
    for node in walk(forward.node) if forward is not None else ():
        if isinstance(node, ast.Call) and len(node.args) == 2:
            layer, state = info.layers.get(dotted(node.func).removeprefix("self."), ""), dotted(node.args[1])
            if modules.role_of(layer) == "recurrent" and state and state.removeprefix("self.") not in info.layers:
                found.add(state)
    return found


def keeps_state(info: ClassInfo, attr: str) -> bool:
    """Whether `forward` gives a recurrent layer an attribute as it was set before the call: it neither moves nor replaces that, but by the
    layer's own result."""
    text = f"self.{attr}"
    if text not in given_states(info) or info.own_moves or info.places_self:
        return False
    nodes = walk(info.methods["forward"].node)
    written = any(isinstance(n, ast.Assign) and text in map(dotted, n.targets) for n in nodes)
    return not written and not any(
        isinstance(n, ast.Attribute) and n.attr in _HOST_METHODS | api.PLACING for n in nodes
    )


def state_updates(info: ClassInfo, attr: str) -> int:
    """The assignments of `forward` that only replace a state by the layer's next one: ``out, self.hidden = self.gru(x, self.hidden)``."""
    text, found = f"self.{attr}", 0
    for node in walk(info.methods["forward"].node) if keeps_state(info, attr) else ():
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and text in map(dotted, node.value.args[1:])
        ):
            parts = [part for target in node.targets if isinstance(target, ast.Tuple) for part in target.elts]
            found += text in map(dotted, parts)
    return found


def _needed(function: Scope) -> list[str]:
    """The parameters of a method that each call gives."""
    arguments = function.function.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
    return names[1 : len(names) - len(arguments.defaults)]


def _parameter(function: Scope, position: int, keyword: str | None) -> str | None:
    """The parameter of a method that an argument of its call is for."""
    arguments = function.function.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)][1:]
    if keyword is not None:
        return keyword if keyword in (*names, *(a.arg for a in arguments.kwonlyargs)) else None
    return names[position] if position < len(names) else None
