"""Generators of random numbers in the abstract interpreter: each draws for the tensors of one device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts.interpret.values import HOST, Obj, Place

if TYPE_CHECKING:
    import ast

    from placefix.facts.interpret.interpreter_base import Arguments
    from placefix.facts.interpret.tensors import Tensors

_ON_GPU = frozenset(("cuda", "available", "index"))


def new_generator(machine: Tensors, node: ast.Call, args: Arguments) -> Obj:
    """``torch.Generator(device)``: on the CPU without a device; unknown on a device that is not known."""
    if not args:
        return Obj("generator", node, place=HOST)
    device = machine.device_of(args[0][1], args[0][2])
    if device is None or len(args) > 1:
        return Obj("unknown", node)
    return Obj("generator", node, place=HOST if device.is_cpu else Place("device", device))


def generator_method(machine: Tensors, receiver: Obj, attr: str, node: ast.Call) -> Obj:
    """A method of a generator: `manual_seed` returns it."""
    machine.arguments(node)
    return receiver if attr == "manual_seed" else Obj("unknown", node)


def check_generator(machine: Tensors, name: str, node: ast.Call, args: Arguments, result: Obj | None) -> None:
    """Record a generator that is given to a function which draws on another device. result: that of the call."""
    given = next(((e, v) for k, e, v in args if k == "generator" and v.kind == "generator"), None)
    if given is None or given[1].place is None or result is None:
        return
    expr, generator = given
    if name.startswith("torch.utils.data."):  # which draws indices on the CPU
        place = HOST if not machine.ambient_device() else None
    else:
        place = result.place if result.is_tensor_like and result.proven else None
    if place is None:
        return
    one, two = _is_on_gpu(generator.place), _is_on_gpu(place)
    if one is not None and two is not None and one != two:
        machine.event("generator", node, generator, place=place, arg_node=expr)


def _is_on_gpu(place: Place | None) -> bool | None:
    """Whether a place is a GPU where there is one; None if that is not known."""
    if place is not None and place.is_host:
        return False
    device = place.device if place is not None and place.is_device else None
    if device is not None and device.is_cpu:
        return False
    return True if device is not None and device.kind in _ON_GPU else None
