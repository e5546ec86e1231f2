"""The functions of one file that are not run as Python runs them: TorchScript compiles them, or ``torch.fx`` records a graph of them.

A compiled function reads its parameters, its own variables and the attributes of its module. A variable of the file is an error ("python
value of type 'device' cannot be used as a value. Perhaps it is a closed over global variable?"), and so is ``torch.cuda.is_available()``
(``attribute lookup is not defined on python value of type 'module'``); torch 2.13.

While ``torch.fx`` records, the arguments of a module are proxies: ``torch.zeros(3, device=x.device)`` gets a proxy for a device.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts.context import FileAnalysis
from placefix.facts.interpret.provenance import Provenance
from placefix.facts.program.arguments import receiver_name
from placefix.facts.program.ast_names import is_name
from placefix.facts.program.callees import possible_definition
from placefix.reachability import reachable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from placefix.facts.program.tree import Scope

_COMPILED = frozenset(
    ("torch.jit.script", "torch.jit.script_method", "torch.jit.script_if_tracing", "torch.jit.export")
)
_LEFT_TO_PYTHON = frozenset(("torch.jit.ignore", "torch.jit.unused"))


class CapturedFunctions(FileAnalysis):
    """The functions of one file that are captured, with the functions and modules of the file that they use."""

    def is_scripted(self, scope: Scope) -> bool:
        """Whether TorchScript compiles the function of a scope, or one around it."""
        return bool(self._scripted) and any(scope.within(function) for function in self._scripted)

    def is_traced(self, scope: Scope) -> bool:
        """Whether a tracer of ``torch.fx`` records the function of a scope, or one around it."""
        return bool(self.traced) and any(scope.within(function) for function in self.traced)

    @cached_property
    def _scripted(self) -> frozenset[Scope]:
        """The functions that TorchScript compiles."""
        if "jit" not in self.context.source.text:
            return frozenset()
        return self._with_uses(
            [*self._decorated(), *self._passed(("script",), lambda name: name == "torch.jit.script")]
        )

    @cached_property
    def traced(self) -> frozenset[Scope]:
        """The functions that a tracer records: ``symbolic_trace(net)``, ``Tracer().trace(net)``."""
        calls = ("trace", "symbolic_trace")
        if not any(call in self.context.source.text for call in calls):
            return frozenset()
        return self._with_uses(self._passed(calls, lambda name: name != "torch.jit.trace"))

    def _with_uses(self, scopes: Iterable[Scope]) -> frozenset[Scope]:
        """The functions among some functions and classes, and those that they use; not those which a decorator leaves to Python."""

        def uses(scope: Scope) -> Iterator[Scope]:
            """The functions and classes that one uses."""
            found = self._modules_of(scope) if scope.is_class else self._used(scope)
            return (one for one in found if not self._has_decorator(one, _LEFT_TO_PYTHON))

        starts = [scope for scope in scopes if not self._has_decorator(scope, _LEFT_TO_PYTHON)]
        return frozenset(scope for scope in reachable(starts, uses) if scope.is_function)

    def _decorated(self) -> Iterator[Scope]:
        """The functions with a decorator that compiles them, and the methods of such classes."""
        for scope in self.context.tree.scopes.values():
            if not scope.is_root and self._has_decorator(scope, _COMPILED):
                yield from scope.functions.values() if scope.is_class else (scope,)

    def _has_decorator(self, scope: Scope, names: frozenset[str]) -> bool:
        """Whether a function or class has one of some decorators."""
        around = scope.parent or scope
        decorators = (getattr(d, "func", d) for d in getattr(scope.node, "decorator_list", ()))
        return any(self.context.tree.qualname(decorator, around) in names for decorator in decorators)

    def _passed(self, calls: tuple[str, ...], is_one: Callable[[str], bool]) -> Iterator[Scope]:
        """The functions, and the classes of the modules, that the file passes to functions with one of some names of which the whole
        name fits."""
        tree = self.context.tree
        for call, stmt in self.context.index.called(*calls):
            if not is_one(tree.qualname(call.func, stmt.scope) or ""):
                continue
            for argument in call.args:
                named = possible_definition(argument, stmt.scope)
                yield from (named,) if named is not None else ()
                yield from self.context.get(Provenance).module_classes(argument, stmt.scope)

    def _modules_of(self, cls: Scope) -> Iterator[Scope]:
        """`forward` of a module, and the classes that its constructor names, of which submodules may be."""
        if "forward" in cls.functions:
            yield cls.functions["forward"]
        init = cls.functions.get("__init__")
        for node in init.nodes if init is not None else ():
            named = possible_definition(node, init) if init is not None else None
            yield from (named,) if named is not None and named.is_class else ()

    def _used(self, function: Scope) -> Iterator[Scope]:
        """The functions and classes of the file that a compiled function names, and the methods of its object."""
        cls, me = function.cls, receiver_name(function)
        for node in function.nodes:
            if (
                cls is not None
                and isinstance(node, ast.Attribute)
                and is_name(node.value, me)
                and node.attr in cls.functions
            ):
                yield cls.functions[node.attr]
            named = possible_definition(node, function)
            yield from (named,) if named is not None else ()
