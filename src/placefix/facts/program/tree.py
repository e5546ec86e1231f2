"""The statement tree of a file: scopes, suites and their order, bindings and imports.

Built in one pass over statements (not expressions), because order and dominance are
properties of statements. A name denotes an import only if nothing else binds it; the names that a star import binds are
unknown.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from placefix.facts.program.assignments import sole_values
from placefix.facts.program.ast_names import bind_names, every_parameter, is_literal
from placefix.facts.program.ast_walk import LOOPS, walk
from placefix.facts.torch_api import CUSTOMARY_IMPORTS, FRAMEWORKS, canonical

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from placefix.facts.program.free_names import FreeNames
    from placefix.facts.program.repository import Home
    from placefix.source import Source

    ScopeNode = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


_number = attrgetter("number")


class Suite:
    """A list of statements that run one after the other.

    end: the number behind that of the last statement in it.
    """

    __slots__ = ("arm", "end", "owner", "scope", "stmts")

    def __init__(self, owner: Stmt | None, arm: str, scope: Scope) -> None:
        self.owner = owner
        self.arm = arm
        self.scope = scope
        self.stmts: list[Stmt] = []
        self.end = 0

    def holds(self, stmt: Stmt) -> bool:
        """Whether a statement is in this suite, or in a compound statement of it."""
        return stmt.suite.scope is self.scope and self.stmts[0].number <= stmt.number < self.end


class Stmt:
    """A statement and its place in the tree.

    index: in its suite; number: among all statements of the file, in source order.
    """

    __slots__ = ("index", "node", "number", "suite", "suites")

    def __init__(self, node: ast.stmt, suite: Suite, index: int, number: int) -> None:
        self.node = node
        self.suite = suite
        self.index = index
        self.number = number
        self.suites: tuple[Suite, ...] = ()  # most have none

    @property
    def scope(self) -> Scope:
        """The scope around the statement."""
        return self.suite.scope

    @property
    def parent(self) -> Stmt | None:
        """The compound statement that contains it; None at the top of a scope."""
        return self.suite.owner

    def ancestors(self) -> Iterator[Stmt]:
        """The statement itself, then the compound statements around it, innermost first."""
        stmt: Stmt | None = self
        while stmt is not None:
            yield stmt
            stmt = stmt.suite.owner

    def holds(self, stmt: Stmt) -> bool:
        """Whether a statement is this one, or is in its suites."""
        return stmt is self or any(suite.holds(stmt) for suite in self.suites)

    def in_loop(self) -> bool:
        """Whether a loop of the same scope runs this statement again and again."""
        return any(isinstance(s.node, LOOPS) for s in self.ancestors() if s is not self)


class Scope:
    """A module, class or function body with the names it binds."""

    def __init__(self, node: ScopeNode, parent: Scope | None, tree: Tree) -> None:
        self.tree = tree
        self.node = node
        self.parent = parent
        self.body = Suite(None, "body", self)
        self.bindings: dict[str, list[ast.AST]] = {}
        self.imports: dict[str, set[str]] = {}
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.functions: dict[str, Scope] = {}
        self.classes: dict[str, Scope] = {}
        self.star_import = False
        self.is_root = parent is None  # the body of the file
        self.is_class = not self.is_root and node.__class__ is ast.ClassDef
        self.is_function = not self.is_root and not self.is_class
        self.cls = parent if parent is not None and parent.is_class else None  # of a method: its class
        self.owners: dict[str, Scope | None] = {}  # results of `lookup`, for frequent callers
        self.denoted: dict[str, str | None] = {}  # those of `Tree.import_of`

    @property
    def name(self) -> str:
        """The name of the function or class; "<module>" for the module."""
        return getattr(self.node, "name", "<module>")

    @property
    def function(self) -> ast.FunctionDef | ast.AsyncFunctionDef:
        """The node of a function's scope; fails for others (AssertionError)."""
        assert isinstance(self.node, (ast.FunctionDef, ast.AsyncFunctionDef))
        return self.node

    @cached_property
    def nodes(self) -> list[Any]:
        """The nodes of the definition, those of inner definitions among them, in the order of ast.walk."""
        return walk(self.node)

    def declares(self, name: str) -> bool:
        """Whether the scope says that a name is the file's (``global``) or a function's around it (``nonlocal``)."""
        return name in self.globals or name in self.nonlocals

    def within(self, home: Scope | None) -> bool:
        """Whether this scope is `home` or inside it."""
        return any(scope is home for scope in self.chain())

    def chain(self) -> Iterator[Scope]:
        """This scope and those around it, from the inside out."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def outside_classes(self) -> Scope:
        """The function or file that runs the code of this scope: for a class, that around it."""
        return next(scope for scope in self.chain() if not scope.is_class)

    @property
    def class_around(self) -> Scope | None:
        """The innermost class, this scope or around it."""
        return next((scope for scope in self.chain() if scope.is_class), None)

    def function_named(self, fits: Callable[[str], bool]) -> Scope | None:
        """The innermost function, this scope or around it, whose name `fits`."""
        return next((scope for scope in self.chain() if scope.is_function and fits(scope.name)), None)

    def lookup(self, name: str) -> Scope | None:
        """The scope whose binding of `name` code in this scope reads, or None for builtins.

        Class scopes are not visible from the functions inside them. A name that a function declares global is the file's there and in
        the functions inside.
        """
        if name in self.owners:
            return self.owners[name]
        scope: Scope | None = self
        while scope is not None:
            if scope is self or not scope.is_class:
                if name in scope.globals:
                    scope = self.tree.root
                if name in scope.bindings and name not in scope.nonlocals:
                    break
            scope = scope.parent
        self.owners[name] = scope
        return scope


class Tree:
    """All scopes and statements of one file.

    home: its place in a repository, None if no other file is known. assume: whether names that nothing binds have the meaning
    that their use shows (`free_names`).
    """

    def __init__(self, source: Source, module: ast.Module, home: Home | None = None, *, assume: bool = False) -> None:
        self.source = source
        self.home = home
        self.assume = assume
        self.module = module
        self.stmts: dict[ast.stmt, Stmt] = {}
        self.scopes: dict[ast.AST, Scope] = {}
        self.stars: list[str] = []  # the modules of the star imports
        # Once found: the entries of registries (`registrations`), the classes and functions of modules of the repository (`Home.members`),
        # the names in a test (`cuda_test`), the names and attributes by the last name (`outside_callers`).
        self.registries: dict[ast.AST, tuple[Scope, ...]] = {}
        self.members: dict[str, tuple[Scope, ...]] = {}
        self.named_in: dict[ast.expr, tuple[str, ...]] = {}
        self.mentions: dict[str, list[tuple[ast.expr, Scope]]] = {}
        self.root = self.scope_of(module, None)
        self.imported: set[str] = set()  # every dotted name an import statement mentions
        self.import_names: set[str] = set()  # every name an import statement binds
        self.declared_nonlocal: list[tuple[Scope, ast.Nonlocal]] = []
        self.build(self.root.body, module.body)
        if ":=" in source.text:
            self._walrus()
        for scope, statement in self.declared_nonlocal:
            for name in statement.names:
                if (owner := scope.lookup(name)) is not None:
                    owner.bindings[name].append(statement)

    def release(self) -> None:
        """Break the reference cycles; the tree is good for nothing afterwards."""
        for stmt in self.stmts.values():
            del stmt.suite, stmt.suites
        for scope in self.scopes.values():
            scope.__dict__.clear()
        if "free_names" in self.__dict__:
            self.free_names.release()
        self.__dict__.clear()

    @cached_property
    def free_names(self) -> FreeNames:
        """The names that the file reads and nothing in it binds."""
        from placefix.facts.program.free_names import FreeNames  # few files have any

        return FreeNames(self)

    @cached_property
    def framework(self) -> str:
        """The framework that places things by itself in this file, or an empty string."""
        packages = (name.partition(".")[0] for name in sorted(self.imported))
        return next(filter(None, map(FRAMEWORKS.get, packages)), "")

    @cached_property
    def has_default_device(self) -> bool:
        """Whether something in the file may make factories yield tensors of a device."""
        return "set_default_tensor_type" in self.source.text or "set_default_device" in self.source.text

    def scope_of(self, node: ScopeNode, parent: Scope | None) -> Scope:
        """A new scope for a module, class or function."""
        scope = Scope(node, parent, self)
        self.scopes[node] = scope
        return scope

    def build(self, suite: Suite, nodes: list[ast.stmt]) -> None:
        """Fill a suite with its statements, and their scopes with the names that they bind."""
        append = suite.stmts.append
        stmts = self.stmts
        builders = _BUILDERS.get
        for index, node in enumerate(nodes):
            stmt = Stmt(node, suite, index, len(stmts))
            append(stmt)
            stmts[node] = stmt
            builder = builders(node.__class__)
            if builder is not None:
                builder(self, stmt, node)
        suite.end = len(stmts)

    @cached_property
    def level_values(self) -> dict[ast.expr | None, str]:
        """The expressions of the module level that are the only value of a name, with the names."""
        return sole_values(self.root.bindings)

    @cached_property
    def methods(self) -> dict[str, list[Scope]]:
        """The methods of all classes of the file, by name."""
        found: dict[str, list[Scope]] = {}
        for scope in self.scopes.values():
            for name, method in scope.functions.items() if scope.is_class else ():
                found.setdefault(name, []).append(method)
        return found

    @cached_property
    def returns(self) -> dict[Scope, list[ast.Return]]:
        """The ``return`` statements of each function that has some."""
        found: dict[Scope, list[ast.Return]] = {}
        for node in (node for node in self.stmts if isinstance(node, ast.Return)):
            found.setdefault(self.stmts[node].scope, []).append(node)
        return found

    def _walrus(self) -> None:
        for scope in self.scopes.values():
            for part in (part for stmt in scope.node.body for part in walk(stmt) if isinstance(part, ast.NamedExpr)):
                scope.bindings.setdefault(part.target.id, []).append(part)

    def extent(self, scope: Scope) -> tuple[int, int]:
        """From where to where the lines of a scope's definition go, decorators apart."""
        if isinstance(scope.node, ast.Module):
            return 0, len(self.source.text)
        starts = self.source.line_starts
        last = scope.node.end_lineno or scope.node.lineno
        return starts[scope.node.lineno - 1], starts[last] if last < len(starts) else len(self.source.text)

    def text(self, scope: Scope) -> str:
        """The lines of a scope's definition."""
        return self.source.text[slice(*self.extent(scope))]

    def module_statement(self, stmt: Stmt) -> Stmt | None:
        """The statement of the module level that runs `stmt` when the file is run or imported: itself, or the class around it. None for
        code of functions."""
        scope = stmt.scope
        while isinstance(scope.node, ast.ClassDef) and scope.parent is not None:
            stmt, scope = self.stmts[scope.node], scope.parent
        return stmt if scope.is_root else None

    def qualname(self, expr: ast.expr, scope: Scope) -> str | None:
        """The canonical dotted name `expr` denotes when its root is an import, else None.

        A name bound by anything but imports of one thing (and ``None`` fallbacks) is not resolved.
        """
        base: Any = expr
        while base.__class__ is ast.Attribute:
            base = base.value
        if base.__class__ is not ast.Name:
            return None
        if base.id not in self.import_names:
            root = self.customary(base.id)
        else:
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

    @property
    def assumed(self) -> dict[str, str]:
        """The names that nothing binds, each with its assumed meaning; empty if the analysis has not relied on any."""
        return self.free_names.assumed if "free_names" in self.__dict__ and self.free_names.relied_on else {}

    def customary(self, name: str) -> str | None:
        """The canonical name that `name` denotes by custom, where the file reads it and nothing, or a star import, binds it: ``nn``, torch.nn."""
        if not (self.assume or self.stars) or name not in CUSTOMARY_IMPORTS:
            return None
        return self.free_names.denotes(name)

    def import_of(self, name: str, owner: Scope) -> str | None:
        """The canonical name that `name`, bound by imports in `owner`, denotes; None when it may be something else."""
        if name in owner.denoted:
            return owner.denoted[name]
        found = {canonical(n) for n in owner.imports[name]}
        others = (b for b in owner.bindings[name] if not isinstance(b, (ast.Import, ast.ImportFrom)))
        is_one = len(found) == 1 and all(isinstance(b, ast.Assign) and is_literal(b.value, None) for b in others)
        result = owner.denoted[name] = found.pop() if is_one else None
        return result


def common(a: Stmt, b: Stmt) -> tuple[Stmt, Stmt] | None:
    """Lift both statements to the suite they share: to one statement if they are in different arms of it. None if they share none."""
    for stmt in a.ancestors():
        suite = stmt.suite
        if suite.holds(b):
            return stmt, suite.stmts[bisect_right(suite.stmts, b.number, key=_number) - 1]
    return None


def dominates(a: Stmt, b: Stmt) -> bool:
    """Whether `a` runs before `b` whenever `b` runs (same scope; suite paths, not source order)."""
    return a.suite.holds(b) and a.number < b.number and not a.holds(b)


# --- the suites and bindings of each kind of statement ---


def _arm(tree: Tree, owner: Stmt, arm: str, nodes: list[ast.stmt]) -> None:
    """A suite of a compound statement; none where it has no statements."""
    if nodes:
        suite = Suite(owner, arm, owner.suite.scope)
        owner.suites = (*owner.suites, suite)
        tree.build(suite, nodes)


def _targets(tree: Tree, stmt: Stmt, node: ast.Assign | ast.Delete | ast.AugAssign | ast.AnnAssign) -> None:
    # a bare annotation binds nothing, but makes the name local
    for target in node.targets if isinstance(node, (ast.Assign, ast.Delete)) else (node.target,):
        bind_names(stmt.suite.scope.bindings, target, node)


def _function(tree: Tree, stmt: Stmt, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    scope = stmt.suite.scope
    scope.bindings.setdefault(node.name, []).append(node)
    inner = scope.functions[node.name] = tree.scope_of(node, scope)
    for argument in every_parameter(node.args):
        inner.bindings.setdefault(argument.arg, []).append(argument)
    tree.build(inner.body, node.body)


def _class(tree: Tree, stmt: Stmt, node: ast.ClassDef) -> None:
    scope = stmt.suite.scope
    scope.bindings.setdefault(node.name, []).append(node)
    inner = scope.classes[node.name] = tree.scope_of(node, scope)
    tree.build(inner.body, node.body)


def _branches(tree: Tree, stmt: Stmt, node: ast.If | ast.While) -> None:
    _arm(tree, stmt, "body", node.body)
    _arm(tree, stmt, "orelse", node.orelse)


def _for(tree: Tree, stmt: Stmt, node: ast.For | ast.AsyncFor) -> None:
    bind_names(stmt.suite.scope.bindings, node.target, node)
    _arm(tree, stmt, "body", node.body)
    _arm(tree, stmt, "orelse", node.orelse)


def _with(tree: Tree, stmt: Stmt, node: ast.With | ast.AsyncWith) -> None:
    for item in node.items:
        if item.optional_vars is not None:
            bind_names(stmt.suite.scope.bindings, item.optional_vars, node)
    _arm(tree, stmt, "body", node.body)


def _try(tree: Tree, stmt: Stmt, node: ast.Try) -> None:
    _arm(tree, stmt, "body", node.body)
    for number, handler in enumerate(node.handlers):
        if handler.name:
            stmt.suite.scope.bindings.setdefault(handler.name, []).append(handler)
        _arm(tree, stmt, f"handler{number}", handler.body)
    _arm(tree, stmt, "orelse", node.orelse)
    _arm(tree, stmt, "finalbody", node.finalbody)


def _match(tree: Tree, stmt: Stmt, node: ast.Match) -> None:
    for number, case in enumerate(node.cases):
        for part in walk(case.pattern):
            captured = getattr(part, "name", None) or getattr(part, "rest", None)
            if isinstance(captured, str):
                stmt.suite.scope.bindings.setdefault(captured, []).append(node)
        _arm(tree, stmt, f"case{number}", case.body)


def _import(tree: Tree, stmt: Stmt, node: ast.Import) -> None:
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        _imports(tree, stmt, name, alias.name if alias.asname else name)
        tree.imported.add(alias.name)


def _import_from(tree: Tree, stmt: Stmt, node: ast.ImportFrom) -> None:
    base = "." * node.level + (node.module or "")
    for alias in node.names:
        if alias.name == "*":
            stmt.suite.scope.star_import = True
            tree.stars.append(base)
            tree.imported.add(base)
            continue
        full = f"{base}.{alias.name}" if not base.endswith(".") else base + alias.name
        _imports(tree, stmt, alias.asname or alias.name, full)
        tree.imported.add(full)


def _imports(tree: Tree, stmt: Stmt, name: str, denoted: str) -> None:
    """Record that an import binds `name` to the name that is `denoted`."""
    scope = stmt.suite.scope
    scope.bindings.setdefault(name, []).append(stmt.node)
    scope.imports.setdefault(name, set()).add(denoted)
    tree.import_names.add(name)


def _global(tree: Tree, stmt: Stmt, node: ast.Global) -> None:
    stmt.suite.scope.globals.update(node.names)
    for name in node.names:
        tree.root.bindings.setdefault(name, []).append(node)


def _nonlocal(tree: Tree, stmt: Stmt, node: ast.Nonlocal) -> None:
    stmt.suite.scope.nonlocals.update(node.names)
    tree.declared_nonlocal.append((stmt.suite.scope, node))


_BUILDERS: dict[type[ast.stmt], Callable[[Tree, Stmt, Any], None]] = {
    ast.Assign: _targets,
    ast.Delete: _targets,
    ast.AugAssign: _targets,
    ast.AnnAssign: _targets,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.If: _branches,
    ast.While: _branches,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.Match: _match,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Global: _global,
    ast.Nonlocal: _nonlocal,
}
if hasattr(ast, "TryStar"):
    _BUILDERS[ast.TryStar] = _try
