"""A syntax tree after edits: new statements over the original tree, which is not changed."""

from __future__ import annotations

import ast
from typing import NamedTuple

from placefix.facts.program.ast_walk import children

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPOUND = frozenset(
    cls for cls in vars(ast).values() if isinstance(cls, type) and {"body", "cases"} & {*getattr(cls, "_fields", ())}
)


class Splice(NamedTuple):
    """New statements for those of a suite from `start` up to `stop`."""

    start: int
    stop: int
    statements: list[ast.stmt]


class Overlay(NamedTuple):
    """The edits of a tree. splices: by the identity of a suite's list; statements: replacements, by the identity of a statement."""

    splices: dict[int, Splice]
    statements: dict[int, ast.stmt]
    binds: dict[ast.AST, frozenset[str]]  # scope -> names that new statements bind in it
    new: frozenset[int]  # the statements that are new, or have moved
    changed: dict[int, list[int]]  # suite -> the indexes of its statements that are replaced, or that contain changes
    holding: frozenset[int]  # these statements

    def suite(self, nodes: list[ast.stmt]) -> list[ast.stmt]:
        """The statements of a suite after splices; for a replaced statement the original, which `statements` maps to the new one."""
        splice = self.splices.get(id(nodes))
        return nodes if splice is None else [*nodes[: splice.start], *splice.statements, *nodes[splice.stop :]]

    def changes(self, nodes: list[ast.stmt]) -> list[Splice]:
        """The changed parts of a suite, in order; a replaced statement is a splice of itself."""
        splice = self.splices.get(id(nodes))
        found = [
            Splice(number, number + 1, [nodes[number]])
            for number in self.changed.get(id(nodes), ())
            if splice is None or not splice.start <= number < splice.stop
        ]
        return found if splice is None else sorted([*found, splice], key=lambda one: (one.start, one.stop))

    def reads(self, node: ast.AST, name: str) -> bool:
        """Whether a name is read somewhere in a function or class."""
        todo = [node]
        while todo:
            part = todo.pop()
            if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load):
                return True
            changed = [suite for suite in suites(part) if id(suite) in self.splices]
            old = {id(stmt) for suite in changed for stmt in suite}
            below = [child for child in children(part) if id(child) not in old]
            below += (stmt for suite in changed for stmt in self.suite(suite))
            todo += (self.statements.get(id(child), child) for child in below)
        return False


UNEDITED = Overlay({}, {}, {}, frozenset(), {}, frozenset())


def statements(nodes: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a scope, those of its compound statements included, in source order by and large."""
    found, todo = [], nodes[::-1]
    while todo:
        node = todo.pop()
        found.append(node)
        if not isinstance(node, _DEFINITIONS):
            for suite in reversed(suites(node)):
                todo += suite[::-1]
    return found


def suites(node: ast.AST) -> list[list[ast.stmt]]:
    """The suites of a statement, or a scope, in source order."""
    if node.__class__ not in _COMPOUND:
        return []
    found = [getattr(node, "body", None), *(part.body for part in getattr(node, "handlers", ()))]
    found += [part.body for part in getattr(node, "cases", ())]
    found += [getattr(node, "orelse", None), getattr(node, "finalbody", None)]
    return [suite for suite in found if isinstance(suite, list) and suite]
