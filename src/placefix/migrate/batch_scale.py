"""How the value of an expression changes when each process has a part of the batch: not at all, as a mean, as a sum.

The domain is small: "same" (does not depend on the batch), "each" (entries for each sample, along the first axis), "column" (along the second
one), "mean" and "sum" (over the batch), "count" (the number of samples), "rate" (a part of one by their number), "" (unknown). The value of a
name is the join of the values of the assignments that reach the statement; that of a list is the join of its elements.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.interpret.events import ways
from placefix.facts.program.assignments import target_pairs
from placefix.facts.program.ast_names import argument_values, dotted
from placefix.facts.program.ast_walk import LOOPS
from placefix.facts.program.callees import code_of
from placefix.facts.program.tree import dominates
from placefix.migrate import batch_axis
from placefix.migrate.observations import Observations
from placefix.migrate.training_loops import TrainingLoops

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.facts.interpret.values import Obj
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.migrate.batch_axis import Scale

_NUMBERS = frozenset(("float", "int"))
_MAX_DEPTH = 6
_MAX_NAMES = 2000
# Kinds of values: batches and their parts; those that are the same in each process.
_BATCHES = frozenset(("tensor", "element", "dict", "list", "tuple", "encoding"))
_FIXED = frozenset(("const", "flag", "import", "device", "dtype", "part", "params", "module", "wrapper"))
# Factories of numbers that count the entries.
_POSITIONS = frozenset(("arange", "range", "linspace", "logspace", "eye"))
_NO_CALL = ast.Call(func=ast.Name("", ast.Load()), args=[], keywords=[])


class BatchScales(FileAnalysis):
    """The scales of the expressions of one file."""

    seen = requires(Observations)

    def of(self, node: ast.expr, stmt: Stmt) -> Scale:
        """The scale of an expression of a statement."""
        return _Evaluation(self, stmt).of(node)


class _Evaluation:
    """The scales of the expressions of one scope, as they are in a statement. given: the scales of its parameters, for a function that is
    called."""

    def __init__(self, scales: BatchScales, stmt: Stmt, given: dict[str, Scale] | None = None, depth: int = 0) -> None:
        self.context = scales.context
        self.seen = scales.seen
        self.scales = scales
        self.stmt = stmt
        self.scope = stmt.scope
        self.given = given or {}
        self.depth = depth
        self.open: set[tuple[str, int]] = set()
        self.names = 0

    def of(self, node: ast.expr) -> Scale:
        """The scale of an expression."""
        if isinstance(node, ast.Constant):
            return "same"
        if dotted(node):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Subscript):
            return self._item(node)
        if isinstance(node, ast.UnaryOp):
            return self.of(node.operand)
        if isinstance(node, ast.BinOp):
            return batch_axis.combined(node.op, self.of(node.left), self.of(node.right))
        if isinstance(node, ast.Compare):
            return batch_axis.alone(map(self.of, (node.left, *node.comparators)))
        if isinstance(node, ast.IfExp):
            arms = [node.body, node.orelse]
            chosen = self._decided(node.test)
            return _join(map(self.of, arms if chosen is None else [arms[not chosen]]))
        if isinstance(node, (ast.List, ast.Tuple)):
            return _join(map(self.of, node.elts))
        if isinstance(node, ast.Call):
            return self._call(node)
        return ""

    def _at(self, node: ast.expr, stmt: Stmt) -> Scale:
        """The scale of an expression in another statement of the scope."""
        before, self.stmt = self.stmt, stmt
        found = self.of(node)
        self.stmt = before
        return found

    def _decided(self, test: ast.expr) -> bool | None:
        """The truth of a parameter that this call leaves at its default, None if it is not known."""
        if not isinstance(test, ast.Name) or test.id in self.given or not self.depth:
            return None
        arguments = self.scope.function.args
        named = [*arguments.posonlyargs, *arguments.args]
        defaults = dict(
            zip([a.arg for a in named[len(named) - len(arguments.defaults) :]], arguments.defaults, strict=True)
        )
        default = defaults.get(test.id)
        written = any(write.stmt.scope is self.scope for write in self.context.index.written(test.id))
        return bool(default.value) if isinstance(default, ast.Constant) and not written else None

    def _attribute(self, node: ast.Attribute) -> Scale:
        """The scale of an attribute of an expression that is no name."""
        if node.attr in ("data", "real"):
            return self.of(node.value)
        return batch_axis.operation(node.attr, [node.value], _NO_CALL, self.of) if node.attr in ("T", "mT") else ""

    def _name(self, node: ast.expr) -> Scale:
        """The scale of a name or a chain of names: the join of those of the assignments that reach the statement."""
        text = dotted(node)
        if isinstance(node, ast.Attribute) and node.attr in ("data", "T", "mT"):
            return self._attribute(node)
        key = (text, self.stmt.number)
        if key in self.open:
            return "same"  # of an accumulator, its previous value
        self.names += 1
        if self.names > _MAX_NAMES:
            return ""
        writes, always = self._reaching([*self._writes(text)])
        if not writes:
            return self._argument(node, text) if text in self._parameters() else self._elsewhere(node, text)
        self.open.add(key)
        found = [self._written(node, text, stmt) for stmt in writes]
        for call, stmt in self.context.index.called("append"):
            if (
                isinstance(call.func, ast.Attribute)
                and dotted(call.func.value) == text
                and stmt.scope is self.scope
                and call.args
            ):
                found.append(self._at(call.args[0], stmt))
        if not always and text in self._parameters():
            found.append(self._argument(node, text))
        self.open.discard(key)
        return _join(found)

    def _writes(self, text: str) -> Iterator[Stmt]:
        """The statements of the scope that assign a name."""
        return (write.stmt for write in self.context.index.written(text) if write.stmt.scope is self.scope)

    def _parameters(self) -> list[str]:
        """The names of the parameters of the function, without that of a method's object."""
        if not self.scope.is_function:
            return []
        arguments = self.scope.function.args
        names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        return names[1:] if names[:1] == ["self"] else names

    def _argument(self, node: ast.expr, name: str) -> Scale:
        """The scale of a parameter: of the arguments that the calls of the file give it."""
        if name in self.given:
            return self.given[name]
        if self.depth >= _MAX_DEPTH:
            return ""
        found: list[Scale] = []
        for call, stmt in self.context.index.called(self.scope.name):
            if code_of(call, stmt.scope, None) is self.scope:
                arguments = dict(zip(self._parameters(), call.args, strict=False))
                arguments.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None})
                if name in arguments:
                    found.append(_Evaluation(self.scales, stmt, None, self.depth + 1).of(arguments[name]))
        return _join(found) if found else self._value(node)

    def _reaching(self, writes: list[Stmt]) -> tuple[list[Stmt], bool]:
        """The assignments of a name whose value the statement may read, and whether one of them runs before it in any case."""
        last = max((w for w in writes if self._replaces(w)), key=lambda w: w.number, default=None)
        around = [
            one for one in self.stmt.ancestors() if isinstance(one.node, LOOPS) and not (last and one.holds(last))
        ]
        again = (
            around[-1] if around else None
        )  # the outermost loop that runs the statement again, and not the last assignment
        start = last.number if last is not None else -1
        found = [
            w
            for w in writes
            if w is last or start < w.number < self.stmt.number or (again is not None and again.holds(w))
        ]
        return found, last is not None

    def _replaces(self, write: Stmt) -> bool:
        """Whether an assignment runs before the statement in any case, and leaves nothing of the value before."""
        if isinstance(write.node, (ast.For, ast.AsyncFor)):
            return write is not self.stmt and write.holds(self.stmt)
        return dominates(write, self.stmt) and not isinstance(write.node, ast.AugAssign)

    def _written(self, node: ast.expr, text: str, stmt: Stmt) -> Scale:
        """The scale that an assignment gives a name."""
        target = stmt.node
        if isinstance(target, ast.AugAssign):
            grown = self._at(target.value, stmt)
            return grown if isinstance(target.op, (ast.Add, ast.Sub)) else batch_axis.combined(target.op, "same", grown)
        if isinstance(target, ast.For) and self.seen.kinds(target.iter) and self.seen.kinds(target.iter) <= _FIXED:
            return "same"
        if isinstance(target, ast.AnnAssign) and target.value is not None:
            return self._at(target.value, stmt)
        if not isinstance(target, ast.Assign):
            return self._value(node)
        pairs = (pair for one in target.targets for pair in target_pairs(one, target.value))
        whole = next((value for one, value in pairs if dotted(one) == text), None)
        if whole is not None:
            return self._at(whole, stmt)
        return self._part(node, text, target, stmt)

    def _part(self, node: ast.expr, text: str, target: ast.Assign, stmt: Stmt) -> Scale:
        """The scale of a part of the value of an assignment: of a shape, of the tuple of a function, or of a batch."""
        places = [one.elts for one in target.targets if isinstance(one, (ast.Tuple, ast.List))]
        place = next((n for elts in places for n, one in enumerate(elts) if dotted(one) == text), None)
        value = target.value
        if isinstance(value, ast.Attribute) and value.attr == "shape":
            return self._size(value.value, stmt, first=place == 0)
        if not isinstance(value, ast.Call) or dotted(value.func) == "next":
            return self._value(node)
        if isinstance(value.func, ast.Attribute) and value.func.attr == "size" and not value.args:
            return self._size(value.func.value, stmt, first=place == 0)
        before, self.stmt = self.stmt, stmt
        called = self._called(value, place)
        found = self.of(value) if called is None else called
        self.stmt = before
        return found

    def _size(self, tensor: ast.expr, stmt: Stmt, *, first: bool) -> Scale:
        """The scale of a size of a tensor."""
        scale = self._at(tensor, stmt)
        if scale == "same":
            return "same"
        return ("count" if first else "same") if scale == "each" else ""

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
        if values and all(map(_is_fixed, values)):
            return "same"
        return "each" if values and all(value.kind in _BATCHES for value in values) else ""

    def _item(self, node: ast.Subscript) -> Scale:
        owner = node.value
        if isinstance(owner, ast.Attribute) and owner.attr == "shape":
            first = isinstance(node.slice, ast.Constant) and node.slice.value == 0
            return self._size(owner.value, self.stmt, first=first)
        scale = self.of(owner)
        several = isinstance(owner, ast.Call) and batch_axis.gives_several(owner)
        if scale == "each" and (several or not self.seen.is_tensor(owner)):
            return "each"  # of a batch, or of several outputs
        return batch_axis.item(scale, node.slice, self.of)

    def _call(self, node: ast.Call) -> Scale:
        name = self.context.tree.qualname(node.func, self.scope)
        loss = self._called_loss(node, name)
        if loss is not None:
            return loss
        text = dotted(node.func)
        if text == "len" and node.args:
            return self._length(node.args[0])
        if text in _NUMBERS and len(node.args) == 1:
            return self.of(node.args[0])
        called = self._called(node)
        if called is not None:
            return called
        if torch_model.fills(name) or name == "torch.randperm":
            return self._made(name or "", node)
        if name is not None and name.startswith("torch."):
            return batch_axis.operation(name.rpartition(".")[2], node.args, node, self.of)
        if isinstance(node.func, ast.Attribute) and self._is_value(node.func.value):
            return self._method(node, node.func)
        return "same" if self._operands(node) == {"same"} else ""

    def _called_loss(self, node: ast.Call, name: str | None) -> Scale | None:
        """The scale of the result of a loss of a library, None for other calls."""
        made = [event.obj for event in self.seen.index.of_node("call", node)]
        losses = [one for one in made if one.cls is None and (one.loss or api.is_loss(one.name))]
        if losses:
            return _join([self._loss(loss.origin, 0, node) for loss in losses])
        return self._loss(node, 2, node) if torch_model.is_loss(name) else None

    def _operands(self, node: ast.Call) -> set[Scale]:
        """The scales of the arguments of a call."""
        return {self.of(operand) for operand in argument_values(node)}

    def _made(self, name: str, node: ast.Call) -> Scale:
        """The scale of a tensor that is made from sizes and numbers: one entry for each sample, if their number is a size."""
        sizes = {
            self.of(size)
            for arg in node.args
            for size in (arg.elts if isinstance(arg, (ast.Tuple, ast.List)) else [arg])
        }
        if name.rpartition(".")[2] in _POSITIONS:
            return "same" if self._operands(node) <= {"same"} else ""
        if "count" in sizes or "each" in sizes:
            return "each" if sizes <= {"count", "each", "same"} else ""
        return "same" if sizes <= {"same"} else ""

    def _method(self, node: ast.Call, func: ast.Attribute) -> Scale:
        if func.attr == "scale" and node.args and not self.seen.is_tensor(func.value):
            return self.of(node.args[0])  # of a GradScaler
        if func.attr == "size":
            first = len(node.args) == 1 and isinstance(node.args[0], ast.Constant) and node.args[0].value == 0
            return self._size(func.value, self.stmt, first=first)
        if func.attr.startswith("new_"):
            return self._made(func.attr, node)
        return batch_axis.operation(func.attr, [func.value, *node.args], node, self.of)

    def _is_value(self, node: ast.expr) -> bool:
        """Whether an expression is a tensor or a number, not a module or a package."""
        return not self.seen.kinds(node) & {"module", "wrapper", "import", "optimizer"}

    def _loss(self, made: ast.AST | None, operands: int, call: ast.Call) -> Scale:
        """The scale of a loss: by its option `reduction`, if it compares samples. made: the call with the options; operands: the number of
        its arguments that are none."""
        compared = call.args[:2] + [keyword.value for keyword in call.keywords if keyword.arg in ("input", "target")]
        if not {self.of(operand) for operand in compared} <= {"each", "same"}:
            return ""
        if isinstance(made, ast.Attribute):  # of an object of this class: where it is made
            writes = [w for w in self.context.index.written(dotted(made)) if w.stmt.scope.parent is self.scope.parent]
            made = writes[0].value if len(writes) == 1 else None
        if not isinstance(made, ast.Call) or len(made.args) > operands:
            return ""
        options = {keyword.arg: keyword.value for keyword in made.keywords}
        if None in options or {"size_average", "reduce"} & options.keys():
            return ""
        given = options.get("reduction")
        if given is None:
            return "mean"
        if not isinstance(given, ast.Constant):
            return ""
        return {"mean": "mean", "batchmean": "mean", "sum": "sum", "none": "each"}.get(str(given.value), "")  # type: ignore[return-value]

    def _called(self, node: ast.Call, place: int | None = None) -> Scale | None:
        """The scale of the result of a function or of a module of the file, or of the element at a place of it; None if it is neither. A
        wrapped model has an output for each sample."""
        scope = code_of(node, self.scope, None)
        for event in self.seen.index.of_node("call", node):
            if event.obj.is_wrapper or event.obj.cls is None:
                return "each" if any(self.of(arg) == "each" for arg in node.args) else ""
            scope = event.obj.cls.methods.get("forward")
        if scope is None or not scope.is_function or scope.tree is not self.context.tree:
            return None
        if self.depth >= _MAX_DEPTH:
            return ""
        return self._returned(scope, node, place)

    def _returned(self, scope: Scope, node: ast.Call, place: int | None) -> Scale:
        """The scale of the result of a function of the file for the arguments of a call."""
        names = [argument.arg for argument in scope.function.args.args]
        names = names[1:] if names[:1] == ["self"] else names
        given = {name: self.of(arg) for name, arg in zip(names, node.args, strict=False)}
        given |= {keyword.arg: self.of(keyword.value) for keyword in node.keywords if keyword.arg is not None}
        found: list[Scale] = []
        for one in self.context.tree.returns.get(scope, ()):
            if one.value is not None:
                several = one.value.elts if isinstance(one.value, ast.Tuple) and place is not None else []
                value = several[place] if place is not None and place < len(several) else one.value
                found.append(_Evaluation(self.scales, self.context.tree.stmts[one], given, self.depth + 1).of(value))
        return _join(found)

    def _length(self, node: ast.expr) -> Scale:
        """The scale of the length of an expression: a batch, or a loader or dataset."""
        if self.seen.is_tensor(node):
            return self._size(node, self.stmt, first=True)
        return "same" if self.seen.kinds(node) and self.seen.kinds(node) <= {"loader", "dataset", "views"} else ""


def _is_fixed(value: Obj) -> bool:
    """Whether a value is the same in each process: a constant, or several of them."""
    return value.kind in _FIXED or (
        value.kind in ("tuple", "list") and bool(value.items) and all(map(_is_fixed, value.items or ()))
    )


def _join(scales: Iterable[Scale]) -> Scale:
    """The scale of a value that is one of several; constants are the start of an accumulator."""
    found = set(scales) - {"same"}
    if not found:
        return "same"
    return found.pop() if len(found) == 1 else ""
