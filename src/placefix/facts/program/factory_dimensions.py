"""The dimensions of the tensors that factories of torch make, by their calls."""

from __future__ import annotations

import ast

from placefix import torch_model
from placefix.facts.program.ast_names import argument_value, dotted, makes_list


def made_dimensions(name: str, node: ast.Call) -> int:
    """The least number of dimensions of a factory's result, where sizes that are not written out count as one."""
    return max(dimensions(name, node), int(has_dimension(name, node)))


def dimensions(name: str, call: ast.Call) -> int:
    """The least number of dimensions of a factory's result that are written out: none of ``torch.zeros(n)``, as `n` may be an empty tuple."""
    operator = torch_model.function(name)
    rank = operator.rank if operator is not None else ""
    if rank.isdigit():
        return int(rank)
    if name == "torch.tensor" and call.args:
        return int(isinstance(call.args[0], ast.Tuple) or makes_list(call.args[0]))
    if rank != "sizes" or not call.args or any(isinstance(a, ast.Starred) for a in call.args):
        return 0
    if len(call.args) > 1 and name != "torch.full":
        return len(call.args)
    return _sizes(call.args[0])


def _sizes(size: ast.expr) -> int:
    """How many sizes an expression holds at least: two of ``(steps, envs) + space.shape``."""
    if isinstance(size, ast.BinOp) and isinstance(size.op, ast.Add):
        return _sizes(size.left) + _sizes(size.right)
    if isinstance(size, ast.Call):
        return int(dotted(size.func) in ("len", "int"))
    if isinstance(size, ast.Constant):
        return int(isinstance(size.value, int))
    return sum(not isinstance(e, ast.Starred) for e in size.elts) if isinstance(size, (ast.Tuple, ast.List)) else 0


def has_dimension(name: str, node: ast.Call) -> bool:
    """Whether the result of a factory has a dimension: ``torch.zeros(n)`` has one, as nobody writes that for an empty tuple."""
    if name == "torch.normal":
        size = argument_value(node, 2, "size")
        return isinstance(size, (ast.Tuple, ast.List)) and bool(size.elts)
    first = node.args[0] if node.args else next((k.value for k in node.keywords[:1] if k.arg == "size"), None)
    operator = torch_model.function(name)
    if isinstance(first, ast.Starred):  # torch.randn(*x.shape)
        return operator is not None and operator.rank == "sizes" and name != "torch.full"
    if first is None:
        return False
    if isinstance(first, (ast.Tuple, ast.List)):
        return bool(first.elts)
    if name in ("torch.tensor", "torch.as_tensor", "torch.asarray"):
        return makes_list(first)
    if name == "torch.full":
        return not isinstance(first, ast.Constant)
    return operator is not None and operator.rank not in ("may", "keeps", "")
