"""The statement tree of a file: scopes, suites and their order, bindings and imports.

Built in one pass over statements (not expressions), because order and dominance are
questions about statements. Names follow SEMANTICS C1.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from placefix.facts.program.children import walk
from placefix.facts.program.names import every_parameter
from placefix.facts.torch_api import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator
    from re import Pattern

    from placefix.facts.program.project import Home
    from placefix.source import Source


class Suite:
    """A list of statements that run one after the other."""

    __slots__ = ("arm", "owner", "scope", "stmts")

    def __init__(self, owner: Stmt | None, arm: str, scope: Scope) -> None:
        self.owner = owner
        self.arm = arm
        self.scope = scope
        self.stmts: list[Stmt] = []


class Stmt:
    """A statement and its place in the tree."""

    __slots__ = ("index", "node", "suite", "suites")

    def __init__(self, node: ast.stmt, suite: Suite, index: int) -> None:
        self.node = node
        self.suite = suite
        self.index = index
        self.suites: list[Suite] = []

    @property
    def scope(self) -> Scope:
        return self.suite.scope

    @property
    def parent(self) -> Stmt | None:
        return self.suite.owner

    def ancestors(self) -> Iterator[Stmt]:
        """The statement itself, then the compound statements around it, innermost first."""
        stmt: Stmt | None = self
        while stmt is not None:
            yield stmt
            stmt = stmt.suite.owner

    def in_loop(self) -> bool:
        """Whether a loop of the same scope runs this statement again and again."""
        return any(isinstance(s.node, (ast.For, ast.While, ast.AsyncFor)) for s in self.ancestors() if s is not self)

    def __repr__(self) -> str:
        return f"<Stmt {type(self.node).__name__} line {self.node.lineno}>"


class Scope:
    """A module, class or function body with the names it binds."""

    def __init__(
        self, node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, parent: Scope | None, tree: Tree
    ) -> None:
        self.tree = tree
        self.node = node
        self.parent = parent
        self.body = Suite(None, "body", self)
        self.bindings: dict[str, list[ast.AST]] = {}
        self.imports: dict[str, set[str]] = {}
        self.globals: set[str] = set()
        self.functions: dict[str, Scope] = {}
        self.classes: dict[str, Scope] = {}
        self.star_import = False
        self.kind = "module" if parent is None else "class" if node.__class__ is ast.ClassDef else "function"
        self.owners: dict[str, Scope | None] = {}  # answers of `lookup`, for those who ask most
        self.denoted: dict[str, str | None] = {}  # those of `Tree.import_of`

    @property
    def name(self) -> str:
        return getattr(self.node, "name", "<module>")

    @property
    def function(self) -> ast.FunctionDef | ast.AsyncFunctionDef:
        assert isinstance(self.node, (ast.FunctionDef, ast.AsyncFunctionDef))
        return self.node

    def within(self, home: Scope | None) -> bool:
        """Whether this scope is `home` or stands inside it."""
        scope: Scope | None = self
        while scope is not None and scope is not home:
            scope = scope.parent
        return scope is not None

    def function_named(self, pattern: Pattern[str]) -> Scope | None:
        """The innermost function, this scope or around it, whose name `pattern` is found in."""
        scope: Scope | None = self
        while scope is not None and not (scope.kind == "function" and pattern.search(scope.name)):
            scope = scope.parent
        return scope

    def lookup(self, name: str) -> Scope | None:
        """The scope whose binding of `name` code in this scope reads, or None for builtins.

        Class scopes are not visible from the functions inside them.
        """
        if name in self.owners:
            return self.owners[name]
        scope: Scope | None = self
        while scope is not None:
            if (scope is self or scope.kind != "class") and name in scope.bindings and name not in scope.globals:
                break
            scope = scope.parent
        self.owners[name] = scope
        return scope


class Tree:
    """All scopes and statements of one file.

    home: its place in a repository, None where nothing is known of other files.
    """

    def __init__(self, source: Source, module: ast.Module, home: Home | None = None) -> None:
        self.source = source
        self.home = home
        self.module = module
        self.stmts: dict[ast.stmt, Stmt] = {}
        self.scopes: dict[ast.AST, Scope] = {}
        self.root = self._scope(module, None)
        self.imported: set[str] = set()  # every dotted name an import statement mentions
        self.import_names: set[str] = set()  # every name an import statement binds
        self._build(self.root, self.root.body, module.body)
        if ":=" in source.text:
            self._walrus()

    def release(self) -> None:
        """Break the reference cycles; the tree is good for nothing afterwards."""
        for stmt in self.stmts.values():
            del stmt.suite, stmt.suites
        for scope in self.scopes.values():
            scope.__dict__.clear()
        self.__dict__.clear()

    def _scope(
        self, node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, parent: Scope | None
    ) -> Scope:
        scope = Scope(node, parent, self)
        self.scopes[node] = scope
        return scope

    def _build(self, scope: Scope, suite: Suite, nodes: list[ast.stmt]) -> None:
        bindings = scope.bindings
        append = suite.stmts.append
        stmts = self.stmts
        for index, node in enumerate(nodes):
            stmt = Stmt(node, suite, index)
            append(stmt)
            stmts[node] = stmt
            kind = node.__class__
            if kind is ast.Expr or kind is ast.Return:
                continue
            if kind is ast.Assign:
                for target in node.targets:  # type: ignore[attr-defined]
                    self._bind(bindings, target, node)
            elif kind in _FUNCTIONS:
                bindings.setdefault(node.name, []).append(node)  # type: ignore[attr-defined]
                inner = self._scope(node, scope)  # type: ignore[arg-type]
                for argument in every_parameter(node.args):  # type: ignore[attr-defined]
                    inner.bindings.setdefault(argument.arg, []).append(argument)
                scope.functions[node.name] = inner  # type: ignore[attr-defined]
                self._build(inner, inner.body, node.body)  # type: ignore[attr-defined]
            elif kind is ast.ClassDef:
                bindings.setdefault(node.name, []).append(node)  # type: ignore[attr-defined]
                inner = self._scope(node, scope)  # type: ignore[arg-type]
                scope.classes[node.name] = inner  # type: ignore[attr-defined]
                self._build(inner, inner.body, node.body)  # type: ignore[attr-defined]
            elif kind is ast.If:
                self._arm(stmt, "body", node.body)  # type: ignore[attr-defined]
                if node.orelse:  # type: ignore[attr-defined]
                    self._arm(stmt, "orelse", node.orelse)  # type: ignore[attr-defined]
            elif kind is ast.For or kind is ast.AsyncFor:
                self._bind(bindings, node.target, node)  # type: ignore[attr-defined]
                self._arm(stmt, "body", node.body)  # type: ignore[attr-defined]
                if node.orelse:  # type: ignore[attr-defined]
                    self._arm(stmt, "orelse", node.orelse)  # type: ignore[attr-defined]
            elif kind is ast.While:
                self._arm(stmt, "body", node.body)  # type: ignore[attr-defined]
                if node.orelse:  # type: ignore[attr-defined]
                    self._arm(stmt, "orelse", node.orelse)  # type: ignore[attr-defined]
            elif kind is ast.With or kind is ast.AsyncWith:
                for item in node.items:  # type: ignore[attr-defined]
                    if item.optional_vars is not None:
                        self._bind(bindings, item.optional_vars, node)
                self._arm(stmt, "body", node.body)  # type: ignore[attr-defined]
            elif kind is ast.Try or kind.__name__ == "TryStar":
                self._arm(stmt, "body", node.body)  # type: ignore[attr-defined]
                for number, handler in enumerate(node.handlers):  # type: ignore[attr-defined]
                    if handler.name:
                        bindings.setdefault(handler.name, []).append(handler)
                    self._arm(stmt, f"handler{number}", handler.body)
                if node.orelse:  # type: ignore[attr-defined]
                    self._arm(stmt, "orelse", node.orelse)  # type: ignore[attr-defined]
                if node.finalbody:  # type: ignore[attr-defined]
                    self._arm(stmt, "finalbody", node.finalbody)  # type: ignore[attr-defined]
            elif kind is ast.Import:
                for alias in node.names:  # type: ignore[attr-defined]
                    name = alias.asname or alias.name.partition(".")[0]
                    bindings.setdefault(name, []).append(node)
                    scope.imports.setdefault(name, set()).add(alias.name if alias.asname else name)
                    self.import_names.add(name)
                    self.imported.add(alias.name)
            elif kind is ast.ImportFrom:
                base = "." * node.level + (node.module or "")  # type: ignore[attr-defined]
                for alias in node.names:  # type: ignore[attr-defined]
                    if alias.name == "*":
                        scope.star_import = True
                        self.imported.add(base)
                        continue
                    name = alias.asname or alias.name
                    bindings.setdefault(name, []).append(node)
                    full = f"{base}.{alias.name}" if not base.endswith(".") else base + alias.name
                    scope.imports.setdefault(name, set()).add(full)
                    self.import_names.add(name)
                    self.imported.add(full)
            elif kind is ast.AugAssign or kind is ast.AnnAssign:
                # a bare annotation binds nothing, but makes the name local all the same
                self._bind(bindings, node.target, node)  # type: ignore[attr-defined]
            elif kind is ast.Global:
                scope.globals.update(node.names)  # type: ignore[attr-defined]
                for name in node.names:  # type: ignore[attr-defined]
                    self.root.bindings.setdefault(name, []).append(node)
            elif kind is ast.Delete:
                for target in node.targets:  # type: ignore[attr-defined]
                    self._bind(bindings, target, node)
            elif kind.__name__ == "Match":
                for number, case in enumerate(node.cases):  # type: ignore[attr-defined]
                    for part in walk(case.pattern):
                        captured = getattr(part, "name", None) or getattr(part, "rest", None)
                        if isinstance(captured, str):
                            bindings.setdefault(captured, []).append(node)
                    self._arm(stmt, f"case{number}", case.body)

    def _arm(self, owner: Stmt, arm: str, nodes: list[ast.stmt]) -> None:
        suite = Suite(owner, arm, owner.suite.scope)
        owner.suites.append(suite)
        self._build(suite.scope, suite, nodes)

    def _bind(self, bindings: dict[str, list[ast.AST]], target: ast.expr, node: ast.AST) -> None:
        kind = target.__class__
        if kind is ast.Name:
            bindings.setdefault(target.id, []).append(node)  # type: ignore[attr-defined]
        elif kind is ast.Tuple or kind is ast.List:
            for element in target.elts:  # type: ignore[attr-defined]
                self._bind(bindings, element, node)
        elif kind is ast.Starred:
            self._bind(bindings, target.value, node)  # type: ignore[attr-defined]

    def _walrus(self) -> None:
        for scope in self.scopes.values():
            for stmt in scope.node.body:
                for part in walk(stmt):
                    if isinstance(part, ast.NamedExpr):
                        scope.bindings.setdefault(part.target.id, []).append(part)

    def extent(self, scope: Scope) -> tuple[int, int]:
        """From where to where the lines of a scope's definition go, decorators apart."""
        if isinstance(scope.node, ast.Module):
            return 0, len(self.source.text)
        starts = self.source.line_starts
        last = scope.node.end_lineno or scope.node.lineno
        return starts[scope.node.lineno - 1], starts[last] if last < len(starts) else len(self.source.text)

    def text(self, scope: Scope) -> str:
        """The lines a scope's definition stands on."""
        start, end = self.extent(scope)
        return self.source.text[start:end]

    # --- names ---------------------------------------------------------------------

    def qualname(self, expr: ast.expr, scope: Scope) -> str | None:
        """The canonical dotted name `expr` denotes when its root is an import, else None.

        A name bound by anything but imports of one thing (and ``None`` fallbacks) is not resolved.
        """
        base: Any = expr
        while base.__class__ is ast.Attribute:
            base = base.value
        if base.__class__ is not ast.Name or base.id not in self.import_names:
            return None
        owner = scope.lookup(base.id)
        if owner is None or base.id not in owner.imports:
            return None
        root = self.import_of(base.id, owner)
        if root is None or base is expr:
            return root
        rest, part = "", expr
        while part is not base:
            rest, part = f".{part.attr}{rest}", part.value  # type: ignore[attr-defined]
        return canonical(root + rest)

    def import_of(self, name: str, owner: Scope) -> str | None:
        """The canonical name that `name`, bound by imports in `owner`, denotes; None when it may be something else."""
        if name in owner.denoted:
            return owner.denoted[name]
        found = {canonical(n) for n in owner.imports[name]}
        result = next(iter(found)) if len(found) == 1 else None
        for binding in owner.bindings[name]:
            if not isinstance(binding, (ast.Import, ast.ImportFrom)) and not (
                isinstance(binding, ast.Assign)
                and isinstance(binding.value, ast.Constant)
                and binding.value.value is None
            ):
                result = None
        owner.denoted[name] = result
        return result


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def common(a: Stmt, b: Stmt) -> tuple[Stmt, Stmt] | None:
    """Lift both statements to the suite they share; None if they share none or stand in exclusive arms."""
    suites = {s.suite: s for s in a.ancestors()}
    for stmt in b.ancestors():
        if stmt.suite in suites:
            return suites[stmt.suite], stmt
    return None


def dominates(a: Stmt, b: Stmt) -> bool:
    """Whether `a` runs before `b` whenever `b` runs (same scope; suite paths, not source order)."""
    pair = common(a, b)
    return pair is not None and pair[0] is a and a.index < pair[1].index
