"""Devices that a function writes out where it needs them: ``device=torch.device("cuda") if cuda else torch.device("cpu")``. Where a fix
gives the function such a device a name, that has their spelling, and they become the name."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.devices.reaching_devices import ReachingDevices
    from placefix.facts.program.tree import Scope, Stmt


def inline_devices(devices: ReachingDevices, scope: Scope, key: tuple[object, ...]) -> list[tuple[ast.expr, Stmt]]:
    """The expressions of a function, other than definitions, that give the torch.device which is CUDA exactly under the test `key`."""
    return [
        (node, stmt)
        for node, stmt in _written_out(devices, scope)
        if getattr(stmt.node, "value", None) is not node
        and (meaning := devices.meaning(node, scope)) is not None
        and (meaning.key, meaning.index) == (key, None)
    ]


def _written_out(devices: ReachingDevices, scope: Scope) -> Iterator[tuple[ast.expr, Stmt]]:
    """The choices between two devices in a function."""
    for choice, stmt in devices.index.conditionals:
        if stmt.scope is scope and all(_is_device(devices, arm, scope) for arm in (choice.body, choice.orelse)):
            yield choice, stmt
    for call, stmt in devices.index.called("device"):
        if stmt.scope is scope and _is_device(devices, call, scope) and isinstance(call.args[0], ast.IfExp):
            yield call, stmt


def _is_device(devices: ReachingDevices, node: ast.expr, scope: Scope) -> bool:
    return (
        isinstance(node, ast.Call)
        and len(node.args) == 1
        and not node.keywords
        and devices.tree.qualname(node.func, scope) == "torch.device"
    )
