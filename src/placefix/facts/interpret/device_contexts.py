"""Contexts in which tensors may be made on another device: ``with torch.device("cuda"):``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.program.ast_names import is_name
from placefix.facts.program.ast_walk import walk

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
    entered = (cls.functions["__enter__"].function for cls in info.order if "__enter__" in cls.functions)
    return any(map(_enters_another, entered)) or any(base.startswith("torch.") for base in info.bases)


def _enters_another(function: ast.AST) -> bool:
    """Whether code enters a context; ``super().__enter__()`` is the same one."""
    calls = (node.func for node in walk(function) if isinstance(node, ast.Call))
    methods = [
        func for func in calls if isinstance(func, ast.Attribute) and func.attr in ("__enter__", "enter_context")
    ]
    return not all(isinstance(func.value, ast.Call) and is_name(func.value.func, "super") for func in methods)


def _makes_device(machine: Machine, context: ast.expr) -> bool:
    """Whether a context is a call of torch.device, which other domains do not follow."""
    if not isinstance(context, ast.Call):
        return False
    return machine.tree.qualname(context.func, machine.scopes_active[-1]) == "torch.device"
