"""How the value of an expression changes when each process has a part of the batch: not at all, as a mean, as a sum.

The domain is small: "same" (does not depend on the batch), "each" (one entry for each sample), "mean" and "sum" (over the batch),
"count" (the number of samples), "" (unknown). A value of a name is the join of the values of its assignments.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

from placefix import torch_model
from placefix.facts.interpret.events import ways
from placefix.facts.program.assignments import target_pairs
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.callees import code_of
from placefix.migrate.observations import Observations
from placefix.migrate.training_loops import TrainingLoops

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope

Scale = Literal["same", "each", "mean", "sum", "count", ""]

# Methods of a tensor that keep its entries, or change all in proportion.
_LINEAR = frozenset(
    (
        "item",
        "detach",
        "float",
        "double",
        "half",
        "long",
        "int",
        "cpu",
        "cuda",
        "to",
        "clone",
        "contiguous",
        "requires_grad_",
        "type",
        "numpy",
        "tolist",
    )
)
_NUMBERS = frozenset(("float", "int"))
_MAX_DEPTH = 6
# Kinds of values: batches and their parts; those that are the same in each process.
_BATCHES = frozenset(("tensor", "element", "dict", "list", "tuple", "encoding"))
_FIXED = frozenset(("const", "flag", "import", "device", "dtype", "part", "params", "module", "wrapper"))


class BatchScales:
    """The scales of the expressions of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.seen = context.get(Observations)

    def of(self, node: ast.expr, scope: Scope) -> Scale:
        """The scale of an expression in a function or in the file."""
        return _Evaluation(self, scope).of(node)


class _Evaluation:
    """The scales of the expressions of one scope. given: the scales of its parameters, for a function that is called."""

    def __init__(
        self, scales: BatchScales, scope: Scope, given: dict[str, Scale] | None = None, depth: int = 0
    ) -> None:
        self.context = scales.context
        self.seen = scales.seen
        self.scales = scales
        self.scope = scope
        self.given = given or {}
        self.depth = depth
        self.open: set[str] = set()

    def of(self, node: ast.expr) -> Scale:
        """The scale of an expression."""
        if isinstance(node, ast.Constant):
            return "same"
        if dotted(node):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            return self.of(node.value) if node.attr in ("data", "T", "mT") else ""
        if isinstance(node, ast.Subscript):
            return self._item(node)
        if isinstance(node, ast.UnaryOp):
            return self.of(node.operand)
        if isinstance(node, ast.BinOp):
            return _combined(node.op, self.of(node.left), self.of(node.right))
        if isinstance(node, ast.Compare):
            return "each" if "each" in map(self.of, (node.left, *node.comparators)) else ""
        if isinstance(node, ast.IfExp):
            return _join((self.of(node.body), self.of(node.orelse)))
        if isinstance(node, ast.Call):
            return self._call(node)
        return ""

    def _name(self, node: ast.expr) -> Scale:
        """The scale of a name or a chain of names: the join of those of its assignments."""
        text = dotted(node)
        if isinstance(node, ast.Attribute) and node.attr == "data":
            return self.of(node.value)
        if text in self.given:
            return self.given[text]
        if text in self.open:
            return "same"  # of an accumulator, its previous value
        writes = [write for write in self.context.index.written(text) if write.stmt.scope is self.scope]
        if not writes:
            return self._elsewhere(node, text)
        self.open.add(text)
        found: list[Scale] = []
        for write in writes:
            target = write.stmt.node
            if isinstance(target, ast.AugAssign):
                grown = self.of(target.value)
                found.append(
                    grown if isinstance(target.op, (ast.Add, ast.Sub)) else _combined(target.op, "same", grown)
                )
            elif (
                isinstance(target, ast.For) and self.seen.kinds(target.iter) and self.seen.kinds(target.iter) <= _FIXED
            ):
                found.append("same")
            else:
                value = _assigned(write.stmt.node, text) or write.value
                found.append(self._value(node) if value is None else self.of(value))
        self.open.discard(text)
        return _join(found)

    def _elsewhere(self, node: ast.expr, text: str) -> Scale:
        """The scale of a name that another scope binds: "same" if no training loop runs one of its assignments."""
        writes = self.context.index.written(text)
        owner = self.scope.lookup(text) if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Name) and (owner is None or owner is self.scope):
            return self._value(node)
        loops = self.context.get(TrainingLoops)
        targets = [write.stmt for write in writes]
        return "same" if targets and not any(map(loops.runs, targets)) else self._value(node)

    def _value(self, node: ast.expr) -> Scale:
        """The scale of a value that no expression of the scope computes: batches have an entry for each sample."""
        values = [way for sighting in self.seen.of(node) for way in ways(sighting.value)]
        kinds = {value.kind for value in values}
        if kinds and kinds <= _BATCHES:
            return "each"
        return "same" if kinds and kinds <= _FIXED else ""

    def _item(self, node: ast.Subscript) -> Scale:
        owner = node.value
        if isinstance(owner, ast.Attribute) and owner.attr == "shape":
            first = isinstance(node.slice, ast.Constant) and node.slice.value == 0
            return ("count" if first else "same") if self.of(owner.value) == "each" else ""
        return "each" if self.of(owner) == "each" else ""

    def _call(self, node: ast.Call) -> Scale:
        name = self.context.tree.qualname(node.func, self.scope)
        losses = [event.obj for event in self.seen.index.of_node("call", node) if event.what == "loss"]
        if losses:
            return _join([self._reduction(loss.origin, 0) for loss in losses])
        if torch_model.is_loss(name):
            return self._reduction(node, 2)
        text = dotted(node.func)
        if text == "len" and node.args:
            return self._length(node.args[0])
        if text in _NUMBERS and len(node.args) == 1:
            return self.of(node.args[0])
        if name in ("torch.sum", "torch.mean") and node.args:
            return self._reduced(name.rpartition(".")[2], node.args[0], [*node.args[1:], *node.keywords])
        called = self._called(node)
        if called is not None:
            return called
        if isinstance(node.func, ast.Attribute):
            return self._method(node, node.func)
        return self._computed(node)

    def _method(self, node: ast.Call, func: ast.Attribute) -> Scale:
        if func.attr == "scale" and node.args and not self.seen.is_tensor(func.value):
            return self.of(node.args[0])  # of a GradScaler
        if func.attr == "size" and self.of(func.value) == "each":
            first = len(node.args) == 1 and isinstance(node.args[0], ast.Constant) and node.args[0].value == 0
            return "count" if first else "same"
        if func.attr in ("sum", "mean"):
            return self._reduced(func.attr, func.value, [*node.args, *node.keywords])
        if func.attr in _LINEAR and self._is_value(func.value):
            return self.of(func.value)
        return self._computed(node)

    def _is_value(self, node: ast.expr) -> bool:
        """Whether an expression is a tensor or a number, not a module or a package."""
        return not self.seen.kinds(node) & {"module", "wrapper", "import", "optimizer"}

    def _reduced(self, method: str, operand: ast.expr, options: list[ast.expr | ast.keyword]) -> Scale:
        """The scale of a sum or mean; over some dimensions only if there are options."""
        scale = self.of(operand)
        if options:
            first = options[0].value if isinstance(options[0], ast.keyword) else options[0]
            inner = isinstance(first, ast.UnaryOp) or (isinstance(first, ast.Constant) and first.value not in (0, None))
            return "each" if scale == "each" and inner else ""
        if scale == "each":
            return "mean" if method == "mean" else "sum"
        return scale if scale == "same" or (method == "mean" and scale == "mean") else ""

    def _reduction(self, call: ast.AST | None, operands: int) -> Scale:
        """The scale of the result of a loss: by its option `reduction`. operands: the number of arguments that are no options."""
        if not isinstance(call, ast.Call) or len(call.args) > operands:
            return ""
        options = {keyword.arg: keyword.value for keyword in call.keywords}
        if None in options or {"size_average", "reduce", "weight"} & options.keys():
            return ""
        given = options.get("reduction")
        if given is None:
            return "mean"
        if not isinstance(given, ast.Constant):
            return ""
        return {"mean": "mean", "batchmean": "mean", "sum": "sum", "none": "each"}.get(str(given.value), "")  # type: ignore[return-value]

    def _called(self, node: ast.Call) -> Scale | None:
        """The scale of the result of a function or of a module of the file, None if it is neither. A wrapped model has an output for each sample."""
        scope = code_of(node, self.scope, None)
        for event in self.seen.index.of_node("call", node):
            if event.obj.kind == "wrapper" or event.obj.cls is None:
                return "each" if any(self.of(arg) == "each" for arg in node.args) else ""
            scope = event.obj.cls.methods.get("forward")
        if scope is None or not scope.is_function or scope.tree is not self.context.tree:
            return None
        if self.depth >= _MAX_DEPTH:
            return ""
        names = [argument.arg for argument in scope.function.args.args]
        names = names[1:] if names[:1] == ["self"] else names
        given = {name: self.of(arg) for name, arg in zip(names, node.args, strict=False)}
        given |= {keyword.arg: self.of(keyword.value) for keyword in node.keywords if keyword.arg is not None}
        inner = _Evaluation(self.scales, scope, given, self.depth + 1)
        returned = [one.value for one in self.context.tree.returns.get(scope, ()) if one.value is not None]
        return _join([inner.of(value) for value in returned])

    def _computed(self, node: ast.Call) -> Scale:
        """The scale of the result of another operation: an entry for each sample if it is a tensor, and its operands have one."""
        func = node.func
        operands = [*node.args, *(keyword.value for keyword in node.keywords)]
        if isinstance(func, ast.Attribute) and self._is_value(func.value):
            operands.append(func.value)
        scales = {self.of(operand) for operand in operands}
        if "each" in scales and self.seen.is_tensor(node) and not scales & {"mean", "sum", "count"}:
            return "each"
        return "same" if scales == {"same"} else ""

    def _length(self, node: ast.expr) -> Scale:
        """The scale of the length of an expression: a batch, or a loader or dataset."""
        if self.seen.is_tensor(node):
            return "count" if self.of(node) == "each" else ""
        return "same" if self.seen.kinds(node) and self.seen.kinds(node) <= {"loader", "dataset", "views"} else ""


def _assigned(node: ast.stmt, text: str) -> ast.expr | None:
    """The expression that an assignment gives a name, also as one of several; None if it gives a part of a value."""
    if not isinstance(node, ast.Assign):
        return None
    pairs = (pair for target in node.targets for pair in target_pairs(target, node.value))
    return next((value for target, value in pairs if dotted(target) == text), None)


def _join(scales: Iterable[Scale]) -> Scale:
    """The scale of a value that is one of several; constants are the start of an accumulator."""
    found = set(scales) - {"same"}
    if not found:
        return "same"
    return found.pop() if len(found) == 1 else ""


def _combined(op: ast.operator, left: Scale, right: Scale) -> Scale:
    """The scale of the result of an operator."""
    pair = {left, right}
    if "" in pair:
        return ""
    if isinstance(op, (ast.Add, ast.Sub)):
        if pair == {"same", "mean"}:
            return "mean"
        return left if left == right else "each" if pair == {"each", "same"} else ""
    if isinstance(op, (ast.Mult, ast.Div)):
        if right == "same":
            return left
        if left == "same" and isinstance(op, ast.Mult):
            return right
        if pair == {"mean", "count"} and isinstance(op, ast.Mult):
            return "sum"
        if (left, right) == ("sum", "count") and isinstance(op, ast.Div):
            return "mean"
    return "each" if pair <= {"each", "same"} else ""
