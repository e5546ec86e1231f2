"""Calls of builtins and of the standard library that hand on what they are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from placefix.facts.interpret.values import UNKNOWN_PLACE, Obj

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from placefix.facts.interpret.calls import Calls
    from placefix.facts.interpret.machine import Arguments


def _enumerate(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    return Obj("enumerated", node, base=first)


def _zip(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    return Obj("zipped", node, items=tuple(v for _, _, v in args))


def _same(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    if first.kind in ("loader", "params", "enumerated", "zipped", "list", "tuple", "tensor", "element", "generated"):
        if first.kind == "params":
            return Obj("params", node, members=first.members)
        return first
    return Obj("unknown", node, members=first.members)


def _next(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    if first.kind == "loader":
        return machine.new_element(first, node)
    if first.kind == "generated" and first.base is not None:
        return first.base
    if first.kind == "params":
        return Obj("tensor", node, place=UNKNOWN_PLACE)
    if first.kind == "enumerated" and first.base is not None and first.base.kind == "loader":
        return Obj("tuple", node, items=(Obj("const", node), machine.new_element(first.base, node)))
    return Obj("unknown", node)


def _chain(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    members = tuple(dict.fromkeys(m for _, _, v in args for m in v.members))
    return Obj("params", node, members=members)


def _filter(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    members = tuple(dict.fromkeys(m for _, _, v in args for m in v.members))
    return Obj("params" if members else "unknown", node, members=members)


def _collect(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj | None:
    """`dict(net.named_parameters())`, `set(net.parameters())`: the same parameters in another container."""
    return Obj("params", node, members=first.members) if first.kind == "params" and len(args) == 1 else None


def _copy(machine: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    if first.is_module:
        root = first.root()
        copied = Obj("module", node, name=root.name, cls=root.cls, proven=root.proven, loss=root.loss)
        machine.state.place[copied] = machine.place_of(first)
        machine.touch(root, "copied")
        machine.event("copy", node, copied)
        return copied
    return Obj("unknown", node)


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
    "map": _filter,
    "dict": _collect,
    "set": _collect,
    "frozenset": _collect,
    "collections.OrderedDict": _collect,
    "copy.deepcopy": _copy,
    "torch.optim.swa_utils.AveragedModel": _copy,
    "copy.copy": _copy,
}
