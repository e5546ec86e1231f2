"""Attributes that are set in more than one place: a method need not find the value that the constructor set in ``self.x``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, NamedTuple

from placefix.facts.naming import last, names_device_owner
from placefix.facts.program.arguments import self_class
from placefix.facts.program.assignments import leaf_targets
from placefix.facts.program.ast_names import dotted, is_literal, literal_text, under_methods
from placefix.facts.program.callees import class_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope, Stmt, Tree

    _Groups = dict[Scope | None, list[int]]

ANY = "*"  # an attribute whose name is not written out
_STAYS = frozenset(("eval", "train", "float", "half", "double", "requires_grad_", "share_memory"))
_SETS = frozenset((ast.Assign, ast.AnnAssign, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Delete, ast.Expr))
_MAX_DEPTH = 8


class Store(NamedTuple):
    """An attribute that a statement sets. cls: the class of the instance where it is a method's own, None for any
    other object; value: None where it is not known; scope: the function that sets it."""

    attr: str
    cls: Scope | None
    text: str
    value: ast.expr | None
    scope: Scope


class Stores:
    """Every attribute that a file sets. Few are looked up: the owner is determined for those only."""

    def __init__(self, tree: Tree) -> None:
        self._set: dict[str, list[tuple[ast.expr, ast.expr | None, Stmt]]] = {}
        by_name = "setattr" in tree.source.text
        for stmt in tree.stmts.values():
            node = stmt.node
            kind = node.__class__
            if kind not in _SETS or (kind is ast.Expr and not by_name):
                continue
            if kind is ast.Assign and len(node.targets) == 1:  # type: ignore[attr-defined]
                target: Any = node.targets[0]  # type: ignore[attr-defined]
                if target.__class__ is ast.Name or target.__class__ is ast.Subscript:
                    continue  # most attributes are like this
                if target.__class__ is ast.Attribute:
                    self._set.setdefault(target.attr, []).append((target.value, node.value, stmt))  # type: ignore[attr-defined]
                    continue
            for owner, attr, value in _set(stmt):
                self._set.setdefault(attr, []).append((owner, value, stmt))
        self._found: dict[str, list[Store]] = {}
        self._bases: dict[Scope, frozenset[Scope]] = {}
        self._grouped: dict[str, tuple[_Groups, _Groups]] = {}

    def of_class(self, attr: str, cls: Scope) -> list[Store]:
        """Where attributes of that name are set: in a class's methods, in those of a class derived from it or that it derives
        from, or from outside."""
        by_class, by_base = self._groups(attr)
        numbers = {*by_class.get(None, ()), *by_base.get(cls, ())}
        numbers.update(number for related in (cls, *self._all_bases(cls)) for number in by_class.get(related, ()))
        return [self.of(attr)[number] for number in sorted(numbers)]

    def _groups(self, attr: str) -> tuple[_Groups, _Groups]:
        """The numbers of the stores of an attribute, by their class and by its bases."""
        if attr not in self._grouped:
            by_class: _Groups = {}
            by_base: _Groups = {}
            for number, store in enumerate(self.of(attr)):
                by_class.setdefault(store.cls, []).append(number)
                for base in self._all_bases(store.cls) if store.cls is not None else ():
                    by_base.setdefault(base, []).append(number)
            self._grouped[attr] = by_class, by_base
        return self._grouped[attr]

    def _all_bases(self, cls: Scope) -> frozenset[Scope]:
        """The classes that a class derives from, as far as the files show them."""
        if cls not in self._bases:
            self._bases[cls] = frozenset(_bases(cls))
        return self._bases[cls]

    def of(self, attr: str) -> list[Store]:
        """Where attributes of that name are set."""
        found = self._found.get(attr)
        if found is None:
            found = self._found[attr] = []
            for owner, value, stmt in self._set.get(attr, ()):
                text = dotted(owner)
                cls = class_of_self(text, stmt.scope) if text else None
                if cls is not None or (attr != ANY and (text == "self" or not names_device_owner(last(text)))):
                    found.append(Store(attr, cls, f"{text}.{attr}", None if attr == ANY else value, stmt.scope))
        return found


class AttributeStores:
    """The attributes that are set in the files analysed so far: `stores_in` adds to them."""

    def __init__(self, context: AnalysisContext) -> None:
        self.known: dict[Tree, Stores] = {}


def stores_in(tree: Tree, known: dict[Tree, Stores]) -> Stores:
    """The attributes that a file sets, found out once."""
    found = known.get(tree)
    if found is None:
        found = known[tree] = Stores(tree)
    return found


def stores_of(known: dict[Tree, Stores], attr: str, cls: Scope, tree: Tree | None = None) -> list[Store]:
    """Where a file, that of the class if no `tree` is given, sets an attribute of a class's instances: in its methods, in those of a class
    derived from it or that it derives from, or from outside. known: as in `stores_in`."""
    stores = stores_in(tree or cls.tree, known)
    return [
        store
        for store in (*stores.of_class(attr, cls), *stores.of_class(ANY, cls))
        if not (store.attr == ANY and store.scope.name == "__init__")
    ]


def _bases(cls: Scope, depth: int = 0) -> Iterator[Scope]:
    """The classes that a class derives from, some of them more than once."""
    if isinstance(cls.node, ast.ClassDef) and depth < _MAX_DEPTH:
        for base in (class_of(cls.parent, node) for node in cls.node.bases):
            if base is not None:
                yield base
                yield from _bases(base, depth + 1)


def stays(value: ast.expr, text: str) -> bool:
    """``net.eval()``: the same object as `text` on the same device; or None, which has no place."""
    return is_literal(value, None) or dotted(under_methods(value, _STAYS)) == text


def class_of_self(name: str, scope: Scope) -> Scope | None:
    """The class of whose instances `name` is the one that a method (or a function in it) is called on."""
    return self_class(scope.lookup(name), name)


def _set(stmt: Stmt) -> Iterator[tuple[ast.expr, str, ast.expr | None]]:
    """The attributes that a statement sets: object, name and value."""
    node = stmt.node
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _targets(target, node.value)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield from _targets(node.target, node.value)
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        yield from _targets(node.target, None)
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        for item in node.items:
            if item.optional_vars is not None:
                yield from _targets(item.optional_vars, None)
    elif isinstance(node, ast.Delete):
        for target in node.targets:
            yield from _targets(target, None)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name):
        if node.value.func.id == "setattr" and len(node.value.args) == 3:
            owner, name, value = node.value.args
            yield owner, literal_text(name) or ANY, value


def _targets(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[ast.expr, str, ast.expr | None]]:
    for one, given in leaf_targets(target, value):
        if isinstance(one, ast.Attribute):
            yield one.value, one.attr, given
