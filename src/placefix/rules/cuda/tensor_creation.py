"""Calls that create a tensor, and the edits with which they create it on a device: ``torch.zeros(n).cuda()`` is
``torch.zeros(n, device=device)``, ``torch.FloatTensor([x]).cuda()`` is ``torch.tensor([x], dtype=torch.float32, device=device)``.

Only calls that give the same values on any device count: random numbers differ.
"""

from __future__ import annotations

import ast
import itertools
import re
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.diagnostic import Delete, Insert, Remark, Replace, Span, Unwrap
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.torch_imports import TorchImports
from placefix.facts.program.assignments import assigned_name, only_target, target_pairs
from placefix.facts.program.ast_names import argument_values, is_name, literal_int
from placefix.facts.program.ast_walk import walk
from placefix.rules.cuda.guard_branches import nothing
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from placefix.diagnostic import Edit
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.tree import Stmt

# Arguments of a call that creates a tensor which do not decide where.
_KEEPS_PLACE = frozenset(("dtype", "layout", "size", "fill_value"))
# What fills a new tensor, by the value.
_FILLED: dict[float | None, str] = {0: "zeros", 1: "ones"}


class TensorCreation(FileAnalysis):
    """The calls of a file that create tensors."""

    def moved(self, move: ast.Call, stmt: Stmt, device: str) -> tuple[Replace, ...]:
        """The edits that create on `device` the tensor that a call creates and `move` moves; empty if it creates nothing, or other values."""
        if not isinstance(move.func, ast.Attribute):
            return ()
        end = self.context.span(move.func.value).end
        tail = Span(end, self.context.span(move).end)
        text = self.context.source.segment(tail)
        made = (
            ()
            if not text.startswith(".") or any(c in text for c in "\r\n#")
            else self.on_device(move.func.value, stmt, device)
        )
        return (*made, Replace(tail, "", text)) if made else ()

    def on_device(self, expr: ast.expr, stmt: Stmt, device: str, *, rounded: bool = False) -> tuple[Replace, ...]:
        """The edits with which an expression creates its tensor on `device`; empty if it creates none, or other values. rounded: whether
        values may differ in their last digits, as those of torch.linspace do."""
        whole, expr = expr, _before_views(expr)
        call, value = _filled(expr)
        name = self.context.tree.qualname(call.func, stmt.scope) or "" if isinstance(call, ast.Call) else ""
        if not isinstance(call, ast.Call) or not call.args:
            return ()
        if expr is not whole and not _makes_default_type(call, name):
            return ()
        kind = name.removeprefix("torch.")
        if name.startswith("torch.") and kind in api.TENSOR_TYPES:
            return self.of_type(call, kind, expr, stmt, device)
        if not (_may_be_rounded(name) if rounded else self._is_same_anywhere(call, name, stmt)):
            return ()
        if any(k.arg not in _KEEPS_PLACE and not _is_no_gradient(k) for k in call.keywords):
            return ()
        given = self._last_argument(call, f"device={device}")
        if given is None or call is expr:
            return (given,) if given is not None else ()
        torch = self.context.get(TorchImports).name_at(stmt)
        if value not in _FILLED or name != "torch.empty" or torch is None:
            return (given,)
        return (self._named(call, f"{torch}.{_FILLED[value]}"), given, *self._end(call, expr))

    def of_type(self, call: ast.Call, kind: str, expr: ast.expr, stmt: Stmt, device: str) -> tuple[Replace, ...]:
        """The edits for the call of a tensor type, in `expr` which may fill it; empty if its result is unknown."""
        torch = self.context.get(TorchImports).name_at(stmt)
        if torch is None or not call.args or call.keywords or any(isinstance(a, ast.Starred) for a in call.args):
            return ()
        given = self._last_argument(call, f"dtype={torch}.{api.TENSOR_TYPES[kind]}, device={device}")
        if given is None:
            return ()
        if len(call.args) == 1 and isinstance(call.args[0], (ast.List, ast.ListComp)):
            return (self._named(call, f"{torch}.tensor"), given)
        if len(call.args) == 1 and not self.is_size(call.args[0], stmt):
            return ()
        _, value = _filled(expr)
        name = _FILLED.get(value, "empty")
        return (self._named(call, f"{torch}.{name}"), given, *(self._end(call, expr) if name != "empty" else ()))

    def created_above(
        self, sites: Sequence[Site], owner: Stmt, mine: Sequence[Stmt], device: str, inserts: Sequence[Edit] = ()
    ) -> tuple[Edit, ...]:
        """The edits for moves of tensors that the statements right above `owner` create: these create them on `device`.

        owner: the guard of the moves, which goes, or their statement. mine: the statements with the moves; those that do more than bind
        the moved tensors anew stay. inserts: the definition of `device`, which goes above the creations. Empty for any other move.
        """
        definitions = [insert for insert in inserts if isinstance(insert, Insert)]
        moved = _moved_names(sites)
        first, made = self._created_right_above(owner, device, len(sites))
        here = self.context.span(owner)
        if len(moved) < len(sites) or sorted(moved.values()) != sorted(made) or {s.stmt for s in sites} - {*mine}:
            return ()
        read = " ".join([device, *(insert.text for insert in definitions)])
        if not made.keys().isdisjoint(re.findall(r"\w+", read)) or len(definitions) < len(inserts):
            return ()
        if any(insert.anchor != here for insert in definitions):
            return ()
        lifted = [self.context.get(Devices).lifted(insert, first) for insert in definitions]
        edits: tuple[Edit, ...] = (*lifted, *itertools.chain(*made.values()))
        rebinding = [_only_rebinds(stmt, moved) for stmt in mine]
        comment = self._comment_of(owner.suite.stmts[owner.index - 1], owner)
        if all(rebinding) and comment is not None:
            return (*edits, *comment, Delete((here,)))
        if any(rebinding) or not inserts:
            return ()
        names = tuple(Replace(self.context.span(node), name, self.context.text(node)) for node, name in moved.items())
        kept = tuple(self.context.span(stmt) for stmt in mine if not nothing(stmt.node))
        return (*edits, Unwrap(here, kept, names))

    def _created_right_above(self, owner: Stmt, device: str, most: int) -> tuple[Stmt, dict[str, tuple[Replace, ...]]]:
        """The first of the statements right above `owner`, `most` at the most, that each create a tensor; and the edits by their names."""
        first, made = owner, dict[str, tuple[Replace, ...]]()
        for above in reversed(owner.suite.stmts[max(owner.index - most, 0) : owner.index]):
            name = assigned_name(above.node)
            edits = self.on_device(above.node.value, above, device) if name else ()  # type: ignore[attr-defined]
            if not edits or name in made or any(isinstance(n, ast.NamedExpr) for n in walk(above.node)):
                break
            first, made[name] = above, edits
        return first, made

    def _is_same_anywhere(self, call: ast.Call, name: str, stmt: Stmt) -> bool:
        """Whether a call creates the same values on any device. The steps of ``torch.arange(a, b, step)``, if they may be no whole numbers,
        are added up in another way on a GPU."""
        if name == "torch.arange" and len(call.args) > 1:
            return all(self.is_size(argument, stmt) for argument in call.args)
        return torch_model.is_same_anywhere(name)

    def _comment_of(self, above: Stmt, gone: Stmt) -> tuple[Remark, ...] | None:
        """The edit that takes the comment of a statement that goes to the end of the one above it; None where that has one as well, or
        there are several, or something else on their lines."""
        text, newline = self.context.source.text, self.context.source.newline
        (_, end), (start, last) = self.context.span(above), self.context.span(gone)
        behind, _, between = text[end:start].partition(newline)
        whole = text[start:last] + text[last:].partition(newline)[0]
        lines = [line.partition("#") for line in whole.split(newline) if "#" in line]
        if any(c in between for c in "#;\\") or ";" in behind + whole or len(lines) > 1 or (lines and behind.strip()):
            return None
        if any(code.count(quote) % 2 for code, _, _ in lines for quote in "\"'"):
            return None  # it is in a string
        return tuple(Remark(Span(end, end), f"  #{comment.rstrip()}", "") for _, _, comment in lines)

    def is_size(self, expr: ast.expr, stmt: Stmt, depth: int = 0) -> bool:
        """Whether an expression is a whole number or a torch.Size: the only argument of a tensor type, it is no data then."""
        if isinstance(expr, ast.Constant):
            return type(expr.value) is int
        if isinstance(expr, ast.BinOp):
            left = self.is_size(expr.left, stmt, depth)
            return left and (isinstance(expr.right, ast.Tuple) or self.is_size(expr.right, stmt, depth))
        if isinstance(expr, ast.Call):
            return self._gives_size(expr, stmt)
        if isinstance(expr, ast.Subscript):
            return isinstance(expr.value, ast.Attribute) and expr.value.attr == "shape" and _is_index(expr.slice)
        return (
            isinstance(expr, ast.Name)
            and depth < 4
            and self.is_every_value(expr.id, stmt, lambda value, where: self.is_size(value, where, depth + 1))
        )

    def _gives_size(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether the result of a call is a whole number or a torch.Size."""
        func = call.func
        if isinstance(func, ast.Name):
            return func.id in ("len", "int") and stmt.scope.lookup(func.id) is None
        if not isinstance(func, ast.Attribute):
            return False
        if func.attr == "size" and not call.args:
            return self.context.get(Cuda).receivers.is_tensor(func.value, stmt)
        return func.attr in ("size", "item", "numel", "dim") and not call.keywords

    def is_every_value(self, name: str, stmt: Stmt, holds: Callable[[ast.expr, Stmt], bool]) -> bool:
        """Whether `holds` is true of each expression that may have given a name its value at `stmt`, and all of them are known."""
        writes = self.values_before(name, stmt)
        return bool(writes) and all(w.value is not None and holds(w.value, w.stmt) for w in writes)

    def values_before(self, name: str, stmt: Stmt) -> Sequence[AttributeWrite]:
        """The assignments that may have given a name its value at `stmt`; none where others may have."""
        index, owner = self.context.index, stmt.scope.lookup(name)
        if owner is None:
            return []
        binders = [s for s in index.binding(owner, name) if s is not stmt]
        above = [s for s in binders if s.suite is stmt.suite and s.index < stmt.index]
        if above:
            last = max(above, key=lambda s: s.index)
            between = stmt.suite.stmts[last.index + 1 : stmt.index]
            if not any(b in between or set(b.ancestors()) & set(between) for b in binders):
                return [w for w in index.values(owner, name) if w.stmt is last]
        writes = index.values(owner, name)
        return writes if len(owner.bindings[name]) == len(writes) else []

    def _named(self, call: ast.Call, name: str) -> Replace:
        return Replace(self.context.span(call.func), name, self.context.text(call.func))

    def _end(self, call: ast.Call, expr: ast.expr) -> tuple[Replace, ...]:
        """The edit that removes the text behind a call in an expression."""
        rest = Span(self.context.span(call).end, self.context.span(expr).end)
        return (Replace(rest, "", self.context.source.segment(rest)),) if rest.start < rest.end else ()

    def _last_argument(self, call: ast.Call, argument: str) -> Replace | None:
        """The edit that adds an argument to a call; None if its layout does not allow that."""
        source = self.context.source
        end = self.context.span(call).end - 1
        last = max(source.span(part).end for part in (*call.args, *call.keywords))
        behind = source.text[last:end]
        if not behind.strip():
            return Replace(Span(last, last), f", {argument}", "")
        if any(c in behind for c in "\r\n#") or behind.rstrip().endswith(","):
            return None
        return Replace(Span(end, end), f", {argument}", "")  # parentheses around the last argument


def _before_views(expr: ast.expr) -> ast.expr:
    """The expression ``torch.zeros(n)`` in ``torch.zeros(n).long().unsqueeze(0)``. Only methods that keep the layout in memory are left out: a moved
    copy of ``torch.zeros(n).expand(3, -1)`` can be written to, and the expanded tensor cannot."""
    while (
        isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute) and torch_model.keeps_layout(expr.func.attr)
    ):
        expr = expr.func.value
    return expr


def _makes_default_type(call: ast.Call, name: str) -> bool:
    """Whether a call creates a tensor of a type that every device has. The values of torch.tensor may be float64, which MPS lacks: a
    conversion of such a tensor has to stay before the move."""
    return name not in ("torch.tensor", "torch.DoubleTensor") and all(k.arg != "dtype" for k in call.keywords)


def _filled(expr: ast.expr) -> tuple[ast.expr, float | None]:
    """The call in ``torch.empty(n).fill_(0)`` with the value that fills it; any other expression with None."""
    if not (isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute) and not expr.keywords):
        return expr, None
    given = [a.value if isinstance(a, ast.Constant) else None for a in expr.args]
    if expr.func.attr == "zero_" and not given:
        return expr.func.value, 0
    if expr.func.attr == "fill_" and len(given) == 1 and type(given[0]) in (int, float):
        return expr.func.value, given[0]  # type: ignore[return-value]
    return expr, None


def _moved_names(sites: Sequence[Site]) -> dict[ast.Call, str]:
    """The moves of names that have no argument but the device, each with the name."""
    calls = [site.node for site in sites if only_moves(site)]
    return {
        call: call.func.value.id
        for call in calls
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
    }


def only_moves(site: Site) -> bool:
    """Whether the call of a move has no argument but the device."""
    given = argument_values(site.node) if isinstance(site.node, ast.Call) else [site.node]
    return all(value is site.literal or value is site.extra for value in given)


def _only_rebinds(stmt: Stmt, moved: Mapping[ast.Call, str]) -> bool:
    """Whether a statement gives the results of moves to the names that they move: ``x = x.cuda()``, ``x, y = x.cuda(), y.cuda()``."""
    target = only_target(stmt.node)
    pairs = target_pairs(target, stmt.node.value) if target is not None else ()  # type: ignore[attr-defined]
    return bool(pairs) and all(
        isinstance(value, ast.Call) and is_name(name, moved.get(value, "")) for name, value in pairs
    )


def _may_be_rounded(name: str) -> bool:
    """Whether a function creates a tensor with the same values on any device, except for their last digits."""
    return torch_model.takes_device(name) and not torch_model.is_random(name)


def _is_no_gradient(keyword: ast.keyword) -> bool:
    """Whether an argument is ``requires_grad=False``, which is the default."""
    return keyword.arg == "requires_grad" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False


def _is_index(expr: ast.expr) -> bool:
    """Whether a subscript takes one item: a number."""
    return literal_int(expr.operand if isinstance(expr, ast.UnaryOp) else expr) is not None
