"""One walk over the expressions of a file: who calls, tests, names and assigns what, and in which statement.

The statement tree knows nothing of expressions. Questions about device spellings need a few
kinds of them, each with the statement it stands in, so they are collected once.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.names import dotted
from placefix.lazy import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.tree import Scope, Stmt, Tree

# Fields of each node class that may hold nodes; half the cost of ast.iter_child_nodes.
_LEAVES = frozenset(
    {
        "ctx",
        "op",
        "ops",
        "id",
        "attr",
        "arg",
        "kind",
        "is_async",
        "conversion",
        "type_comment",
        "name",
        "asname",
        "level",
        "module",
    }
)
_FIELDS_OF: dict[type[ast.AST], frozenset[str]] = {
    ast.keyword: frozenset({"arg"}),
    ast.arg: frozenset({"arg", "type_comment"}),
}
CHILDREN: dict[type[ast.AST], tuple[str, ...]] = {
    cls: tuple(f for f in cls._fields if f not in _FIELDS_OF.get(cls, _LEAVES))
    for cls in vars(ast).values()
    if isinstance(cls, type) and issubclass(cls, ast.AST)
}


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Call(NamedTuple):
    """A call and the innermost statement around it."""

    node: ast.Call
    stmt: Stmt


class AttributeWrite(NamedTuple):
    """`text = value` for a dotted target such as ``args.cuda`` or ``self.device``; value None when unpacked."""

    text: str
    value: ast.expr | None
    stmt: Stmt


class Index:
    """The expressions of one file that the device questions are about."""

    def __init__(self, tree: Tree) -> None:
        self.calls: list[Call] = []
        self.conditionals: list[tuple[ast.IfExp, Stmt]] = []
        self.comprehensions: list[tuple[ast.expr, Stmt]] = []
        self.operands: list[tuple[ast.expr, Stmt]] = []
        self.writes: dict[str, list[AttributeWrite]] = {}
        self.texts: dict[str, list[tuple[ast.expr, Stmt]]] = {}  # dotted text -> where it is read
        self.binders: dict[Scope, dict[str, list[Stmt]]] = {}  # name -> statements that bind it, per scope
        for stmt in tree.stmts.values():
            self._statement(stmt)

    def _statement(self, stmt: Stmt) -> None:
        node = stmt.node
        kind = node.__class__
        if kind is ast.Assign or kind is ast.AnnAssign or kind is ast.AugAssign:
            targets = node.targets if kind is ast.Assign else [node.target]  # type: ignore[attr-defined]
            for target in targets:
                self._target(target, node.value, stmt, augmented=kind is ast.AugAssign)  # type: ignore[attr-defined]
        elif kind is ast.For or kind is ast.AsyncFor:
            self._target(node.target, None, stmt)  # type: ignore[attr-defined]
        elif kind is ast.With or kind is ast.AsyncWith:
            for item in node.items:  # type: ignore[attr-defined]
                if item.optional_vars is not None:
                    self._target(item.optional_vars, None, stmt)
        elif kind is ast.Import or kind is ast.ImportFrom:
            for alias in node.names:  # type: ignore[attr-defined]
                self._bound(alias.asname or alias.name.partition(".")[0], stmt)
        elif kind is ast.FunctionDef or kind is ast.AsyncFunctionDef or kind is ast.ClassDef:
            self._bound(node.name, stmt)  # type: ignore[attr-defined]
        elif kind is ast.Delete:
            for target in node.targets:  # type: ignore[attr-defined]
                self._target(target, None, stmt, augmented=True)
        elif kind is ast.Global or kind is ast.Nonlocal or kind is ast.Pass:
            return
        for part in header(node):
            self._expression(part, stmt)

    def _expression(self, root: ast.AST, stmt: Stmt) -> None:
        stack = [root]
        while stack:
            node = stack.pop()
            kind = node.__class__
            if kind is ast.Name:
                self.texts.setdefault(node.id, []).append((node, stmt))  # type: ignore[attr-defined,arg-type]
                continue
            if kind is ast.Constant or node is None:
                continue
            if kind is ast.Attribute:
                text = dotted(node)  # type: ignore[arg-type]
                if text:
                    self.texts.setdefault(text, []).append((node, stmt))  # type: ignore[arg-type]
            elif kind is ast.Call:
                self.calls.append(Call(node, stmt))  # type: ignore[arg-type]
            elif kind is ast.IfExp:
                self.conditionals.append((node, stmt))  # type: ignore[arg-type]
            elif kind is ast.BinOp:
                self.operands += ((node.left, stmt), (node.right, stmt))  # type: ignore[attr-defined]
            elif kind in _COMPREHENSIONS:
                self.comprehensions.append((node, stmt))  # type: ignore[arg-type]
            elif kind is ast.NamedExpr:
                self._bound(node.target.id, stmt)  # type: ignore[attr-defined]
            for field in CHILDREN.get(kind, ()):  # strings and singletons of patterns have none
                value = getattr(node, field)
                if value.__class__ is list:
                    stack += value
                elif value is not None:
                    stack.append(value)

    def _target(self, target: ast.expr, value: ast.expr | None, stmt: Stmt, *, augmented: bool = False) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            values: list[ast.expr | None] = [None] * len(target.elts)
            if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
                starred = any(isinstance(e, ast.Starred) for e in (*target.elts, *value.elts))
                values = values if starred else list(value.elts)
            for element, part in zip(target.elts, values, strict=True):
                self._target(element, part, stmt, augmented=augmented)
        elif isinstance(target, ast.Starred):
            self._target(target.value, None, stmt)
        elif isinstance(target, (ast.Name, ast.Attribute)):
            text = dotted(target)
            if isinstance(target, ast.Name):
                self._bound(text, stmt)
            if text:
                self.writes.setdefault(text, []).append(AttributeWrite(text, None if augmented else value, stmt))

    def _bound(self, name: str, stmt: Stmt) -> None:
        scope = stmt.scope
        if name in scope.globals:
            while scope.parent is not None:
                scope = scope.parent
        self.binders.setdefault(scope, {}).setdefault(name, []).append(stmt)

    def binding(self, scope: Scope, name: str) -> list[Stmt]:
        """The statements of `scope` itself that bind `name` (parameters are no statements)."""
        return self.binders.get(scope, {}).get(name, [])

    def values(self, scope: Scope, text: str) -> list[AttributeWrite]:
        """The assignments to the name or dotted `text` that stand in `scope`."""
        return [w for w in self.writes.get(text, ()) if w.stmt.scope is scope]


def header(node: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement that are its own: of a compound statement, not its suites'."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            continue
        if isinstance(child, (ast.ExceptHandler, ast.match_case)):
            yield from (c for c in ast.iter_child_nodes(child) if not isinstance(c, ast.stmt))
        else:
            yield child
