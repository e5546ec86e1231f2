"""Registries: containers of a module level that other code of the repository adds classes and functions to.

A registry is any name of a module level that is bound once, to a display or to the result of a call: ``MODELS = {}``,
``MODELS = Registry("models")``. An entry is a class or function with a decorator of the registry, or of a function that uses the
registry (``@MODELS.register()``, ``@register("net")``), or one that a statement of a module level adds
(``MODELS["net"] = Net``, ``register("net", Net)``, ``MODELS.register()(Net)``).
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.program.ast_names import argument_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.repository import Definition
    from placefix.facts.program.tree import Scope, Tree

# The name that a decorator or a statement of a module level begins with.
_DOTTED_NAME = r"^(?:@[ \t]*)?[\w.]+[ \t]*(?:[\[.(]|$)"
MAX_FILES = 12  # that may add entries to one registry
_STORES = frozenset(("update", "setdefault", "append", "add"))


class Registry(NamedTuple):
    """A container of a module level: the tree of its file, its name, and the expression that makes it."""

    tree: Tree
    name: str
    value: ast.expr


def registry_of(tree: Tree, value: ast.expr | None) -> Registry | None:
    """The registry that an expression of a file makes; None where it is not the only value of a name of the module level."""
    name = tree.level_values.get(value) if isinstance(value, (ast.Dict, ast.Call)) else None
    return Registry(tree, name, value) if name is not None and value is not None else None


def entries(registry: Registry, own: Tree) -> tuple[Scope, ...]:
    """The classes and functions of the repository that are added to a registry; none where there may be others. own: the tree of the
    file under analysis, which has no second one."""
    found: list[Scope] = []
    adding = {function.name: function for function in _users(registry)}
    storing = {name for name, function in adding.items() if _stores(function, registry.name)}
    for tree in _trees(registry, own, adding):
        if tree is None:
            return ()
        reader = _Reader(registry, tree, adding, storing)
        for scope in reader.added():
            if scope is None:
                return ()
            found.append(scope)
    return tuple(dict.fromkeys(found))


def _users(registry: Registry) -> Iterator[Scope]:
    """The functions of the registry's file that use it."""
    for function in registry.tree.root.functions.values():
        if registry.name in registry.tree.text(function) and any(
            isinstance(n, ast.Name) and n.id == registry.name for n in function.nodes
        ):
            yield function


def _stores(function: Scope, name: str) -> bool:
    """Whether a function adds something to the registry of this name."""
    for node in function.nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            owner: ast.expr = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _STORES:
            owner = node.func.value
        else:
            continue
        if isinstance(owner, ast.Name) and owner.id == name:
            return True
    return False


def _trees(registry: Registry, own: Tree, adding: dict[str, Scope]) -> Iterator[Tree | None]:
    """The trees of the files that may add to a registry; None for one that is not read."""
    home = registry.tree.home
    if home is None:  # no other file is read
        yield registry.tree
        return
    names = "|".join(map(re.escape, (registry.name, *adding)))
    files = home.holding(rf"^(?:@[ \t]*)?(?:\w+\.)*(?:{names})[ \t]*(?:[\[.(]|$)", within=_DOTTED_NAME)
    if len(files) > MAX_FILES:
        yield None
        return
    paths = dict.fromkeys((home.path, *files))
    for path in paths:
        if own.home is not None and path == own.home.path:
            yield own
        else:
            yield registry.tree if path == home.path else home.project.tree(path)


class _Reader:
    """Finds the entries that the module level of one file adds to a registry.

    adding: functions of the registry's file that use it, by name; storing: those that add something by a plain call.
    """

    def __init__(self, registry: Registry, tree: Tree, adding: dict[str, Scope], storing: set[str]) -> None:
        self.registry = registry
        self.tree = tree
        self.adding = adding
        self.storing = storing
        home = registry.tree.home
        self.inside = tree is registry.tree or (
            home is not None and tree.home is not None and tree.home.path == home.path
        )

    def added(self) -> Iterator[Scope | None]:
        """Each class or function that is added; None for something else."""
        if self.inside and isinstance(self.registry.value, ast.Dict):
            yield from map(self._defined, self.registry.value.values)
        for node in self.tree.module.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                if any(self._adds(decorator) for decorator in node.decorator_list):
                    yield self.tree.scopes[node]
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Subscript) and self._is_registry(target.value):
                        yield self._defined(node.value)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                yield from self._added_by(node.value)

    def _adds(self, decorator: ast.expr) -> bool:
        """Whether a decorator is one of the registry: ``REGISTRY``, ``REGISTRY.register("net")``, ``register``."""
        expr = decorator.func if isinstance(decorator, ast.Call) else decorator
        if self._is_registry(expr) or (isinstance(expr, ast.Attribute) and self._is_registry(expr.value)):
            return True
        return self._function(expr) is not None

    def _added_by(self, call: ast.Call) -> Iterator[Scope | None]:
        """The entries that a call at the module level adds."""
        if isinstance(call.func, ast.Call) and self._adds(call.func):  # REGISTRY.register("net")(Net)
            yield from map(self._defined, call.args)
            return
        method = call.func if isinstance(call.func, ast.Attribute) else None
        if method is not None and self._is_registry(method.value):
            given = argument_values(call)
            for value in given:
                if isinstance(value, ast.Dict):
                    yield from map(self._defined, value.values)
                elif method.attr == "update" or (isinstance(value, (ast.Name, ast.Attribute)) and value is given[-1]):
                    yield self._defined(value)
        elif self._function(call.func) in self.storing:
            named = [a for a in argument_values(call) if not isinstance(a, ast.Constant)]
            yield from map(self._defined, named)

    def _is_registry(self, expr: ast.expr) -> bool:
        if self.inside and isinstance(expr, ast.Name):
            return expr.id == self.registry.name
        found = self._found(expr, self.registry.name)
        return found is not None and found.value is not None and _same(found.value, self.registry.value)

    def _function(self, expr: ast.expr) -> str | None:
        """The name of the function of the registry's file that an expression denotes."""
        if self.inside and isinstance(expr, ast.Name):
            return expr.id if expr.id in self.adding else None
        for name, function in self.adding.items():
            found = self._found(expr, name)
            if found is not None and found.scope is not None and _same(found.scope.node, function.node):
                return name
        return None

    def _found(self, expr: ast.expr, name: str) -> Definition | None:
        """The definition in the registry's file that an expression denotes, if it may have this name there."""
        full = self._full(expr) if isinstance(expr, (ast.Name, ast.Attribute)) else None
        home = self.tree.home
        found = home.find(full) if full is not None and full.endswith(name) and home is not None else None
        there = self.registry.tree.home
        if found is None or there is None or found.tree.home is None or found.tree.home.path != there.path:
            return None
        return found

    def _full(self, expr: ast.expr) -> str | None:
        """The dotted name of an import that an expression denotes, star imports among them."""
        full = self.tree.qualname(expr, self.tree.root)
        if full is None and isinstance(expr, ast.Name) and self.tree.stars and expr.id not in self.tree.root.bindings:
            return self.tree.home.starred(self.tree, expr.id) if self.tree.home is not None else None
        return full

    def _defined(self, expr: ast.expr) -> Scope | None:
        """The class or function of the repository that an expression denotes; None for anything else."""
        root = self.tree.root
        if isinstance(expr, ast.Name) and len(root.bindings.get(expr.id, ())) == 1:
            own = root.classes.get(expr.id) or root.functions.get(expr.id)
            if own is not None:
                return own
        full = self._full(expr) if isinstance(expr, (ast.Name, ast.Attribute)) else None
        found = self.tree.home.find(full) if full is not None and self.tree.home is not None else None
        return found.scope if found is not None else None


def _same(one: ast.AST, two: ast.AST) -> bool:
    """Whether two nodes of the same file are the same, though the file was parsed twice."""
    return one is two or (
        getattr(one, "lineno", 0) == getattr(two, "lineno", 1)
        and getattr(one, "col_offset", 0) == getattr(two, "col_offset", 1)
    )
