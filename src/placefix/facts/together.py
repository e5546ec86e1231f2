"""What must lie together: the device equalities that a function's own operations enforce.

A function is run once over abstract values. Each operation that refuses tensors of unlike devices
leaves an implication, "if this one lies on the CPU, so does that one", on the path it stands on.
What holds on every path through a creation like ``torch.zeros(n)`` is then certain of every call
that ran to its end: where a parameter `x` is reached from the creation, ``x.device`` *was* the
creation's device in all of them, whatever else the function does. Nothing needs to be known of the
callers, nor of code that is not understood: it adds nothing.

0-dim tensors mix with those of other devices (SEMANTICS A15), so an implication through an
operand holds only from one that is shown to have a dimension.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Any

from placefix.facts import torch_api as api
from placefix.facts.certain import Certain, Creation, Path, Value, join
from placefix.facts.children import children, walk
from placefix.facts.names import dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from placefix.facts.certain import Fact
    from placefix.facts.tree import Scope, Stmt, Suite, Tree
    from placefix.facts.values import ClassInfo

_MAX_DEPTH = 3


NUMBER = Value("number")


class Run:
    """Runs one function; what it made is in `creations` afterwards.

    attributes: for what a class's ``__init__`` says of ``self.name``, see `Owner`.
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

    @cached_property
    def said(self) -> Certain:
        """All that was certain anywhere in the run, and what layers may ask for: what does not follow from that follows
        on no path."""
        facts: set[Fact] = set().union(*self.path.said)
        return Certain(facts, maybe=True, assumed=[v for v in self.arguments_of.values() if v.kind == "value"])

    def whole(self, scope: Scope, tensors: frozenset[str] = frozenset()) -> None:
        """Run `scope` as code elsewhere calls it, with arguments that are not known.

        tensors: parameters that are tensors in every call that runs to its end.
        """
        self.scope = scope
        bound = {name: Value(name=name, given=True) for name in tensors}
        for value in bound.values():
            self._tensor(value)
        returned = self._body(scope, bound)
        paths = [p for p in (*(p for _, p in returned), self.path) if not p.dead]
        self.proven = frozenset(n for n, v in self.arguments_of.items() if paths and all(("tensor", v) in p.known for p in paths))
        self.end = paths
        for path in paths:
            for creation in path.through:
                creation.exits.append((path.known, path.through[creation]))

    def _body(self, scope: Scope, bound: dict[str, Value]) -> list[tuple[Value, Path]]:
        """Run a function's body in names of its own; `self.path` is then the path that falls off its end."""
        arguments = scope.function.args
        env = {k: v for k, v in self.path.env.items() if k.startswith("<self>.")}
        names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        method = scope.parent is not None and scope.parent.kind == "class" and not _is_static(scope)
        for number, argument in enumerate(names):
            value = bound.get(argument.arg)
            if value is None:
                value = Value("self") if method and number == 0 else Value(name=argument.arg, given=True)
                if argument.annotation is not None and _is_tensor_type(self.tree, argument.annotation, scope):
                    self.path.add(("tensor", value))
            env[argument.arg] = value
        if not self.scopes:
            self.arguments_of = {a.arg: env[a.arg] for a in names}
        outer, self.path.env = self.path.env, env
        self.scopes.append(scope)
        self.returns.append([])
        self.suite(scope.body)
        returned = self.returns.pop()
        self.scopes.pop()
        for path in (*(p for _, p in returned), self.path):
            if self.scopes:  # attributes that were assigned inside stay
                path.env = {**outer, **{k: v for k, v in path.env.items() if k.startswith("<self>.")}}
        return returned

    def _inline(self, scope: Scope, node: ast.Call, values: list[tuple[str | None, Value]], me: Value | None) -> Value:
        """A call of a function of the file, run here."""
        self.called.add(scope)
        if scope in self.scopes or len(self.scopes) > _MAX_DEPTH or not _is_plain(scope) or any(k == "*" for k, _ in values):
            self._forget(node)
            return Value()
        parameters = [a.arg for a in (*scope.function.args.posonlyargs, *scope.function.args.args)]
        bound: dict[str, Value] = {}
        if me is not None and parameters:
            bound[parameters.pop(0)] = me
        positional = [v for k, v in values if k is None]
        bound.update(zip(parameters, positional, strict=False))
        bound.update({k: v for k, v in values if k is not None})
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
        return end.env.pop("<returned>")

    def release(self) -> None:
        """Break the reference cycles; the run is good for nothing afterwards."""
        for creation in self.creations:
            creation.release()
        self.__dict__.clear()

    # --- statements ------------------------------------------------------------------------

    def suite(self, suite: Suite) -> None:
        for stmt in suite.stmts:
            if self.path.dead:
                return
            self.stmt = stmt
            handler = _STATEMENTS.get(stmt.node.__class__)
            if handler is not None:
                handler(self, stmt, stmt.node)

    def s_expr(self, stmt: Stmt, node: ast.Expr) -> None:
        self.eval(node.value)

    def s_assign(self, stmt: Stmt, node: ast.Assign) -> None:
        value = self.eval(node.value)
        for target in node.targets:
            self.bind(target, value)

    def s_annassign(self, stmt: Stmt, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.bind(node.target, self.eval(node.value))

    def s_augassign(self, stmt: Stmt, node: ast.AugAssign) -> None:
        value = self.eval(node.value)
        target = node.target
        old = self.eval(target)
        result = self.operation([old, value])
        if not isinstance(target, ast.Subscript):
            self.bind(target, result)

    def s_return(self, stmt: Stmt, node: ast.Return) -> None:
        value = self.eval(node.value) if node.value is not None else NUMBER
        for creation in self.path.through if self.trying else ():
            creation.guarded = True
        self.returns[-1].append((value, self.path))
        self.path = self.path.leave()

    def s_raise(self, stmt: Stmt, node: ast.Raise) -> None:
        self.path.dead = True

    def s_leave(self, stmt: Stmt, node: ast.stmt) -> None:
        if self.leaving:
            self.leaving[-1].append(self.path)
        self.path = self.path.leave()

    def s_if(self, stmt: Stmt, node: ast.If) -> None:
        self.eval(node.test)
        self._arms([*stmt.suites], every=len(stmt.suites) > 1)

    def _arms(self, suites: Sequence[Suite], *, every: bool) -> None:
        """Run exclusive suites; without `every` one may be passed by."""
        before = self.path
        result: Path | None = None if every else before.copy()
        for suite in suites:
            self.path = before if suite is suites[-1] else before.copy()
            self.suite(suite)
            result = self.path if result is None else join(result, self.path)
        self.path = result or before

    def s_for(self, stmt: Stmt, node: ast.For) -> None:
        iterable = self.eval(node.iter)
        self._loop(stmt, lambda: self.bind(node.target, self.item(iterable)), passed=False)

    def s_while(self, stmt: Stmt, node: ast.While) -> None:
        self.eval(node.test)
        self._loop(stmt, lambda: None, passed=True)

    def _loop(self, stmt: Stmt, start: Callable[[], None], *, passed: bool) -> None:
        """A body runs twice, so that what one pass leaves meets the next; `passed`: it may not run at all."""
        result: Path | None = self.path.copy() if passed else None
        for last in (False, True):
            start()
            self.leaving.append([])
            self.suite(stmt.suites[0])
            for path in self.leaving.pop():
                self.path = join(self.path, path)
            over = last or self.path.dead
            end = self.path if over else self.path.copy()
            result = end if result is None else join(result, end)
            if over:
                break
        self.path = result or self.path
        for suite in stmt.suites[1:]:
            self.suite(suite)

    def s_with(self, stmt: Stmt, node: ast.With) -> None:
        for item in node.items:
            value = self.eval(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, value)
            call = item.context_expr
            if isinstance(call, ast.Call) and self.qualname(call.func) == "torch.device":
                self.given_up = True  # what is made here lies elsewhere
        self.suite(stmt.suites[0])

    def s_try(self, stmt: Stmt, node: ast.Try) -> None:
        before = self.path.copy()
        self.trying += 1
        self.suite(stmt.suites[0])
        self.trying -= 1
        end = join(before, self.path)
        for suite in stmt.suites[1:]:
            if suite.arm.startswith("handler"):
                self.path = join(before.copy(), end.copy())
                self.suite(suite)
                end = join(end, self.path)
        self.path = end
        for suite in stmt.suites[1:]:
            if not suite.arm.startswith("handler"):
                self.suite(suite)

    def s_match(self, stmt: Stmt, node: ast.AST) -> None:
        self.eval(node.subject)  # type: ignore[attr-defined]
        self._arms(stmt.suites, every=False)

    def s_assert(self, stmt: Stmt, node: ast.Assert) -> None:
        self.eval(node.test)

    # --- binding ---------------------------------------------------------------------------

    def bind(self, target: ast.expr, value: Value) -> None:
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
            result = Value(sources=_sources(value.items))
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
            if part.kind == "value" and ("dims", part) in self.path.known:
                self.path.add(("implies", base, part))

    # --- operations --------------------------------------------------------------------------

    def operation(self, operands: Iterable[Value], *, dims: bool = True) -> Value:
        """An operation that refuses tensors of unlike devices; `dims`: its result has a dimension where an operand has."""
        found = [o for o in self.flat(operands) if o.kind in ("value", "bag")]
        if not found:
            return NUMBER
        result = Value(sources=_sources(found))
        if len(found) == 1:
            result.made = found[0].made
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
        found: list[Value] = []
        for value in values:
            if value.kind == "tuple" and depth < 3:
                found += self.flat(value.items, depth + 1)
            else:
                found.append(value)
        return found

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
        if _has_dimension(name, node, values):
            self.path.add(("dims", value))
        return value

    def attribute_made(self, node: ast.AST, stmt: Stmt, name: str) -> Value:
        """A tensor that ``__init__`` made on the CPU and keeps as a plain attribute, read here."""
        value = self._tensor(Value(name=name))
        creation = Creation(node, stmt, value, {}, guarded=False)
        value.made = frozenset((creation,))
        self.creations.append(creation)
        self.path.pass_by(creation)
        self.path.add(("dims", value))
        return value

    def _tensor(self, value: Value, *, dims: bool = False) -> Value:
        if value.kind == "value":
            self.path.add(("tensor", value), *((("dims", value),) if dims else ()))
        return value

    def is_tensor(self, value: Value) -> bool:
        return ("tensor", value) in self.path.known

    # --- expressions ---------------------------------------------------------------------------

    def qualname(self, func: ast.expr) -> str | None:
        return self.tree.qualname(func, self.scopes[-1])

    def eval(self, node: ast.expr) -> Value:
        handler = _EXPRESSIONS.get(node.__class__)
        if handler is not None:
            return handler(self, node)
        for child in children(node):
            if isinstance(child, ast.expr):
                self.eval(child)
        return Value()

    def e_number(self, node: ast.expr) -> Value:
        return NUMBER

    def e_name(self, node: ast.Name) -> Value:
        value = self.path.env.get(node.id)
        if value is None:
            owner = self.scopes[-1].lookup(node.id)
            value = self.path.env[node.id] = Value(name=node.id, given=owner is not self.scopes[-1])
        return value

    def e_attribute(self, node: ast.Attribute) -> Value:
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
        if attr in ("data", "T", "mT", "H", "grad", "real", "imag"):
            return self.image(base, dims=True)
        if attr in api.TENSOR_NEUTRAL:
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
        """``self.attr``: what was assigned here, else what the class says of it."""
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
        base, index = self.eval(node.value), self.eval(node.slice)
        key = node.slice
        if base.kind == "tuple" and isinstance(key, ast.Constant) and isinstance(key.value, int) and -len(base.items) <= key.value < len(base.items):
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
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.eval(part)
        return NUMBER

    def e_tuple(self, node: ast.Tuple | ast.List) -> Value:
        items = [self.eval(e.value if isinstance(e, ast.Starred) else e) for e in node.elts]
        if any(isinstance(e, ast.Starred) for e in node.elts):
            return Value()
        value = Value("tuple" if items or isinstance(node, ast.Tuple) else "bag", sources=_sources(items))
        value.items = tuple(items)
        return value

    def e_binop(self, node: ast.BinOp) -> Value:
        left, right = self.eval(node.left), self.eval(node.right)
        if "tuple" in (left.kind, right.kind) or "bag" in (left.kind, right.kind):
            return Value()
        return self.operation((left, right), dims=not isinstance(node.op, ast.MatMult))

    def e_unaryop(self, node: ast.UnaryOp) -> Value:
        value = self.eval(node.operand)
        return NUMBER if isinstance(node.op, ast.Not) else self.image(value, dims=True)

    def e_compare(self, node: ast.Compare) -> Value:
        values = [self.eval(n) for n in (node.left, *node.comparators)]
        if len(node.ops) > 1 or isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
            return NUMBER
        return self.operation(values)

    def e_boolop(self, node: ast.BoolOp) -> Value:
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
        value = self.eval(node.value)
        self.path.env[node.target.id] = value
        return value

    def e_comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
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
        return Value()

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
        self._forget(node) if scope is None else None
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
        return Value(sources=_sources(v for _, v in values))

    @staticmethod
    def _each(item: Value) -> Value:
        value = Value("tuple")
        value.items = (item,)
        return value

    def _named(self, name: str, node: ast.Call) -> Value:
        values = self.arguments(node)
        plain = [v for _, v in values]
        last = name.rpartition(".")[2]
        if name in api.TENSOR_FACTORIES:
            if name == "torch.as_tensor" and plain and plain[0].kind not in ("tuple", "number"):
                return self.image(plain[0]) if self.is_tensor(plain[0]) else self._tensor(Value())
            return self.make(node, name, values)
        if name == api.VARIABLE and plain:
            return self._tensor(plain[0])
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
            result = self._tensor(self.operation(plain, dims=not flat), dims=last in ("cat", "stack", "bmm", "mm", "linear"))
            for operand in plain[:1]:
                if operand.kind == "value" and last not in ("where", "add", "sub", "mul", "div", "pow", "max", "min"):
                    self._tensor(operand)
            return result
        return Value(sources=_sources(plain))

    def _method(self, base: Value, attr: str, node: ast.Call) -> Value:
        values = self.arguments(node)
        plain = [v for _, v in values]
        if base.kind == "self":
            return self._own_call(attr, node, values)
        if base.kind == "bag" and attr in ("append", "insert") and plain:
            self.path.add(("member", base, plain[-1]))
            return NUMBER
        if base.kind == "layer":
            if attr in api.PLACING:
                self._forget(node)
            return self._layer(base, values) if attr == "forward" else Value(given=True)
        if base.kind != "value":
            if base.kind in ("tuple", "bag") and isinstance(node.func, ast.Attribute):
                self.bind(node.func.value, Value())  # a list may have changed
            return Value()
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
        if attr in ("copy_", "expand_as", "view_as", "reshape_as"):
            return self.image(base, dims=True)
        if attr not in api.TENSOR_ONLY_METHODS and not self.is_tensor(base):
            self._forget(node)
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
                if (attr in api.ADDS_DIMENSIONS and values and attr not in ("view", "reshape")) or (attr in ("view", "reshape", "new_zeros", "new_ones", "new_full", "new_empty") and values and not (plain[0].kind == "tuple" and not plain[0].items)):
                    self.path.add(("dims", result))
            else:
                result = self.operation((base, *others), dims=attr not in api.REDUCTIONS and attr not in api.MAY_BE_0_DIM)
            if attr in api.TENSOR_ONLY_METHODS:
                self._tensor(result)
            return result
        return Value(sources=base.sources)

    def _forget(self, node: ast.Call) -> None:
        """A call of code that is not known: attributes may have changed."""
        self.attributes = {k: v for k, v in self.attributes.items() if v.kind == "layer" or v.name.startswith("self.")}
        self.path.env = {k: v for k, v in self.path.env.items() if "." not in k}

    def _moved(self, base: Value, node: ast.Call, values: list[tuple[str | None, Value]]) -> Value:
        """``x.to(…)``, ``x.type(…)``: the same place only for a type of torch."""
        stays = values and all(
            k in ("dtype", "non_blocking", "copy") or (k is None and ((self.qualname(e) or "").startswith("torch.") or (isinstance(e, ast.Attribute) and e.attr == "dtype")))
            for (k, _), e in zip(values, (*node.args, *(k.value for k in node.keywords)), strict=True)
        )
        return self.image(base, dims=True) if stays else Value(given=True)

    def _own_call(self, attr: str, node: ast.Call, values: list[tuple[str | None, Value]]) -> Value:
        """``self.attr(…)``: a layer, or a method of the class."""
        method = self.owner.methods.get(attr) if self.owner is not None else None
        if method is not None and f"<self>.{attr}" not in self.path.env:
            me = None if _is_static(method) else Value("self")
            return self._inline(method, node, values, me)
        layer = self._own(attr)
        if layer.kind != "layer":
            self._forget(node)
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
                self.path.add(("maybe", other, layer))
            return result
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
    """What the class of a method says of ``self``: methods, layers, parameters, plain tensors."""

    def __init__(self, tree: Tree, info: ClassInfo) -> None:
        self.tree = tree
        self.info = info
        self.methods = info.methods
        self.modules: set[str] = set()  # attributes that hold modules which are not of torch.nn
        self.parameters: set[str] = set()  # parameters and buffers
        self.plain: dict[str, tuple[ast.AST, Stmt]] = {}  # tensors made in __init__ and kept as they are

    def read(self, run: Run, attr: str) -> Value:
        """The value of ``self.attr`` at the start of a method."""
        if attr in self.info.layers or attr in self.modules:
            value = Value("layer", attr, given=True)
            value.layer = self.info.layers.get(attr, "")
            run.path.add(("carrier", value), ("dims", value))
            return value
        if attr in self.parameters:
            return Value(name=f"self.{attr}", given=True)
        if attr in self.plain:
            return run.attribute_made(*self.plain[attr], f"self.{attr}")
        return Value(name=attr, given=True)


def _sources(values: Iterable[Value]) -> frozenset[Value]:
    return frozenset(s for v in values for s in v.sources)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_static(scope: Scope) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in scope.function.decorator_list)


def _is_plain(scope: Scope) -> bool:
    """Whether a function runs from its start to its end when it is called, and takes what it names."""
    node = scope.function
    return isinstance(node, ast.FunctionDef) and node.args.vararg is None and not yields(scope)


def yields(scope: Scope) -> bool:
    """Whether a function is a generator, or holds one."""
    return "yield" in scope.tree.text(scope) and any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in walk(scope.function))


def _is_tensor_type(tree: Tree, annotation: ast.expr, scope: Scope) -> bool:
    name = tree.qualname(annotation, scope.parent or scope) if isinstance(annotation, (ast.Name, ast.Attribute)) else None
    return name in ("torch.Tensor", "torch.FloatTensor", "torch.LongTensor")


def _has_dimension(name: str, node: ast.Call, values: list[tuple[str | None, Value]]) -> bool:
    """Whether what a factory makes has a dimension for certain."""
    if not values or values[0][0] not in (None, "size"):
        return False
    first = node.args[0] if node.args else node.keywords[0].value
    if isinstance(first, (ast.Tuple, ast.List)):
        return bool(first.elts)
    if name in ("torch.tensor", "torch.as_tensor", "torch.normal"):
        return isinstance(first, ast.ListComp)
    if name == "torch.full":
        return not isinstance(first, ast.Constant)
    return name != "torch.from_numpy"


_STATEMENTS: dict[type[ast.AST], Callable[[Run, Stmt, Any], None]] = {
    ast.Expr: Run.s_expr,
    ast.Assign: Run.s_assign,
    ast.AnnAssign: Run.s_annassign,
    ast.AugAssign: Run.s_augassign,
    ast.Return: Run.s_return,
    ast.Raise: Run.s_raise,
    ast.Break: Run.s_leave,
    ast.Continue: Run.s_leave,
    ast.If: Run.s_if,
    ast.For: Run.s_for,
    ast.While: Run.s_while,
    ast.With: Run.s_with,
    ast.Try: Run.s_try,
    ast.Assert: Run.s_assert,
}
if hasattr(ast, "Match"):
    _STATEMENTS[ast.Match] = Run.s_match
_EXPRESSIONS: dict[type[ast.AST], Callable[[Run, Any], Value]] = {
    ast.Constant: Run.e_number,
    ast.JoinedStr: Run.e_number,
    ast.Name: Run.e_name,
    ast.Attribute: Run.e_attribute,
    ast.Subscript: Run.e_subscript,
    ast.Slice: Run.e_slice,
    ast.Tuple: Run.e_tuple,
    ast.List: Run.e_tuple,
    ast.BinOp: Run.e_binop,
    ast.UnaryOp: Run.e_unaryop,
    ast.Compare: Run.e_compare,
    ast.BoolOp: Run.e_boolop,
    ast.IfExp: Run.e_ifexp,
    ast.NamedExpr: Run.e_named,
    ast.ListComp: Run.e_comprehension,
    ast.SetComp: Run.e_comprehension,
    ast.GeneratorExp: Run.e_comprehension,
    ast.Lambda: Run.e_lambda,
    ast.Call: Run.e_call,
}
