"""Calls in the abstract interpreter: the called value decides which part evaluates the call."""

from __future__ import annotations

import ast
from functools import lru_cache, partial, reduce
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.interpret import distributions, random_generators
from placefix.facts.interpret.assignment_targets import bind, forget_attributes, forget_names
from placefix.facts.interpret.attributes import attribute
from placefix.facts.interpret.builtin_calls import BUILTINS
from placefix.facts.interpret.choices import built, member, method_of_registry, namesake, picked
from placefix.facts.interpret.expressions import EXPRESSIONS
from placefix.facts.interpret.interpreter_base import WORLD, Arguments
from placefix.facts.interpret.library_calls import library_call, library_function
from placefix.facts.interpret.method_calls import Methods
from placefix.facts.interpret.module_methods import layer_of
from placefix.facts.interpret.state import join, merge
from placefix.facts.interpret.values import UNKNOWN_PLACE, Obj, made_of, moment
from placefix.facts.naming import is_cuda_variable
from placefix.facts.program.ast_names import literal_text
from placefix.facts.program.device_values import Device
from placefix.facts.wording import unite
from placefix.torch_model import libraries, modules

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.facts.interpret.state import State
    from placefix.facts.interpret.values import ObjKind
    from placefix.facts.program.tree import Scope


@lru_cache(maxsize=4096)
def _route(name: str) -> str:
    """The route (the kind of callable) of a qualified name; "" if no route has it."""
    for route, belongs in _ROUTES:
        if belongs(name):
            return route
    return ""


class Calls(Methods):
    """Evaluates calls."""

    def e_call(self, node: ast.Call) -> Obj:
        """The value of a call, by the kind of the called value."""
        func = node.func
        if isinstance(func, ast.Attribute):
            receiver = self.eval(func.value)
            if receiver.is_import:
                return self._of_import(receiver, func.attr, node)
            if receiver.cls is None or func.attr not in receiver.cls.properties:
                return self.method(receiver, func.attr, node)
            callee = attribute(self, receiver, func)  # ``self.model(x)``, where `model` is a property
        else:
            callee = self.eval(func)
        if callee.is_import:
            return self.named(callee.name, node, callee.scope)
        transfer = CALLEES.get(callee.kind)
        result = transfer(self, callee, node) if transfer is not None else None
        return result if result is not None else self.opaque(node, callee.name)

    def _of_import(self, package: Obj, attr: str, node: ast.Call) -> Obj:
        """A call of a function or class of a package, or of the constructor of an imported base class."""
        base = self.found(package.name, package.scope) if attr == "__init__" else None
        if base is not None and base.scope is not None and base.kind == "class":
            made = self.method_of_base(base.scope, attr, node)
            if made is not None:
                return made
        written = self.state.fields.get((package, attr))
        if written is not None and not written.is_device:  # ``torch.zeros = …``: the file replaces it
            if written.kind == "function" and written.scope is not None:
                return self.local_call(written.scope, None, node)
            return self.opaque(node, attr)
        name = api.canonical(f"{package.name}.{attr}")
        made = method_of_registry(self, package, attr, node) if not name.startswith("torch.") else None
        return made if made is not None else self.named(name, node, package.scope)

    def call_choice(self, choice: Obj, node: ast.Call, args: Arguments) -> Obj:
        """A call of one of several classes and functions: the values that all of them may give, each called on a separate path."""
        before, since = self.state, moment()
        results: list[Obj] = []
        states: list[State] = []
        for candidate in choice.alts:
            self.state = before.copy()
            result = self._call_candidate(candidate, node, args)
            if result is None or result.is_unknown:
                self.state = before
                other = self.opaque(node, choice.name, args=args)
                infos = (
                    self.class_info(one.scope) for one in choice.alts if one.kind == "class" and one.scope is not None
                )
                other.cls = next((info for info in infos if not info.is_module), None)
                return other
            results.append(result)
            states.append(self.state)
        self.state = reduce(partial(join, since=since), states)
        made = reduce(merge, results)
        made.premises = unite(made.premises, choice.premises)
        if made.is_module and made not in results and all(result.origin is node for result in results):
            made.origin = node
            self.event("module", node, made)
        return made

    def call_value(self, callee: Obj, node: ast.Call, args: Arguments) -> Obj | None:
        """A call of a value that `node` makes with other arguments than its own; None where the value is not known."""
        layer = layer_of(callee) if callee.is_part else callee
        if layer is not None and layer.is_module:
            return self.forward(layer, node, args)
        if callee.kind in ("function", "method") and callee.scope is not None:
            return self.local_call(callee.scope, callee.base, node, args)
        return None

    def _call_candidate(self, candidate: Obj, node: ast.Call, args: Arguments) -> Obj | None:
        """A call of one of them with arguments that are evaluated already; None where it is not known."""
        scope = candidate.scope
        if candidate.is_import:
            first = args[0][2] if args and args[0][0] is None else None
            return self.routed(_route(candidate.name), candidate.name, node, args, first)
        if scope is None:
            return None
        if candidate.kind == "function":
            return self.local_call(scope, None, node, args)
        info = self.class_info(scope)
        return self.instantiate(scope, node, args) if info.closed else None

    def instance_of_free(self, cls: str, node: ast.Call) -> Obj:
        """A call of a class that nothing binds, whose result is used as a module, or as a loss."""
        role = self.tree.free_names.made[node]
        assumed = (premises.CLASS_NOT_SEEN(cls=cls),)
        module = Obj("module", node, name=cls, loss=role == "loss", premises=assumed, born=moment())
        for _, expr, value in self.arguments(node):
            for item in self.flatten(value):
                self.opaque_argument(item, False, expr)
        self.outsiders[module] = []
        self.event("module", node, module)
        return module

    def _modelled(self, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
        """The result of a function that the model of torch or of a library has; None for others."""
        route = _route(name)
        result = self.routed(route, name, node, args, first) if route else None
        random_generators.check_generator(self, name, node, args, result)
        if result is None and libraries.result_of(name) == "made" and len(args) > 1:
            result = built(self, args[1][2], node, args[1][1], args[:1])
        return result if result is not None else library_function(self, name, node, args)

    def _attribute_of_name(self, node: ast.Call) -> Obj:
        """``getattr(owner, name)``."""
        owner = self.eval(node.args[0])
        key = self.eval(node.args[1])
        if not owner.is_import:
            return Obj("unknown", node, members=made_of(owner))
        # a class picked by name: its kind follows from the package
        return member(self, owner, key, node, node.args[0]) or self.imported(f"{owner.name}.{picked(key)}")

    def named(self, name: str, node: ast.Call, root: Scope | None = None) -> Obj:
        """A call of a function or class known by its qualified name; `root`: of the file that imports it."""
        if name == "super":
            instance = self.self_object()
            return Obj("super", node, base=instance, scope=self.scopes_active[-1])
        if name == "setattr" and len(node.args) == 3:
            target = _attribute_by_name(node)
            if target is not None:
                bind(self, target, self.eval(node.args[2]), self.stack[-1].stmt)
                return Obj("const", node)
            forget_attributes(self, self.eval(node.args[0]))
        if name == "exec":
            forget_names(self)
        if name == "getattr" and len(node.args) >= 2:
            return self._attribute_of_name(node)
        args = self.arguments(node)
        first = args[0][2] if args and args[0][0] is None else None
        if name == "eval" and len(args) == 1 and first is not None and not isinstance(first.value, str):
            return namesake(self, node, node.func) or self.opaque(node, name, args=args)
        made = self._modelled(name, node, args, first)
        if made is not None:
            return made
        definition = self.found(name, root)
        result = self.call_abroad(definition, node, args) if definition is not None else None
        return result if result is not None else self.opaque(node, name, args=args)

    def routed(self, route: str, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
        """A call of a name that is known to be of a kind (`_ROUTES`); None where it is treated as any other."""
        handler = _HANDLERS.get(route)
        if handler is not None:
            return handler(self, name, node, args, first)
        self.touch(WORLD, route)  # it acts on the world
        return Obj("unknown", node)


def _attribute_by_name(node: ast.Call) -> ast.Attribute | None:
    """The target ``x.name`` of ``setattr(x, "name", value)``; None where the name is not a literal."""
    name = literal_text(node.args[1])
    return ast.copy_location(ast.Attribute(node.args[0], name, ast.Store()), node) if name is not None else None


# --- one function for each kind of callee: the interpreter, the called object, the call ----------------------------------------------------


def _of_class(machine: Calls, callee: Obj, node: ast.Call) -> Obj | None:
    return machine.instantiate(callee.scope, node) if callee.scope is not None else None


def _of_choice(machine: Calls, callee: Obj, node: ast.Call) -> Obj:
    return machine.call_choice(callee, node, machine.arguments(node))


def _of_function(machine: Calls, callee: Obj, node: ast.Call) -> Obj | None:
    return machine.local_call(callee.scope, None, node) if callee.scope is not None else None


def _of_method(machine: Calls, callee: Obj, node: ast.Call) -> Obj | None:
    return machine.local_call(callee.scope, callee.base, node) if callee.scope is not None else None


def _of_module(machine: Calls, callee: Obj, node: ast.Call) -> Obj:
    return machine.forward(callee, node)


def _of_part(machine: Calls, callee: Obj, node: ast.Call) -> Obj | None:
    layer = layer_of(callee)
    if layer is None:
        return None
    machine.touch(layer.base.root() if layer.base is not None else layer, "call")
    return machine.forward(layer, node)


def _of_instance(machine: Calls, callee: Obj, node: ast.Call) -> Obj | None:
    method = callee.cls.methods.get("__call__") if callee.cls is not None else None
    return machine.local_call(method, callee, node) if method is not None else None


def _of_tensor(machine: Calls, callee: Obj, node: ast.Call) -> None:
    machine.use(callee, "called", node.func)  # so it is none


def _of_unknown(machine: Calls, callee: Obj, node: ast.Call) -> Obj | None:
    if callee.param and machine.tree.assume and node in machine.tree.free_names.made:
        return machine.instance_of_free(callee.name, node)
    made = library_call(machine, callee, libraries.CALL, node)
    return made or machine.called_unknown(callee, callee.name, node)


CALLEES: dict[ObjKind, Callable[[Calls, Obj, ast.Call], Obj | None]] = {
    "class": _of_class,
    "function": _of_function,
    "choice": _of_choice,
    "method": _of_method,
    "module": _of_module,
    "wrapper": _of_module,
    "compiled": _of_module,
    "part": _of_part,
    "instance": _of_instance,
    "tensor": _of_tensor,
    "element": _of_tensor,
    "unknown": _of_unknown,
}

# --- one function for each route: the interpreter, the qualified name, the call, its arguments, the first one by position ------


def _builtin(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    return BUILTINS[name](machine, node, args, first) if first is not None else None


def _device(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    device = machine.device_of(node.args[0], first) if node.args and first is not None else None
    return Obj("device", node, device=device or Device("other"))


def _available(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    machine.flags = True
    return Obj("flag", node, value="available")


def _transform(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    if first is None or not first.is_module:
        return None
    machine.touch(first.root(), "params" if "norm" in name else "read")
    if name != api.COMPILE:
        return first
    return Obj("compiled", node, base=first, maybe=any(k in ("disable", "**") for k, _, _ in args))


def _shards(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    if first is not None and first.is_module:
        place = machine.place_of(first)
        machine.event("wrap", node, first, what=name, place=place, args=(first,), arg_node=node.args[0])
    return None  # its effect on the module is not followed


def _scheduler(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    base = first if first is not None and first.kind == "optimizer" else None
    if base is not None:
        machine.touch(base, "use")
    scheduler = Obj("scheduler", node, base=base, name=name)
    machine.touch(scheduler, "made")
    return scheduler


def _checkpoint(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    """``checkpoint(f, x)`` is ``f(x)``."""
    given = [(keyword, expr, value) for keyword, expr, value in args[1:] if keyword not in api.CHECKPOINT_OPTIONS]
    return machine.call_value(first, node, given) if first is not None else None


def _runs_with_inputs(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    """``export(net, (x, y), file)`` and ``trace(net, x)`` call ``net(x, y)`` and ``net(x)``."""
    number = next((n for n, (keyword, _, _) in enumerate(args) if keyword == api.RUNS_WITH_INPUTS[name]), 1)
    if first is None or len(args) <= number or any(keyword in ("*", "**") for keyword, _, _ in args[: number + 1]):
        return None
    _, expr, value = args[number]
    several = isinstance(expr, (ast.Tuple, ast.List))
    given = list(zip(expr.elts, value.items or (), strict=False)) if several else [(expr, value)]  # type: ignore[attr-defined]
    if not any(isinstance(one, (ast.Starred, ast.Dict)) for one, _ in given):
        inputs: Arguments = [(None, one, held) for one, held in given]
        if machine.call_value(first, node, inputs) is None and first.is_unknown:
            machine.called_on_device(first, args[0][1], node, inputs)
    return None


def _variable(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    known = first is not None and first.is_tensor_like
    return first if known else Obj("tensor", node, place=UNKNOWN_PLACE)


def _parameter(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    made = Obj("tensor", node, place=UNKNOWN_PLACE, name="torch.nn.Parameter")
    if first is not None and first.kind == "tensor" and first.place is not None and first.place.is_host:
        machine.made_here.add(made)
    return made


def _initialises(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    for _, _, value in args:
        machine.touch_part(value, "init")
    return Obj("unknown", node)


def _images(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    tensors = any(machine.makes_tensor(e) for _, e, _ in args)
    return Obj("dataset", node, name=name, premises=() if tensors else (premises.LOADER_YIELDS_CPU,))


def _view(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    if first is not None and first.kind in ("dataset", "instance"):
        return Obj("views", node, base=first) if name.endswith("random_split") else first
    return Obj("unknown", node)


def _environment(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    if first is None or is_cuda_variable(first.value):
        machine.touch(WORLD, "env")
    return None


def _fork(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    machine.touch(WORLD, "fork")
    return machine.spawn(node, args)


def _exit(machine: Calls, name: str, node: ast.Call, args: Arguments, first: Obj | None) -> Obj | None:
    machine.touch(WORLD, "exit")
    machine.state.dead = "raise"
    return Obj("unknown", node)


_HANDLERS: dict[str, Callable[[Calls, str, ast.Call, Arguments, Obj | None], Obj | None]] = {
    "builtin": _builtin,
    "device": _device,
    "available": _available,
    "wrapper": lambda machine, name, node, args, first: machine.wrap(name, node, args),
    "module": lambda machine, name, node, args, first: machine.torch_module(name, node, args),
    "transform": _transform,
    "shards": _shards,
    "optimizer": lambda machine, name, node, args, first: machine.optimizer(name, node, args),
    "scheduler": _scheduler,
    "factory": lambda machine, name, node, args, first: machine.factory(name, node, args),
    "function": lambda machine, name, node, args, first: machine.torch_function(name, node, args),
    "generator": lambda machine, name, node, args, first: random_generators.new_generator(machine, node, args),
    "distribution": lambda machine, name, node, args, first: distributions.new_distribution(machine, name, node, args),
    "divergence": lambda machine, name, node, args, first: distributions.divergence(machine, node, args),
    "variable": _variable,
    "checkpoint": _checkpoint,
    "trace": _runs_with_inputs,
    "parameter": _parameter,
    "pack": lambda machine, name, node, args, first: machine.pack(node, args),
    "progress": lambda machine, name, node, args, first: first or Obj("unknown", node),
    "init": _initialises,
    "loader": lambda machine, name, node, args, first: machine.loader(name, node, args),
    "tensors": lambda machine, name, node, args, first: Obj(
        "dataset", node, name=name, items=tuple(v for _, _, v in args)
    ),
    "images": _images,
    "view": _view,
    "environment": _environment,
    "fork": _fork,
    "exit": _exit,
}
EXPRESSIONS[ast.Call] = Calls.e_call

# In the order of the tests; the first that holds decides.
_ROUTES: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("device", "torch.device".__eq__),
    ("available", api.AVAILABILITY.__contains__),
    ("wrapper", api.WRAPPERS.__contains__),
    ("module", api.is_module_constructor),
    ("trace", api.RUNS_WITH_INPUTS.__contains__),
    ("transform", api.MODULE_TRANSFORMS.__contains__),
    ("shards", api.SHARDS.__contains__),
    ("optimizer", api.is_optimizer),
    ("scheduler", api.is_scheduler),
    ("loader", api.is_loader),
    ("tensors", api.TENSOR_DATASET.__eq__),
    ("images", api.is_image_classification_dataset),
    ("view", api.DATASET_VIEWS.__contains__),
    ("factory", torch_model.is_factory),
    ("function", torch_model.is_function),
    ("generator", "torch.Generator".__eq__),
    ("distribution", modules.is_distribution),
    ("divergence", api.DIVERGENCES.__contains__),
    ("pack", api.PACK.__contains__),
    ("variable", api.VARIABLE.__eq__),
    ("checkpoint", api.CHECKPOINT.__contains__),
    ("parameter", ("torch.nn.Parameter", "torch.nn.parameter.Parameter").__contains__),
    ("builtin", BUILTINS.__contains__),
    ("progress", lambda name: name.endswith(("tqdm", ".trange")) and name.partition(".")[0] in ("tqdm", "rich")),
    ("init", lambda name: name.startswith("torch.nn.init.")),
    ("environment", lambda name: name.startswith(("os.environ.", "os.putenv"))),
    ("memory", api.ASKS_MEMORY.__contains__),
    ("cuda", lambda name: name in api.CUDA_CONTEXT_CALLS or name == "torch.cuda.device"),
    ("collective", api.is_collective),
    ("fork", api.FORK_CALLS.__contains__),
    ("exit", api.EXIT_CALLS.__contains__),
)
