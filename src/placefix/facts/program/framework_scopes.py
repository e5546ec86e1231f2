"""The functions and classes in which a framework places things, such as accelerate or Lightning.

A file may import a framework for a helper, or for one of several ways to train. A function belongs to the framework if it uses one of
its classes, passes a model to one of its functions, or uses an object that such code has made; so does all that this function
mentions, and the class around it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.naming import mentions_modules, names_class
from placefix.facts.program.ast_names import argument_values, dotted
from placefix.facts.program.ast_walk import header, walk
from placefix.facts.program.reads_and_writes import names
from placefix.facts.torch_api import FRAMEWORK_DEVICES, FRAMEWORKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.facts.program.tree import Scope, Stmt, Tree

# The names that the objects of frameworks mostly have, as in ``accelerator.device``.
_OBJECTS = frozenset(device.partition(".")[0] for device in FRAMEWORK_DEVICES.values()) - {"self"}
# Methods that place something.
_MOVES = frozenset(("to", "cuda"))


class FrameworkScopes:
    """The scopes of one file that a framework owns."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._made: set[str] = set(_OBJECTS)  # names, and attributes, of objects of the framework
        self._words: dict[Scope, set[str]] = {}
        self._imported = {name for s in tree.scopes.values() for name, full in s.imports.items() if _is_any(full)}
        self._owned = frozenset(tree.scopes.values()) if self._is_starred() else self._closure()

    @property
    def all(self) -> bool:
        """Whether the framework owns all code of the file that moves something."""
        return not any(words & _MOVES for scope, words in self._words.items() if scope not in self._owned)

    def owns(self, row: int) -> bool:
        """Whether the framework places the things of the innermost function or class around a line, else of the module level."""
        around = [self._tree.root, *(s for s in self._words if not s.is_root and _is_around(s, row))]
        return max(around, key=lambda scope: getattr(scope.node, "lineno", 0)) in self._owned

    def _is_starred(self) -> bool:
        return any(name.partition(".")[0] in FRAMEWORKS for name in self._tree.stars)

    def _closure(self) -> frozenset[Scope]:
        """The scopes that use the framework, and those that they mention."""
        found: set[Scope] = set()
        for stmt in self._tree.stmts.values():
            scope = self._scope_of(stmt)
            words = set(_mentioned(stmt))
            self._words.setdefault(scope, set()).update(words)
            if not words.isdisjoint(self._imported) and self._uses(stmt):
                found.add(scope)
        while True:
            named = set().union(*(self._words.get(scope, ()) for scope in found))
            classes = {scope.cls for scope in found if scope.cls is not None}
            new = {s for s in self._words if s not in found and self._follows(s, named, found | classes)}
            if not new:
                return frozenset(found)
            found |= new

    def _follows(self, scope: Scope, named: set[str], owned: set[Scope]) -> bool:
        """Whether a scope belongs to the framework because others do. named: the words of these others."""
        if scope in owned or not self._made.isdisjoint(self._words[scope]):
            return True
        around = scope.parent
        inside = around is not None and not around.is_root and around in owned
        return not scope.is_root and (inside or scope.name in named)

    def _scope_of(self, stmt: Stmt) -> Scope:
        """The scope that a statement belongs to: the bases of a class and the parameters of a function to the class and the function."""
        return self._tree.scopes.get(stmt.node, stmt.scope)

    def _uses(self, stmt: Stmt) -> bool:
        """Whether a statement uses a class of a framework, or gives something of the program to a function of one. The names that it
        binds are objects of the framework then."""
        if isinstance(stmt.node, (ast.Import, ast.ImportFrom)):
            return False
        binds = isinstance(stmt.node, (ast.Assign, ast.AnnAssign))
        used = any(self._is_use(node, stmt, binds) for part in header(stmt.node) for node in walk(part))
        if used and binds:
            self._made |= {name.rpartition(".")[2] for name in names(stmt.node)[1]}
        return used

    def _is_use(self, node: ast.AST, stmt: Stmt, binds: bool) -> bool:
        """Whether an expression names a class of a framework, or is a call of a function of one that gets a module, or whose result is
        bound and that gets any value. ``set_seed(seed)`` and ``logger = get_logger("run")`` place nothing."""
        if isinstance(node, ast.Call) and self._is_of_framework(node.func, stmt):
            given = argument_values(node)
            texts = [dotted(argument) for argument in given if not isinstance(argument, ast.Constant)]
            return any(map(mentions_modules, texts)) or (binds and any(text != "__name__" for text in texts))
        return (
            isinstance(node, (ast.Name, ast.Attribute))
            and names_class(dotted(node))
            and self._is_of_framework(node, stmt)
        )

    def _is_of_framework(self, expr: ast.expr, stmt: Stmt) -> bool:
        """Whether an expression is a name that an import from a framework binds, or an attribute of one."""
        name = dotted(expr).partition(".")[0]
        owner = stmt.scope.lookup(name) if name in self._tree.import_names else None
        denoted = owner.imports.get(name, ()) if owner is not None else ()
        return _is_any(denoted)


def _is_any(imports: Iterable[str]) -> bool:
    """Whether one of the dotted names of imports is that of a framework."""
    return any(full.partition(".")[0] in FRAMEWORKS for full in imports)


def _mentioned(stmt: Stmt) -> Iterator[str]:
    """The names and attributes in a statement, without its suites."""
    for part in header(stmt.node):
        for node in walk(part):
            if isinstance(node, ast.Name):
                yield node.id
            elif isinstance(node, ast.Attribute):
                yield node.attr


def _is_around(scope: Scope, row: int) -> bool:
    node = scope.node
    assert not isinstance(node, ast.Module)
    return node.lineno <= row <= (node.end_lineno or node.lineno)
