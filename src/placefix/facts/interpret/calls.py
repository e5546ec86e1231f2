"""Calls in the abstract interpreter: of the file's own code, of torch, of code that is not known."""

from __future__ import annotations

import ast
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any

from placefix.facts import torch_api as api
from placefix.facts.interpret.abroad import Abroad
from placefix.facts.interpret.expressions import EXPRESSIONS, Expressions
from placefix.facts.interpret.machine import WORLD, Arguments
from placefix.facts.interpret.state import merge
from placefix.facts.interpret.summaries import (
    class_of,
    decorated,
    forward_argument,
    keeps_module,
    moves_inputs,
    only_initialises,
)
from placefix.facts.interpret.values import HOST, UNKNOWN_PLACE, Device, Obj, Place
from placefix.facts.program.children import walk
from placefix.facts.program.names import device_like, is_cuda_variable

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.facts.program.tree import Scope

_PURE_PACKAGES = ("logging.", "logger.", "numpy.", "math.", "os.", "time.")
_INERT = frozenset({"const", "import", "device", "dtype", "flag", "class"})
# A file that needs more activations than this is library code with a dense call graph;
# what is not followed is treated as unknown.
MAX_ACTIVATIONS = 300
MAX_DEPTH = 6


def effect(attr: str) -> str:
    """What a method of a parameter or layer does to the module it belongs to."""
    if attr in api.MODULE_PARAMS:
        return "params"
    in_place = attr.endswith("_") and not attr.endswith("__")
    return "init" if in_place or attr in ("reset_parameters", "init_weights") else "read"


@lru_cache(maxsize=4096)
def _is_pure(name: str) -> bool:
    """Whether code that is not known leaves alone what it is handed."""
    return name in api.PURE_OF_MODULES or name.startswith(_PURE_PACKAGES)


@lru_cache(maxsize=4096)
def _route(name: str) -> str:
    """Which kind of thing a call of a qualified name is, where that decides what is done."""
    for route, belongs in _ROUTES:
        if belongs(name):
            return route
    return ""


class Calls(Expressions, Abroad):
    """Evaluates calls."""

    _call_args: Arguments

    def e_call(self, node: ast.Call) -> Obj:
        func = node.func
        if isinstance(func, ast.Attribute):
            receiver = self.eval(func.value)
            if receiver.kind == "import":
                return self.named(api.canonical(f"{receiver.name}.{func.attr}"), node, receiver.scope)
            return self.method(receiver, func.attr, node)
        callee = self.eval(func)
        kind = callee.kind
        if kind == "import":
            return self.named(callee.name, node, callee.scope)
        if kind == "class" and callee.scope is not None:
            return self.instantiate(callee.scope, node)
        if kind == "function" and callee.scope is not None:
            return self.local_call(callee.scope, None, node)
        if kind == "method" and callee.scope is not None:
            return self.local_call(callee.scope, callee.base, node)
        if callee.is_module:
            return self.forward(callee, node)
        if kind == "instance" and callee.cls is not None and "__call__" in callee.cls.methods:
            return self.local_call(callee.cls.methods["__call__"], callee, node)
        if kind == "unknown":
            made = self.transformed(callee, node) or self.tokens(callee, "", node)
            if made is not None:
                return made
        if kind in ("tensor", "element"):
            self.use(callee, "called", func)  # so it is none
        if kind == "part":
            layer = self.layer(callee)
            if layer is not None:
                self.touch(layer.base.root() if layer.base is not None else layer, "call")
                return self.forward(layer, node)
        return self.opaque(node, callee.name)

    def transformed(self, callee: Obj, node: ast.Call) -> Obj | None:
        """``transform(image)``: transforms of torchvision with ToTensor among them, which makes a tensor of the CPU."""
        made = callee.origin
        if not callee.name.startswith("torchvision.transforms.") or not isinstance(made, ast.Call) or self.abroad or len(node.args) != 1:
            return None
        if (callee.name not in api.TO_TENSOR and callee.name not in api.COMPOSES) or not self.makes_tensor(made):
            return None
        text = self.source.code(made)
        if ".to(" in text or "cuda" in text or "device" in text:
            return None  # they move it as well
        image = self.factory("torch.from_numpy", node, self.arguments(node))
        image.maybe = False
        return image

    def tokens(self, tokenizer: Obj, method: str, node: ast.Call) -> Obj | None:
        """What a tokenizer of transformers makes with return_tensors="pt": a tensor of the CPU, or a BatchEncoding of such."""
        if not api.is_tokenizer(tokenizer.name) or self.abroad or (method not in api.TOKENS and method not in api.ENCODINGS):
            return None
        args = self.arguments(node)
        if not any(k == "return_tensors" and v.value == "pt" for k, _, v in args):
            return None
        made = self.factory("torch.from_numpy", node, [])
        made.maybe = False
        return made if method in api.TOKENS else Obj("encoding", node, base=made)

    def encoding_method(self, encoding: Obj, attr: str, node: ast.Call) -> Obj:
        """BatchEncoding.to moves in place, and gives itself."""
        if attr == "to":
            device, _ = self.target_device(attr, node)
            encoding.base = Obj("tensor", node, place=Place("device", device)) if device is not None else None
            return encoding
        self.arguments(node)
        if attr not in ("items", "keys", "values", "get"):
            encoding.base = None  # it may hold others from here on
        return Obj("unknown", node)

    def layer(self, part: Obj) -> Obj | None:
        """self.fc1 as a module of its own, when the class says that it is one of torch.nn."""
        owner = part.base
        if owner is None or owner.cls is None or part.attr not in owner.cls.layers:
            return None
        return Obj("module", part.origin, base=owner, attr=part.attr, name=owner.cls.layers[part.attr])

    def arguments(self, node: ast.Call) -> Arguments:
        """(keyword or None, expression, value) in order; starred arguments keep their container's value."""
        collected = self.collected
        result: Arguments = [(None, arg, collected(arg)) for arg in node.args]
        for keyword in node.keywords:
            result.append((keyword.arg or "**", keyword.value, collected(keyword.value)))
        return result

    def parts(self, value: Obj, expr: ast.expr, own: bool = True) -> list[tuple[Obj, ast.expr, bool]]:
        """`flatten` with the expression of each part, and whether that is the part's own or its container's."""
        result = [(value, expr, own)]
        if value.kind == "list" and value.items is None and value.base is not None and value.base.kind == "tensor":
            return [*result, (value.base, expr, False)]  # every item of a comprehension is like this one
        if value.kind not in ("tuple", "list", "dict") or value.items is None:
            return result
        written = expr.elts if own and isinstance(expr, (ast.Tuple, ast.List)) else []
        for number, item in enumerate(value.items):
            if len(written) == len(value.items) and not isinstance(written[number], ast.Starred):
                result += self.parts(item, written[number])
            elif item.kind in ("tuple", "list", "dict"):
                result += [(part, expr, False) for part in self.flatten(item, 1)]
            else:
                result.append((item, expr, False))
        return result

    def opaque(self, node: ast.Call, name: str, *, receiver: Obj | None = None, args: Arguments | None = None) -> Obj:
        """A call to code that is not known: everything it is handed may change."""
        if args is None:
            args = self.arguments(node)
        pure = _is_pure(name)
        # a class built over parameters first is an optimizer of another package; over what is made of a module, with a learning rate
        first = args[0][2] if args and args[0][0] in (None, "params") else None
        optimizer = (
            first is not None
            and (first.kind == "params" or (bool(first.given) and any(k == "lr" for k, _, _ in args)))
            and name.rpartition(".")[2][:1].isupper()
            and not (isinstance(node.func, ast.Name) and self.tree.root.star_import)
        )
        found: list[Obj] = []
        given: dict[Obj, None] = {}
        for _, expr, value in args:
            if value.kind in _INERT or (value.kind == "unknown" and not value.members):
                continue  # nothing that a call could change
            if value.is_module:
                given[value.root()] = None
            for item in self.flatten(value):
                self.opaque_argument(item, pure or (optimizer and item.kind == "params"), expr)
                if item.kind == "params":
                    found.extend(item.members)
        if receiver is not None:
            self.opaque_argument(receiver, False, node.func)
        if name.startswith("numpy."):
            for _, expr, value in args:
                self.use(value, "host", expr)
            if name in api.READS_MEMORY and args and self.on_device(args[0][2]):
                self.event("host", node, args[0][2], place=args[0][2].place, what="numpy", arg_node=args[0][1])
            held = args[0][2].base if args and args[0][2].value == "appended" else None
            if held is not None and name in api.READS_LISTS and self.on_device(held):
                self.event("host", node, held, place=held.place, what="numpy list", arg_node=args[0][1])
        result = Obj("unknown", node)
        result.name = name
        if optimizer and first is not None:
            members = first.members or first.given
            result = Obj("optimizer", node, name=name, members=members, proven=False)
            self.event(
                "optimizer",
                node,
                result,
                args=members,
                arg_node=args[0][1],
                places=tuple(self.place_of(m) for m in members),
            )
            return result
        if found and not pure:
            result.members = tuple(dict.fromkeys(found))
        elif given and not pure:
            result.given = tuple(given)
        if not pure:
            self.touch(WORLD, "call")
        elif name == "print" or name.startswith(("logging.", "logger.")):
            self.touch(WORLD, "io")
        return result

    def opaque_argument(self, item: Obj, pure: bool, node: ast.expr) -> None:
        if item.kind == "part" and item.attr in api.MODULE_NUMBERS:
            return
        if item.is_module or item.kind == "part":
            root = item.root()
            while root.kind == "part" and root.base is not None:
                root = root.base
            self.touch(root, "read" if pure else "opaque")
            if not pure and root not in self.state.place:
                self.state.place[root] = UNKNOWN_PLACE
        elif item.kind in ("optimizer", "scheduler"):
            self.touch(item, "read" if pure else "opaque")
        elif item.kind in ("params", "unknown"):
            for member in item.members:
                self.touch(member, "read" if pure else "opaque")
        elif item.kind == "instance":
            if not pure:
                self.escape_instance(item)
        elif item.kind in ("element", "tensor"):
            self.use(item, "neutral" if pure else "opaque", node)
        elif item.kind == "generated":
            self.use_generated(item, node)
        elif item.kind == "encoding" and not pure:
            item.base = None  # it may be moved there
        elif item.kind == "list" and item.value == "appended" and not pure:
            item.base = None  # it may get other items there
        elif item.kind == "method" and item.base is not None and not pure:
            self.opaque_argument(item.base, False, node)
        elif item.kind == "function" and item.scope is not None and not pure:
            self.touch(WORLD, "call")
            self.escape_closure(item.scope)

    def escape_instance(self, instance: Obj) -> None:
        """Unknown code holds the instance: its modules and optimizers may change."""
        for (owner, _), value in list(self.state.fields.items()):
            if owner is instance and (value.is_module or value.kind in ("optimizer", "scheduler")):
                root = value.root()
                self.touch(root, "opaque")
                if value.is_module and root not in self.state.place:
                    self.state.place[root] = UNKNOWN_PLACE

    def escape_closure(self, scope: Scope) -> None:
        """Unknown code may call the function: the modules and optimizers it reads from outside may change."""
        for name in {n.id for n in walk(scope.node) if isinstance(n, ast.Name)}:
            owner = scope.lookup(name)
            ident = self.envs.get(owner) if owner is not None and owner is not scope else None
            value = self.state.get(ident, name) if ident is not None else None
            if value is not None and (value.is_module or value.kind in ("optimizer", "scheduler", "instance")):
                self.opaque_argument(value, False, scope.node.body[-1])  # type: ignore[arg-type]

    def local_call(self, scope: Scope, self_obj: Obj | None, node: ast.Call, args: Arguments | None = None) -> Obj:
        """A call to a function or method whose body is known: run it here."""
        if args is None:
            args = self.arguments(node)
        if not self._runs(scope):
            return self.opaque(node, scope.name, receiver=self_obj, args=args)
        self._call_args = args
        return self.call_scope(scope, self_obj, node, [value for _, _, value in args])

    def _runs(self, scope: Scope) -> bool:
        """Whether a call of the function is followed into its body."""
        if scope in self.scopes_active or len(self.scopes_active) > MAX_DEPTH or isinstance(scope.node, ast.AsyncFunctionDef):
            return False
        if decorated(scope):
            return False  # who knows what is called with what, and what comes of it
        if self.abroad:  # what another file's code calls back here is run on its own
            return scope.tree is not self.own and self.may_follow(scope)
        return self.activation - self.extra <= MAX_ACTIVATIONS and (scope.tree is self.own or self.may_follow(scope))

    def bind_parameters(
        self, scope: Scope, ident: int, self_obj: Obj | None, call: ast.Call | None, args: list[Obj] | None
    ) -> None:
        node = scope.function
        env = self.state.names(ident)
        names = [*node.args.posonlyargs, *node.args.args]
        decorators = {d.id for d in node.decorator_list if isinstance(d, ast.Name)}
        is_method = scope.parent is not None and scope.parent.kind == "class" and "staticmethod" not in decorators
        bound: set[str] = set()
        if is_method and names:
            first = names.pop(0)
            env[first.arg] = (
                self_obj
                if self_obj is not None and "classmethod" not in decorators
                else Obj("unknown", first, name=first.arg)
            )
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
                        env[keyword] = value
                        bound.add(keyword)
                    elif node.args.kwarg is not None:
                        self.opaque_argument(value, False, expr)
                elif not spread and position < len(names):
                    env[names[position].arg] = value
                    bound.add(names[position].arg)
                    position += 1
                else:
                    rest.append(value)
            if rest and not spread and node.args.vararg is not None:
                env[node.args.vararg.arg] = Obj("tuple", node.args.vararg, items=tuple(rest))
                bound.add(node.args.vararg.arg)
            else:
                for value in rest:
                    self.opaque_argument(value, False, call)
            if not spread:
                defaults = list(zip(reversed(names), reversed(node.args.defaults)))
                defaults += [(a, d) for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults) if d is not None]
                for argument, default in defaults:
                    if argument.arg not in bound and isinstance(default, ast.Constant):
                        env[argument.arg] = Obj("const", default, value=default.value)
                        bound.add(argument.arg)
        for argument in keywords.values():
            if argument.arg not in bound:
                env[argument.arg] = self.unknown_parameter(argument, scope)
        for extra in (node.args.vararg, node.args.kwarg):
            if extra is not None and extra.arg not in bound:
                env[extra.arg] = Obj("unknown", extra, name=extra.arg)

    def unknown_parameter(self, argument: ast.arg, scope: Scope) -> Obj:
        name = argument.arg
        annotation = argument.annotation
        if annotation is not None:
            qualified = (
                self.tree.qualname(annotation, scope.parent or scope)
                if isinstance(annotation, (ast.Name, ast.Attribute))
                else None
            )
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

    def instantiate(self, scope: Scope, node: ast.Call, args: Arguments | None = None) -> Obj:
        info = self.class_info(scope)
        if info.is_module:
            if args is None:
                args = self.arguments(node)
            module = Obj("module", node, cls=info, name=scope.name, loss=scope.name.endswith(("Loss", "Criterion")))
            if info.places_self or "?" in info.bases:
                self.state.place[module] = UNKNOWN_PLACE
            elif self.ambient_device():
                self.state.place[module] = Place("mixed", Device("other"))
            for position, (keyword, expr, value) in enumerate(args):
                if value.kind in ("unknown", "part") and keeps_module(info, position, keyword):
                    self.state.place[module] = UNKNOWN_PLACE  # where that lies is not known
                for item in self.flatten(value):
                    if item.is_module:  # handed in: becomes a part of it
                        self.touch(item.root(), "read")
                        self.placed_in_part(module, item)
                        if item.kind == "module" and item.base is None and item is not module:
                            item.base = module
                    else:
                        self.use(item, "opaque", expr)
            self.event("module", node, module)
            return module
        instance = self.new_instance(scope, node)
        init = info.methods.get("__init__")
        if init is not None:
            self.local_call(init, instance, node, args)
        elif args is None:
            self.arguments(node)
        if scope not in self.instances:
            self.instances[scope] = instance
            self.inits[instance] = self.state.copy()
        return instance

    def placed_in_part(self, whole: Obj, part: Obj) -> None:
        """A module made of one that is placed, or may be, is not left where modules are made."""
        place = self.place_of(part)
        if place.kind != "host" and whole not in self.state.place:
            self.state.place[whole] = Place("mixed", place.device) if place.kind == "device" else UNKNOWN_PLACE

    def new_instance(self, scope: Scope, node: ast.AST) -> Obj:
        info = self.class_info(scope)
        if info.is_module:
            module = Obj("module", node, cls=info, name=scope.name, param="self")
            self.state.place[module] = UNKNOWN_PLACE
            return module
        return Obj("instance", node, cls=info, name=scope.name)

    def named(self, name: str, node: ast.Call, root: Scope | None = None) -> Obj:
        """A call of a function or class known by its qualified name; `root`: of the file that imports it."""
        if name == "super":
            instance = self.self_object()
            return Obj("super", node, base=instance, scope=self.scopes_active[-1])
        if name == "getattr" and len(node.args) >= 2:
            owner = self.eval(node.args[0])
            key = self.eval(node.args[1])
            if owner.kind == "import":
                # a class picked by name: what it is follows from where it is picked
                return self.imported(
                    f"{owner.name}.{key.value}" if isinstance(key.value, str) else f"{owner.name}.Dynamic"
                )
            return Obj("unknown", node, members=owner.members)
        args = self.arguments(node)
        first = args[0][2] if args and args[0][0] is None else None
        route = _route(name)
        if route:
            result = self.routed(route, name, node, args, first)
            if result is not None:
                return result
        definition = self.found(name, root)
        result = self.call_abroad(definition, node, args) if definition is not None else None
        return result if result is not None else self.opaque(node, name, args=args)

    def routed(self, route: str, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
        """A call of a name that is known to be of a kind (`_ROUTES`); None where it is treated as any other."""
        if route == "builtin":
            return _BUILTINS[name](self, node, args, first) if first is not None else None
        if route == "device":
            device = self.device_of(node.args[0], first) if node.args and first is not None else None
            return Obj("device", node, device=device or Device("other"))
        if route == "available":
            self.flags = True
            return Obj("flag", node, value="available")
        if route == "wrapper":
            return self.wrap(name, node, args)
        if route == "module":
            return self.torch_module(name, node, args)
        if route == "transform":
            if first is None or not first.is_module:
                return None
            self.touch(first.root(), "params" if "norm" in name else "read")
            return first
        if route == "optimizer":
            return self.optimizer(name, node, args)
        if route == "scheduler":
            base = first if first is not None and first.kind == "optimizer" else None
            if base is not None:
                self.touch(base, "use")
            scheduler = Obj("scheduler", node, base=base, name=name)
            self.touch(scheduler, "made")
            return scheduler
        if route == "factory":
            return self.factory(name, node, args)
        if route == "function":
            return self.torch_function(name, node, args)
        if route == "variable":
            known = first is not None and first.kind in ("tensor", "element")
            return first if known else Obj("tensor", node, place=UNKNOWN_PLACE)
        if route == "parameter":
            return Obj("tensor", node, place=UNKNOWN_PLACE, name="torch.nn.Parameter")
        if route == "pack":
            return self.pack(node, args)
        if route == "progress":
            return first or Obj("unknown", node)
        if route == "init":
            for _, _, value in args:
                self.touch_part(value, "init")
            return Obj("unknown", node)
        return self.routed_data(route, name, node, args, first) or self.routed_effect(route, name, node, args, first)

    def routed_data(self, route: str, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
        """Datasets and loaders."""
        if route == "loader":
            return self.loader(name, node, args)
        if route == "tensors":
            return Obj("dataset", node, name=name, items=tuple(v for _, _, v in args))
        if route == "images":
            return Obj("dataset", node, name=name, proven=any(self.makes_tensor(e) for _, e, _ in args))
        if route == "view":
            if first is not None and first.kind in ("dataset", "instance"):
                return Obj("views", node, base=first) if name.endswith("random_split") else first
            return Obj("unknown", node)
        return None

    def routed_effect(self, route: str, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
        """What acts on the world."""
        if route == "environment":
            if first is None or is_cuda_variable(first.value):
                self.touch(WORLD, "env")
            return None
        if route == "fork":
            self.touch(WORLD, "fork")
            return self.spawn(name, node, args)
        self.touch(WORLD, route)
        if route == "exit":
            self.state.dead = "raise"
        return Obj("unknown", node)

    def self_object(self) -> Obj | None:
        scope = self.scopes_active[-1]
        if (
            scope.kind == "function"
            and scope.parent is not None
            and scope.parent.kind == "class"
            and scope.function.args.args
        ):
            return self.state.get(self.envs[scope], scope.function.args.args[0].arg)
        return None

    def wrap(self, name: str, node: ast.Call, args: Arguments) -> Obj:
        base = next((v for k, _, v in args if k in (None, "module")), None)
        expr = next((e for k, e, _ in args if k in (None, "module")), None)
        if base is None:
            return Obj("unknown", node)
        if not base.is_module:
            unknown = base
            base = Obj(
                "module",
                base.origin,
                proven=False,
                base=base.base if base.kind == "part" else None,
                attr=base.attr,
                name=base.name,
            )
            if base.attr == "" or base.base is None:
                self.state.place.setdefault(base, self.state.place.get(unknown, UNKNOWN_PLACE))
            self.known_as(unknown, base)
        self.touch(base.root(), "wrap")
        if name != api.DATA_PARALLEL:
            self.touch(WORLD, "collective")
        wrapper = Obj("wrapper", node, base=base, wrap=name, name=name)
        self.event("wrap", node, wrapper, what=name, place=self.place_of(base), args=(base,), arg_node=expr)
        return wrapper

    def torch_module(self, name: str, node: ast.Call, args: Arguments) -> Obj:
        module = Obj("module", node, name=name, loss=api.is_loss(name))
        on = next(((e, v) for k, e, v in args if k == "device"), None)
        device = self.device_of(*on) if on is not None else None
        if device is not None:
            self.state.place[module] = Place("device", device)
        elif on is not None or self.ambient_device():
            self.state.place[module] = Place("mixed", Device("other"))
        elif name.endswith((".from_pretrained", ".from_config")) and self.loads_placed(args):
            self.state.place[module] = UNKNOWN_PLACE
        parts: list[Obj] = []
        for _, _, value in args:
            for item in self.flatten(value):
                if item.is_module:
                    self.placed_in_part(module, item)
                if item.kind == "module" and item.base is None:
                    self.touch(item, "read")
                    item.base = module  # nn.Sequential(encoder, head): parts move with the whole
                    parts.append(item)
                elif module.loss and item.kind in ("tensor", "element"):
                    parts.append(item)
        module.items = tuple(parts)
        self.event("module", node, module)
        return module

    @staticmethod
    def loads_placed(args: Arguments) -> bool:
        """Whether a loader is told where the model goes, or may be by what is spread into its arguments."""
        return any(k == "**" or (k in api.LOADED_PLACED and not (v.kind == "const" and not v.value)) for k, _, v in args)

    def pack(self, node: ast.Call, args: Arguments) -> Obj:
        """pack_padded_sequence(x, lengths): x may lie anywhere, the lengths on the CPU alone (A15)."""
        data = next((v for k, _, v in args if k in (None, "input")), None)
        lengths = next(((e, v) for i, (k, e, v) in enumerate(args) if k == "lengths" or (k is None and i == 1)), None)
        if lengths is not None:
            self.use(lengths[1], "host", lengths[0])
            if self.on_device(lengths[1]):
                self.event("host", node, lengths[1], place=lengths[1].place, what="lengths", arg_node=lengths[0])
        if data is None or data.kind not in ("tensor", "element"):
            return Obj("unknown", node)
        self.use(data, "neutral", node.args[0] if node.args else node)
        return self.tensor_like(data, node)

    def optimizer(self, name: str, node: ast.Call, args: Arguments) -> Obj:
        members: list[Obj] = []
        expr: ast.expr | None = None
        for keyword, e, value in args:
            if keyword in (None, "params") and expr is None:
                expr = e
                for item in self.flatten(value):
                    members.extend(item.members)
                    if item.kind == "part" and item.base is not None:
                        members.append(item.base)
                members.extend(value.given)  # groups(model): what an optimizer takes are parameters
        unique = tuple(dict.fromkeys(members))
        for member in unique:
            self.touch(member, "read")
        fused = any(k == "fused" and isinstance(e, ast.Constant) and e.value is True for k, e, _ in args)
        optimizer = Obj("optimizer", node, name=name, members=unique, proven=not api.is_third_party_optimizer(name))
        self.event(
            "optimizer",
            node,
            optimizer,
            args=unique,
            arg_node=expr,
            what="fused" if fused else "",
            places=tuple(self.place_of(m) for m in unique),
        )
        return optimizer

    def spawn(self, name: str, node: ast.Call, args: Arguments) -> Obj:
        """mp.spawn(f, args=…): f runs in another process, with a rank and what it is handed."""
        target = next((v for k, _, v in args if k in (None, "fn", "target") and v.kind == "function"), None)
        if target is not None and target.scope is not None and target.scope not in self.scopes_active:
            before = self.state
            self.state = before.copy()
            self.call_scope(target.scope, None, None, None)
            self.state = before
        return Obj("unknown", node)

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
            self.loss_weights(root, node, place, operands)
            if root.cls is not None and place.kind == "host" and operands and all(map(self.on_device, operands)) and self._is_plain(root):
                self.event("stayed", node, root, place=operands[0].place)
            strict = root.name.rpartition(".")[2] in api.STRICT_LOSSES
            return self.tensor_op(node, tuple(operands), tuple(exprs), what="loss", strict=strict)
        self.event("call", node, module, place=place, args=tuple(v for _, _, v in args))
        placed = place.kind == "device" and place.device is not None and not place.device.is_cpu
        known = self._is_plain(root) or (root.cls is None and api.is_module_constructor(root.name) and root.proven)
        for part in self.parts_left(root) if placed else ():
            self.event("stayed", node, part, place=place, what="part", args=(root,))
        scattered = module.kind == "wrapper" and not module.maybe
        given = [v for _, _, v in args if self.on_device(v)]
        if given and place.kind == "host" and known and module.kind == "module":
            self.event("stayed", node, root, place=given[0].place)
        for position, (keyword, argument, value) in enumerate(args):
            held = value.base if value.kind == "encoding" else None  # it is repaired as a tensor is
            for item, expr, own in self.parts(held or value, argument):
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
                    self.event("conflict", node, item, place=place, what="input", arg_node=expr if own else None, args=(module,))
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
            # one without parameters works where its inputs lie; another failed on what lies elsewhere
            return Obj("tensor", node, place=given[0].place if given else HOST, roots=frozenset())
        return Obj("tensor", node, place=UNKNOWN_PLACE, proven=known)

    @staticmethod
    def _is_plain(module: Obj) -> bool:
        """Whether a module is of a class of the repository that moves nothing it is called with, on bases that are known."""
        return module.cls is not None and not moves_inputs(module.cls) and "?" not in module.cls.bases

    def loss_weights(self, loss: Obj, node: ast.Call, place: Place, operands: list[Obj]) -> None:
        """A criterion that was never moved, with weights on the CPU, meets outputs on a device."""
        placed = [o for o in operands if self.on_device(o)]
        weights = [w for w in loss.items or () if w.kind in ("tensor", "element")]
        if placed and place.kind == "host" and loss.proven and any(w.place is not None and w.place.kind == "host" for w in weights):
            self.event("stayed", node, loss, place=placed[0].place, what="weight", args=tuple(weights))

    def method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        """receiver.attr(…) where the receiver is a value, not an import."""
        kind = receiver.kind
        if attr in api.PLACING:
            self.values[node].append(receiver)
            own = receiver.cls is not None and attr in receiver.cls.own_moves
            if not own and kind in (
                "module",
                "wrapper",
                "tensor",
                "element",
                "part",
                "unknown",
                "params",
                "list",
                "dict",
                "const",
                "call",
            ):
                return self.move(receiver, attr, node)
        elif attr == "load_state_dict":
            self.values[node].append(receiver)
        if receiver.is_module:
            return self.module_method(receiver, attr, node)
        if kind in ("optimizer", "scheduler"):
            self.touch(receiver, "use")
            result = Obj("unknown", node)
            for _, expr, value in self.arguments(node):
                self.use(value, "opaque", expr)
                if value.kind == "optimizer":
                    self.touch(value, "use")
                elif value.kind == "function" and value.scope is not None and attr == "step":
                    result = self.local_call(value.scope, None, node, [])  # the closure, whose loss step returns
            if attr == "load_state_dict" or attr == "step":
                self.event("state", node, receiver, what=attr)
            return result
        if kind in ("tensor", "element"):
            return self.tensor_method(receiver, attr, node)
        if kind == "encoding":
            return self.encoding_method(receiver, attr, node)
        if kind == "unknown" and (made := self.tokens(receiver, attr, node)) is not None:
            return made
        if kind == "super":
            return self.super_call(receiver, attr, node)
        if kind in ("instance", "class") and attr not in ("__init__",):
            slot = self.state.fields.get((receiver, attr))
            if slot is not None and slot.is_module:
                return self.forward(slot, node)
            if slot is not None and slot.kind == "unknown" and (image := self.transformed(slot, node)) is not None:
                return image
            info = receiver.cls if kind == "instance" else None
            if info is not None and attr in info.methods and slot is None:
                return self.local_call(info.methods[attr], receiver, node)
            return self.opaque(node, attr, receiver=receiver)
        if kind in ("list", "params", "dict") and attr in ("append", "extend", "insert", "update", "add"):
            for _, expr, value in self.arguments(node):
                receiver.members = tuple(
                    dict.fromkeys((*receiver.members, *value.members, *([value.root()] if value.is_module else [])))
                )
                self.use(value, "escape", expr)
                self.grows(receiver, value if attr == "append" else None, node)
            return Obj("const", node)
        if kind == "dict" and attr in ("items", "values", "keys", "get"):
            self.arguments(node)
            found = Obj("unknown", node, members=receiver.members)
            if attr != "get" and receiver.items and all(i.kind in ("element", "tensor") for i in receiver.items):
                found.attr, found.base = attr, self.tensor_like(reduce(merge, receiver.items), node)
            return found
        if kind == "loader" and attr in ("__iter__",):
            return receiver
        if kind == "part":
            return self.part_method(receiver, attr, node)
        if kind == "device":
            self.arguments(node)
            return Obj("unknown", node)
        # an attribute of an unknown object that is itself a known module: self.net(x)
        for member in receiver.members:
            self.touch(member, effect(attr))
        held = self.state.fields.get((receiver, attr))
        if held is not None and held.is_module:
            return self.forward(held, node)
        if held is not None and held.kind == "function" and held.scope is not None:
            return self.local_call(held.scope, None, node)
        return self.opaque(node, f"{receiver.name}.{attr}" if receiver.name else attr)

    def grows(self, held: Obj, item: Obj | None, node: ast.Call) -> None:
        """A list gets one more item; None: items that are not known. What each of them is like is known of a list that a
        name of this very function holds, as long as it gets nothing but tensors."""
        first = held.items == () and held.base is None
        held.items = None
        if held.kind != "list":
            return
        name = node.func.value if isinstance(node.func, ast.Attribute) else None
        scope = self.scopes_active[-1]
        own = isinstance(name, ast.Name) and scope.lookup(name.id) is scope and not self.abroad
        known = first or (held.base is not None and held.base.kind == "tensor")
        if not own or not known or item is None or item.kind != "tensor":
            held.base = None
            return
        held.base = item if held.base is None else merge(held.base, item)
        held.value = "appended"

    def super_call(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        scope = receiver.scope
        if (
            scope is not None
            and scope.parent is not None
            and isinstance(scope.parent.node, ast.ClassDef)
            and receiver.base is not None
        ):
            for base in scope.parent.node.bases:
                local = class_of(scope.parent.parent, base)
                if local is not None:
                    method = self.class_info(local).methods.get(attr)
                    if method is not None:
                        return self.local_call(method, receiver.base, node)
        if receiver.base is not None and receiver.base.kind == "instance":
            self.escape_instance(receiver.base)
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
        neutral = attr in api.MODULE_NEUTRAL or attr in api.TENSOR_NEUTRAL
        what = effect(attr)
        self.touch_part(receiver, "read" if neutral else what if what != "read" else "opaque")
        return Obj("tensor", node, place=UNKNOWN_PLACE) if not neutral else Obj("unknown", node)

    def module_method(self, receiver: Obj, attr: str, node: ast.Call) -> Obj:
        root = receiver.root()
        if attr in (
            "parameters",
            "named_parameters",
            "modules",
            "named_modules",
            "children",
            "named_children",
            "buffers",
        ):
            self.arguments(node)
            self.touch(root, "read")
            for collector in self.collectors:
                collector.append(root)
            return Obj("params", node, members=(root,), attr=attr, base=receiver)
        if root.cls is not None and attr in root.cls.layers:
            self.touch(root, "call")
            return self.forward(Obj("module", node.func, base=root, attr=attr, name=root.cls.layers[attr]), node)
        if attr == "forward" or (attr == "generate" and root.name.startswith("transformers.")):
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
            function = args[0][2].scope if args and args[0][2].kind in ("function", "method") else None
            self.touch(root, "init" if function is not None and only_initialises(function) else "opaque")
            return receiver
        if attr in api.MODULE_NEUTRAL:
            self.touch(root, "read")
        elif attr in api.MODULE_PARAMS:
            self.touch(root, "params")
        else:
            self.touch(root, "opaque")
        for _, expr, value in args:
            for item in self.flatten(value):
                self.opaque_argument(item, False, expr) if not item.is_module else self.touch(item.root(), "opaque")
        return receiver if attr in api.RETURNS_SELF else Obj("unknown", node)


EXPRESSIONS[ast.Call] = Calls.e_call


def _enumerate(self: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    return Obj("enumerated", node, base=first)


def _zip(self: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    return Obj("zipped", node, items=tuple(v for _, _, v in args))


def _same(self: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    if first.kind in ("loader", "params", "enumerated", "zipped", "list", "tuple", "tensor", "element", "generated"):
        if first.kind == "params":
            return Obj("params", node, members=first.members)
        return first
    return Obj("unknown", node, members=first.members)


def _next(self: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    if first.kind == "loader":
        return self.new_element(first, node)
    if first.kind == "generated" and first.base is not None:
        return first.base
    if first.kind == "params":
        return Obj("tensor", node, place=UNKNOWN_PLACE)
    if first.kind == "enumerated" and first.base is not None and first.base.kind == "loader":
        return Obj("tuple", node, items=(Obj("const", node), self.new_element(first.base, node)))
    return Obj("unknown", node)


def _chain(self: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    members = tuple(dict.fromkeys(m for _, _, v in args for m in v.members))
    return Obj("params", node, members=members)


def _filter(self: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    members = tuple(dict.fromkeys(m for _, _, v in args for m in v.members))
    return Obj("params" if members else "unknown", node, members=members)


def _copy(self: Calls, node: ast.Call, args: Arguments, first: Obj) -> Obj:
    if first.is_module:
        root = first.root()
        copied = Obj("module", node, name=root.name, cls=root.cls, proven=root.proven, loss=root.loss)
        self.state.place[copied] = self.place_of(first)
        self.touch(root, "copied")
        self.event("copy", node, copied)
        return copied
    return Obj("unknown", node)


_BUILTINS: dict[str, Callable[[Any, ast.Call, Arguments, Obj], Obj]] = {
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
    "torch.optim.swa_utils.AveragedModel": _copy,
    "copy.copy": _copy,
}

# In the order in which a name is asked what it is.
_ROUTES: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("device", "torch.device".__eq__),
    ("available", api.AVAILABILITY.__contains__),
    ("wrapper", api.WRAPPERS.__contains__),
    ("module", api.is_module_constructor),
    ("transform", api.MODULE_TRANSFORMS.__contains__),
    ("optimizer", api.is_optimizer),
    ("scheduler", api.is_scheduler),
    ("loader", api.LOADERS.__contains__),
    ("tensors", api.TENSOR_DATASET.__eq__),
    ("images", api.is_image_classification_dataset),
    ("view", api.DATASET_VIEWS.__contains__),
    ("factory", api.TENSOR_FACTORIES.__contains__),
    ("function", lambda name: name in api.TENSOR_FUNCTIONS or name.startswith(api.FUNCTIONAL)),
    ("pack", api.PACK.__contains__),
    ("variable", api.VARIABLE.__eq__),
    ("parameter", ("torch.nn.Parameter", "torch.nn.parameter.Parameter").__contains__),
    ("builtin", _BUILTINS.__contains__),
    ("progress", lambda name: name.endswith(("tqdm", ".trange")) and name.partition(".")[0] in ("tqdm", "rich")),
    ("init", lambda name: name.startswith("torch.nn.init.")),
    ("environment", lambda name: name.startswith(("os.environ.", "os.putenv"))),
    ("cuda", lambda name: name in api.CUDA_CONTEXT_CALLS or name == "torch.cuda.device"),
    ("collective", api.is_collective),
    ("fork", api.FORK_CALLS.__contains__),
    ("exit", api.EXIT_CALLS.__contains__),
)
