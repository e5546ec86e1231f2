"""Attributes that are set in more than one place: what the constructor makes of ``self.x`` need not be what a method finds."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from placefix.facts.interpret.summaries import class_of
from placefix.facts.program.guards import self_class
from placefix.facts.program.names import dotted
from placefix.lazy import NamedTuple
from placefix.prefilter.source_patterns import SETTINGS_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope, Stmt, Tree

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
    """Every attribute that a file sets. Most are never asked about: whose they are is found out for those that are."""

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
                    continue  # this is what most are
                if target.__class__ is ast.Attribute:
                    self._set.setdefault(target.attr, []).append((target.value, node.value, stmt))  # type: ignore[attr-defined]
                    continue
            for owner, attr, value in _set(stmt):
                self._set.setdefault(attr, []).append((owner, value, stmt))
        self._found: dict[str, list[Store]] = {}
        self._related: dict[tuple[Scope, Scope], bool] = {}

    def related(self, one: Scope, other: Scope) -> bool:
        """Whether one of two classes is, or derives from, the other."""
        pair = one, other
        if pair not in self._related:
            self._related[pair] = one is other or derives(one, other) or derives(other, one)
        return self._related[pair]

    def of(self, attr: str) -> list[Store]:
        """Where attributes of that name are set."""
        found = self._found.get(attr)
        if found is None:
            found = self._found[attr] = []
            for owner, value, stmt in self._set.get(attr, ()):
                text = dotted(owner)
                cls = class_of_self(text, stmt.scope) if text else None
                if cls is not None or (
                    attr != ANY and (text == "self" or text.rpartition(".")[2] not in SETTINGS_NAMES)
                ):
                    found.append(Store(attr, cls, f"{text}.{attr}", None if attr == ANY else value, stmt.scope))
        return found


class AttributeStores:
    """What attributes are set in the files that were asked about: `stores_in` adds to them."""

    def __init__(self, context: AnalysisContext) -> None:
        self.known: dict[Tree, Stores] = {}


def stores_in(tree: Tree, known: dict[Tree, Stores]) -> Stores:
    """The attributes that a file sets, found out once."""
    found = known.get(tree)
    if found is None:
        found = known[tree] = Stores(tree)
    return found


def stores_of(known: Stores, attr: str, cls: Scope) -> list[Store]:
    """Where an attribute of a class's instances is set: in its methods, in those of a class derived from it or that
    it derives from, or from outside."""
    return [
        store
        for store in (*known.of(attr), *known.of(ANY))
        if store.cls is None or known.related(store.cls, cls)
        if not (store.attr == ANY and store.scope.name == "__init__")
    ]


def set_elsewhere(known: Stores, attr: str, cls: Scope) -> list[Store]:
    """Those outside the class's constructor."""
    return [store for store in stores_of(known, attr, cls) if store.cls is not cls or store.scope.name != "__init__"]


def derives(cls: Scope, other: Scope, depth: int = 0) -> bool:
    """Whether a class derives from another, by what the files say."""
    node = cls.node
    bases = (
        [class_of(cls.parent, base) for base in node.bases]
        if isinstance(node, ast.ClassDef) and depth < _MAX_DEPTH
        else []
    )
    return any(base is not None and (base is other or derives(base, other, depth + 1)) for base in bases)


def stays(value: ast.expr, text: str) -> bool:
    """``net.eval()``: what `text` was, where it was; or None, of which nothing is asked."""
    if isinstance(value, ast.Constant) and value.value is None:
        return True
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _STAYS:
        value = value.func.value
    return dotted(value) == text


def class_of_self(name: str, scope: Scope) -> Scope | None:
    """The class of whose instances `name` is the one that a method (or a function in it) is called on."""
    return self_class(scope.lookup(name), name)


def _set(stmt: Stmt) -> Iterator[tuple[ast.expr, str, ast.expr | None]]:
    """The attributes that a statement sets: of what, which, and to what."""
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
            yield owner, name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ANY, value


def _targets(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[ast.expr, str, ast.expr | None]]:
    if isinstance(target, ast.Attribute):
        yield target.value, target.attr, value
    elif isinstance(target, ast.Starred):
        yield from _targets(target.value, None)
    elif isinstance(target, (ast.Tuple, ast.List)):
        parts: list[ast.expr | None] = [None] * len(target.elts)
        if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(parts):
            if not any(isinstance(e, ast.Starred) for e in (*target.elts, *value.elts)):
                parts = [*value.elts]
        for element, part in zip(target.elts, parts, strict=True):
            yield from _targets(element, part)
