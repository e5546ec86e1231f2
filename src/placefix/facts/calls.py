"""What expressions and calls mean to the device-flow analysis (the evaluator half of `Flow`)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.state import join_places, merge
from placefix.facts.summaries import class_info, forward_argument, moves_inputs
from placefix.facts.values import HOST, UNKNOWN_PLACE, ClassInfo, Device, Obj, Place

if TYPE_CHECKING:
    from placefix.facts.state import State
    from placefix.facts.tree import Scope, Stmt, Tree
    from placefix.facts.values import Event, Frame
    from placefix.source import Source

# Not a module, optimizer or tensor: the world that collectives, the CUDA context and forks act on.
WORLD = Obj("world")

_DTYPES = frozenset(
    "float double half bfloat16 int long short bool uint8 int8 int16 int32 int64 float16 float32 float64 complex64 complex128 "
    "float8_e4m3fn float8_e5m2 channels_last channels_last_3d contiguous_format preserve_format".split()
)


class Calls:
    """Evaluates expressions; `Flow` provides statements, bindings and recording."""

    tree: Tree
    source: Source
    state: State
    stack: list[Frame]
    scopes_active: list[Scope]
    envs: dict[Scope, int]
    collectors: list[list[Obj]]
    imports: dict[str, Obj]
    infos: dict[Scope, ClassInfo]
    instances: dict[Scope, Obj]
    inits: dict[Obj, State]
    values: dict[ast.expr, list[Obj]]
    uses: dict[Obj, list[tuple[str, ast.expr]]]
    binds: dict[Obj, tuple[str, Stmt]]
    activation: int
    overlays: list[dict[str, Obj]]

    if TYPE_CHECKING:

        def event(self, kind: str, node: ast.expr, obj: Obj, **extra: object) -> Event: ...
        def touch(self, obj: Obj, what: str) -> None: ...
        def use(self, obj: Obj, what: str, node: ast.expr | None) -> None: ...
        def has_evidence(self, text: str) -> bool: ...
        def by_evidence(self, target: ast.expr, value: Obj) -> Obj: ...
        def cuda_test(self, test: ast.expr) -> str: ...
        def store_name(self, name: str, value: Obj) -> None: ...
        def collected(self, expr: ast.expr) -> Obj: ...
        def call_scope(
            self, scope: Scope, self_obj: Obj | None, call: ast.Call | None, args: list[Obj] | None
        ) -> Obj: ...

    # --- expressions ---------------------------------------------------------------------

    def eval(self, node: ast.expr) -> Obj:
        """The abstract value of an expression; records what happens on the way."""
        handler = _EXPRESSIONS.get(node.__class__)
        if handler is not None:
            return handler(self, node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.eval(child)
        return Obj("unknown", node)

    def e_constant(self, node: ast.Constant) -> Obj:
        return Obj("const", node, value=node.value)

    def e_name(self, node: ast.Name) -> Obj:
        name = node.id
        for overlay in reversed(self.overlays):
            if name in overlay:
                return overlay[name]
        scope = self.scopes_active[-1]
        owner = scope.lookup(name)
        if owner is None:
            if self.tree.root.star_import:
                return Obj("unknown", node, name=name)
            return self.imported(name)
        if name in owner.imports:
            qualified = self.tree.qualname(node, scope)
            if qualified is not None:
                return self.imported(qualified)
        ident = self.envs.get(owner)
        if ident is not None:
            value = self.state.env.get((ident, name))
            if value is not None:
                if value.kind in ("unknown", "call"):
                    upgraded = self.by_evidence(node, value)
                    if upgraded is not value:
                        self.state.env[ident, name] = value = upgraded
                if value.is_module:
                    self.touch(value.root(), "read")
                elif value.kind in ("optimizer", "scheduler"):
                    self.touch(value, "read")
                return value
        if len(owner.bindings.get(name, ())) == 1:
            if name in owner.functions:
                return Obj("function", node, scope=owner.functions[name])
            if name in owner.classes:
                return Obj("class", node, scope=owner.classes[name])
        unknown = self.by_evidence(node, Obj("unknown", node, name=name))
        if ident is not None:
            self.state.env[ident, name] = unknown
        return unknown

    def imported(self, name: str) -> Obj:
        obj = self.imports.get(name)
        if obj is None:
            obj = self.imports[name] = Obj("import", name=name)
        return obj

    def e_attribute(self, node: ast.Attribute) -> Obj:
        base = self.eval(node.value)
        attr = node.attr
        if base.kind == "import":
            name = api.canonical(f"{base.name}.{attr}")
            if base.name == "torch" and attr in _DTYPES:
                return Obj("dtype", node)
            return self.imported(name)
        if base.is_module:
            return self.module_attribute(base, attr, node)
        if base.kind in ("tensor", "element"):
            return self.tensor_attribute(base, attr, node)
        if base.kind in ("optimizer", "scheduler"):
            self.touch(base, "use")
            return Obj("unknown", node, members=base.members)
        if base.kind == "loader" and attr == "dataset":
            return base.base or Obj("unknown", node)
        slot = (base, attr)
        value = self.state.fields.get(slot)
        if value is None and base.cls is not None:
            if attr in base.cls.methods:
                return Obj("method", node, scope=base.cls.methods[attr], base=base)
        if value is None:
            if base.kind == "device" and attr in ("type", "index"):
                return Obj("device" if attr == "type" else "const", node, device=base.device)
            from placefix.facts.flow import device_like

            if device_like(attr):
                settings = isinstance(node.value, ast.Name) and node.value.id in api.SETTINGS_NAMES
                kind = "tensor" if attr == "device" and not settings else "other"
                value = Obj("device", node, device=Device(kind, self.source.code(node)), proven=False)
            else:
                value = Obj("unknown", node, name=f"{base.name}.{attr}" if base.name else attr)
            self.state.fields[slot] = value
        if value.kind == "unknown":
            upgraded = self.by_evidence(node, value)
            if upgraded is not value:
                self.state.fields[slot] = value = upgraded
        if value.is_module:
            self.touch(value.root(), "read")
        elif value.kind in ("optimizer", "scheduler"):
            self.touch(value, "read")
        return value

    def module_attribute(self, base: Obj, attr: str, node: ast.expr) -> Obj:
        root = base.root()
        self.touch(root, "read")
        if attr == "module" and base.kind == "wrapper" and base.base is not None:
            return base.base
        slot = (root, attr)
        value = self.state.fields.get(slot)
        if value is None:
            from placefix.facts.flow import device_like

            if device_like(attr):
                value = Obj("device", node, device=Device("other", self.source.code(node)), proven=False)
            elif root.cls is not None and attr in root.cls.methods:
                return Obj("method", node, scope=root.cls.methods[attr], base=root)
            else:
                # a part of it: a layer, a parameter, a plain attribute
                value = Obj("part", node, base=root, attr=attr)
            self.state.fields[slot] = value
        if value.kind in ("unknown", "part"):
            text = self.source.code(node)
            if self.has_evidence(text):
                value = Obj("module", node, base=root, attr=attr, proven=True)
                self.state.fields[slot] = value
        return value

    def tensor_attribute(self, base: Obj, attr: str, node: ast.expr) -> Obj:
        if attr == "device":
            return Obj("device", node, device=Device("tensor", self.source.code(node)))
        if attr in ("data", "T", "mT", "H", "grad", "real", "imag"):
            return self.tensor_like(base, node)
        if attr in api.TENSOR_NEUTRAL:
            self.use(base, "neutral", node)
            return Obj("unknown", node)
        if base.kind == "element" and base.value != "tensor":
            return self.item_of(base, "." + attr, node)
        self.use(base, "opaque", node)
        return Obj("unknown", node)

    def e_subscript(self, node: ast.Subscript) -> Obj:
        value = self.eval(node.value)
        key = node.slice
        index = self.eval(key)
        if value.kind in ("tuple", "list") and value.items is not None and isinstance(key, ast.Constant) and isinstance(key.value, int):
            if -len(value.items) <= key.value < len(value.items):
                return value.items[key.value]
        if value.kind == "element":
            if isinstance(key, ast.Constant) and value.value != "tensor":
                return self.item_of(value, key.value, node)
            if index.kind in ("tensor", "element"):
                self.use(index, "index", key)
            return self.tensor_like(value, node)
        if value.kind == "tensor":
            if index.kind in ("tensor", "element"):
                self.use(index, "index", key)
            return self.tensor_like(value, node)
        if value.kind == "dict" and isinstance(key, ast.Constant):
            found = self.state.fields.get((value, f"[{key.value!r}]"))
            if found is not None:
                return found
        if index.kind in ("tensor", "element"):
            self.use(index, "container index", key)
        if value.is_module:
            return Obj("part", node, base=value.root(), attr="[]")
        return Obj("unknown", node, members=value.members)

    def item_of(self, value: Obj, key: object, node: ast.expr) -> Obj:
        """One item of a value that is unpacked or subscripted."""
        if value.kind in ("tuple", "list") and value.items is not None and isinstance(key, int) and key < len(value.items):
            return value.items[key]
        if value.kind == "element" and value.value != "tensor":
            slot = (value, f"[{key!r}]")
            found = self.state.fields.get(slot)
            if found is None:
                found = Obj("element", node, base=value, attr=str(key), place=value.place, proven=value.proven)
                self.state.fields[slot] = found
            return found
        if value.kind in ("tensor", "element"):
            return self.tensor_like(value, node)
        if value.kind == "views" and value.base is not None:
            return value.base
        return Obj("unknown", node, members=value.members)

    def e_tuple(self, node: ast.Tuple | ast.List) -> Obj:
        items: list[Obj] = []
        starred = False
        for element in node.elts:
            if isinstance(element, ast.Starred):
                starred = True
                items.append(self.eval(element.value))
            else:
                items.append(self.eval(element))
        kind = "tuple" if isinstance(node, ast.Tuple) else "list"
        members = tuple(dict.fromkeys(m for i in items for m in i.members))
        return Obj(kind, node, items=None if starred else tuple(items), members=members)

    def e_dict(self, node: ast.Dict) -> Obj:
        result = Obj("dict", node)
        members: list[Obj] = []
        values: list[Obj] = []
        for key, expr in zip(node.keys, node.values):
            if key is not None:
                self.eval(key)
            value = self.eval(expr)
            values.append(value)
            members.extend(value.members)
            if isinstance(key, ast.Constant):
                self.state.fields[result, f"[{key.value!r}]"] = value
        result.members = tuple(dict.fromkeys(members))
        result.items = tuple(values)
        return result

    def e_ifexp(self, node: ast.IfExp) -> Obj:
        test = self.eval(node.test)
        flag = self.cuda_test(node.test)
        then, other = self.eval(node.body), self.eval(node.orelse)
        device = self.conditional_device(node, test, then, other, flag)
        if device is not None:
            return Obj("device", node, device=device)
        return merge(then, other, flag)

    def conditional_device(self, node: ast.IfExp, test: Obj, then: Obj, other: Obj, flag: str) -> Device | None:
        one, two = self.device_of(node.body, then), self.device_of(node.orelse, other)
        if one is None or two is None:
            return None
        if {one.kind, two.kind} == {"cuda", "cpu"}:
            kind = "available" if test.kind == "flag" and test.value == "available" and one.kind == "cuda" else "flag"
            return Device(kind, "", (one if one.kind == "cuda" else two).index, node)
        return Device("other", "", None, node)

    def e_boolop(self, node: ast.BoolOp) -> Obj:
        values = [self.eval(v) for v in node.values]
        if any(v.kind == "flag" for v in values):
            return Obj("flag", node, value="and" if isinstance(node.op, ast.And) else "or")
        return Obj("unknown", node)

    def e_unaryop(self, node: ast.UnaryOp) -> Obj:
        value = self.eval(node.operand)
        if value.kind in ("tensor", "element"):
            return self.tensor_like(value, node)
        if isinstance(node.op, ast.Not) and value.kind == "flag":
            return Obj("flag", node, value="not")
        if isinstance(node.op, ast.USub) and value.kind == "const" and isinstance(value.value, int):
            return Obj("const", node, value=-value.value)
        return Obj("unknown", node)

    def e_binop(self, node: ast.BinOp) -> Obj:
        left, right = self.eval(node.left), self.eval(node.right)
        if left.kind in ("tensor", "element") or right.kind in ("tensor", "element"):
            return self.tensor_op(node, (left, right), (node.left, node.right))
        return Obj("unknown" if left.kind != "const" or right.kind != "const" else "const", node, members=(*left.members, *right.members))

    def e_compare(self, node: ast.Compare) -> Obj:
        nodes = (node.left, *node.comparators)
        values = tuple(self.eval(n) for n in nodes)
        if any(v.kind in ("tensor", "element") for v in values) and not any(isinstance(o, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for o in node.ops):
            return self.tensor_op(node, values, nodes)
        return Obj("unknown", node)

    def e_named(self, node: ast.NamedExpr) -> Obj:
        value = self.by_evidence(node.target, self.eval(node.value))
        self.store_name(node.target.id, value)
        return value

    def e_lambda(self, node: ast.Lambda) -> Obj:
        names = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        self.overlays.append({a.arg: Obj("unknown", a, name=a.arg, param=a.arg) for a in names})
        self.eval(node.body)
        self.overlays.pop()
        return Obj("unknown", node)

    def e_comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Obj:
        overlay: dict[str, Obj] = {}
        self.overlays.append(overlay)
        members: list[Obj] = []
        for generator in node.generators:
            iterable = self.eval(generator.iter)
            members.extend(iterable.members)
            self.bind_overlay(generator.target, iterable, overlay)
            for test in generator.ifs:
                self.eval(test)
        if isinstance(node, ast.DictComp):
            self.eval(node.key)
            item = self.eval(node.value)
        else:
            item = self.eval(node.elt)
        self.overlays.pop()
        members.extend(item.members)
        kind = {ast.ListComp: "list", ast.DictComp: "dict"}.get(node.__class__, "unknown")
        result = Obj(kind, node, members=tuple(dict.fromkeys(members)))
        if item.kind == "tensor" and item.place is not None and item.place.kind == "device":
            result.place = item.place
        return result

    def bind_overlay(self, target: ast.expr, iterable: Obj, overlay: dict[str, Obj]) -> None:
        item = self.new_element(iterable, target) if iterable.kind == "loader" else None
        if item is None and iterable.kind in ("tensor", "element"):
            item = self.item_of(iterable, "*", target) if iterable.kind == "element" else self.tensor_like(iterable, target)
        if isinstance(target, ast.Name):
            overlay[target.id] = item or Obj("unknown", target, name=target.id, members=iterable.members)
        else:
            number = 0
            for part in ast.walk(target):
                if isinstance(part, ast.Name):
                    overlay[part.id] = (
                        self.item_of(item, number, part) if item is not None else Obj("unknown", part, name=part.id, members=iterable.members)
                    )
                    number += 1

    def e_await(self, node: ast.Await | ast.Yield | ast.YieldFrom) -> Obj:
        self.touch(WORLD, "exit")
        if node.value is not None:
            value = self.eval(node.value)
            for item in self.flatten(value):
                self.use(item, "escape", node.value)
        return Obj("unknown", node)

    def e_starred(self, node: ast.Starred) -> Obj:
        return self.eval(node.value)

    # --- calls -----------------------------------------------------------------------------

    def e_call(self, node: ast.Call) -> Obj:
        func = node.func
        if isinstance(func, ast.Attribute):
            receiver = self.eval(func.value)
            if receiver.kind == "import":
                return self.named(api.canonical(f"{receiver.name}.{func.attr}"), node)
            return self.method(receiver, func.attr, node)
        callee = self.eval(func)
        kind = callee.kind
        if kind == "import":
            return self.named(callee.name, node)
        if kind == "class" and callee.scope is not None:
            return self.instantiate(callee.scope, node)
        if kind == "function" and callee.scope is not None:
            return self.local_call(callee.scope, None, node)
        if kind == "method" and callee.scope is not None:
            return self.local_call(callee.scope, callee.base, node)
        if callee.is_module:
            return self.forward(callee, node)
        return self.opaque(node, callee.name)

    def arguments(self, node: ast.Call) -> list[tuple[str | None, ast.expr, Obj]]:
        """(keyword or None, expression, value) in order; starred arguments keep their container's value."""
        result: list[tuple[str | None, ast.expr, Obj]] = []
        for arg in node.args:
            result.append((None, arg, self.collected(arg)))
        for keyword in node.keywords:
            result.append((keyword.arg or "**", keyword.value, self.collected(keyword.value)))
        return result

    def flatten(self, value: Obj, depth: int = 0) -> list[Obj]:
        """The value and, for literal containers, what they hold."""
        if value.kind in ("tuple", "list", "dict") and value.items is not None and depth < 3:
            return [value, *(part for item in value.items for part in self.flatten(item, depth + 1))]
        return [value]

    def opaque(self, node: ast.Call, name: str, *, receiver: Obj | None = None, args: list[tuple[str | None, ast.expr, Obj]] | None = None) -> Obj:
        """A call to code that is not known: everything it is handed may change."""
        if args is None:
            args = self.arguments(node)
        pure = name in api.PURE_OF_MODULES or name.startswith(("logging.", "logger.", "numpy.", "math.", "os.", "time."))
        last = name.rpartition(".")[2]
        # a class built over parameters first is an optimizer of another package
        optimizer = bool(args) and args[0][0] in (None, "params") and args[0][2].kind == "params" and last[:1].isupper()
        found: list[Obj] = []
        for _, expr, value in args:
            for item in self.flatten(value):
                self.opaque_argument(item, pure or optimizer and item.kind == "params", expr)
                if item.kind == "params":
                    found.extend(item.members)
        if receiver is not None:
            self.opaque_argument(receiver, False, node.func)
        if name.startswith("numpy."):
            for _, expr, value in args:
                self.use(value, "host", expr)
        result = Obj("unknown", node, name=name)
        if optimizer:
            members = args[0][2].members
            result = Obj("optimizer", node, name=name, members=members, proven=False)
            self.event("optimizer", node, result, args=members, arg_node=args[0][1], places=tuple(self.place_of(m) for m in members))
            return result
        if found and not pure:
            result.members = tuple(dict.fromkeys(found))
        if not pure:
            self.touch(WORLD, "call")
        return result

    def opaque_argument(self, item: Obj, pure: bool, node: ast.expr) -> None:
        if item.is_module or item.kind == "part":
            root = item.root()
            while root.kind == "part" and root.base is not None:
                root = root.base
            self.touch(root, "read" if pure else "opaque")
            if not pure and root not in self.state.place:
                self.state.place[root] = UNKNOWN_PLACE
        elif item.kind in ("optimizer", "scheduler"):
            self.touch(item, "read" if pure else "opaque")
        elif item.kind == "params":
            for member in item.members:
                self.touch(member, "read" if pure else "opaque")
        elif item.kind == "instance":
            if not pure:
                self.escape_instance(item)
        elif item.kind in ("element", "tensor"):
            self.use(item, "neutral" if pure else "opaque", node)
        elif item.kind == "function" and item.scope is not None and not pure:
            self.touch(WORLD, "call")

    def escape_instance(self, instance: Obj) -> None:
        """Unknown code holds the instance: its modules and optimizers may change."""
        for (owner, _), value in list(self.state.fields.items()):
            if owner is instance and (value.is_module or value.kind in ("optimizer", "scheduler")):
                root = value.root()
                self.touch(root, "opaque")
                if value.is_module and root not in self.state.place:
                    self.state.place[root] = UNKNOWN_PLACE

    def local_call(self, scope: Scope, self_obj: Obj | None, node: ast.Call) -> Obj:
        """A call to a function or method of the file: run its body here."""
        from placefix.facts.flow import MAX_ACTIVATIONS, MAX_DEPTH

        if scope in self.scopes_active or len(self.scopes_active) > MAX_DEPTH or self.activation > MAX_ACTIVATIONS:
            return self.opaque(node, scope.name, receiver=self_obj)
        args = self.arguments(node)
        if isinstance(scope.node, ast.AsyncFunctionDef):
            return self.opaque(node, scope.name, receiver=self_obj, args=args)
        self._call_args = args
        return self.call_scope(scope, self_obj, node, [value for _, _, value in args])

    _call_args: list[tuple[str | None, ast.expr, Obj]]

    def bind_parameters(self, scope: Scope, ident: int, self_obj: Obj | None, call: ast.Call | None, args: list[Obj] | None) -> None:
        node = scope.function
        env = self.state.env
        names = [*node.args.posonlyargs, *node.args.args]
        decorators = {d.id for d in node.decorator_list if isinstance(d, ast.Name)}
        is_method = scope.parent is not None and scope.parent.kind == "class" and "staticmethod" not in decorators
        bound: set[str] = set()
        if is_method and names:
            first = names.pop(0)
            env[ident, first.arg] = self_obj if self_obj is not None and "classmethod" not in decorators else Obj("unknown", first, name=first.arg)
            bound.add(first.arg)
        keywords = {a.arg: a for a in (*names, *node.args.kwonlyargs)}
        if call is not None and args is not None:
            spread = False
            position = 0
            rest: list[Obj] = []
            for keyword, expr, value in self._call_args:
                if isinstance(expr, ast.Starred) or keyword == "**":
                    spread = True
                elif keyword is not None:
                    if keyword in keywords:
                        env[ident, keyword] = value
                        bound.add(keyword)
                    elif node.args.kwarg is not None:
                        self.opaque_argument(value, False, expr)
                elif not spread and position < len(names):
                    env[ident, names[position].arg] = value
                    bound.add(names[position].arg)
                    position += 1
                else:
                    rest.append(value)
            if rest and not spread and node.args.vararg is not None:
                env[ident, node.args.vararg.arg] = Obj("tuple", node.args.vararg, items=tuple(rest))
                bound.add(node.args.vararg.arg)
            else:
                for value in rest:
                    self.opaque_argument(value, False, call)
            if not spread:
                defaults = list(zip(reversed(names), reversed(node.args.defaults)))
                defaults += [(a, d) for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults) if d is not None]
                for argument, default in defaults:
                    if argument.arg not in bound and isinstance(default, ast.Constant):
                        env[ident, argument.arg] = Obj("const", default, value=default.value)
                        bound.add(argument.arg)
        for argument in keywords.values():
            if argument.arg not in bound:
                env[ident, argument.arg] = self.unknown_parameter(argument, scope)
        for extra in (node.args.vararg, node.args.kwarg):
            if extra is not None and extra.arg not in bound:
                env[ident, extra.arg] = Obj("unknown", extra, name=extra.arg)

    def unknown_parameter(self, argument: ast.arg, scope: Scope) -> Obj:
        from placefix.facts.flow import device_like

        name = argument.arg
        annotation = argument.annotation
        if annotation is not None:
            qualified = self.tree.qualname(annotation, scope.parent or scope) if isinstance(annotation, (ast.Name, ast.Attribute)) else None
            if qualified is not None and (qualified in api.MODULE_BASES or api.is_module_constructor(qualified)):
                module = Obj("module", argument, param=name, name=qualified)
                self.state.place[module] = UNKNOWN_PLACE
                return module
            if qualified in ("torch.Tensor", "torch.FloatTensor", "torch.LongTensor"):
                return Obj("tensor", argument, place=UNKNOWN_PLACE, param=name)
            if qualified == "torch.device":
                return Obj("device", argument, device=Device("other", name), param=name)
        if device_like(name):
            return Obj("device", argument, device=Device("other", name), param=name, proven=False)
        return Obj("unknown", argument, name=name, param=name)

    def instantiate(self, scope: Scope, node: ast.Call) -> Obj:
        info = self.class_info(scope)
        if info.is_module:
            args = self.arguments(node)
            module = Obj("module", node, cls=info, name=scope.name, loss=scope.name.endswith(("Loss", "Criterion")))
            if info.places_self or "?" in info.bases:
                self.state.place[module] = UNKNOWN_PLACE
            for _, expr, value in args:
                for item in self.flatten(value):
                    if item.is_module:  # handed in: becomes a part of it
                        self.touch(item.root(), "read")
                        if item.kind == "module" and item.base is None and item is not module:
                            item.base = module
                    else:
                        self.use(item, "opaque", expr)
            self.event("module", node, module)
            return module
        instance = self.new_instance(scope, node)
        init = info.methods.get("__init__")
        if init is not None:
            self.local_call(init, instance, node)
        else:
            self.arguments(node)
        if scope not in self.instances:
            self.instances[scope] = instance
            self.inits[instance] = self.state.copy()
        return instance

    def new_instance(self, scope: Scope, node: ast.AST) -> Obj:
        info = self.class_info(scope)
        if info.is_module:
            module = Obj("module", node, cls=info, name=scope.name, param="self")
            self.state.place[module] = UNKNOWN_PLACE
            return module
        return Obj("instance", node, cls=info, name=scope.name)

    def class_info(self, scope: Scope) -> ClassInfo:
        return class_info(self.tree, scope, self.infos)

    # --- calls of imported names ------------------------------------------------------------

    def named(self, name: str, node: ast.Call) -> Obj:
        """A call of a function or class known by its qualified name."""
        if name == "super":
            instance = self.self_object()
            return Obj("super", node, base=instance, scope=self.scopes_active[-1])
        if name == "getattr" and len(node.args) >= 2:
            owner = self.eval(node.args[0])
            key = self.eval(node.args[1])
            if owner.kind == "import":
                # a class picked by name: what it is follows from where it is picked
                return self.imported(f"{owner.name}.{key.value}" if isinstance(key.value, str) else f"{owner.name}.Dynamic")
            return Obj("unknown", node, members=owner.members)
        args = self.arguments(node)
        first = args[0][2] if args and args[0][0] is None else None
        if name == "torch.device":
            device = self.device_of(node.args[0], first) if node.args and first is not None else None
            return Obj("device", node, device=device or Device("other"))
        if name in api.AVAILABILITY:
            return Obj("flag", node, value="available")
        if name in api.WRAPPERS:
            return self.wrap(name, node, args)
        if name in api.MODULE_TRANSFORMS and first is not None and first.is_module:
            self.touch(first.root(), "params" if "norm" in name else "read")
            return first
        if api.is_module_constructor(name):
            return self.torch_module(name, node, args)
        if api.is_optimizer(name):
            return self.optimizer(name, node, args)
        if api.is_scheduler(name):
            base = first if first is not None and first.kind == "optimizer" else None
            if base is not None:
                self.touch(base, "use")
            scheduler = Obj("scheduler", node, base=base, name=name)
            self.touch(scheduler, "made")
            return scheduler
        if name in api.LOADERS:
            return self.loader(name, node, args)
        if name == api.TENSOR_DATASET:
            items = tuple(v for _, _, v in args)
            return Obj("dataset", node, name=name, items=items)
        if api.is_image_classification_dataset(name):
            return Obj("dataset", node, name=name, proven=any(self.makes_tensor(e) for _, e, _ in args))
        if name in api.DATASET_VIEWS:
            if first is not None and first.kind in ("dataset", "instance"):
                return Obj("views", node, base=first) if name.endswith("random_split") else first
            return Obj("unknown", node)
        if name in api.TENSOR_FACTORIES:
            return self.factory(name, node, args)
        if name in api.TENSOR_FUNCTIONS or name.startswith(api.FUNCTIONAL):
            return self.torch_function(name, node, args)
        if name == api.VARIABLE:
            return first if first is not None and first.kind in ("tensor", "element") else Obj("tensor", node, place=UNKNOWN_PLACE)
        if name in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
            return Obj("tensor", node, place=UNKNOWN_PLACE, name="torch.nn.Parameter")
        builtin = _BUILTINS.get(name)
        if builtin is not None and first is not None:
            return builtin(self, node, args, first)
        if name.endswith(("tqdm", ".trange")) and name.partition(".")[0] in ("tqdm", "rich"):
            return first or Obj("unknown", node)
        if name.startswith("torch.nn.init."):
            for _, _, value in args:
                self.touch_part(value, "init")
            return Obj("unknown", node)
        if name in api.CUDA_CONTEXT_CALLS or name in ("torch.cuda.device",):
            self.touch(WORLD, "cuda")
            return Obj("unknown", node)
        if api.is_collective(name):
            self.touch(WORLD, "collective")
            return Obj("unknown", node)
        if api.FORK_CALLS.match(name):
            self.touch(WORLD, "fork")
            return self.spawn(name, node, args)
        if name in api.EXIT_CALLS:
            self.touch(WORLD, "exit")
            self.state.dead = "raise"
            return Obj("unknown", node)
        return self.opaque(node, name, args=args)

    def self_object(self) -> Obj | None:
        scope = self.scopes_active[-1]
        if scope.kind == "function" and scope.parent is not None and scope.parent.kind == "class" and scope.function.args.args:
            return self.state.env.get((self.envs[scope], scope.function.args.args[0].arg))
        return None

    def makes_tensor(self, expr: ast.expr) -> bool:
        """Whether a transform expression (or the variable it names) contains ToTensor."""
        for part in ast.walk(expr):
            if isinstance(part, (ast.Name, ast.Attribute)) and self.tree.qualname(part, self.scopes_active[-1]) in api.TO_TENSOR:
                return True
        if isinstance(expr, ast.Name):
            owner = self.scopes_active[-1].lookup(expr.id)
            for binding in owner.bindings.get(expr.id, ()) if owner is not None else ():
                if isinstance(binding, ast.Assign) and not isinstance(binding.value, ast.Name) and self.makes_tensor(binding.value):
                    return True
        return False

    def wrap(self, name: str, node: ast.Call, args: list[tuple[str | None, ast.expr, Obj]]) -> Obj:
        base = next((v for k, _, v in args if k in (None, "module")), None)
        expr = next((e for k, e, _ in args if k in (None, "module")), None)
        if base is None:
            return Obj("unknown", node)
        if not base.is_module:
            base = Obj("module", base.origin, proven=False, base=base.base if base.kind == "part" else None, attr=base.attr, name=base.name)
            if base.attr == "" or base.base is None:
                self.state.place.setdefault(base, UNKNOWN_PLACE)
        self.touch(base.root(), "wrap")
        if name != api.DATA_PARALLEL:
            self.touch(WORLD, "collective")
        wrapper = Obj("wrapper", node, base=base, wrap=name, name=name)
        self.event("wrap", node, wrapper, what=name, place=self.place_of(base), args=(base,), arg_node=expr)
        return wrapper

    def torch_module(self, name: str, node: ast.Call, args: list[tuple[str | None, ast.expr, Obj]]) -> Obj:
        module = Obj("module", node, name=name, loss=api.is_loss(name))
        for _, _, value in args:
            for item in self.flatten(value):
                if item.kind == "module" and item.base is None:
                    self.touch(item, "read")
                    item.base = module  # nn.Sequential(encoder, head): parts move with the whole
        self.event("module", node, module)
        return module

    def optimizer(self, name: str, node: ast.Call, args: list[tuple[str | None, ast.expr, Obj]]) -> Obj:
        members: list[Obj] = []
        expr: ast.expr | None = None
        for keyword, e, value in args:
            if keyword in (None, "params") and expr is None:
                expr = e
                for item in self.flatten(value):
                    members.extend(item.members)
                    if item.kind == "part" and item.base is not None:
                        members.append(item.base)
        unique = tuple(dict.fromkeys(members))
        for member in unique:
            self.touch(member, "read")
        fused = any(k == "fused" and isinstance(e, ast.Constant) and e.value is True for k, e, _ in args)
        optimizer = Obj("optimizer", node, name=name, members=unique, proven=not api.THIRD_PARTY_OPTIMIZERS.match(name))
        self.event("optimizer", node, optimizer, args=unique, arg_node=expr, what="fused" if fused else "", places=tuple(self.place_of(m) for m in unique))
        return optimizer

    def loader(self, name: str, node: ast.Call, args: list[tuple[str | None, ast.expr, Obj]]) -> Obj:
        dataset = next((v for k, _, v in args if k in (None, "dataset")), None)
        if dataset is not None and dataset.kind == "views":
            dataset = dataset.base
        options = {k: (e, v) for k, e, v in args if k}
        collate = options.get("collate_fn")
        workers = options.get("num_workers")
        pinned = options.get("pin_memory")
        host = (
            (workers is not None and workers[1].kind == "const" and isinstance(workers[1].value, int) and workers[1].value > 0)
            or (pinned is not None and pinned[1].value is True)
        )
        proven = host or (dataset is not None and self.dataset_is_host(dataset))
        if collate is not None and not (isinstance(collate[0], ast.Constant) and collate[0].value is None):
            moves = True
            function = collate[1]
            if function.kind in ("function", "method") and function.scope is not None:
                moves = any(
                    isinstance(n, ast.Attribute) and n.attr in (*api.PLACING, "device") for n in ast.walk(function.scope.node)
                )
            if moves:
                return Obj("unknown", node, name=name)
            proven = proven and host
        if "generator" in options and "cuda" in self.source.code(options["generator"][0]):
            proven = False
        result = Obj("loader", node, base=dataset, name=name, proven=proven)
        result.value = pinned[1].value if pinned is not None else None
        result.members = ()
        return result

    def dataset_is_host(self, dataset: Obj) -> bool:
        if dataset.kind == "dataset":
            if dataset.items is not None:
                return all(i.kind == "tensor" and i.place is not None and i.place.kind == "host" for i in dataset.items)
            return dataset.proven
        if dataset.kind == "instance" and dataset.cls is not None:
            text = self.source.code(dataset.cls.scope.node)
            return not any(word in text for word in (".cuda(", ".to(", "device")) and not any(
                v.kind == "tensor" and v.place is not None and v.place.kind != "host"
                for (owner, _), v in self.state.fields.items()
                if owner is dataset
            )
        return False

    def new_element(self, loader: Obj, node: ast.expr) -> Obj:
        """What one step of a loop over `loader` yields, collated."""
        dataset = loader.base
        place = HOST
        if dataset is not None and dataset.kind == "dataset" and dataset.items is not None:
            items = []
            for item in dataset.items:
                known = item.place if item.kind == "tensor" else UNKNOWN_PLACE
                items.append(Obj("element", node, base=loader, place=known, proven=loader.proven, value="tensor"))
            return Obj("list", node, items=tuple(items))
        if loader.alts:
            sides = [self.new_element(a, node) for a in loader.alts]
            if all(s.kind == "element" for s in sides) or sides[0].kind != sides[1].kind:
                return Obj("element", node, base=loader, place=place, proven=loader.proven)
            return sides[0]
        if dataset is not None and dataset.kind == "dataset" and dataset.proven:
            two = tuple(Obj("element", node, base=loader, place=place, proven=loader.proven, value="tensor", attr=str(i)) for i in range(2))
            return Obj("list", node, items=two)
        if dataset is not None and dataset.kind == "instance" and dataset.cls is not None and "__getitem__" in dataset.cls.methods:
            return self.sample(dataset, loader, node)
        return Obj("element", node, base=loader, place=place, proven=loader.proven)

    def sample(self, dataset: Obj, loader: Obj, node: ast.expr) -> Obj:
        """What a batch of `dataset[i]` is, by running its __getitem__ on the side."""
        assert dataset.cls is not None
        scope = dataset.cls.methods["__getitem__"]
        if scope in self.scopes_active:
            return Obj("unknown", scope.node)
        before = self.state
        self.state = before.copy()
        fields = self.inits.get(dataset)
        if fields is not None:
            for slot, value in fields.fields.items():
                self.state.fields.setdefault(slot, value)
        inner = self.call_scope(scope, dataset, None, None)
        made: dict[tuple[Obj, str], Obj] = {}
        result = self.collated(inner, loader, node, made)
        self.state = before
        self.state.fields.update(made)
        return result

    def collated(self, sample: Obj, loader: Obj, node: ast.expr, made: dict[tuple[Obj, str], Obj]) -> Obj:
        """The batch default_collate makes of such samples; fields of new objects go to `made`."""
        if sample.kind == "tuple" and sample.items is not None:
            return Obj("list", node, items=tuple(self.collated(i, loader, node, made) for i in sample.items))
        if sample.kind == "dict":
            result = Obj("dict", node)
            items = []
            for (owner, key), value in list(self.state.fields.items()):
                if owner is sample:
                    item = self.collated(value, loader, node, made)
                    made[result, key] = item
                    items.append(item)
            result.items = tuple(items) if items else None
            return Obj("element", node, base=loader, place=HOST, proven=loader.proven) if not items else result
        tensor = sample.kind == "tensor" or (sample.kind == "const" and isinstance(sample.value, (int, float)))
        place = HOST
        if sample.kind == "tensor" and sample.place is not None and sample.place.kind != "host":
            place = sample.place
        proven = loader.proven and place is HOST
        return Obj("element", node, base=loader, place=place, proven=proven, value="tensor" if tensor else None)

    def factory(self, name: str, node: ast.Call, args: list[tuple[str | None, ast.expr, Obj]]) -> Obj:
        place = HOST
        for keyword, expr, value in args:
            if keyword == "device":
                device = self.device_of(expr, value)
                place = Place("device", device) if device is not None else UNKNOWN_PLACE
            elif keyword == "dtype":
                continue
        if place is HOST and self.ambient_device():
            place = UNKNOWN_PLACE
        if name == "torch.tensor" and place is HOST and args and args[0][2].kind not in ("list", "tuple"):
            place = UNKNOWN_PLACE  # may be 0-dim: those mix freely (A15)
        if name == "torch.as_tensor" and args and args[0][2].kind in ("tensor", "element"):
            return self.tensor_like(args[0][2], node)
        tensor = Obj("tensor", node, place=place, name=name)
        tensor.roots = frozenset((tensor,))
        self.event("factory", node, tensor, place=place, what=name)
        return tensor

    def ambient_device(self) -> bool:
        """Whether something in the file makes factories yield device tensors."""
        text = self.source.text
        if "set_default_" in text and ("set_default_tensor_type" in text or "set_default_device" in text):
            return True
        stmt = self.stack[-1].stmt
        return any(
            isinstance(s.node, ast.With) and any(isinstance(i.context_expr, ast.Call) and self.tree.qualname(i.context_expr.func, s.scope) == "torch.device" for i in s.node.items)
            for s in stmt.ancestors()
        )

    def torch_function(self, name: str, node: ast.Call, args: list[tuple[str | None, ast.expr, Obj]]) -> Obj:
        values = tuple(v for k, _, v in args if k != "weight" or True)
        operands: list[Obj] = []
        exprs: list[ast.expr] = []
        for (_, expr, _), value in zip(args, values):
            for item in self.flatten(value):
                if item.kind in ("tensor", "element"):
                    operands.append(item)
                    exprs.append(expr)
        if name in api.FUNCTIONAL_LOSSES:
            for operand in operands:
                if operand.kind == "element":
                    operand.value = "tensor"
        return self.tensor_op(node, tuple(operands), tuple(exprs))

    def spawn(self, name: str, node: ast.Call, args: list[tuple[str | None, ast.expr, Obj]]) -> Obj:
        """mp.spawn(f, args=…): f runs in another process, with a rank and what it is handed."""
        target = next((v for k, _, v in args if k in (None, "fn", "target") and v.kind == "function"), None)
        if target is not None and target.scope is not None and target.scope not in self.scopes_active:
            before = self.state
            self.state = before.copy()
            self.call_scope(target.scope, None, None, None)
            self.state = before
        return Obj("unknown", node)

    # --- forward, methods ---------------------------------------------------------------------

    def place_of(self, obj: Obj) -> Place:
        """Where a module lies now: its own place, else its parent's; HOST when just made."""
        root = obj.root()
        seen = 0
        while True:
            place = self.state.place.get(root)
            if place is not None:
                return place
            if root.alts:
                places = [self.place_of(a) for a in root.alts]
                result = places[0]
                for other in places[1:]:
                    result = join_places(result, other)
                return result
            if root.base is None or seen > 8:
                return HOST
            root = root.base.root()
            seen += 1

    def forward(self, module: Obj, node: ast.Call) -> Obj:
        """model(x, …): the device rules of a forward call."""
        args = self.arguments(node)
        root = module.root()
        self.touch(root, "call")
        place = self.place_of(module)
        if root.loss:
            operands, exprs = [], []
            for _, expr, value in args:
                if value.kind in ("tensor", "element"):
                    operands.append(value)
                    exprs.append(expr)
                    if value.kind == "element" and root.proven:
                        value.value = "tensor"
            self.event("call", node, module, place=place, args=tuple(v for _, _, v in args), what="loss")
            return self.tensor_op(node, tuple(operands), tuple(exprs), what="loss")
        self.event("call", node, module, place=place, args=tuple(v for _, _, v in args))
        placed = place.kind == "device" and place.device is not None and not place.device.is_cpu
        known = root.cls is not None and not moves_inputs(root.cls) and "?" not in root.cls.bases
        known = known or (root.cls is None and api.is_module_constructor(root.name) and root.proven)
        scattered = module.kind == "wrapper" and not module.maybe
        for position, (keyword, expr, value) in enumerate(args):
            for item in self.flatten(value):
                if item.is_module:
                    self.touch(item.root(), "opaque")
                if item.kind not in ("tensor", "element"):
                    continue
                usage = "tensor" if root.cls is None else forward_argument(root.cls, position, keyword)
                if item.kind == "element" and usage == "tensor" and known:
                    item.value = "tensor"
                if usage == "host":
                    self.use(item, "opaque", expr)
                elif placed and item.place is not None and item.place.kind == "host" and known and not scattered:
                    self.event("conflict", node, item, place=place, what="input", arg_node=expr, args=(module,))
                    self.use(item, "device", expr)
                elif placed and known:
                    self.use(item, "device", expr)
                elif scattered:
                    self.use(item, "neutral", expr)
                else:
                    self.use(item, "opaque", expr)
        if placed:
            return Obj("tensor", node, place=place, proven=known)
        if place.kind == "host" and known:
            return Obj("tensor", node, place=HOST, roots=frozenset())
        return Obj("tensor", node, place=UNKNOWN_PLACE, proven=known)

    def tensor_like(self, base: Obj, node: ast.expr) -> Obj:
        """A tensor that lies where `base` lies and derives from it."""
        roots = base.roots | (frozenset((base,)) if base.kind == "element" else frozenset())
        return Obj("tensor", node, place=base.place, roots=roots, proven=base.proven)

    def tensor_op(self, node: ast.expr, operands: tuple[Obj, ...], exprs: tuple[ast.expr, ...] = (), what: str = "operand") -> Obj:
        """An operation that needs its tensors on one device."""
        tensors = [(o, e) for o, e in zip(operands, exprs or (node,) * len(operands)) if o.kind in ("tensor", "element")]
        placed = [o for o, _ in tensors if o.place is not None and o.place.kind == "device" and o.place.device is not None and not o.place.device.is_cpu]
        roots: frozenset[Obj] = frozenset()
        for operand, expr in tensors:
            if placed and operand.place is not None and operand.place.kind == "host":
                self.event("conflict", node, operand, place=placed[0].place, what=what, arg_node=expr, args=(placed[0],))
                self.use(operand, "device", expr)
            elif placed:
                self.use(operand, "device", expr)
            else:
                others = [o for o, _ in tensors if o is not operand]
                mixed = any(o.place is not None and o.place.kind == "host" and not (o.roots & operand.roots) and o.kind != "element" for o in others)
                self.use(operand, "host operand" if mixed else "neutral", expr)
            roots |= operand.roots
            if operand.kind == "element":
                roots |= {operand}
        if placed:
            return Obj("tensor", node, place=placed[0].place)
        kinds = {o.place.kind if o.place is not None else "unknown" for o, _ in tensors}
        place = HOST if kinds == {"host"} else UNKNOWN_PLACE
        return Obj("tensor", node, place=place, roots=roots, proven=all(o.proven for o, _ in tensors))

    def touch_part(self, value: Obj, what: str) -> None:
        """Touch the module a part (layer, weight) belongs to."""
        while value.kind == "part" and value.base is not None:
            value = value.base
        root = value.root()
        if root.is_module:
            self.touch(root, what)

    def method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """receiver.attr(…) where the receiver is a value, not an import."""
        kind = receiver.kind
        if attr in api.PLACING:
            self.values[node].append(receiver)
            own = receiver.cls is not None and attr in receiver.cls.own_moves
            if not own and kind in ("module", "wrapper", "tensor", "element", "part", "unknown", "params", "list", "dict", "const", "call"):
                return self.move(receiver, attr, node)
        if receiver.is_module:
            return self.module_method(receiver, attr, node)
        if kind in ("optimizer", "scheduler"):
            self.touch(receiver, "use")
            for _, expr, value in self.arguments(node):
                self.use(value, "opaque", expr)
                if value.kind == "optimizer":
                    self.touch(value, "use")
            if attr == "load_state_dict" or attr == "step":
                self.event("state", node, receiver, what=attr)
            return Obj("unknown", node)
        if kind in ("tensor", "element"):
            return self.tensor_method(receiver, attr, node)
        if kind == "super":
            return self.super_call(receiver, attr, node)
        if kind in ("instance", "class") and attr not in ("__init__",):
            slot = self.state.fields.get((receiver, attr))
            if slot is not None and slot.is_module:
                return self.forward(slot, node)
            info = receiver.cls if kind == "instance" else None
            if info is not None and attr in info.methods and slot is None:
                return self.local_call(info.methods[attr], receiver, node)
            return self.opaque(node, attr, receiver=receiver)
        if kind in ("list", "params", "dict") and attr in ("append", "extend", "insert", "update", "add"):
            for _, expr, value in self.arguments(node):
                receiver.members = tuple(dict.fromkeys((*receiver.members, *value.members, *([value.root()] if value.is_module else []))))
                receiver.items = None
                self.use(value, "escape", expr)
            return Obj("const", node)
        if kind == "dict" and attr in ("items", "values", "keys", "get"):
            self.arguments(node)
            return Obj("unknown", node, members=receiver.members)
        if kind == "loader" and attr in ("__iter__",):
            return receiver
        if kind == "part":
            return self.part_method(receiver, attr, node)
        if kind == "device":
            self.arguments(node)
            return Obj("unknown", node)
        # an attribute of an unknown object that is itself a known module: self.net(x)
        value = self.state.fields.get((receiver, attr))
        if value is not None and value.is_module:
            return self.forward(value, node)
        if value is not None and value.kind == "function" and value.scope is not None:
            return self.local_call(value.scope, None, node)
        return self.opaque(node, f"{receiver.name}.{attr}" if receiver.name else attr)

    def super_call(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        scope = receiver.scope
        if scope is not None and scope.parent is not None and isinstance(scope.parent.node, ast.ClassDef) and receiver.base is not None:
            for base in scope.parent.node.bases:
                if isinstance(base, ast.Name) and scope.parent.parent is not None:
                    owner = scope.parent.parent.lookup(base.id)
                    local = owner.classes.get(base.id) if owner is not None else None
                    if local is not None:
                        method = self.class_info(local).methods.get(attr)
                        if method is not None:
                            return self.local_call(method, receiver.base, node)
        args = self.arguments(node)
        for _, _, value in args:
            for item in self.flatten(value):
                self.opaque_argument(item, attr == "forward", node)
        return Obj("unknown", node)

    def part_method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """A method of model.layer, model.weight and the like."""
        if attr in ("parameters", "named_parameters"):
            self.arguments(node)
            base = self.whole(receiver)
            if base is None:
                return Obj("unknown", node)
            for collector in self.collectors:
                collector.append(base)
            return Obj("params", node, members=(base,), attr="part")
        args = self.arguments(node)
        for _, expr, value in args:
            self.use(value, "opaque", expr)
            for item in self.flatten(value):
                self.opaque_argument(item, False, expr) if item.is_module else None
        neutral = attr in api.MODULE_NEUTRAL or attr in ("size", "dim", "numel", "__len__", "item")
        self.touch_part(receiver, "read" if neutral else "params" if attr in api.MODULE_PARAMS else "opaque")
        return Obj("tensor", node, place=UNKNOWN_PLACE) if not neutral else Obj("unknown", node)

    def whole(self, part: Obj) -> Obj | None:
        while part.kind == "part" and part.base is not None:
            part = part.base
        return part.root() if part.is_module else None

    def module_method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        root = receiver.root()
        if attr in ("parameters", "named_parameters", "modules", "named_modules", "children", "named_children", "buffers"):
            self.arguments(node)
            self.touch(root, "read")
            for collector in self.collectors:
                collector.append(root)
            return Obj("params", node, members=(root,), attr=attr, base=receiver)
        if attr == "forward":
            return self.forward(receiver, node)
        info = root.cls
        if info is not None and attr in info.methods and attr not in ("__init__",):
            # its own method: run it, on the module itself
            return self.local_call(info.methods[attr], root, node)
        field = self.state.fields.get((root, attr))
        if field is not None and field.is_module:
            return self.forward(field, node)
        args = self.arguments(node)
        if attr == "load_state_dict":
            assign = any(k == "assign" for k, _, _ in args)
            self.touch(root, "params" if assign else "load")
            return Obj("unknown", node)
        if attr == "apply":
            self.touch(root, "init")
            return receiver
        if attr in api.MODULE_NEUTRAL:
            self.touch(root, "read")
        elif attr in api.MODULE_PARAMS:
            self.touch(root, "params")
        elif root.cls is None and attr[:1].islower() and api.is_module_constructor(root.name) is False:
            self.touch(root, "opaque")
        else:
            self.touch(root, "opaque")
        for _, expr, value in args:
            for item in self.flatten(value):
                self.opaque_argument(item, False, expr) if not item.is_module else self.touch(item.root(), "opaque")
        return receiver if attr in api.RETURNS_SELF else Obj("unknown", node)

    def tensor_method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        args = self.arguments(node)
        if attr in api.TENSOR_NEUTRAL:
            self.use(receiver, "neutral", node)
            return Obj("unknown", node)
        if attr in api.TENSOR_HOST_ONLY:
            self.use(receiver, "host", node)
            return Obj("unknown", node)
        if receiver.kind == "element" and receiver.value != "tensor" and attr in ("items", "values", "keys"):
            self.use(receiver, "mapping", node)
            return self.item_of(receiver, attr, node)
        if attr in api.TENSOR_SAME_DEVICE:
            others = tuple((v, e) for _, e, v in args if v.kind in ("tensor", "element"))
            if receiver.kind == "element" and attr in api.TENSOR_EVIDENCE:
                receiver.value = "tensor"
            if attr == "copy_":
                return self.tensor_like(receiver, node)  # copies across devices
            if attr == "type" and args and args[0][2].kind != "dtype" and not args[0][2].name.startswith("torch.") and args[0][2].kind != "const":
                return Obj("tensor", node, place=UNKNOWN_PLACE)
            if attr == "type" and args and ("cuda" in args[0][2].name or "cuda" in str(args[0][2].value)):
                self.use(receiver, "moved", node)
                return Obj("tensor", node, place=UNKNOWN_PLACE)
            if attr == "type_as" and others:
                self.use(receiver, "moved", node)
                return Obj("tensor", node, place=others[0][0].place)
            if others and attr not in ("type_as", "to", "index_select"):
                func = node.func.value if isinstance(node.func, ast.Attribute) else node
                return self.tensor_op(node, (receiver, *(v for v, _ in others)), (func, *(e for _, e in others)))
            return self.tensor_like(receiver, node)
        for _, expr, value in args:
            for item in self.flatten(value):
                self.opaque_argument(item, False, expr)
        self.use(receiver, "opaque", node)
        return Obj("tensor", node, place=UNKNOWN_PLACE)

    # --- moves ---------------------------------------------------------------------------------

    def move(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """x.to(d), x.cuda(), x.cpu(): records the move and where it goes."""
        device = self.target_device(attr, node)
        if device is None:
            if receiver.is_module:
                self.touch(receiver.root(), "params")
                return receiver
            if receiver.kind in ("tensor", "element"):
                return self.tensor_like(receiver, node)
            return receiver
        place = Place("device", device)
        event = self.event("place", node, receiver, place=place, what=attr)
        place = Place("device", device, event)
        event.place = place
        if receiver.is_module:
            root = receiver.root()
            self.touch(root, "place")
            event.args = (root,)
            self.state.place[root] = place
            if root.base is not None and root.kind == "module" and root.base.is_module:
                parent = root.base.root()
                if parent not in self.state.place:
                    self.state.place[parent] = Place("mixed", device, event)
                self.touch(parent, "part placed")
            return receiver
        if receiver.kind == "part":
            whole = self.whole(receiver)
            if whole is not None:
                self.touch(whole, "part placed")
                if whole not in self.state.place:
                    self.state.place[whole] = Place("mixed", device, event)
            return receiver
        if receiver.kind in ("tensor", "element"):
            self.use(receiver, "moved", node)
            result = Obj("tensor", node, place=place, name="moved")
            if device.is_cpu:
                result.place = Place("device", device)
            result.members = receiver.members
            return result
        return receiver

    def target_device(self, attr: str, node: ast.Call) -> Device | None:
        """The device a move goes to; None for a change of type only (C5)."""
        args = self.arguments(node)
        if attr == "cpu":
            return Device("cpu", '"cpu"')
        first = next(((e, v) for k, e, v in args if k in (None, "device")), None)
        if attr in ("cuda", "xpu"):
            if first is None or (isinstance(first[0], ast.Constant) and (first[0].value is None or isinstance(first[0].value, bool))):
                return Device("cuda", "")
            if first[1].kind == "const" and isinstance(first[1].value, int):
                return Device("cuda", "", first[1].value)
            known = self.device_of(first[0], first[1])
            return Device("index", self.source.code(first[0])) if known is None or known.kind not in ("available", "flag", "cuda") else known
        if first is None:
            return None
        return self.device_of(first[0], first[1])

    def device_of(self, expr: ast.expr, value: Obj) -> Device | None:
        """The device an argument denotes, or None when it is none (a dtype, None, unknown)."""
        from placefix.facts.flow import device_like, dotted

        text = self.source.code(expr)
        if value.kind == "device" and value.device is not None:
            device = value.device
            return Device(device.kind, text, device.index, device.origin)
        if value.kind in ("tensor", "element"):
            return Device("tensor", text + ".device")
        if value.kind == "const" and isinstance(value.value, str):
            head, _, tail = value.value.partition(":")
            if head == "cpu":
                return Device("cpu", text)
            if head == "cuda":
                return Device("cuda", text, int(tail) if tail.isdigit() else None)
            return Device("other", text) if head in ("mps", "xpu", "npu", "hpu", "meta", "xla", "mlu") else None
        if value.kind == "const":
            if isinstance(value.value, int) and not isinstance(value.value, bool) and value.origin is not None:
                return Device("index", text, value.value)
            return None
        if isinstance(expr, (ast.JoinedStr, ast.BinOp)) and "cuda" in text:
            return Device("index", text)
        if isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute) and expr.func.attr == "format" and "cuda" in text:
            return Device("index", text)
        if value.kind in ("unknown", "part"):
            name = dotted(expr).rpartition(".")[2] or (dotted(expr.func).rpartition(".")[2] if isinstance(expr, ast.Call) else "")
            if device_like(name) or name.endswith("get_device"):
                return Device("other", text)
        return None


_Arguments = list  # list[tuple[str | None, ast.expr, Obj]]; named for the table below


def _enumerate(self: Calls, node: ast.Call, args: _Arguments, first: Obj) -> Obj:  # type: ignore[type-arg]
    return Obj("enumerated", node, base=first)


def _zip(self: Calls, node: ast.Call, args: _Arguments, first: Obj) -> Obj:  # type: ignore[type-arg]
    return Obj("zipped", node, items=tuple(v for _, _, v in args))


def _same(self: Calls, node: ast.Call, args: _Arguments, first: Obj) -> Obj:  # type: ignore[type-arg]
    if first.kind in ("loader", "params", "enumerated", "zipped", "list", "tuple", "tensor", "element"):
        if first.kind == "params":
            return Obj("params", node, members=first.members)
        return first
    return Obj("unknown", node, members=first.members)


def _next(self: Calls, node: ast.Call, args: _Arguments, first: Obj) -> Obj:  # type: ignore[type-arg]
    if first.kind == "loader":
        return self.new_element(first, node)
    if first.kind == "params":
        return Obj("tensor", node, place=UNKNOWN_PLACE)
    if first.kind == "enumerated" and first.base is not None and first.base.kind == "loader":
        return Obj("tuple", node, items=(Obj("const", node), self.new_element(first.base, node)))
    return Obj("unknown", node)


def _chain(self: Calls, node: ast.Call, args: _Arguments, first: Obj) -> Obj:  # type: ignore[type-arg]
    members = tuple(dict.fromkeys(m for _, _, v in args for m in v.members))
    return Obj("params", node, members=members)


def _filter(self: Calls, node: ast.Call, args: _Arguments, first: Obj) -> Obj:  # type: ignore[type-arg]
    members = tuple(dict.fromkeys(m for _, _, v in args for m in v.members))
    return Obj("params" if members else "unknown", node, members=members)


def _copy(self: Calls, node: ast.Call, args: _Arguments, first: Obj) -> Obj:  # type: ignore[type-arg]
    if first.is_module:
        root = first.root()
        copied = Obj("module", node, name=root.name, cls=root.cls, proven=root.proven, loss=root.loss)
        self.state.place[copied] = self.place_of(first)
        self.touch(root, "copied")
        return copied
    return Obj("unknown", node)


_BUILTINS = {
    "enumerate": _enumerate,
    "zip": _zip,
    "iter": _same,
    "list": _same,
    "tuple": _same,
    "reversed": _same,
    "sorted": _same,
    "cycle": _same,
    "itertools.cycle": _same,
    "itertools.islice": _same,
    "next": _next,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain,
    "filter": _filter,
    "map": _filter,
    "copy.deepcopy": _copy,
    "copy.copy": _copy,
}

_EXPRESSIONS = {
    ast.Constant: Calls.e_constant,
    ast.Name: Calls.e_name,
    ast.Attribute: Calls.e_attribute,
    ast.Subscript: Calls.e_subscript,
    ast.Tuple: Calls.e_tuple,
    ast.List: Calls.e_tuple,
    ast.Dict: Calls.e_dict,
    ast.IfExp: Calls.e_ifexp,
    ast.BoolOp: Calls.e_boolop,
    ast.UnaryOp: Calls.e_unaryop,
    ast.BinOp: Calls.e_binop,
    ast.Compare: Calls.e_compare,
    ast.NamedExpr: Calls.e_named,
    ast.Lambda: Calls.e_lambda,
    ast.ListComp: Calls.e_comprehension,
    ast.SetComp: Calls.e_comprehension,
    ast.GeneratorExp: Calls.e_comprehension,
    ast.DictComp: Calls.e_comprehension,
    ast.Await: Calls.e_await,
    ast.Yield: Calls.e_await,
    ast.YieldFrom: Calls.e_await,
    ast.Starred: Calls.e_starred,
    ast.Call: Calls.e_call,
}
