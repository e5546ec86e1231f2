"""Which axis of the result of an operator of torch has the samples of the batch, if each sample is computed alone.

An operator that mixes samples, such as a product of all pairs or a norm over the batch, has no such axis: its result for a part of the batch is
no part of its result for the batch.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

from placefix import torch_model
from placefix.facts.program.ast_names import called_name, is_literal, literal_int
from placefix.torch_model import axes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


Scale = Literal["same", "each", "column", "mean", "sum", "count", "rate", ""]

_AXES: dict[Scale, int] = {"each": 0, "column": 1}
_TOTALS: dict[str, Scale] = {"sum": "sum", "mean": "mean"}


def combined(op: ast.operator, left: Scale, right: Scale) -> Scale:
    """The scale of the result of an operator of Python."""
    pair = {left, right}
    if pair == {"same"}:
        return "same"
    if "" in pair or pair == {"each", "column"}:
        return ""
    if isinstance(op, ast.MatMult):
        return "each" if (left, right) == ("each", "same") else ""
    if isinstance(op, (ast.Add, ast.Sub)) and pair in ({"same", "mean"}, {"mean"}, {"sum"}, {"count"}):
        return "mean" if "mean" in pair else left
    if isinstance(op, (ast.Mult, ast.Div)) and right == "same":
        return left
    if isinstance(op, ast.Mult):
        if left == "same":
            return right
        if pair == {"mean", "count"}:
            return "sum"
        if pair == {"sum", "rate"}:
            return "mean"
    if isinstance(op, ast.Div) and right == "count":
        if left == "sum":
            return "mean"
        if left == "same":
            return "rate"
    return alone(pair)


def alone(scales: Iterable[Scale]) -> Scale:
    """The scale of a function of single entries: that of its operands, if all that depend on the batch have the samples on one axis."""
    found = set(scales) - {"same"}
    if not found:
        return "same"
    return found.pop() if len(found) == 1 and found <= _AXES.keys() else ""


def reduced(method: str, scale: Scale, dims: Sequence[int] | None, *, keep: bool = False) -> Scale:
    """The scale of a reduction. dims: the dimensions, None for all of them. keep: whether they stay, with size 1."""
    axis = _AXES.get(scale)
    if axis is None:
        return scale if scale == "same" or (method == "mean" and scale == "mean") else ""
    if axis == 1 and dims is not None and any(dim < 0 for dim in dims):
        return ""
    if dims is None or axis in dims:
        total = axes.row(method)
        return _TOTALS[total.value] if total.kind == "total" else ""
    return scale if keep or axis == 0 else "each"


def operation(name: str, args: Sequence[ast.expr], call: ast.Call, of: Callable[[ast.expr], Scale]) -> Scale:
    """The scale of the result of an operator of torch. args: its arguments by position, the tensor first."""
    named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    first = args[0] if args else named.get("input", named.get("tensors"))
    if first is None or any(isinstance(arg, ast.Starred) for arg in args):
        return ""
    name = name[:-1] if name.endswith("_") and axes.row(name).kind != "copy" else name
    row, scale, rest = axes.row(name), of(first), args[1:]
    if row.kind == "copy":
        return scale
    if row.kind == "arithmetic" and rest:
        return combined(row.operator, scale, of(rest[0]))
    if row.kind == "swap":
        return _swapped(scale, [_number(dim) for dim in rest])
    if row.kind == "shape":
        return _reshaped(name, scale, rest, named, of)
    if row.kind == "join":
        return _joined(name, scale, _dims(row.dim, rest, named))
    others = [of(arg) for arg in (*rest, *named.values())]
    if row.kind == "along":
        dims = _dims(row.dim, rest, named)
        return alone((scale, *others)) if dims is not None and reduced("", scale, dims, keep=True) == scale else ""
    if _reduces(name, rest):
        return _reduction(name, scale, rest, named, of)
    return _mapped(name, [scale, *others])


def _reduces(name: str, rest: Sequence[ast.expr]) -> bool:
    """Whether an operator gives one value for several entries; `max` and `min` do, except of two tensors."""
    if name in ("max", "min"):
        return not rest or _is_number(rest[0])
    operator = torch_model.method(name) or torch_model.function(f"torch.{name}")
    return axes.row(name).kind == "reduction" or (operator is not None and operator.rank == "reduces")


def _reduction(
    name: str,
    scale: Scale,
    rest: Sequence[ast.expr],
    named: dict[str, ast.expr],
    of: Callable[[ast.expr], Scale],
) -> Scale:
    """The scale of the result of an operator that reduces dimensions."""
    row = axes.row(name)
    place = row.dim if row.kind == "reduction" else axes.Dim(0)
    dims = _dims(place, rest, named)
    if dims is None and (named.keys() & {"dim", "axis"} or len(rest) > place.position):
        return ""
    if name == "cosine_similarity":
        scale = alone((scale, *map(of, rest[:1])))
    return reduced(name, scale, dims, keep=_keeps(named))


def gives_several(call: ast.Call) -> bool:
    """Whether a call of a function or method of torch gives several tensors: the largest entries and their places."""
    operator = torch_model.method(called_name(call)) or torch_model.function(f"torch.{called_name(call)}")
    if operator is None or not operator.gives_several:
        return False
    return "tensor" not in operator.returns or any(_number(arg) is not None for arg in call.args) or bool(call.keywords)


def _mapped(name: str, scales: list[Scale]) -> Scale:
    """The scale of a function of entries or samples, by the rows of the model of torch. Functions of torch.nn.functional compute each sample
    alone, with the samples on the first axis."""
    functional = torch_model.function(torch_model.FUNCTIONAL + name)
    operator = torch_model.method(name) or torch_model.function(f"torch.{name}") or functional
    if set(scales) == {"same"}:
        return "same"
    kind = axes.row(name).kind
    if kind == "mixing" or operator is None:
        return ""
    if kind == "weighed":
        return scales[0] if set(scales[1:]) <= {"same"} and scales[0] == "each" else ""
    found = alone(scales)
    pointwise = operator.rank == "keeps" and (
        operator.together.startswith("scalars") or "inplace" in operator.spellings
    )
    if pointwise or name.endswith("_like") or kind == "entries":
        return found
    return (
        found if found == "each" and (functional is not None or kind == "samples" or "random" in operator.marks) else ""
    )


def _swapped(scale: Scale, dims: list[int | None]) -> Scale:
    """The scale of a tensor with two dimensions exchanged, the first two if none are given."""
    if scale not in _AXES:
        return scale
    if not dims or set(dims) == {0, 1}:
        return "column" if scale == "each" else "each"
    return scale if None not in dims and not {0, 1} & set(dims) else ""


def _reshaped(
    name: str, scale: Scale, rest: Sequence[ast.expr], named: dict[str, ast.expr], of: Callable[[ast.expr], Scale]
) -> Scale:
    """The scale of a tensor in another shape."""
    axis = _AXES.get(scale)
    if axis is None:
        return scale
    sizes = rest[0].elts if len(rest) == 1 and isinstance(rest[0], (ast.Tuple, ast.List)) else rest
    numbers = [_number(size) for size in (*sizes, *(named[key] for key in ("start_dim", "dim") if key in named))]
    if name == "flatten":
        return "each" if axis == 0 or not numbers or numbers[0] == 0 else ""
    if name == "permute":
        return _at(numbers.index(axis)) if axis in numbers else ""
    if name in ("squeeze", "unsqueeze"):
        return _with_dim(name, axis, numbers)
    return _resized(name, axis, sizes, of)


def _with_dim(name: str, axis: int, numbers: list[int | None]) -> Scale:
    """The scale of a tensor with a dimension of size 1 more or less."""
    if not numbers:
        return _at(axis) if axis == 0 else ""  # squeeze: a batch of one sample is left out of account
    dim = numbers[0]
    if dim is None or (axis > 0 and dim < 0):
        return ""
    if name == "unsqueeze":
        return _at(axis + (0 <= dim <= axis))
    return _at(axis - (0 <= dim < axis)) if dim != axis else ""


def _resized(name: str, axis: int, sizes: Sequence[ast.expr], of: Callable[[ast.expr], Scale]) -> Scale:
    """The scale of a tensor after view, reshape, expand or repeat."""
    numbers = [_number(size) for size in sizes]
    if name == "repeat":
        return _at(axis) if len(numbers) > axis and numbers[axis] == 1 else ""
    kept = [n == -1 or of(size) == "count" for n, size in zip(numbers, sizes, strict=True)]
    if axis < len(kept) and kept[axis] and (axis == 0 or numbers[0] == 1 or name == "expand"):
        return _at(axis)
    if name == "expand":
        return ""
    if numbers == [-1]:
        return "each"
    return "column" if len(kept) > 1 and numbers[0] == 1 and kept[1] and axis == 0 else ""


def _joined(name: str, scale: Scale, dims: Sequence[int] | None) -> Scale:
    """The scale of several tensors in one, with the samples on one axis: along another dimension, or one behind the other."""
    if scale == "same" or dims is None:
        return scale if scale == "same" else ""
    if scale != "each":
        return ""
    return "column" if name == "stack" and dims[0] == 0 else "each"


def item(scale: Scale, index: ast.expr, of: Callable[[ast.expr], Scale]) -> Scale:
    """The scale of an item of a tensor."""
    axis = _AXES.get(scale)
    if axis is None:
        return scale if scale in ("same", "mean", "sum") else ""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    dim = 0  # of the tensor
    found = 0  # of the item
    for part in parts:
        if is_literal(part, None):
            found += 1
            continue
        if isinstance(part, ast.Constant) and part.value is Ellipsis:
            break
        if dim == axis:
            return _at(found) if _is_all(part) or (dim == 0 and of(part) == "each") else ""
        if of(part) not in ("same", "") or not (isinstance(part, ast.Slice) or _is_number(part)):
            return ""
        found += isinstance(part, ast.Slice)
        dim += 1
    return _at(axis - dim + found)


def _at(axis: int) -> Scale:
    return next((scale for scale, place in _AXES.items() if place == axis), "")


def _is_all(index: ast.expr) -> bool:
    return isinstance(index, ast.Slice) and index.lower is None and index.upper is None and index.step is None


def _number(node: ast.expr) -> int | None:
    """The value of an integer literal."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _number(node.operand)
        return -value if value is not None else None
    return literal_int(node)


def _is_number(node: ast.expr) -> bool:
    """Whether an index or argument is one number, as far as its text shows it."""
    return _number(node) is not None or (
        isinstance(node, (ast.Tuple, ast.List)) and bool(node.elts) and all(map(_is_number, node.elts))
    )


def _keeps(named: dict[str, ast.expr]) -> bool:
    given = named.get("keepdim", named.get("keepdims"))
    return is_literal(given, True)


def _dims(place: axes.Dim, rest: Sequence[ast.expr], named: dict[str, ast.expr]) -> list[int] | None:
    """The dimensions that a call names; None if it names none, or none that is known."""
    given = named.get("dim", named.get("axis")) or (rest[place.position] if len(rest) > place.position else None)
    if given is None or is_literal(given, None):
        return [place.default] if place.default is not None else None
    found = [_number(one) for one in (given.elts if isinstance(given, (ast.Tuple, ast.List)) else [given])]
    return [one for one in found if one is not None] if None not in found else None
