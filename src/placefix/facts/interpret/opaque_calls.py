"""Calls of unknown code in the abstract interpreter: all of its arguments may change."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.interpret.attributes import ESCAPED
from placefix.facts.interpret.cross_file import ImportedCode
from placefix.facts.interpret.expressions import Expressions
from placefix.facts.interpret.interpreter_base import WORLD, Arguments
from placefix.facts.interpret.library_calls import made_tensors
from placefix.facts.interpret.moved_values import tensor_moved
from placefix.facts.interpret.values import UNKNOWN_PLACE, Obj, moment
from placefix.facts.naming import last, names_class, names_optimizer_maker
from placefix.facts.program.ast_names import dotted
from placefix.torch_model import libraries

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.facts.interpret.values import ObjKind
    from placefix.facts.program.tree import Scope

_PURE_PACKAGES = ("logging.", "logger.", "numpy.", "math.", "os.", "time.")
_INERT: frozenset[ObjKind] = frozenset({"const", "import", "device", "dtype", "flag", "class"})


def _is_log(name: str) -> bool:
    """Whether a call passes values to a writer of TensorBoard, which copies tensors from any device."""
    owner, _, method = name.rpartition(".")
    return owner in api.WRITERS and method.startswith("add_") and method != "add_graph"


@lru_cache(maxsize=4096)
def _is_pure(name: str) -> bool:
    """Whether an unknown function of this name does not change its arguments."""
    return name in api.PURE_OF_MODULES or name.startswith(_PURE_PACKAGES)


def _makes_optimizers(func: ast.expr) -> bool:
    """Whether a callable makes optimizers by its name: ``optimizer_fn``, ``OPTIMIZERS[args.optimizer]``."""
    return names_optimizer_maker(last(dotted(func.value if isinstance(func, ast.Subscript) else func)))


def _hold(result: Obj, changeable: list[tuple[ast.expr, Obj]], args: Arguments) -> None:
    """A result may hold the parameters, else the modules, among the arguments."""
    found = [member for _, item in changeable if item.kind == "params" for member in item.members]
    given = [value.root() for _, _, value in args if value.is_module]
    if found:
        result.members = tuple(dict.fromkeys(found))
    elif given:
        result.given = tuple(dict.fromkeys(given))


class UnknownCode(Expressions, ImportedCode):
    """Evaluates the arguments of calls, and calls that lead nowhere."""

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
        if value.kind in ("list", "dict") and value.items is None and value.base is not None:
            each = value.base  # every item of a comprehension is like this one
            if isinstance(each.origin, ast.expr):
                each = tensor_moved(self, each, each.origin)
            return [*result, (each, expr, False)] if each.kind == "tensor" else result
        if not value.is_container or value.items is None:
            return result
        written = expr.elts if own and isinstance(expr, (ast.Tuple, ast.List)) else []
        for number, item in enumerate(value.items):
            if len(written) == len(value.items) and not isinstance(written[number], ast.Starred):
                result += self.parts(item, written[number])
            elif item.is_container:
                result += [(part, expr, False) for part in self.flatten(item, 1)]
            else:
                result.append((item, expr, False))
        return result

    def opaque(self, node: ast.Call, name: str, *, receiver: Obj | None = None, args: Arguments | None = None) -> Obj:
        """A call to code that is not known: all its arguments may change."""
        if args is None:
            args = self.arguments(node)
        pure = _is_pure(name)
        modules = self._optimised(node, name, args)
        changeable = self._changeable(args)
        for expr, item in changeable:
            if item.is_tensor_like:
                unchanged = _is_log(name) or (pure and name != "torch.save")
            else:
                unchanged = pure or (modules is not None and item.kind == "params")
            self.opaque_argument(item, unchanged, expr)
        if receiver is not None:
            self.opaque_argument(receiver, False, node.func)
        if name.startswith("numpy."):
            self._read_by_numpy(node, name, args)
        if modules is not None:
            return self._unknown_optimizer(node, name, modules, args[0][1])
        result = made_tensors(self, node, name, args) or Obj("unknown", node, born=moment())
        result.name = result.name or name
        if not pure:
            _hold(result, changeable, args)
            self.touch(WORLD, "call")
        elif name == "print" or name.startswith(("logging.", "logger.")):
            self.touch(WORLD, "io")
        return result

    def _changeable(self, args: Arguments) -> list[tuple[ast.expr, Obj]]:
        """The objects among the arguments, and in literal containers, that a call could change."""
        return [
            (expr, item)
            for _, expr, value in args
            if value.kind not in _INERT and (not value.is_unknown or value.members)
            for item in self.flatten(value)
        ]

    def _unknown_optimizer(self, node: ast.Call, name: str, modules: tuple[Obj, ...], params: ast.expr) -> Obj:
        """An optimizer of another package."""
        places = tuple(self.place_of(m) for m in modules)
        assumed = (premises.OPTIMIZER_KEEPS_PARAMETERS(name=name),)
        optimizer = Obj("optimizer", node, name=name, members=modules, premises=assumed)
        self.event("optimizer", node, optimizer, args=modules, arg_node=params, places=places)
        return optimizer

    def _optimised(self, node: ast.Call, name: str, args: Arguments) -> tuple[Obj, ...] | None:
        """The modules optimised by a class of another package, or a callable with such a name, that is called with their parameters first, or
        with values made from them, and a learning rate; None if the call makes no optimizer."""
        first = args[0][2] if args and args[0][0] in (None, "params") else None
        if (
            first is None
            or not (first.kind == "params" or (first.given and any(k == "lr" for k, _, _ in args)))
            or not (names_class(name) or (first.kind == "params" and _makes_optimizers(node.func)))
            or (isinstance(node.func, ast.Name) and self.tree.root.star_import)
        ):
            return None
        return first.members or first.given

    def _read_by_numpy(self, node: ast.Call, name: str, args: Arguments) -> None:
        """numpy reads its arguments on the host."""
        for _, expr, value in args:
            self.use(value, "host", expr)
        if not args:
            return
        _, expr, first = args[0]
        reads = libraries.result_of(name)
        if reads == "host" and self.on_device(first) and first not in self.returned:
            self.event("host", node, first, place=first.place, what="numpy", arg_node=expr)
        held = first.base if first.value == "appended" else None
        if held is not None and reads in ("host", "hosts") and self.on_device(held):
            self.event("host", node, held, place=held.place, what="numpy list", arg_node=expr)

    def opaque_argument(self, item: Obj, pure: bool, node: ast.expr) -> None:
        """An argument of code that is not known; `pure` where that is known to change nothing."""
        change = _CHANGES.get(item.kind)
        if change is not None:
            change(self, item, pure, node)

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
        for name in dict.fromkeys(n.id for n in scope.nodes if isinstance(n, ast.Name)):
            owner = scope.lookup(name)
            ident = self.envs.get(owner) if owner is not None and owner is not scope else None
            value = self.state.get(ident, name) if ident is not None else None
            if value is not None and (value.is_module or value.kind in ("optimizer", "scheduler", "instance")):
                self.opaque_argument(value, False, scope.node.body[-1])  # type: ignore[arg-type]


# --- one function for each kind of argument of unknown code: the interpreter, the argument, whether the code changes nothing, the expression


def _module(machine: UnknownCode, item: Obj, pure: bool, node: ast.expr) -> None:
    if item.is_part and item.attr in api.MODULE_NUMBERS:
        return
    root = item.root()
    while root.is_part and root.base is not None:
        root = root.base
    machine.touch(root, "read" if pure else "opaque")
    if not pure and root not in machine.state.place:
        machine.state.place[root] = UNKNOWN_PLACE


def _optimizer(machine: UnknownCode, item: Obj, pure: bool, node: ast.expr) -> None:
    machine.touch(item, "read" if pure else "opaque")


def _parameters(machine: UnknownCode, item: Obj, pure: bool, node: ast.expr) -> None:
    for member in item.members:
        machine.touch(member, "read" if pure else "opaque")


def _instance(machine: UnknownCode, item: Obj, pure: bool, node: ast.expr) -> None:
    if not pure:
        machine.escape_instance(item)


def _tensor(machine: UnknownCode, item: Obj, pure: bool, node: ast.expr) -> None:
    machine.use(item, "neutral" if pure else "opaque", node)


def _dataset(machine: UnknownCode, item: Obj, pure: bool, node: ast.expr) -> None:
    if not pure:
        machine.state.fields[item, ESCAPED] = item  # its tensors may be moved there


def _generated(machine: UnknownCode, item: Obj, pure: bool, node: ast.expr) -> None:
    machine.use_generated(item, node)


def _encoding(machine: UnknownCode, item: Obj, pure: bool, node: ast.expr) -> None:
    if not pure:
        item.base = None  # it may be moved there


def _list(machine: UnknownCode, item: Obj, pure: bool, node: ast.expr) -> None:
    if item.value == "appended" and not pure:
        item.base = None  # it may get other items there


def _method(machine: UnknownCode, item: Obj, pure: bool, node: ast.expr) -> None:
    if item.base is not None and not pure:
        machine.opaque_argument(item.base, False, node)


def _function(machine: UnknownCode, item: Obj, pure: bool, node: ast.expr) -> None:
    if item.scope is not None and not pure:
        machine.touch(WORLD, "call")
        machine.escape_closure(item.scope)


def _choice(machine: UnknownCode, item: Obj, pure: bool, node: ast.expr) -> None:
    for one in item.alts:
        machine.opaque_argument(one, pure, node)


_CHANGES: dict[ObjKind, Callable[[UnknownCode, Obj, bool, ast.expr], None]] = {
    "module": _module,
    "wrapper": _module,
    "compiled": _module,
    "part": _module,
    "optimizer": _optimizer,
    "scheduler": _optimizer,
    "params": _parameters,
    "unknown": _parameters,
    "instance": _instance,
    "tensor": _tensor,
    "element": _tensor,
    "dataset": _dataset,
    "generated": _generated,
    "encoding": _encoding,
    "list": _list,
    "method": _method,
    "function": _function,
    "choice": _choice,
}
