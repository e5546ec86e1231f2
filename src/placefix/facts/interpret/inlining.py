"""Calls of the file's own functions and classes in the abstract interpreter: their bodies are run."""

from __future__ import annotations

import ast
from contextlib import contextmanager
from functools import reduce
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import decorated
from placefix.facts.interpret.cross_file import line_count
from placefix.facts.interpret.kept_arguments import is_set_once, keeps_module, kept_attributes
from placefix.facts.interpret.opaque_calls import UnknownCode
from placefix.facts.interpret.state import join, merge
from placefix.facts.interpret.statements import execute
from placefix.facts.interpret.values import UNKNOWN_PLACE, Frame, Obj, Place, moment
from placefix.facts.naming import names_device_argument, names_device_or_number
from placefix.facts.program.ast_names import every_parameter
from placefix.facts.program.device_values import Device
from placefix.facts.program.statement_forms import is_stub

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.interpreter_base import Arguments
    from placefix.facts.interpret.state import State
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope

# A file that needs more activations than this is library code with a dense call graph;
# further calls return unknown values.
MAX_ACTIVATIONS = 300
MAX_DEPTH = 6


class OwnCode(UnknownCode):
    """Evaluates calls of functions and classes that the file defines."""

    def run_root(self) -> None:
        """Run the module level."""
        root = self.tree.root
        self.envs[root] = 0
        self.scopes_active.append(root)
        self.returns.append([])
        for name in sorted(self.tree.free_names.above) if self.tree.assume else ():
            self.state.put(0, name, self.by_role(root.node, name))  # on every path, whichever reads it first
        if root.body.stmts:
            self.stack.append(Frame(0, root.body.stmts[0]))
            execute(self, root.body)
        self.state.dead = ""
        self.returns.pop()

    def local_call(self, scope: Scope, self_obj: Obj | None, node: ast.Call, args: Arguments | None = None) -> Obj:
        """A call to a function or method whose body is known: run it here."""
        if args is None:
            args = self.arguments(node)
        if not self._runs(scope):
            if self.abroad and scope.tree is self.own and self_obj is not None:
                self.callbacks.setdefault((self_obj, scope), []).append(self.state.copy())
            return self.opaque(node, scope.name, receiver=self_obj, args=args)
        return self.call_scope(scope, self_obj, node, args)

    def _runs(self, scope: Scope) -> bool:
        """Whether a call of the function is followed into its body."""
        if (
            scope in self.scopes_active
            or len(self.scopes_active) > MAX_DEPTH
            or isinstance(scope.node, ast.AsyncFunctionDef)
        ):
            return False
        if decorated(scope):
            return False  # the decorator may change arguments and result
        if self.abroad:  # callbacks into this file are run separately
            return scope.tree is not self.own and self.may_follow(scope)
        return self.activation - self.extra <= MAX_ACTIVATIONS and (scope.tree is self.own or self.may_follow(scope))

    def call_scope(
        self, scope: Scope, self_obj: Obj | None = None, call: ast.expr | None = None, args: Arguments | None = None
    ) -> Obj:
        """Run a function's body and return its result.

        call, args: None if nothing in the file calls it. Its arguments are unknown then.
        """
        if scope.tree is not self.tree:
            if not self.abroad:
                self.passed = {value: expr for _, expr, value in args or ()}
            with self.inside_of(scope.tree, call):
                return self.call_scope(scope, self_obj, call, args)
        if self.abroad:
            self.extra += 1
            self.crossed += line_count(scope.node)
        else:
            self.ran.add(scope)
        for called in self.constructing:
            called.add(scope)
        overlays, self.overlays = self.overlays, []
        since = moment()
        self.activation += 1
        ident = self.activation
        previous = self.envs.get(scope)
        self.bind_parameters(scope, ident, self_obj, call, args)
        self.envs[scope] = ident
        self.scopes_active.append(scope)
        self.returns.append([])
        self.inside.append(call is not None)
        self.yielded.append([])
        self.stack.append(Frame(ident, scope.body.stmts[0]))
        execute(self, scope.body)
        self.stack.pop()
        yielded = self.yielded.pop()
        self.overlays = overlays
        returned = self.returns.pop()
        self.inside.pop()
        self.scopes_active.pop()
        if previous is None:
            del self.envs[scope]
        else:
            self.envs[scope] = previous
        if call is not None:
            # its local names are unreachable from here on, and joins need not compare them
            for _, state in returned:
                state.forget(ident)
            self.state.forget(ident)
        result = self._joined(returned, since)
        if yielded and call is not None:
            result = Obj("generated", call, base=reduce(merge, yielded))
        is_abstract = scope.parent is not None and scope.parent.is_class and is_stub(scope.function)
        result = result or Obj("unknown" if is_abstract else "const", call)  # a sub-class has the code
        if ident in self.ambient_activations:
            self.device_contexts.add(result)
        return result

    def accessed(self, accessor: Scope, owner: Obj, node: ast.expr, given: Obj | None = None) -> Obj | None:
        """The result of a property's getter, or of its setter with the value `given`; None if it is not run.

        A getter of one statement, as most are, does not count as an activation: files read ``self.device`` everywhere.
        """
        if not self._runs(accessor):
            return None
        if len(accessor.body.stmts) == 1:
            self.extra += 1
        return self.call_scope(accessor, owner, node, [] if given is None else [(None, node, given)])

    def _joined(self, returned: list[tuple[Obj, State]], since: int) -> Obj | None:
        """Continue after a call, which began at the moment `since`, in the join of the states at its returns and its end; returns the
        result, None if it has no return."""
        result: Obj | None = None
        end = self.state  # where it ends with a return, that is one of those
        for value, state in returned:
            result = value if result is None else merge(result, value)
            state.dead = ""
            end = join(end, state, since) if not end.dead else state
        if end.dead == "raise":
            end.dead = ""  # a function that always raises is not taken to be called for that
        self.state = end
        return result

    def bind_parameters(
        self, scope: Scope, ident: int, self_obj: Obj | None, call: ast.expr | None, args: Arguments | None
    ) -> None:
        """Bind a function's parameters in the names of its new activation `ident`; `call`, `args` as in `call_scope`."""
        parameters = scope.function.args
        env = self.state.names(ident)
        names = [*parameters.posonlyargs, *parameters.args]
        decorators = {d.id for d in scope.function.decorator_list if isinstance(d, ast.Name)}
        if names and scope.cls is not None and "staticmethod" not in decorators:
            first = names.pop(0)
            given = self_obj if "classmethod" not in decorators else Obj("class", first, scope=scope.parent)
            env[first.arg] = given or Obj("unknown", first, name=first.arg)
        if call is not None and args is not None:
            self._bind_arguments(parameters, names, env, call, args)
        for argument in (*names, *parameters.kwonlyargs):
            if argument.arg not in env:
                env[argument.arg] = self.unknown_parameter(argument, scope)
        for extra in (parameters.vararg, parameters.kwarg):
            if extra is not None and extra.arg not in env:
                env[extra.arg] = Obj("unknown", extra, name=extra.arg)

    def _bind_arguments(
        self, parameters: ast.arguments, names: list[ast.arg], env: dict[str, Obj], call: ast.expr, args: Arguments
    ) -> None:
        """Bind the arguments of a call, and the defaults of parameters without one.

        names: the parameters that may be given by position, without the one for the instance.
        """
        keywords = {a.arg for a in (*names, *parameters.kwonlyargs)}
        spread = False
        position = 0
        rest: list[Obj] = []
        for keyword, expr, value in args:
            if isinstance(expr, ast.Starred) or keyword == "**":
                spread = True
            elif keyword is not None:
                if keyword in keywords:
                    env[keyword] = value
                elif parameters.kwarg is not None:
                    self.opaque_argument(value, False, expr)
            elif not spread and position < len(names):
                env[names[position].arg] = value
                position += 1
            else:
                rest.append(value)
        if rest and not spread and parameters.vararg is not None:
            env[parameters.vararg.arg] = Obj("tuple", parameters.vararg, items=tuple(rest))
        else:
            for value in rest:
                self.opaque_argument(value, False, call)
        if not spread:
            defaults = [*zip(reversed(names), reversed(parameters.defaults))]
            defaults += [(a, d) for a, d in zip(parameters.kwonlyargs, parameters.kw_defaults) if d is not None]
            for argument, default in defaults:
                if argument.arg not in env and isinstance(default, ast.Constant):
                    env[argument.arg] = Obj("const", default, value=default.value)

    def unknown_parameter(self, argument: ast.arg, scope: Scope) -> Obj:
        """The value of a parameter that no call of the file passes, by its annotation or its name."""
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
        if names_device_or_number(name):
            return Obj(
                "device",
                argument,
                device=Device("other", name),
                param=name,
                premises=(premises.DEVICE_BY_NAME(name=name),),
            )
        return Obj("unknown", argument, name=name, param=name)

    def _new_module(self, info: ClassInfo, node: ast.Call, args: Arguments) -> Obj:
        """A module of a class, by the class's summary; the modules among the arguments become parts of it."""
        name = info.scope.name
        is_loss = name.endswith(("Loss", "Criterion"))
        module = Obj("module", node, cls=info, name=name, loss=is_loss, born=moment())
        if info.places_self or "?" in info.bases or (any(k == "**" for k, _, _ in args) and _may_get_device(info)):
            self.state.place[module] = UNKNOWN_PLACE
        elif self.ambient_device():
            self.state.place[module] = Place("mixed", Device("other"))
        for position, (keyword, expr, value) in enumerate(args):
            if value.kind in ("unknown", "part") and keeps_module(info, position, keyword):
                self.state.place[module] = UNKNOWN_PLACE  # its place is unknown
            if value.is_tensor_like and value.place is not None and not value.place.is_host:
                self.placed_arguments.add((info.scope, position if keyword is None else keyword))
            for item in self.flatten(value):
                if item.is_module:
                    self.touch(item.root(), "read")
                    self.placed_in_part(module, item)
                    if item.kind == "module" and item.base is None and item is not module:
                        item.base = module
                        if item is value:
                            self._keep_part(module, info, item, position, keyword)
                else:
                    self.use(item, "opaque", expr)
        self.event("module", node, module)
        return module

    def _keep_part(self, module: Obj, info: ClassInfo, part: Obj, position: int, keyword: str | None) -> None:
        """The constructor of a module keeps another one as an attribute."""
        for attr in kept_attributes(info, position, keyword):
            if is_set_once(info, attr):
                self.state.fields[module, attr] = part

    def instantiate(self, scope: Scope, node: ast.Call, args: Arguments | None = None) -> Obj:
        """A call of a class: a module of its summary, or an object whose constructor is run."""
        info = self.class_info(scope)
        wrapping = next((base for base in info.bases if base in api.WRAPPERS), None)
        if wrapping is not None and not {"__init__", "forward"} & info.methods.keys():
            wrapper = self.wrap(wrapping, node, self.arguments(node) if args is None else args)
            wrapper.name = scope.name  # a class with attributes that torch's does not have
            return wrapper
        if info.is_module:
            return self._new_module(info, node, self.arguments(node) if args is None else args)
        if info.is_optimizer:
            return self.optimizer(scope.name, node, self.arguments(node) if args is None else args, cls=scope)
        instance = self.new_instance(scope, node)
        init = info.methods.get("__init__")
        if args is None:
            args = self.arguments(node)
        if init is not None:
            with self.constructing_of(instance):
                self.local_call(init, instance, node, args)
        elif info.data_fields:
            self._fill(instance, info, args)
            if "__post_init__" in info.methods:
                self.local_call(info.methods["__post_init__"], instance, node, [])
        if scope not in self.instances:
            self.instances[scope] = instance
            self.inits[instance] = self.state.copy()
        return instance

    @contextmanager
    def constructing_of(self, instance: Obj) -> Iterator[None]:
        """Record the functions that are called as called by the constructor of an instance."""
        self.constructing.append(self.constructed.setdefault(instance, set()))
        yield
        self.constructing.pop()

    def _fill(self, instance: Obj, info: ClassInfo, args: Arguments) -> None:
        """Give an object of a dataclass or named tuple its fields."""
        names = list(info.data_fields)
        if any(isinstance(expr, ast.Starred) or keyword == "**" for keyword, expr, _ in args):
            return
        for position, (keyword, expr, value) in enumerate(args):
            name = keyword if keyword is not None else names[position] if position < len(names) else ""
            if name in info.data_fields:
                self.use(value, "escape", expr)
                self.state.fields[instance, name] = value
        for name, stmt in info.data_fields.items():
            if (instance, name) not in self.state.fields and isinstance(stmt.value, ast.Constant):
                self.state.fields[instance, name] = Obj("const", stmt.value, value=stmt.value.value)

    def placed_in_part(self, whole: Obj, part: Obj) -> None:
        """A module made of one that is placed, or may be, is not left where modules are made."""
        place = self.place_of(part)
        if not place.is_host and whole not in self.state.place:
            self.state.place[whole] = Place("mixed", place.device) if place.is_device else UNKNOWN_PLACE

    def new_instance(self, scope: Scope, node: ast.AST) -> Obj:
        """An instance of a class, of which nothing else is known yet."""
        info = self.class_info(scope)
        if info.is_module:
            module = Obj("module", node, cls=info, name=scope.name, param="self")
            self.state.place[module] = UNKNOWN_PLACE
            return module
        return Obj("instance", node, cls=info, name=scope.name)

    def self_object(self) -> Obj | None:
        """The instance whose method is run."""
        scope = self.scopes_active[-1]
        if scope.is_function and scope.cls is not None and scope.function.args.args:
            return self.state.get(self.envs[scope], scope.function.args.args[0].arg)
        return None


def _may_get_device(info: ClassInfo) -> bool:
    """Whether a constructor has a parameter for a device, or takes any keyword."""
    init = info.methods.get("__init__")
    given = init.function.args if init is not None else None
    return given is not None and (
        given.kwarg is not None or any(names_device_argument(one.arg) for one in every_parameter(given))
    )
