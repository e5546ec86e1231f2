"""The scope of each name, by Python's `symtable`, in a file before or after edits."""

from __future__ import annotations

import ast
import builtins
import symtable
import sys
from functools import cached_property

from placefix.facts.program.ast_walk import header, walk
from placefix.facts.program.edited_tree import UNEDITED, Overlay, statements

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
ScopeNode = ast.Module | Definition

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
# Names that every module has, beyond the builtins.
_MODULE = frozenset({"__name__", "__file__", "__doc__", "__spec__", "__loader__", "__package__", "__builtins__"})


class Scopes:
    """The scopes of one file. Raises SyntaxError where the file cannot be compiled."""

    def __init__(self, tree: ast.Module, text: str) -> None:
        self.tree = tree
        self.parents: dict[ast.AST, ScopeNode] = {}
        self.units: dict[ast.AST, dict[str, list[Definition]]] = {tree: {}}
        self._tables: dict[ast.AST, symtable.SymbolTable] = {tree: symtable.symtable(text, "<text>", "exec")}
        self._mentioned: dict[ast.AST, frozenset[str]] = {}
        self._locals: dict[ast.AST, frozenset[str]] = {}
        self._globals: dict[ast.AST, frozenset[str]] = {}
        self._comprehended: dict[ast.AST, frozenset[str]] = {}
        self._pair()
        self.star = any(
            isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
            for node in statements(tree.body)
            if node.__class__ is ast.ImportFrom
        )

    def _pair(self) -> None:
        """Find the table of each function and class."""
        tables: dict[tuple[str, int], list[symtable.SymbolTable]] = {}
        todo = [self._tables[self.tree]]
        while todo:
            table = todo.pop()
            for child in table.get_children():
                if child.get_type() in ("function", "class"):
                    tables.setdefault((child.get_name(), child.get_lineno()), []).append(child)
                todo.append(child)
        scopes: list[ScopeNode] = [self.tree]
        while scopes:
            scope = scopes.pop()
            for node in statements(scope.body):
                if isinstance(node, _DEFINITIONS):
                    found = tables.get((node.name, node.lineno))
                    if found:
                        self._tables[node] = found.pop(0)
                    self.parents[node] = scope
                    self.units.setdefault(scope, {}).setdefault(node.name, []).append(node)
                    scopes.append(node)

    # --- scopes -------------------------------------------------------------------------

    def owner(self, scope: ast.AST, name: str, overlay: Overlay = UNEDITED) -> ast.AST | None:
        """The scope of `name` as read by code directly in `scope`; None for names that the file binds nowhere."""
        here: ast.AST | None = scope
        while here is not None and here is not self.tree:
            if here is scope or not isinstance(here, ast.ClassDef):
                if self.is_global(here, name):
                    break
                if name in overlay.binds.get(here, ()) or self._is_local(here, name):
                    return here
            here = self.parents.get(here)
        top = self._tables[self.tree]
        if name in overlay.binds.get(self.tree, ()):
            return self.tree
        try:
            symbol = top.lookup(name)
        except KeyError:
            return self.tree if name in self._set_by_functions else None
        return self.tree if symbol.is_assigned() or symbol.is_imported() or name in self._set_by_functions else None

    def is_global(self, scope: ast.AST, name: str) -> bool:
        """Whether a function or class declares a name global."""
        return scope is not self.tree and name in self.globals(scope)

    def globals(self, scope: ast.AST) -> frozenset[str]:
        """The names that a function or class declares global."""
        if scope not in self._globals:
            symbols = self._tables[scope].get_symbols() if scope in self._tables else ()
            self._globals[scope] = frozenset(s.get_name() for s in symbols if s.is_declared_global())
        return self._globals[scope]

    def _is_local(self, scope: ast.AST, name: str) -> bool:
        try:
            symbol = self._tables[scope].lookup(name)
        except KeyError:
            return False
        return symbol.is_parameter() or (symbol.is_local() and not self._is_of_comprehensions(scope, name))

    def _is_of_comprehensions(self, scope: ast.AST, name: str) -> bool:
        """Whether only comprehensions bind a name in a scope: it is local to them, though `symtable` reports it for the scope from 3.12 on."""
        if sys.version_info < (3, 12):
            return False
        if scope not in self._comprehended:
            self._comprehended[scope] = _of_comprehensions(scope)
        return name in self._comprehended[scope]

    def locals(self, scope: ast.AST) -> frozenset[str]:
        """The names that belong to a function or class."""
        if scope not in self._locals:
            names = self._tables[scope].get_identifiers() if scope in self._tables else ()
            own = (n for n in names if self._is_local(scope, n))
            self._locals[scope] = frozenset(own) - self.globals(scope)
        return self._locals[scope]

    @cached_property
    def _set_by_functions(self) -> frozenset[str]:
        """The names that functions declare global, and assign."""
        scopes = (s for s in self._tables if s is not self.tree)
        return frozenset(n for s in scopes for n in self.globals(s) if self._tables[s].lookup(n).is_assigned())

    def unit(self, scope: ast.AST, owner: ast.AST) -> Definition | None:
        """The function or class directly in `owner` that holds `scope`."""
        while scope in self.parents:
            above = self.parents[scope]
            if above is owner:
                return scope  # type: ignore[return-value]
            scope = above
        return None

    def homes(self, scope: ast.AST) -> list[ast.AST]:
        """A scope and, where it is a class, those around it whose code it is a part of, innermost first."""
        found = [scope]
        while isinstance(found[-1], ast.ClassDef):
            found.append(self.parents[found[-1]])
        return found

    def mentioned(self, scope: ast.AST) -> frozenset[str]:
        """Every name of an enclosing scope that the code of a function or class, nested ones included, uses."""
        if scope not in self._mentioned:
            found: set[str] = set()
            todo = [self._tables[scope]] if scope in self._tables else []
            while todo:
                table = todo.pop()
                found.update(s.get_name() for s in table.get_symbols() if s.is_global() or s.is_free())
                todo += table.get_children()
            self._mentioned[scope] = frozenset(found)
        return self._mentioned[scope]

    def reads(self, scope: ast.AST, name: str) -> bool:
        """Whether the code directly in a scope reads a name that it does not bind."""
        try:
            symbol = self._tables[scope].lookup(name)
        except KeyError:
            return False
        return symbol.is_referenced()

    @cached_property
    def given(self) -> frozenset[str]:
        """The names that a module is given from elsewhere, as a fragment is: see `read_above_bindings`."""
        return read_above_bindings(self.tree) if isinstance(self.tree, ast.Module) else frozenset()

    def is_known(self, name: str) -> bool:
        """Whether a name that the file binds nowhere may exist: a builtin, or a name from a star import."""
        return self.star or name in _MODULE or hasattr(builtins, name)

    def is_read(self, name: str) -> bool:
        """Whether some code of the file reads a name as a global one."""
        return name in self.mentioned(self.tree)


def read_above_bindings(module: ast.Module) -> frozenset[str]:
    """The names that the statements of a module, those in its functions and classes apart, read above each that binds them, or in it:
    ``model`` of ``model = DataParallel(model)``, which must have come from elsewhere."""
    first: dict[str, int] = {}
    read: dict[str, int] = {}
    todo: list[ast.stmt] = list(module.body)
    for stmt in todo:
        if isinstance(stmt, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
            names = (
                [a.asname or a.name for a in stmt.names]
                if isinstance(stmt, (ast.Import, ast.ImportFrom))
                else [stmt.name]
            )
            for name in names:
                first[name] = 0
            continue
        for node in (part for top in header(stmt) for part in walk(top)):
            if isinstance(node, ast.Name):
                lines = read if isinstance(node.ctx, ast.Load) else first
                lines[node.id] = min(stmt.lineno, lines.get(node.id, stmt.lineno))
        for field in ("body", "orelse", "finalbody"):
            todo += getattr(stmt, field, ())
        for part in (*getattr(stmt, "handlers", ()), *getattr(stmt, "cases", ())):
            todo += part.body
    return frozenset(name for name, line in read.items() if line <= first.get(name, 0))


def _of_comprehensions(scope: ast.AST) -> frozenset[str]:
    """The names that only comprehensions bind in a scope."""
    nodes = walk(scope)
    targets = [
        target
        for node in nodes
        if isinstance(node, COMPREHENSIONS)
        for generator in node.generators
        for target in walk(generator.target)
        if isinstance(target, ast.Name)
    ]
    theirs = {id(target) for target in targets}
    names = {target.id for target in targets}
    for node in nodes:
        if isinstance(node, ast.Name):
            if id(node) not in theirs and not isinstance(node.ctx, ast.Load):
                names.discard(node.id)
        elif node is not scope:  # imports, definitions, handlers, patterns
            if isinstance(node, ast.alias):
                names.discard(node.asname or node.name.partition(".")[0])
            names -= {getattr(node, "name", None), getattr(node, "rest", None)}
    return frozenset(names)
