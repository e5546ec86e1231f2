"""The imports of torch: how it is named at a statement, and where an import of it can be added."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Insert
from placefix.facts.context import FileAnalysis
from placefix.facts.program.ast_names import ends_process
from placefix.facts.program.statement_forms import is_docstring, is_future

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Stmt

_IMPORTS = (ast.Import, ast.ImportFrom)


class TorchImports(FileAnalysis):
    """The imports of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        super().__init__(context)
        self.home = context.home

    def at(self, anchor: Stmt) -> tuple[str, tuple[Insert, ...]]:
        """The name of torch at `anchor`, and the edit that imports torch if it is not imported as a whole."""
        for scope in (anchor.scope, self.tree.root):
            for name, names in scope.imports.items():
                if (
                    names == {"torch"}
                    and (len(scope.bindings[name]) == 1 or name == "torch")
                    and anchor.scope.lookup(name) is scope
                ):
                    return name, ()
        return "torch", (self._edit,)

    def name_at(self, stmt: Stmt) -> str | None:
        """The name of torch at `stmt`, None if it is not imported as a whole."""
        name, imports = self.at(stmt)
        return None if imports else name

    @cached_property
    def may_be_missing(self) -> bool:
        """Whether the file goes on where torch cannot be imported, or imports it in functions alone: no code of the module level may
        count on it."""
        if self.is_imported_late:
            return True
        imports = [b for b in self.tree.root.bindings.get("torch", ()) if isinstance(b, _IMPORTS)]
        tries = [a.node for b in imports for a in self.tree.stmts[b].ancestors() if isinstance(a.node, ast.Try)]
        return any(
            not isinstance(handler.body[-1], ast.Raise) and not ends_process(handler.body[-1])
            for t in tries
            for handler in t.handlers
        )

    @cached_property
    def is_imported_late(self) -> bool:
        """Whether only functions import torch."""
        owners = {
            stmt.scope.is_function
            for stmt in self.tree.stmts.values()
            if _imports_part(stmt.node)
            or (isinstance(stmt.node, ast.Import) and "torch" in {a.name for a in stmt.node.names})
        }
        return owners == {True}

    @cached_property
    def last(self) -> Stmt | None:
        """The last statement of the imports at the head of the file, torch's among them."""
        last: Stmt | None = None
        others = 0
        torch = False
        for stmt in self.tree.root.body.stmts:
            node = stmt.node
            if isinstance(node, (ast.Import, ast.ImportFrom)) or (isinstance(node, ast.Try) and _imports_only(stmt)):
                if last is not None and others > 3 and torch:
                    break
                last, others = stmt, 0
                torch = torch or "torch" in self.context.text(stmt)
            elif torch and isinstance(
                node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.While, ast.With)
            ):
                break
            else:
                others += 1
        return last

    @cached_property
    def _edit(self) -> Insert:
        """The edit that imports torch: before its first import in parts, else below the plain imports, else at the head of the file."""
        body = self.tree.root.body.stmts
        partly = next((s for s in body if _imports_part(s.node)), None)
        if partly is not None:
            return Insert(self.context.span(partly), "import torch")
        head = self.last
        plain = [s for s in body if isinstance(s.node, ast.Import) and head is not None and s.index <= head.index]
        if plain:
            later = self._later_in_alphabet(plain)
            return self._above_own(plain[-1]) if later is None else Insert(self.context.span(later), "import torch")
        first = next(s for s in body if not is_docstring(s) and not is_future(s))
        if head is not None and self._under_comment(first):
            return self._above_own(head)  # the head of the file stays its head
        return Insert(self.context.span(first), "import torch")

    def _later_in_alphabet(self, plain: list[Stmt]) -> Stmt | None:
        """The first of a group's imports that follows torch in a group that is in alphabetical order; None without one.

        A group: the last of the plain imports `plain`, and those directly above it without a blank line between.
        """
        group = [plain[-1]]
        for stmt in reversed(plain[:-1]):
            below = self.context.source.line_of(self.context.span(group[0]).start)
            if (
                stmt.index + 1 != group[0].index
                or self.context.source.line_of(self.context.span(stmt).end) + 1 != below
            ):
                break
            group.insert(0, stmt)
        names = [stmt.node.names[0].name.lower() for stmt in group if isinstance(stmt.node, ast.Import)]
        if len(group) < 2 or names != sorted(names) or any(map(self._is_own, (stmt.node for stmt in group))):
            return None
        return next((stmt for stmt, name in zip(group, names, strict=True) if name > "torch"), None)

    def _above_own(self, last: Stmt) -> Insert:
        """The edit that imports torch after the import `last`. If `last` imports a file of the repository: above it and above such
        imports directly before it, but not above a star import, which may bind `torch`."""
        place, stmts = last, last.suite.stmts
        while self._is_own(place.node):
            if isinstance(place.node, ast.ImportFrom) and place.node.names[0].name == "*":
                break
            above = stmts[place.index - 1] if place.index else None
            if above is None or not isinstance(above.node, _IMPORTS) or is_future(above):
                if self._under_comment(place):
                    break
                return Insert(self.context.span(place), "import torch\n")
            place = above
        return Insert(self.context.span(last if self._is_own(place.node) else place), "import torch", "after")

    def _is_own(self, node: ast.AST) -> bool:
        """Whether an import is of modules of the repository."""
        if isinstance(node, ast.ImportFrom):
            return node.level > 0 or (self.home is not None and self.home.has(node.module or ""))
        return isinstance(node, ast.Import) and self.home is not None and any(self.home.has(a.name) for a in node.names)

    def _under_comment(self, stmt: Stmt) -> bool:
        row = self.context.source.line_of(self.context.span(stmt).start)
        return row > 1 and self.context.source.line(row - 1).startswith("#")


def _imports_part(node: ast.stmt) -> bool:
    """Whether a statement imports names or modules of torch: ``from torch import nn``, ``import torch.nn``."""
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] == "torch" and not node.level
    return isinstance(node, ast.Import) and any(a.name.startswith("torch.") for a in node.names)


def _imports_only(stmt: Stmt) -> bool:
    return all(
        isinstance(s.node, (ast.Import, ast.ImportFrom, ast.Assign, ast.Pass))
        for suite in stmt.suites
        for s in suite.stmts
    ) and any(isinstance(s.node, (ast.Import, ast.ImportFrom)) for suite in stmt.suites for s in suite.stmts)
