"""Calls of builtins and of the standard library that return their arguments, or values made from them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from placefix.facts import torch_api as api
from placefix.facts.interpret.module_effects import effect_inside
from placefix.facts.interpret.values import UNKNOWN_PLACE, Obj, made_of
from placefix.facts.program.ast_names import dotted, is_name
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.facts.interpret.calls import Calls
    from placefix.facts.interpret.interpreter_base import Arguments


def _enumerate(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    return Obj("enumerated", node, base=first)


def _zip(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    return Obj("zipped", node, items=tuple(v for _, _, v in args))


def _same(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    if first.kind in ("loader", "params", "enumerated", "zipped", "list", "tuple", "tensor", "element", "generated"):
        if first.kind == "params":
            return Obj("params", node, members=first.members)
        machine.use_as_sequence(first, node)
        if first.kind == "generated" and dotted(node.func) in ("list", "tuple"):
            return Obj("list", node, base=first.base, members=first.members)
        return first
    return Obj("unknown", node, members=made_of(first))


def _next(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    if first.kind == "loader":
        return machine.new_element(first, node)
    if first.kind == "generated" and first.base is not None:
        return machine.any_item(first, first.base)
    if first.kind == "params" and first.attr not in ("modules", "children", "named_modules", "named_children"):
        return Obj("tensor", node, place=UNKNOWN_PLACE, members=first.members)
    if first.kind == "enumerated" and first.base is not None and first.base.kind == "loader":
        return Obj("tuple", node, items=(Obj("const", node), machine.new_element(first.base, node)))
    return Obj("unknown", node, members=made_of(first))


def _chain(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    members = tuple(dict.fromkeys(m for _, _, v in args for m in made_of(v)))
    return Obj("params", node, members=members)


def _filter(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    members = tuple(dict.fromkeys(m for _, _, v in args for m in made_of(v)))
    return Obj("params" if members else "unknown", node, members=members)


def _map(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    """`map(lambda layer: layer.freeze(), net.children())`."""
    result = _filter(machine, node, args, first)
    calls = (part for part in walk(node.args[0]) if isinstance(part, ast.Call))
    effects = {effect_inside(call.func.attr) for call in calls if isinstance(call.func, ast.Attribute)}
    if first.kind in ("function", "method"):
        effects.add("opaque")
    for member in result.members:
        for what in effects - {"read"}:
            machine.touch(member, what)
    if not is_name(node.args[0], "int") and not is_name(node.args[0], "str"):
        for _, expr, value in args[1:]:
            machine.use(value, "opaque", expr)  # its rows, to a function that is not followed here
    return result


def _collect(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj | None:
    """`dict(net.named_parameters())`, `set(net.parameters())`: the same parameters in another container."""
    return Obj("params", node, members=first.members) if first.kind == "params" and len(args) == 1 else None


def _partial(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj | None:
    """`partial(SGD, lr=0.1)` makes the same object as SGD."""
    bare = all(keyword not in (None, "**", "params") for keyword, _, _ in args[1:])
    return first if first.is_import and api.is_optimizer(first.name) and bare else None


def _copy(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    if first.is_module:
        root = first.root()
        copied = Obj("module", node, name=root.name, cls=root.cls, premises=root.premises, loss=root.loss)
        machine.state.place[copied] = machine.place_of(first)
        machine.touch(root, "copied")
        machine.event("copy", node, copied)
        return copied
    return Obj("unknown", node)


def _cast(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj | None:
    """`typing.cast(kind, x)` returns x."""
    return args[1][2] if len(args) == 2 else None


def _import_module(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj | None:
    """`importlib.import_module("nets")` is the module that an import of the name binds."""
    if len(args) != 1 or not isinstance(first.value, str) or first.value.startswith("."):
        return None
    return Obj("import", name=first.value, scope=machine.tree.root)


BUILTINS: dict[str, Callable[[Any, ast.Call, Arguments, Obj], Obj | None]] = {
    "enumerate": _enumerate,
    "zip": _zip,
    "iter": _same,
    "list": _same,
    "tuple": _same,
    "reversed": _same,
    "sorted": _same,
    "cycle": _same,
    "itertools.cycle": _same,
    "itertools.islice": _same,
    "next": _next,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain,
    "filter": _filter,
    "map": _map,
    "dict": _collect,
    "set": _collect,
    "frozenset": _collect,
    "collections.OrderedDict": _collect,
    "functools.partial": _partial,
    "copy.deepcopy": _copy,
    "torch.optim.swa_utils.AveragedModel": _copy,
    "copy.copy": _copy,
    "typing.cast": _cast,
    "importlib.import_module": _import_module,
}
