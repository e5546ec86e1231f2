"""Device equalities that the operations of a function enforce on its operands.

A function is run once over abstract values. Each operation that refuses tensors of unlike devices
leaves an implication, "if this one is on the CPU, so is that one", on its path.
An implication that holds on every path through a creation like ``torch.zeros(n)`` is certain for every call
that ran to its end: where a parameter `x` is reached from the creation, ``x.device`` *was* the
creation's device in all of them, whatever else the function does. Nothing needs to be known of the
callers, nor of code that is not understood: it adds nothing.

0-dim tensors mix with those of other devices, so an implication through an
operand holds only from one that is shown to have a dimension.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret.constraint_facts import Creation, Handed, Value, join, relate
from placefix.facts.interpret.constraint_walker import Body, is_static
from placefix.facts.interpret.evaluation import EXPRESSIONS, NUMBER, Evaluation, sources_of
from placefix.facts.program.ast_names import gives
from placefix.facts.program.ast_walk import walk
from placefix.torch_model import modules

if TYPE_CHECKING:
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope, Stmt, Tree
    from placefix.torch_model.rows import Operator

_MAX_DEPTH = 3


class Run(Body):
    """Runs one function; the tensors it made are in `creations` afterwards."""

    def _inline(self, scope: Scope, node: ast.Call, values: list[tuple[str | None, Value]], me: Value | None) -> Value:
        """A call of a function of the file, run here."""
        self.called.add(scope)
        if (
            scope in self.scopes
            or len(self.scopes) > _MAX_DEPTH
            or not _is_plain(scope)
            or any(k == "*" for k, _ in values)
        ):
            self._forget()
            return Value()
        parameters = [a.arg for a in (*scope.function.args.posonlyargs, *scope.function.args.args)]
        bound: dict[str, Value] = {}
        if me is not None and parameters:
            bound[parameters.pop(0)] = me
        positional = [v for k, v in values if k is None]
        bound.update(zip(parameters, positional, strict=False))
        bound.update({k: v for k, v in values if k is not None})
        names = self.path.env
        stmt, leaving, self.leaving = self.stmt, self.leaving, []
        returned = self._body(scope, bound)
        self.stmt, self.leaving = stmt, leaving
        paths = [(v, p) for v, p in returned if not p.dead]
        if not self.path.dead:
            paths.append((NUMBER, self.path))
        if not paths:
            return Value()  # it always raises: not taken to be called for that
        for value, path in paths:
            path.env = {**path.env, "<returned>": value}
        end = paths[0][1]
        for _, path in paths[1:]:
            end = join(end, path)
        self.path = end
        result = end.env.pop("<returned>")
        if stmt is not None and result.kind == "value" and len(result.made) == 1:
            (creation,) = result.made
            creation.handed.append(Handed(node, stmt, creation.value, names.copy()))
        return result

    def make(self, node: ast.Call, name: str, values: list[tuple[str | None, Value]]) -> Value:
        """A factory of torch."""
        keywords = {k for k, _ in values}
        if keywords & {"device", "out", "*", "pin_memory"} or self.stmt is None:
            return self._tensor(Value())
        value = self._tensor(Value(name=name))
        creation = Creation(node, self.stmt, value, dict(self.path.env), guarded=self.trying > 0)
        value.made = frozenset((creation,))
        self.creations.append(creation)
        self.path.pass_by(creation)
        if _has_dimension(name, node, values) or (
            name in api.TAKE_ARRAYS and values and ("dims", values[0][1]) in self.path.known
        ):
            self.path.add(("dims", value))
        return value

    # --- calls -----------------------------------------------------------------------------------

    def arguments(self, node: ast.Call) -> list[tuple[str | None, Value]]:
        """The values of a call's arguments, each with its keyword; "*" for unpacked ones."""
        found: list[tuple[str | None, Value]] = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                found.append(("*", self.eval(argument.value)))
            else:
                found.append((None, self.eval(argument)))
        found += [(k.arg or "*", self.eval(k.value)) for k in node.keywords]
        return found

    def e_call(self, node: ast.Call) -> Value:
        """A call: of a builtin, a function of torch, a method, code of the file, or unknown code."""
        func = node.func
        name = self.qualname(func)
        if name is None and isinstance(func, ast.Name) and self.scopes[-1].lookup(func.id) is None:
            return self._builtin(func.id, node)
        if name is not None:
            return self._named(name, node)
        if isinstance(func, ast.Attribute):
            return self._method(self.eval(func.value), func.attr, node)
        scope = self._local(func)
        values = self.arguments(node)
        self._forget() if scope is None else None
        if scope is not None:
            return self._inline(scope, node, values, None)
        return self._opaque(self.eval(func), values)

    def _opaque(self, callee: Value, values: list[tuple[str | None, Value]]) -> Value:
        given = [v for v in self.flat(v for _, v in values) if v.kind != "number"]
        if modules.role_of(callee.layer) == "probably":
            self.path.add(*(("maybe", v, callee) for v in given))
        return Value(given=bool(given) and all(v.sources for v in given))

    def _local(self, func: ast.expr) -> Scope | None:
        """A function of the module that a name denotes."""
        if not isinstance(func, ast.Name):
            return None
        owner = self.scopes[-1].lookup(func.id)
        if owner is not self.tree.root or len(owner.bindings.get(func.id, ())) != 1:
            return None
        return owner.functions.get(func.id)

    def _builtin(self, name: str, node: ast.Call) -> Value:
        values = self.arguments(node)
        first = values[0][1] if values else NUMBER
        if name in ("list", "tuple", "reversed", "sorted", "iter"):
            return first
        if name == "enumerate":
            pair = Value("tuple")
            pair.items = (NUMBER, self.item(first))
            return self._each(pair)
        if name == "zip":
            pair = Value("tuple")
            pair.items = tuple(self.item(v) for _, v in values)
            return self._each(pair)
        if name in ("len", "range", "int", "float", "str", "isinstance", "hasattr", "print", "type", "bool"):
            return NUMBER
        return Value(sources=sources_of(v for _, v in values))

    @staticmethod
    def _each(item: Value) -> Value:
        value = Value("tuple")
        value.items = (item,)
        return value

    def _named(self, name: str, node: ast.Call) -> Value:
        """A call of a function or class known by its qualified name."""
        values = self.arguments(node)
        if torch_model.is_factory(name):
            return self._factory(name, node, values)
        if name.startswith("numpy."):
            return self._array(name, values)
        if not name.startswith("torch."):
            return Value()
        first = values[0][1] if values else NUMBER
        if name == api.VARIABLE and values:
            return self._tensor(first)
        if any(k in ("device", "out", "*") for k, _ in values):
            return self._tensor(Value())
        if name.endswith(("pack_padded_sequence", "pad_packed_sequence")) and values:
            return self._packed(name, first)
        if name.startswith("torch.nn.init.") and values:
            return first
        if not torch_model.is_function(name):
            return Value(sources=sources_of(v for _, v in values))
        return self._function(torch_model.function(name), values)

    def _factory(self, name: str, node: ast.Call, values: list[tuple[str | None, Value]]) -> Value:
        """A call of a factory of torch, which may be given a tensor."""
        first = values[0][1] if values else NUMBER
        if name in ("torch.as_tensor", "torch.asarray") and first.kind not in ("tuple", "number"):
            return self.image(first) if self.is_tensor(first) else self._tensor(Value())
        if name == "torch.tensor" and self.is_tensor(first):
            return self.image(first, dims=True)  # a copy beside it
        if name == "torch.normal" and not gives(node, 2, "size"):
            return self._tensor(self.operation([v for _, v in values]))
        return self.make(node, name, values)

    def _array(self, name: str, values: list[tuple[str | None, Value]]) -> Value:
        """A call of a function of numpy."""
        last = name.rpartition(".")[2]
        array = Value()
        if last in api.ARRAYS and values:
            if last not in ("triu", "tril") or ("dims", values[0][1]) in self.path.known:
                self.path.add(("dims", array))
        return array

    def _packed(self, name: str, first: Value) -> Value:
        """A sequence that is packed, or unpacked; the lengths lie elsewhere."""
        if name.endswith("pack_padded_sequence"):
            packed = self.image(self._tensor(first, dims=True))
            self.path.add(("carrier", packed))
            return packed
        pair = Value("tuple")
        pair.items = (self._tensor(self.image(first), dims=True), Value())
        return pair

    def _function(self, operator: Operator | None, values: list[tuple[str | None, Value]]) -> Value:
        """A call of a function of torch that computes with tensors; None: one that the model has not."""
        if operator is None:
            return self._tensor(self.operation([v for _, v in values], dims=False))
        taken = [(v, operator.operand(position, k)) for position, (k, v) in enumerate(values)]
        plain = [v for v, operand in taken if operand is not None and not operator.lies_apart(operand)]
        if operator.device == "cpu":
            return self._tensor(Value(), dims=True)
        if operator.device == "input" and values:
            return self.image(self._tensor(values[0][1]), dims=operator.rank in ("keeps", "input"))
        if not operator.follows or not plain:
            return Value(sources=sources_of(v for _, v in values)) if operator.gives_tensor else NUMBER
        if _gives_several(operator, given=len(values) > 1):
            self._tensor(plain[0])
            return self._several(plain[0])
        if "sized" in operator.marks:
            self.multiplied(plain[:2])
        result = self.operation(plain, dims=operator.rank == "keeps")
        if operator.rank == "input" and result.kind == "value" and plain[0].kind == "value":
            self.path.add(("like", result, plain[0]))
            self._inherit(result, plain[0], dims=True)
        if plain[0].kind == "value" and not operator.operands[0].number:
            self._tensor(plain[0])
        return self._tensor(result, dims=operator.rank == "adds") if operator.gives_tensor else NUMBER

    def _several(self, base: Value) -> Value:
        """Several tensors that lie where `base` lies."""
        result = self.image(base)
        self.path.add(("carrier", result))
        return result

    def _method(self, base: Value, attr: str, node: ast.Call) -> Value:
        """``base.attr(…)``"""
        values = self.arguments(node)
        if base.kind == "self":
            return self._own_call(attr, node, values)
        if base.kind == "bag" and attr in ("append", "insert") and values:
            self.path.add(("member", base, values[-1][1]))
            return NUMBER
        if base.kind == "layer":
            if attr in api.PLACING:
                self._forget()
            return self._layer(base, values) if attr == "forward" else Value(given=True)
        if base.kind != "value":
            if base.kind in ("tuple", "bag") and isinstance(node.func, ast.Attribute):
                self.bind(node.func.value, Value())  # a list may have changed
            return Value()
        if attr == "astype":
            array = Value()
            self.path.add(*[("dims", array)] if ("dims", base) in self.path.known else [])
            return array
        return self._tensor_method(base, attr, node, values)

    def _tensor_method(self, base: Value, attr: str, node: ast.Call, values: list[tuple[str | None, Value]]) -> Value:
        """A method of a tensor, or of what may be one."""
        operator = torch_model.method(attr)
        only = operator is not None and "only" in operator.marks
        if operator is not None and only:
            self._tensor(base, dims="sized" in operator.marks or (attr == "size" and bool(values)))
        if torch_model.is_answer(attr) or (operator is not None and "host" in operator.marks):
            return NUMBER
        if attr in ("to", "type"):
            return self._moved(base, node, values)
        if attr == "cpu":
            return self._tensor(Value())
        if attr in api.PLACING or any(k in ("device", "*") for k, _ in values):
            return self._tensor(Value(given=True))
        if attr == "type_as" and values:
            return self._tensor(self.image(values[0][1]))
        if operator is not None and operator.device == "input":
            return self.image(base, dims=True)
        if operator is None or (not only and not self.is_tensor(base)):
            self._forget()
            return Value(sources=base.sources)
        if not operator.follows:
            return Value(sources=base.sources)
        if _gives_several(operator, given=bool(values)):
            return self._several(base)
        result = self._computed(base, operator, values)
        if only:
            self._tensor(result)
        return result if operator.gives_tensor else NUMBER

    def _computed(self, base: Value, operator: Operator, values: list[tuple[str | None, Value]]) -> Value:
        """The result of a method on its tensor and the operands among its arguments."""
        others = []
        for position, (keyword, value) in enumerate(values):
            operand = operator.operand(position, keyword, method=True)
            if operand is None or operator.lies_apart(operand) or value.kind not in ("value", "tuple"):
                continue
            if operand.number and operator.rank == "reduces" and not self.is_tensor(value):
                continue  # a dimension, as in x.max(dim)
            others.append(value)
        if "sized" in operator.marks:
            self.multiplied([base, *others])
        if others:
            result = self.operation((base, *others), dims=operator.rank == "keeps")
            if operator.rank == "input" and result.kind == "value":
                self.path.add(("like", result, base))
                self._inherit(result, base, dims=True)
        else:
            result = self.image(base, dims=operator.rank in ("keeps", "input", "adds"))
        first = values[0][1] if values else NUMBER
        sized = bool(values) and not (first.kind == "tuple" and not first.items)
        if operator.rank == "adds" or (operator.rank == "sizes" and sized):
            self.path.add(("dims", result))
        return result

    def _forget(self) -> None:
        """A call of code that is not known: attributes may have changed."""
        self.attributes = {k: v for k, v in self.attributes.items() if v.kind == "layer" or v.name.startswith("self.")}
        self.path.env = {k: v for k, v in self.path.env.items() if "." not in k}

    def _moved(self, base: Value, node: ast.Call, values: list[tuple[str | None, Value]]) -> Value:
        """``x.to(…)``, ``x.type(…)``: the same place only for a type of torch."""
        stays = values and all(
            k in ("dtype", "non_blocking", "copy")
            or (
                k is None
                and (
                    (self.qualname(e) or "").startswith("torch.")
                    or (isinstance(e, ast.Attribute) and e.attr == "dtype")
                )
            )
            for (k, _), e in zip(values, (*node.args, *(k.value for k in node.keywords)), strict=True)
        )
        return self.image(base, dims=True) if stays else Value(given=True)

    def _own_call(self, attr: str, node: ast.Call, values: list[tuple[str | None, Value]]) -> Value:
        """``self.attr(…)``: a layer, or a method of the class."""
        method = self.owner.methods.get(attr) if self.owner is not None else None
        if method is not None and f"<self>.{attr}" not in self.path.env:
            me = None if is_static(method) else Value("self")
            return self._inline(method, node, values, me)
        layer = self._own(attr)
        if layer.kind != "layer":
            self._forget()
        return self._layer(layer, values)

    def _layer(self, layer: Value, values: list[tuple[str | None, Value]]) -> Value:
        """A call of a module."""
        plain = [v for _, v in values]
        kind = layer.layer.rpartition(".")[2] if layer.kind == "layer" else ""
        if not plain or not kind or any(k == "*" for k, _ in values):
            return self._opaque(layer, values)
        first = plain[0]
        role = modules.role_of(kind)
        if role == "recurrent":
            return self._recurrent(layer, kind, plain)
        if role == "attention":
            for operand in self.flat(plain):
                self._with(layer, operand)
            pair = Value("tuple")
            pair.items = (self._weight(layer), Value())
            self.path.add(("dims", pair.items[0]))
            return pair
        if role == "weighted":
            self._tensor(first, dims="Embedding" not in kind)
            self._with(layer, first)
            result = self._weight(layer)
            self.path.add(("dims", result))
            for other in plain[1:]:
                if kind == "EmbeddingBag":
                    self._with(layer, other)
                self.path.add(("maybe", other, layer))
            return result
        if role == "loss":
            found = modules.layer(kind)
            return self._function(found.operator if found is not None else None, values)
        if role == "plain":
            return self.image(self._tensor(first), dims=True)
        return self._opaque(layer, values)

    def _with(self, layer: Value, operand: Value) -> None:
        if operand.kind in ("value", "bag"):
            self.path.add(("implies", operand, layer), ("implies", layer, operand))

    def _recurrent(self, layer: Value, kind: str, plain: list[Value]) -> Value:
        """A recurrent layer or cell with its input and, perhaps, the state it starts with."""
        self._with(layer, plain[0])
        state = self.flat(plain[1:2])
        relate(state)
        for number, operand in enumerate(state):
            for creation in operand.made:
                creation.hidden = True
            self.path.add(("maybe", operand, layer))
            if not (kind == "LSTMCell" and number):  # the cell's second state is not tested on every backend
                self._with(layer, operand)
        out, new = (self._tensor(self._weight(layer), dims=True) for _ in range(2))
        if kind.endswith("Cell"):
            result = Value("tuple")
            result.items = (out, new)
            return result if kind == "LSTMCell" else out
        states = Value("tuple")
        states.items = (new, self._tensor(self._weight(layer), dims=True))
        result = Value("tuple")
        carried = self.image(plain[0], dims=True)  # a packed sequence comes out as one
        self.path.add(("implies", layer, carried), ("implies", carried, layer))
        result.items = (carried, states if kind == "LSTM" else new)
        return result


class Owner:
    """The attributes of ``self`` by the class of a method: methods, layers, parameters, plain tensors."""

    def __init__(self, tree: Tree, info: ClassInfo) -> None:
        self.tree = tree
        self.info = info
        self.methods = info.methods
        self.modules: set[str] = set()  # attributes that hold modules which are not of torch.nn
        self.parameters: set[str] = set()  # parameters and buffers
        self.shaped: set[str] = set()  # parameters that have a dimension
        self.plain: dict[
            str, tuple[ast.AST, Stmt, bool]
        ] = {}  # tensors made in __init__ and kept as they are; with a dimension

    def read(self, run: Evaluation, attr: str) -> Value:
        """The value of ``self.attr`` at the start of a method."""
        if attr in self.info.layers or attr in self.modules:
            value = Value("layer", attr, given=True)
            value.layer = self.info.layers.get(attr, "")
            run.path.add(("carrier", value), ("dims", value))
            return value
        if attr in self.parameters:
            return Value(name=f"self.{attr}", given=True)
        if attr in self.plain:
            node, stmt, dims = self.plain[attr]
            return run.attribute_made(node, stmt, f"self.{attr}", dims=dims)
        return Value(name=attr, given=True)


def _gives_several(operator: Operator, *, given: bool) -> bool:
    """Whether a call gives several tensors: ``x.split(2)`` does, ``x.max(1)`` too, ``x.max()`` does not; `given`: it has arguments beside the
    tensor."""
    return operator.gives_several and ("tensor" not in operator.returns or given)


def _is_plain(scope: Scope) -> bool:
    """Whether a call runs the function at once, and passes arguments only to named parameters."""
    node = scope.function
    return isinstance(node, ast.FunctionDef) and node.args.vararg is None and not yields(scope)


def yields(scope: Scope) -> bool:
    """Whether a function is a generator, or holds one."""
    return "yield" in scope.tree.text(scope) and any(
        isinstance(n, (ast.Yield, ast.YieldFrom)) for n in walk(scope.function)
    )


def makes_dimensions(tree: Tree, node: ast.Call, scope: Scope) -> bool:
    """Whether a call is one of a factory of torch, for a tensor with a dimension."""
    name = tree.qualname(node.func, scope)
    values = [("*" if isinstance(a, ast.Starred) else None, NUMBER) for a in node.args]
    return name is not None and torch_model.is_factory(name) and _has_dimension(name, node, values)


def _has_dimension(name: str, node: ast.Call, values: list[tuple[str | None, Value]]) -> bool:
    """Whether the result of a factory certainly has a dimension."""
    if name == "torch.normal":
        size = next((k.value for k in node.keywords if k.arg == "size"), node.args[2] if len(node.args) > 2 else None)
        return isinstance(size, (ast.Tuple, ast.List)) and bool(size.elts)
    if not values or values[0][0] not in (None, "size"):
        return False
    first = node.args[0] if node.args else node.keywords[0].value
    if isinstance(first, (ast.Tuple, ast.List)):
        return bool(first.elts)
    if name in ("torch.tensor", "torch.as_tensor", "torch.asarray"):
        return isinstance(first, ast.ListComp)
    if name == "torch.full":
        return not isinstance(first, ast.Constant)
    operator = torch_model.function(name)
    return operator is not None and operator.rank not in ("may", "keeps", "")


EXPRESSIONS[ast.Call] = Run.e_call
