"""Contexts in which tensors may be made on another device: ``with torch.device("cuda"):``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.program.ast_names import called_methods

if TYPE_CHECKING:
    from placefix.facts.interpret.interpreter_base import Machine
    from placefix.facts.interpret.values import Obj


def places_new_tensors(machine: Machine, context: Obj, expr: ast.expr) -> bool:
    """Whether tensors that are made inside a context may be on another device: it is a device, a mode of torch, or an object or a
    generator that enters another context."""
    if context in machine.device_contexts:
        return True
    info = context.cls if context.is_instance else None
    if info is None:
        return context.is_device or _makes_device(machine, expr)
    enter = info.methods.get("__enter__")
    delegates = enter is not None and bool(called_methods(enter.function) & {"__enter__", "enter_context"})
    return delegates or any(base.startswith("torch.") for base in info.bases)


def _makes_device(machine: Machine, context: ast.expr) -> bool:
    """Whether a context is a call of torch.device, which other domains do not follow."""
    if not isinstance(context, ast.Call):
        return False
    return machine.tree.qualname(context.func, machine.scopes_active[-1]) == "torch.device"
