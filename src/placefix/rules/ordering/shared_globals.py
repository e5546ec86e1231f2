"""Objects that files share: the objects that a file imports, and the globals of the others. Code that is not analysed may change them:
``from config import cfg`` above ``load_settings()``."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts.program.ast_names import argument_values, dotted
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.repository import FOREIGN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.facts.program.tree import Scope, Tree

GLOBALS = "globals()"  # the variables of other files, as one name that is read or written
REPOSITORY = ""  # for names whose definition is unknown
_OF_OBJECTS = frozenset(("get", "pop", "items", "keys", "values", "copy", "setdefault"))


class Shared:
    """The packages whose objects the other files of a tree's repository can reach."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def package(self, name: str) -> str:
        """The package that the dotted name of an import comes from; REPOSITORY where that may be the file's own."""
        home = self.tree.home
        return REPOSITORY if home is None or name.startswith(".") or home.has(name) else name.partition(".")[0]

    def changed(self, packages: Iterable[str]) -> Iterator[str]:
        """The imported objects that code of `packages` may change, by their names in the file."""
        reached = frozenset(packages)
        if reached:
            yield from (name for name, package in self._objects.items() if package in reached)
            if REPOSITORY in reached:
                yield GLOBALS

    def holds(self, names: Iterable[str]) -> bool:
        """Whether one of some dotted names is one of the imported objects of the repository, or a part of one."""
        return any(self._objects.get(name.partition(".")[0]) == REPOSITORY for name in names)

    @cached_property
    def _objects(self) -> dict[str, str]:
        """The imported names that are read as objects are (``cfg.lr``, ``cfg["lr"]``, ``f(cfg)``), with their packages."""
        packages = {
            name: self.package(origin)
            for scope in self.tree.scopes.values()
            for name, origins in scope.imports.items()
            for origin in origins
            if origin.partition(".")[0] not in FOREIGN
        }
        return {name: packages[name] for name in set(_read_as_objects(self.tree.module)) & packages.keys()}

    def reads_globals(self, names: Iterable[str], callee: Scope) -> bool:
        """Whether some dotted names, which the code of a function of another file reads, are variables of its module, or of
        one of the repository that it imports."""
        root, home = callee.tree.root, callee.tree.home
        for name in names:
            head, _, rest = name.partition(".")
            if head in root.imports:
                for origin in root.imports[head]:
                    full = f"{origin}.{rest}" if rest else origin
                    if home is not None and rest and home.has(full) and home.find(full) is None:
                        return True
            elif (
                head in root.bindings
                and head not in root.functions
                and head not in root.classes
                and not _is_constant(root, head)
            ):
                return True
        return False


def _is_constant(root: Scope, name: str) -> bool:
    """Whether a variable of a module is bound once, to a number or a word."""
    bound = root.bindings[name]
    return len(bound) == 1 and isinstance(bound[0], ast.Assign) and isinstance(bound[0].value, ast.Constant)


def _read_as_objects(module: ast.Module) -> Iterator[str]:
    """The first parts of dotted names that are arguments of a call, are indexed, or have attributes that are not only called (``models.build()``)."""
    nodes = list(walk(module))
    called = {n.func for n in nodes if isinstance(n, ast.Call)}
    for node in nodes:
        found: list[ast.expr] = []
        if isinstance(node, ast.Call):
            found = argument_values(node)
        elif isinstance(node, ast.Attribute) and (node not in called or node.attr in _OF_OBJECTS):
            found = [node]
        elif isinstance(node, ast.Subscript):
            found = [node.value]
        yield from (dotted(part).partition(".")[0] for part in found)
