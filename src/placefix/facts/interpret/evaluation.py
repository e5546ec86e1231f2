"""Expressions of one function over abstract values, calls apart (`device_constraints` has those)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from placefix import torch_model
from placefix.facts.interpret.constraint_facts import Creation, Path, Value, join, relate
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import children

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from placefix.facts.interpret.device_constraints import Owner
    from placefix.facts.program.tree import Scope, Stmt, Tree


NUMBER = Value("number")


class Evaluation:
    """Evaluates expressions along one path; the tensors made on the CPU are in `creations` afterwards.

    attributes: the values of ``self.name`` by the class's ``__init__``, see `Owner`.
    """

    def __init__(self, tree: Tree, owner: Owner | None) -> None:
        self.tree = tree
        self.owner = owner
        self.creations: list[Creation] = []
        self.called: set[Scope] = set()
        self.scopes: list[Scope] = []
        self.returns: list[list[tuple[Value, Path]]] = []
        self.leaving: list[list[Path]] = []  # break and continue of the loops around
        self.trying = 0
        self.stmt: Stmt | None = None
        self.path = Path({}, set(), {}, [])
        self.attributes: dict[str, Value] = {}
        self.arguments_of: dict[str, Value] = {}  # the parameters of the function that is run
        self.proven: frozenset[str] = frozenset()  # those that are tensors wherever it ends
        self.end: list[Path] = []
        self.given_up = False
        self.scope: Scope | None = None

    # --- binding ---------------------------------------------------------------------------

    def bind(self, target: ast.expr, value: Value) -> None:
        """Assign `value` to a target of any form."""
        if isinstance(target, (ast.Name, ast.Attribute)):
            text = dotted(target)
            if isinstance(target, ast.Attribute) and target.attr == "data":
                text, value = dotted(target.value), Value(given=True)  # it may lie elsewhere from here on
            if text:
                self.path.env[self._key(text)] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            starred = any(isinstance(e, ast.Starred) for e in target.elts)
            exact = value.kind == "tuple" and len(value.items) == len(target.elts) and not starred
            for number, element in enumerate(target.elts):
                if isinstance(element, ast.Starred):
                    self.bind(element.value, Value())
                else:
                    self.bind(element, value.items[number] if exact else self.item(value))
        elif isinstance(target, ast.Subscript):
            base, index = self.eval(target.value), self.eval(target.slice)
            self._indexed(base, index)
            if base.kind in ("tuple", "bag"):
                self.bind(target.value, Value())

    def _key(self, text: str) -> str:
        """Attributes of the object itself have one name in every method that runs here."""
        head, dot, tail = text.partition(".")
        value = self.path.env.get(head)
        return f"<self>.{tail}" if dot and value is not None and value.kind == "self" else text

    def item(self, value: Value) -> Value:
        """One item of a value that is iterated, unpacked or subscripted."""
        if value.kind in ("number", "device"):
            return NUMBER
        if value.kind == "tuple":
            result = Value(sources=sources_of(value.items))
            if value.items and len(set(value.items)) == 1:
                return value.items[0]
            return result
        result = self.image(value)
        if ("carrier", value) in self.path.known and value.kind == "value":
            self._tensor(result)
        return result

    def image(self, value: Value, *, dims: bool = False) -> Value:
        """A tensor that lies where `value` lies, if that is one; `dims`: with a dimension where that has one."""
        if value.kind in ("number", "device"):
            return NUMBER
        result = Value(sources=value.sources)
        result.made = value.made
        self.path.add(("implies", value, result), ("implies", result, value), ("like" if dims else "of", result, value))
        self._inherit(result, value, dims=dims)
        return result

    def _inherit(self, result: Value, source: Value, *, dims: bool) -> None:
        if self.is_tensor(source):
            self.path.add(("tensor", result))
        if dims and ("dims", source) in self.path.known:
            self.path.add(("dims", result))

    def _indexed(self, base: Value, index: Value) -> None:
        """``base[index]``: a tensor of the CPU takes no index from another device."""
        for part in index.items if index.kind == "tuple" else (index,):
            if part.kind == "value":
                sized = ("dims", part) in self.path.known
                self.path.add(("implies" if sized else "indexed", base, part))

    # --- operations --------------------------------------------------------------------------

    def operation(self, operands: Iterable[Value], *, dims: bool = True) -> Value:
        """An operation that refuses tensors of unlike devices; `dims`: its result has a dimension where an operand has."""
        found = [o for o in self.flat(operands) if o.kind in ("value", "bag")]
        if not found:
            return NUMBER
        result = Value(sources=sources_of(found))
        made = [o for o in found if o.made]
        if len(found) == 1 or (
            len(made) == 1 and ("dims", made[0]) in self.path.known and all(o.kind == "value" for o in found)
        ):
            # what has a dimension and lies on the CPU takes nothing from elsewhere
            result.made = made[0].made if made else frozenset()
        if len(made) > 1:
            relate(made)
        for one in found:
            self.path.add(("meets", one, result), ("implies", result, one), ("like" if dims else "of", result, one))
            self._inherit(result, one, dims=dims)
            self.path.add(*(("meets", one, other) for other in found if other is not one))
            if one.kind == "bag":
                self.path.add(("carrier", one))
                for since in (self.path.known, *self.path.through.values()):
                    for held in [f[2] for f in since if f[0] == "member" and f[1] is one]:
                        facts = (("meets", held, result), ("implies", result, held), ("like", result, held))
                        since.update(facts)
                        self.path.said.append(facts)
        return result

    def flat(self, values: Iterable[Value], depth: int = 0) -> list[Value]:
        """The values, tuples replaced by their items up to three levels deep."""
        found: list[Value] = []
        for value in values:
            if value.kind == "tuple" and depth < 3:
                found += self.flat(value.items, depth + 1)
            else:
                found.append(value)
        return found

    def attribute_made(self, node: ast.AST, stmt: Stmt, name: str, *, dims: bool) -> Value:
        """A tensor that ``__init__`` made on the CPU and keeps as a plain attribute, read here; `dims`: it has a dimension."""
        value = self._tensor(Value(name=name))
        creation = Creation(node, stmt, value, {}, guarded=False)
        value.made = frozenset((creation,))
        self.creations.append(creation)
        self.path.pass_by(creation)
        if dims:
            self.path.add(("dims", value))
        return value

    def _tensor(self, value: Value, *, dims: bool = False) -> Value:
        if value.kind == "value":
            self.path.add(("tensor", value), *((("dims", value),) if dims else ()))
        return value

    def is_tensor(self, value: Value) -> bool:
        """Whether a value is certainly a tensor."""
        return ("tensor", value) in self.path.known

    # --- expressions ---------------------------------------------------------------------------

    def qualname(self, func: ast.expr) -> str | None:
        """The qualified name of an expression in the current scope."""
        return self.tree.qualname(func, self.scopes[-1])

    def eval(self, node: ast.expr) -> Value:
        """The abstract value of an expression."""
        handler = EXPRESSIONS.get(node.__class__)
        if handler is not None:
            return handler(self, node)
        for child in children(node):
            if isinstance(child, ast.expr):
                self.eval(child)
        return Value()

    def e_number(self, node: ast.expr) -> Value:
        """A constant or another expression that is no tensor."""
        return NUMBER

    def e_name(self, node: ast.Name) -> Value:
        """The value of a name; a name of an outer scope is a given value."""
        value = self.path.env.get(node.id)
        if value is None:
            owner = self.scopes[-1].lookup(node.id)
            value = self.path.env[node.id] = Value(name=node.id, given=owner is not self.scopes[-1])
        return value

    def e_attribute(self, node: ast.Attribute) -> Value:
        """The value of an attribute: of ``self``, of a layer, or of a tensor."""
        if self.qualname(node) is not None:
            return NUMBER
        base = self.eval(node.value)
        attr = node.attr
        if base.kind == "self":
            return self._own(attr)
        if base.kind in ("number", "device", "layer"):
            return NUMBER if base.kind != "layer" or attr not in ("weight", "bias") else self._weight(base)
        if attr == "device":
            device = Value("device")
            device.of = self._tensor(base)
            return device
        if torch_model.attribute(attr) is not None and torch_model.stays(attr):
            return self.image(base, dims=True)
        if torch_model.is_answer(attr):
            return NUMBER
        text = dotted(node)
        if not text:
            return Value(sources=base.sources)
        key = self._key(text)
        value = self.path.env.get(key)
        if value is None:
            value = self.path.env[key] = Value(name=text, sources=base.sources)
        return value

    def _own(self, attr: str) -> Value:
        """``self.attr``: the value assigned here, else that by the class."""
        key = f"<self>.{attr}"
        value = self.path.env.get(key)
        if value is None:
            value = self.attributes.get(attr)
        if value is None:
            value = self.attributes[attr] = self.owner.read(self, attr) if self.owner is not None else Value(given=True)
        if value.made:  # a plain attribute: certain only of paths that read it
            for creation in value.made:
                if creation not in self.path.through:
                    self.path.pass_by(creation, (("tensor", value), ("dims", value)))
        elif value.name.startswith("self."):
            self.path.add(("tensor", value))
        return value

    def _weight(self, layer: Value) -> Value:
        value = self._tensor(Value(sources=layer.sources))
        self.path.add(("implies", layer, value), ("implies", value, layer))
        return value

    def e_subscript(self, node: ast.Subscript) -> Value:
        """An item of a tuple, a slice, or an indexed tensor."""
        base, index = self.eval(node.value), self.eval(node.slice)
        key = node.slice
        if (
            base.kind == "tuple"
            and isinstance(key, ast.Constant)
            and isinstance(key.value, int)
            and -len(base.items) <= key.value < len(base.items)
        ):
            return base.items[key.value]
        if base.kind != "value":
            return self.item(base)
        if isinstance(key, (ast.Slice, ast.Tuple)):
            if isinstance(key, ast.Tuple) and any(isinstance(e, ast.Slice) for e in key.elts):
                self._tensor(base, dims=True)  # only arrays are sliced in several dimensions
            self._indexed(base, index)
            kept = isinstance(key, ast.Slice) or any(isinstance(e, ast.Slice) or _is_none(e) for e in key.elts)
            result = self.image(base)
            if kept:
                self.path.add(("dims", result))
            return result
        self._indexed(base, index)
        result = self.image(base)
        if _is_none(key) or ("dims", index) in self.path.known:
            self.path.add(("dims", result))
        return result

    def e_slice(self, node: ast.Slice) -> Value:
        """Evaluate the bounds of a slice."""
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.eval(part)
        return NUMBER

    def e_tuple(self, node: ast.Tuple | ast.List) -> Value:
        """A tuple or list with its items."""
        items = [self.eval(e.value if isinstance(e, ast.Starred) else e) for e in node.elts]
        if any(isinstance(e, ast.Starred) for e in node.elts):
            return Value()
        value = Value("tuple" if items or isinstance(node, ast.Tuple) else "bag", sources=sources_of(items))
        value.items = tuple(items)
        return value

    def e_binop(self, node: ast.BinOp) -> Value:
        """An arithmetic operation: both operands must be on one device."""
        left, right = self.eval(node.left), self.eval(node.right)
        if "tuple" in (left.kind, right.kind) or "bag" in (left.kind, right.kind):
            return Value()
        product = isinstance(node.op, ast.MatMult)
        if product:
            self.multiplied((left, right))
        return self.operation((left, right), dims=not product)

    def multiplied(self, factors: Iterable[Value]) -> None:
        """A product of matrices takes nothing of no dimension, wherever it lies."""
        self.path.add(*(("dims", factor) for factor in factors if factor.kind == "value"))

    def e_unaryop(self, node: ast.UnaryOp) -> Value:
        """An operation on one tensor."""
        value = self.eval(node.operand)
        return NUMBER if isinstance(node.op, ast.Not) else self.image(value, dims=True)

    def e_compare(self, node: ast.Compare) -> Value:
        """A comparison of values: both operands must be on one device."""
        values = [self.eval(n) for n in (node.left, *node.comparators)]
        if len(node.ops) > 1 or isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
            return NUMBER
        return self.operation(values)

    def e_boolop(self, node: ast.BoolOp) -> Value:
        """`and`, `or`: the operands after the first need not run."""
        self.eval(node.values[0])
        self._aside(node.values[1:])
        return Value()

    def _aside(self, nodes: Sequence[ast.expr]) -> None:
        """Code that may not run."""
        before = self.path.copy()
        for node in nodes:
            self.eval(node)
        self.path = join(before, self.path)

    def e_ifexp(self, node: ast.IfExp) -> Value:
        """A conditional expression: both values joined."""
        self.eval(node.test)
        before = self.path.copy()
        one = self.eval(node.body)
        first = self.path
        self.path = before
        two = self.eval(node.orelse)
        first.env["<either>"], self.path.env["<either>"] = one, two
        self.path = join(first, self.path)
        return self.path.env.pop("<either>")

    def e_named(self, node: ast.NamedExpr) -> Value:
        """`name := value`."""
        value = self.eval(node.value)
        self.path.env[node.target.id] = value
        return value

    def e_comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
        """A comprehension: a bag whose items are like the element."""
        saved = dict(self.path.env)
        certain = not any(g.ifs for g in node.generators)
        before = self.path.copy()
        for generator in node.generators:
            self.bind(generator.target, self.item(self.eval(generator.iter)))
        item = self.eval(node.elt)
        if not certain:
            self.path = join(before, self.path)
        self.path.env = saved
        bag = Value("bag", sources=item.sources)
        if certain:
            self.path.add(("member", bag, item))
        return bag

    def e_lambda(self, node: ast.Lambda) -> Value:
        """A lambda: unknown."""
        return Value()


def sources_of(values: Iterable[Value]) -> frozenset[Value]:
    """All that several values are computed of."""
    return frozenset(s for v in values for s in v.sources)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


EXPRESSIONS: dict[type[ast.AST], Callable[[Any, Any], Value]] = {
    ast.Constant: Evaluation.e_number,
    ast.JoinedStr: Evaluation.e_number,
    ast.Name: Evaluation.e_name,
    ast.Attribute: Evaluation.e_attribute,
    ast.Subscript: Evaluation.e_subscript,
    ast.Slice: Evaluation.e_slice,
    ast.Tuple: Evaluation.e_tuple,
    ast.List: Evaluation.e_tuple,
    ast.BinOp: Evaluation.e_binop,
    ast.UnaryOp: Evaluation.e_unaryop,
    ast.Compare: Evaluation.e_compare,
    ast.BoolOp: Evaluation.e_boolop,
    ast.IfExp: Evaluation.e_ifexp,
    ast.NamedExpr: Evaluation.e_named,
    ast.ListComp: Evaluation.e_comprehension,
    ast.SetComp: Evaluation.e_comprehension,
    ast.GeneratorExp: Evaluation.e_comprehension,
    ast.Lambda: Evaluation.e_lambda,
}
