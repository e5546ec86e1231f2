"""Distributions of torch in the abstract interpreter: they are on the device of the tensors they are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts.interpret.interpreter_base import is_of_unseen_module
from placefix.facts.interpret.values import UNKNOWN_PLACE, Obj
from placefix.torch_model import modules

if TYPE_CHECKING:
    import ast

    from placefix.facts.interpret.interpreter_base import Arguments, Machine

# Methods that need their argument on the device of the distribution, and those that give a tensor of it.
MEETS = frozenset(("log_prob", "cdf", "icdf"))
GIVES = frozenset(("sample", "rsample", "sample_n", "entropy", "perplexity", "expand"))


def new_distribution(machine: Machine, name: str, node: ast.Call, args: Arguments) -> Obj:
    """``Normal(torch.zeros(2), torch.ones(2))``"""
    given = [(value, expr) for _, expr, value in args if value.is_tensor_like]
    for value, expr in given:
        machine.use(value, "opaque", expr)
    result = Obj("distribution", node, name=name, items=tuple(value for value, _ in given))
    result.value = tuple(expr for _, expr in given), machine.stack[-1].stmt
    return result


def distribution_method(machine: Machine, receiver: Obj, attr: str, node: ast.Call) -> Obj:
    """A method of a distribution: its argument must be on the device of the distribution."""
    args = machine.arguments(node)
    known = modules.distribution(receiver.name)
    takes_any = known is not None and known.moves and attr == "log_prob"
    for _, expr, value in args:
        machine.use(value, "opaque", expr)
        if attr in MEETS and machine.on_device(value) and not takes_any:
            _stays(machine, receiver, value, node)
    if attr not in MEETS | GIVES:
        return Obj("unknown", node)
    met = [value for _, _, value in args] if not takes_any else []
    placed = next((o for o in (*met, *(receiver.items or ())) if machine.on_device(o)), None)
    return Obj("tensor", node, place=placed.place if placed is not None else UNKNOWN_PLACE)


def divergence(machine: Machine, node: ast.Call, args: Arguments) -> Obj:
    """``kl_divergence(q, p)``"""
    both = [value for _, _, value in args if value.kind == "distribution"]
    placed = next((o for one in both for o in one.items or () if machine.on_device(o)), None)
    if placed is None:
        return Obj("tensor", node, place=UNKNOWN_PLACE)
    for one in both:
        _stays(machine, one, placed, node)
    return Obj("tensor", node, place=placed.place)


def _stays(machine: Machine, one: Obj, placed: Obj, node: ast.Call) -> None:
    """Record a distribution of tensors on the CPU that is used with a tensor on a device. Numbers mix freely."""
    made_of = () if is_of_unseen_module(placed) else one.items or ()
    if made_of and all(o.place is not None and o.place.is_host and not o.maybe and o.roots for o in made_of):
        machine.event("prior", node, one, place=placed.place, args=(placed,))
