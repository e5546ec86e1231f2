"""Tensors that a constructor copies from the module's parameters, and the uses of a kept tensor where nothing shows the device of the other operand.

Whatever the other operand is: where the module is on a device, it is on that of the module or its input, and the tensor is not.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.naming import last
from placefix.facts.program.arguments import read_on_self
from placefix.facts.program.ast_names import dotted, keyword_value, last_name
from placefix.reachability import reachable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.constraint_runs import ConstraintRun
    from placefix.facts.interpret.device_facts import Creation
    from placefix.facts.interpret.values import ClassInfo, Obj
    from placefix.facts.program.expression_index import Index
    from placefix.facts.program.tree import Scope, Stmt

# Methods that move a tensor, or read it on the CPU.
_MOVES = frozenset(("to", "cuda", "cpu"))
_LEAVES_CPU = api.PLACING | {"to", "type", "type_as", "cpu", "copy_"}


class Use(NamedTuple):
    """An operation of a kept tensor with another value, by the expression of that; the method returns the tensor where there is none."""

    other: ast.expr | None


def use_of(creation: Creation, run: ConstraintRun) -> Use | None:
    """The first use of a kept tensor in the method of a run; None if there is none, or if the method may move or copy the tensor."""
    uses: list[Use] = []
    called = sorted((s for s in run.called if s.tree is run.tree), key=lambda scope: scope.function.lineno)
    for node in (node for scope in (run.scope, *called) for node in scope.nodes):
        if isinstance(node, ast.Call) and _may_leave(node, creation, run):
            return None
        operands = list(_operands(node, run))
        own = [one for one in operands if _is_made_of(creation, run.value_at(one))]
        others = [one for one in operands if one not in own and _may_be_tensor(run.value_at(one), run)]
        uses += [Use(others[0])] if own and others else []
        if isinstance(node, ast.Return) and node.value is not None and _is_made_of(creation, run.value_at(node.value)):
            uses += [Use(None)] if _is_part_of_attribute(node.value) else []
    return next((use for use in uses if use.other is not None), uses[0] if uses else None)


def copied_attribute(node: ast.expr, init: Scope) -> str:
    """``linear.weight`` of ``torch.ones_like(self.linear.weight)`` and of ``self.linear.weight.data.clone()``; "" for an expression that
    makes no new tensor of an attribute of ``self``, or that names a device."""
    copies = False
    while True:
        if isinstance(node, ast.Call) and keyword_value(node, "device") is None:
            function, called = init.tree.qualname(node.func, init), last_name(node.func)
            if function is not None and not (function.startswith("torch.") and node.args):
                return ""
            if not torch_model.stays(called) and not (function is not None and called.endswith("_like")):
                return ""
            copies |= called == "clone" or called.endswith("_like")
            node = node.args[0] if function is not None else node.func.value  # type: ignore[attr-defined]
        elif isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and torch_model.stays(node.attr)):
            node = node.value
        else:
            return dotted(node).removeprefix("self.") if copies and dotted(node).startswith("self.") else ""


def is_left_somewhere(text: str, cls: Scope, index: Index) -> bool:
    """Whether a class leaves an attribute where it is: it moves it nowhere, or a method moves it at one use, and not at another one of the same
    call."""
    moved = [stmt for attr, stmt in index.attribute_reads(text) if attr in _MOVES and stmt.scope.class_around is cls]
    read = [stmt for _, stmt in index.read(text)]
    left = [stmt for stmt in dict.fromkeys(read) if read.count(stmt) > moved.count(stmt)]
    return not moved or any(_run_together(*sorted((one, other), key=_number)) for one in left for other in moved)


def _number(stmt: Stmt) -> int:
    return stmt.number


def _run_together(first: Stmt, last: Stmt) -> bool:
    """Whether the first of two statements of a function has run wherever the last one runs, by the tests around them."""
    around = [[one for one in stmt.ancestors() if one.parent is not None] for stmt in (first, last)]
    if first.scope is not last.scope or any(isinstance(one.parent.node, ast.Try) for one in (*around[0], *around[1])):  # type: ignore[union-attr]
        return False
    tests = [
        {(ast.dump(one.parent.node.test), one.suite.arm) for one in ones if isinstance(one.parent.node, ast.If)}  # type: ignore[union-attr]
        for ones in around
    ]
    return tests[0] <= tests[1]


def has_parameters(info: ClassInfo, layer: str) -> bool:
    """Whether an attribute of a module is a layer of torch with parameters; the module itself by its base, for ""."""
    names = [info.layers.get(layer, "")] if layer else info.bases
    return any(name.startswith("torch.nn.") and api.PARAMETRIC.fullmatch(last(name) + "(") for name in names)


def is_of_forward(name: str, info: ClassInfo) -> bool:
    """Whether a method is ``forward``, or one that it names, directly or through others."""

    def named(caller: str) -> set[str]:
        """The methods that a method names."""
        method = info.methods.get(caller)
        return set(read_on_self(method)) & info.methods.keys() if method is not None else set()

    return name in reachable(["forward"], named)


def _is_made_of(creation: Creation, value: Obj | None) -> bool:
    return value is not None and creation in value.creations


def _may_be_tensor(value: Obj | None, run: ConstraintRun) -> bool:
    """Whether a value may be a tensor that comes from elsewhere; not the result of another file's function, and no copy on the CPU."""
    if value is None or run.role(value) != "value" or value.creations:
        return False
    if not isinstance(value.origin, ast.Call):
        return True
    func = value.origin.func
    name = run.tree.qualname(func, run.scope)
    copied = isinstance(func, ast.Attribute) and func.attr in _LEAVES_CPU
    return not copied and (name is None or name.startswith("torch."))


def _is_part_of_attribute(node: ast.expr) -> bool:
    """Whether an expression is an attribute of ``self``, a slice or a view of it."""
    while True:
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and torch_model.stays(node.func.attr):
            node = node.func.value
        else:
            return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _may_leave(call: ast.Call, creation: Creation, run: ConstraintRun) -> bool:
    """Whether a call may move a kept tensor, copy it, or read it on the CPU."""
    func = call.func
    if isinstance(func, ast.Attribute) and _is_made_of(creation, run.value_at(func.value)):
        operator = torch_model.method(func.attr)
        if func.attr in _LEAVES_CPU or (operator is not None and "host" in operator.marks):
            return True
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if _takes_place(call) or not any(_is_made_of(creation, run.value_at(one)) for one in given):
        return False
    copied = isinstance(func, ast.Attribute) and func.attr in _LEAVES_CPU
    return copied or any(keyword.arg == "device" for keyword in call.keywords)


def _takes_place(call: ast.Call) -> bool:
    """Whether a call takes a tensor to where its argument is, if that is one: ``x.type_as(table)``, ``x.to(table)``."""
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("type_as", "to") and len(call.args) == 1


def _operands(node: ast.AST, run: ConstraintRun) -> Iterator[ast.expr]:
    """The operands of an operation that have to be on one device."""
    if isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
    elif isinstance(node, ast.AugAssign):
        yield from (node.target, node.value)
    elif isinstance(node, ast.Compare) and not isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
        yield from (node.left, *node.comparators)
    elif isinstance(node, ast.Call) and _takes_place(node):
        yield from (node.func.value, node.args[0])  # type: ignore[attr-defined]
    elif isinstance(node, ast.Call):
        name = run.tree.qualname(node.func, run.scope) or ""
        if torch_model.computes_tensor(name):
            for position, given in enumerate(node.args):
                if torch_model.meets(name, position):
                    yield from given.elts if isinstance(given, (ast.List, ast.Tuple)) else [given]
