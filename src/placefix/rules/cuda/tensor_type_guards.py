"""Guards whose one arm makes tensors by a type of CUDA and whose other arm makes the same by the CPU's:
``if cuda: x = torch.cuda.LongTensor(y)``, ``else: x = torch.LongTensor(y)``."""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site


def typed(context: AnalysisContext) -> dict[ast.AST, list[Site]]:
    """The uses of types that are written out (``torch.cuda.FloatTensor``), by the guard around them."""
    groups: dict[ast.AST, list[Site]] = {}
    for site in context.get(Cuda).sites:
        if site.guard is not None and site.names_type and isinstance(site.literal, ast.Attribute):
            groups.setdefault(site.guard.node, []).append(site)
    return groups


def unplaced(move: ast.Call) -> ast.expr:
    """The expression without CUDA: the moved expression, or the same construction with the CPU type."""
    func = move.func
    assert isinstance(func, ast.Attribute)
    if func.attr == "type":
        return _with(move, args=[_of_cpu(move.args[0])])
    return _with(move, func=_of_cpu(func)) if func.attr in api.TENSOR_TYPES else func.value


def is_type(move: ast.Call) -> bool:
    """Whether a use of CUDA is that of a type."""
    return isinstance(move.func, ast.Attribute) and (move.func.attr == "type" or move.func.attr in api.TENSOR_TYPES)


def _with(call: ast.Call, **changed: object) -> ast.Call:
    new = copy.copy(call)
    for name, value in changed.items():
        setattr(new, name, value)
    return new


def _of_cpu(written: ast.expr) -> ast.expr:
    """``torch.FloatTensor`` for ``torch.cuda.FloatTensor``."""
    assert isinstance(written, ast.Attribute)
    new = copy.copy(written)
    if isinstance(new.value, ast.Attribute) and new.value.attr == "cuda":
        new.value = new.value.value
    return new
