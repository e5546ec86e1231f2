"""What must lie together: the device equalities that a function's own operations enforce.

A function is run once over abstract values. Each operation that refuses tensors of unlike devices
leaves an implication, "if this one lies on the CPU, so does that one", on the path it stands on.
What holds on every path through a creation like ``torch.zeros(n)`` is then certain of every call
that ran to its end: where a parameter `x` is reached from the creation, ``x.device`` *was* the
creation's device in all of them, whatever else the function does. Nothing needs to be known of the
callers, nor of code that is not understood: it adds nothing.

0-dim tensors mix with those of other devices, so an implication through an
operand holds only from one that is shown to have a dimension.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.interpret.bodies import EXPRESSIONS, NUMBER, Body, is_static, sources_of
from placefix.facts.interpret.certain import Creation, Handed, Value, join
from placefix.facts.program.children import walk
from placefix.facts.program.names import gives

if TYPE_CHECKING:
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope, Stmt, Tree

_MAX_DEPTH = 3


class Run(Body):
    """Runs one function; what it made is in `creations` afterwards."""

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
        found: list[tuple[str | None, Value]] = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                found.append(("*", self.eval(argument.value)))
            else:
                found.append((None, self.eval(argument)))
        found += [(k.arg or "*", self.eval(k.value)) for k in node.keywords]
        return found

    def e_call(self, node: ast.Call) -> Value:
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
        if callee.layer.rpartition(".")[2] in api.PROBABLY_TOGETHER:
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
        values = self.arguments(node)
        last = name.rpartition(".")[2]
        plain = [v for position, (k, v) in enumerate(values) if not api.lies_anywhere(last, position, k)]
        if name in api.MAKES_ON_HOST:
            return self._tensor(Value(), dims=True)
        if name in api.TENSOR_FACTORIES:
            if name == "torch.as_tensor" and plain and plain[0].kind not in ("tuple", "number"):
                return self.image(plain[0]) if self.is_tensor(plain[0]) else self._tensor(Value())
            if name == "torch.tensor" and plain and self.is_tensor(plain[0]):
                return self.image(plain[0], dims=True)  # a copy beside it
            if name == "torch.normal" and not gives(node, 2, "size"):
                return self._tensor(self.operation(plain))
            return self.make(node, name, values)
        if name == api.VARIABLE and plain:
            return self._tensor(plain[0])
        if name.startswith("numpy.") and last in api.ARRAYS and plain:
            array = Value()
            if last not in ("triu", "tril") or ("dims", plain[0]) in self.path.known:
                self.path.add(("dims", array))
            return array
        if not name.startswith("torch."):
            return Value()
        if any(k in ("device", "out", "*") for k, _ in values):
            return self._tensor(Value())
        if last == "pack_padded_sequence" and plain:
            packed = self.image(self._tensor(plain[0], dims=True))
            self.path.add(("carrier", packed))
            return packed
        if last == "pad_packed_sequence" and plain:
            pair = Value("tuple")
            pair.items = (self._tensor(self.image(plain[0]), dims=True), Value())
            return pair
        if name.startswith("torch.nn.init.") and plain:
            return plain[0]
        if name in api.SEVERAL_RESULTS and plain:
            self._tensor(plain[0])
            several = self.image(plain[0])
            self.path.add(("carrier", several))
            return several
        if name in api.TENSOR_FUNCTIONS or (name.startswith(api.FUNCTIONAL) and name not in api.MIXED_DEVICES):
            flat = last in api.REDUCTIONS or last in api.MAY_BE_0_DIM or name in api.FUNCTIONAL_LOSSES
            if last in ("matmul", "mm", "bmm"):
                self.multiplied(plain[:2])
            result = self._tensor(
                self.operation(plain, dims=not flat), dims=last in ("cat", "stack", "bmm", "mm", "linear")
            )
            for operand in plain[:1]:
                if operand.kind == "value" and last not in ("where", "add", "sub", "mul", "div", "pow", "max", "min"):
                    self._tensor(operand)
            return result
        return Value(sources=sources_of(plain))

    def _method(self, base: Value, attr: str, node: ast.Call) -> Value:
        values = self.arguments(node)
        plain = [
            v for position, (k, v) in enumerate(values) if attr == "type_as" or not api.lies_anywhere(attr, position, k)
        ]
        if base.kind == "self":
            return self._own_call(attr, node, values)
        if base.kind == "bag" and attr in ("append", "insert") and plain:
            self.path.add(("member", base, plain[-1]))
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
        if attr in api.TENSOR_ONLY_METHODS:
            self._tensor(base, dims=attr in api.NEEDS_DIMENSIONS or (attr == "size" and bool(values)))
        if attr in api.TENSOR_NEUTRAL or attr in api.TENSOR_HOST_ONLY:
            return NUMBER
        if attr in ("to", "type"):
            return self._moved(base, node, values)
        if attr == "cpu":
            return self._tensor(Value())
        if attr in api.PLACING or any(k in ("device", "*") for k, _ in values):
            return self._tensor(Value(given=True))
        if attr == "type_as" and plain:
            return self._tensor(self.image(plain[0]))
        if attr in api.ANYWHERE:
            return self.image(base, dims=True)
        if attr not in api.TENSOR_ONLY_METHODS and not self.is_tensor(base):
            self._forget()
            return Value(sources=base.sources)
        if attr in api.TENSOR_SAME_DEVICE or attr in api.STAYS:
            others = [v for v in plain if v.kind in ("value", "tuple")]
            several = f"torch.{attr}" in api.SEVERAL_RESULTS and (attr not in ("max", "min", "median") or bool(values))
            if several:
                result = self.image(base)
                self.path.add(("carrier", result))
                return result
            if attr in api.TAKES_NUMBERS or (attr in api.STAYS and attr not in api.TENSOR_ONLY_METHODS) or not others:
                keeps = attr not in api.REDUCTIONS and attr not in ("select", "new", "view", "reshape")
                result = self.image(base, dims=keeps)
                if (attr in api.ADDS_DIMENSIONS and values and attr not in ("view", "reshape")) or (
                    attr in ("view", "reshape", "new_zeros", "new_ones", "new_full", "new_empty")
                    and values
                    and not (plain[0].kind == "tuple" and not plain[0].items)
                ):
                    self.path.add(("dims", result))
            else:
                result = self.operation(
                    (base, *others), dims=attr not in api.REDUCTIONS and attr not in api.MAY_BE_0_DIM
                )
            if attr in api.TENSOR_ONLY_METHODS:
                self._tensor(result)
            return result
        return Value(sources=base.sources)

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
        if kind in api.RECURRENT_LAYERS:
            return self._recurrent(layer, kind, plain)
        if kind == "MultiheadAttention":
            for operand in self.flat(plain):
                self._with(layer, operand)
            pair = Value("tuple")
            pair.items = (self._weight(layer), Value())
            self.path.add(("dims", pair.items[0]))
            return pair
        if kind in api.WEIGHTED_LAYERS:
            self._tensor(first, dims="Embedding" not in kind)
            self._with(layer, first)
            result = self._weight(layer)
            self.path.add(("dims", result))
            for other in plain[1:]:
                if kind == "EmbeddingBag":
                    self._with(layer, other)
                self.path.add(("maybe", other, layer))
            return result
        if kind in api.LOSS_LAYERS:
            return self._tensor(self.operation(plain, dims=False))
        if kind in api.PLAIN_LAYERS:
            return self.image(self._tensor(first), dims=True)
        return self._opaque(layer, values)

    def _with(self, layer: Value, operand: Value) -> None:
        if operand.kind in ("value", "bag"):
            self.path.add(("implies", operand, layer), ("implies", layer, operand))

    def _recurrent(self, layer: Value, kind: str, plain: list[Value]) -> Value:
        """A recurrent layer or cell with its input and, perhaps, the state it starts with."""
        self._with(layer, plain[0])
        state = self.flat(plain[1:2])
        parts = {creation.node for operand in state for creation in operand.made}
        for number, operand in enumerate(state):
            for creation in operand.made:
                creation.hidden = True
                creation.fellows |= parts
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
    """What the class of a method says of ``self``: methods, layers, parameters, plain tensors."""

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

    def read(self, run: Body, attr: str) -> Value:
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


def _is_plain(scope: Scope) -> bool:
    """Whether a function runs from its start to its end when it is called, and takes what it names."""
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
    return name in api.TENSOR_FACTORIES and _has_dimension(name, node, values)


def _has_dimension(name: str, node: ast.Call, values: list[tuple[str | None, Value]]) -> bool:
    """Whether what a factory makes has a dimension for certain."""
    if name == "torch.normal":
        size = next((k.value for k in node.keywords if k.arg == "size"), node.args[2] if len(node.args) > 2 else None)
        return isinstance(size, (ast.Tuple, ast.List)) and bool(size.elts)
    if not values or values[0][0] not in (None, "size"):
        return False
    first = node.args[0] if node.args else node.keywords[0].value
    if isinstance(first, (ast.Tuple, ast.List)):
        return bool(first.elts)
    if name in ("torch.tensor", "torch.as_tensor"):
        return isinstance(first, ast.ListComp)
    if name == "torch.full":
        return not isinstance(first, ast.Constant)
    return name != "torch.from_numpy"


EXPRESSIONS[ast.Call] = Run.e_call
