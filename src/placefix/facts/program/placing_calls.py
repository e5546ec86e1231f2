"""Code that places a tensor or a module on a device, or copies it to the host."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.naming import names_host_code
from placefix.facts.program.ast_names import argument_values, dotted, identifier
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from placefix.facts.program.tree import Scope


def goes_to_host(node: ast.AST) -> bool:
    """Whether code copies values to the host, or computes there, by the names in it."""
    return any(names_host_code(identifier(part)) for part in walk(node))


def placing_parts(call: ast.Call, scope: Scope) -> Iterator[ast.AST]:
    """The parts of a call in `scope` that name a device only to place something there (``x.cuda()``, ``torch.ones(2, device=device)``),
    or a method that does (``hasattr(x, "cuda")``)."""
    name = scope.tree.qualname(call.func, scope)
    where: Sequence[ast.expr] = ()
    if isinstance(call.func, ast.Attribute) and call.func.attr in api.PLACING and name is None:
        yield call.func
        where = argument_values(call)
    elif torch_model.is_factory(name):
        where = [keyword.value for keyword in call.keywords if keyword.arg == "device"]
    elif dotted(call.func) == "hasattr" and call.args and scope.tree.qualname(call.args[0], scope) is None:
        where = call.args[1:]
    for argument in where:
        yield from walk(argument)


def receivers(node: ast.expr) -> Iterator[ast.expr]:
    """The tensors of a chain of methods and attributes of tensors: ``x.grad.detach()``, ``x.grad``, ``x``."""
    while True:
        yield node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and torch_model.stays(node.func.attr):
            node = node.func.value
        elif isinstance(node, ast.Attribute) and torch_model.attribute(node.attr) is not None:
            node = node.value
        else:
            return
