"""Callables that are picked by a computed name: ``MODELS[name]``, ``getattr(nets, name)``, ``globals()[name]``.

The value is a choice: the classes and functions that the repository has for it. A call of it is a call of each, on separate paths;
only facts that hold on all of them are known afterwards, with the premise that it is one of those.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.interpret.values import Obj, is_literal_none
from placefix.facts.program.assignments import only_target
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.callees import class_of
from placefix.facts.program.registrations import entries, registry_of
from placefix.facts.wording import unite
from placefix.torch_model import libraries

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.facts.interpret.interpreter_base import Arguments, Machine
    from placefix.facts.program.registrations import Registry
    from placefix.facts.program.tree import Scope

MAX_CANDIDATES = 16  # that are compared


def choice(machine: Machine, candidates: Iterable[Obj], node: ast.expr, container: ast.expr) -> Obj | None:
    """One of these classes and functions, which `container` has; None where there are none, or too many."""
    found: dict[object, Obj] = {}
    for candidate in candidates:
        for one in candidate.alts or (candidate,):
            found[one.scope or one.name] = one
    if not found or len(found) > MAX_CANDIDATES:
        return None
    assumed = premises.ONE_OF_CLASSES(classes=machine.source.code(container))
    inherited = (candidate.premises for candidate in found.values())
    return Obj("choice", node, alts=tuple(found.values()), premises=unite(assumed, *inherited))


def callable_of(machine: Machine, value: Obj) -> Obj | None:
    """The class or function that a value is, of the repository or a class of torch's modules; None for anything else."""
    if value.kind in ("class", "function", "choice"):
        return value
    if not value.is_import:
        return None
    if api.is_module_constructor(value.name):
        return value
    found = machine.found(value.name, value.scope)
    return _value_of(found.scope, value.origin) if found is not None and found.scope is not None else None


def _value_of(scope: Scope, origin: ast.AST | None) -> Obj:
    """A class or function of the repository."""
    return Obj("class" if scope.is_class else "function", origin, scope=scope)


def picked(key: Obj) -> str:
    """The last part of the name that `key` picks from a package; "Dynamic" if unknown."""
    return key.value if isinstance(key.value, str) else "Dynamic"


def member(machine: Machine, package: Obj, key: Obj, node: ast.expr, container: ast.expr) -> Obj | None:
    """A class or function of a module of the repository under a name that is not known; None for other packages."""
    home = package.scope.tree.home if package.scope is not None else None
    if home is None or isinstance(key.value, str):
        return None
    known = machine.own.members
    if package.name not in known:
        known[package.name] = home.members(package.name)
    return choice(machine, [_value_of(scope, node) for scope in known[package.name]], node, container)


def namesake(machine: Machine, node: ast.expr, expr: ast.expr) -> Obj | None:
    """A value of the module level under a name that is not known (``globals()[name]``, ``eval(name)``) whose result is used as a module: a
    choice of the classes of modules there; None for any other use. expr: the text that picks it."""
    stmt = machine.stack[-1].stmt.node
    target = only_target(stmt)
    if target is None or not machine.has_evidence(dotted(target)):
        return None
    root = machine.tree.root
    home = machine.tree.home
    found = [root.classes[name] for name in root.bindings if name in root.classes]
    if home is not None:
        named = (
            machine.found(full, root)
            for name in root.imports
            if (full := machine.tree.import_of(name, root)) is not None
        )
        found += [one.scope for one in named if one is not None and one.scope is not None and one.kind == "class"]
        found += [scope for base in machine.tree.stars for scope in home.members(base) if scope.is_class]
    modules = [_value_of(scope, node) for scope in dict.fromkeys(found) if machine.class_info(scope).is_module]
    return choice(machine, modules, node, expr)


def entry(machine: Machine, container: Obj, node: ast.expr, expr: ast.expr) -> Obj | None:
    """An item of a registry: a choice of its entries; None where the value is no registry. expr: the text of the container."""
    registry = _registry(machine, container)
    if registry is None:
        return None
    known = machine.own.registries
    key = registry.value
    if key not in known:
        known[key] = entries(registry, machine.own)
    return choice(machine, [_value_of(scope, node) for scope in known[key]], node, expr)


def method_of_registry(machine: Machine, receiver: Obj, attr: str, node: ast.Call) -> Obj | None:
    """A method of a registry that is a dict, or an object of a class of the repository; None for any other value and method."""
    registry = _registry(machine, receiver)
    if registry is None or not isinstance(node.func, ast.Attribute):
        return None
    whole = registry_value(machine, registry) if receiver.owner is None else receiver
    if whole.is_instance and whole.cls is not None:
        method = whole.cls.methods.get(attr)
        return machine.local_call(method, whole, node) if method is not None else None
    made = registry.value
    name = registry.tree.qualname(made.func, registry.tree.root) if isinstance(made, ast.Call) else None
    row = libraries.member(name, attr) if name is not None else None
    if row is not None and row.result == "made":
        return built(machine, receiver, node, node.func.value, machine.arguments(node))
    if (attr not in _GETS and row is None) or not node.args or has_default(machine.arguments(node)):
        return None
    return entry(machine, receiver, node, node.func.value)


def built(machine: Machine, container: Obj, node: ast.Call, expr: ast.expr, args: Arguments) -> Obj | None:
    """The result of calling an entry of a registry of a library with settings; None where the value is no registry."""
    chosen = entry(machine, container, node, expr)
    if chosen is None:
        return None
    return machine.call_choice(chosen, node, [("**", given, value) for _, given, value in args])


def has_default(args: Arguments) -> bool:
    """Whether a call of `dict.get` or `dict.pop` with these arguments may give something that is not in the dict, None apart."""
    return any(not is_literal_none(value) for _, _, value in args[1:])


def registry_value(machine: Machine, registry: Registry) -> Obj:
    """The object that a registry is, one for each: an instance of its class, if that is a class of the repository."""
    known = machine.given.get(registry.value)
    if known is not None:
        return known
    made = registry.value
    cls = class_of(registry.tree.root, made.func) if isinstance(made, ast.Call) else None
    if cls is None:
        value = Obj("unknown", made, name=registry.name)
    else:
        value = Obj("instance", made, cls=machine.class_info(cls), name=cls.name)
    value.registry = registry
    machine.given[made] = value
    return value


def _registry(machine: Machine, value: Obj) -> Registry | None:
    """The registry that a value is, or is an attribute of."""
    if value.is_import:
        found = machine.found(value.name, value.scope)
        return registry_of(found.tree, found.value) if found is not None and found.value is not None else None
    if value.owner is not None:
        value = value.owner
    if value.registry is not None:
        return value.registry
    if value.kind not in ("dict", "instance", "unknown") or not isinstance(value.origin, (ast.Dict, ast.Call)):
        return None
    return registry_of(machine.tree, value.origin) or (
        registry_of(machine.own, value.origin) if machine.abroad else None
    )


# The methods of a dict that give an item.
_GETS = frozenset(("get", "pop", "__getitem__"))
