"""Files that every process of a distributed run writes."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.context import FileAnalysis, requires
from placefix.facts.finding import Finding
from placefix.facts.naming import names_device_or_number, names_rank
from placefix.facts.program.ast_names import argument_values, called_name, dotted
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.callees import code_of, parameter_of
from placefix.facts.program.command_options import destination
from placefix.facts.program.statement_forms import is_main_guard
from placefix.rules.ordering.process_groups import ProcessGroups

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.tree import Scope, Stmt

_JOINS = frozenset(("join", "Path", "str", "format"))
_NO_FILES = ("devnull", "/dev/")
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_MAX_DEPTH = 4


class ConcurrentSave(NamedTuple):
    """A `torch.save` of every process to one file. row: 1-based line of the statement that starts the process group."""

    finding: Finding
    row: int


class ConcurrentSaves(FileAnalysis):
    """PF416 for one file."""

    groups = requires(ProcessGroups)

    @cached_property
    def _options(self) -> set[str]:
        """The options of the command line, which torchrun gives every process."""
        return {destination(call) for call, _ in self.context.index.called("add_argument")}

    def found(self) -> Iterator[ConcurrentSave]:
        """The calls of `torch.save` that every process makes, with a path that is the same in all."""
        for call, stmt in self.context.index.called("save"):
            if self.context.tree.qualname(call.func, stmt.scope) != "torch.save" or len(call.args) < 2:
                continue
            if not self._is_same(call.args[1], stmt.scope, 0) or any(
                word in self.context.text(call.args[1]) for word in _NO_FILES
            ):
                continue
            row = self._started(stmt, 0)
            if row:
                yield ConcurrentSave(Finding(self.context.span(call)), row)

    def _started(self, stmt: Stmt, depth: int) -> int:
        """The line of the start of the process group after which every process runs a statement; 0 if some may not."""
        if not self._is_unconditional(stmt) or depth > _MAX_DEPTH:
            return 0
        start = self.groups.started_before(stmt)
        if start is not None:
            return start.node.lineno
        node = stmt.scope.node
        if not isinstance(node, ast.FunctionDef) or node.decorator_list:
            return 0
        rows = [self._started(at, depth + 1) for _, at in self._calls(stmt.scope, node.name)]
        return rows[0] if rows and all(rows) else 0

    def _calls(self, function: Scope, name: str) -> list[tuple[ast.Call, Stmt]]:
        """The calls of a function; none if some are not known."""
        calls = [
            one
            for one in self.context.index.called(name)
            if self.context.tree.qualname(one[0].func, one[1].scope) is None
        ]
        if len(self.context.index.read(name)) > len(calls):  # somebody else may call it
            return []
        return calls if all(code_of(call, at.scope, None) is function for call, at in calls) else []

    def _is_unconditional(self, stmt: Stmt) -> bool:
        """Whether all processes that call a function run a statement of it: the tests around it and before it are about the same values in
        all."""
        for inner in (stmt, *stmt.ancestors()):
            above = [one for one in inner.suite.stmts[: inner.index] if isinstance(one.node, ast.If)]
            leaving = [one for one in above if any(isinstance(part, _LEAVES) for part in walk(one.node))]
            owner = inner.suite.owner
            if owner is not None and isinstance(owner.node, (ast.If, ast.While)) and not is_main_guard(owner):
                leaving.append(owner)
            if owner is not None and isinstance(owner.node, ast.Try) and inner.suite.arm != "body":
                return False
            if not all(self._is_same(one.node.test, one.scope, 0) for one in leaving):  # type: ignore[attr-defined]
                return False
        return True

    def _is_same_argument(self, name: str, function: Scope, depth: int) -> bool:
        """Whether a parameter that nothing binds again gets the same value in every process, from each call of a function of the file."""
        bound = function.bindings.get(name, ())
        node = function.node
        if len(bound) != 1 or not isinstance(bound[0], ast.arg) or not isinstance(node, ast.FunctionDef):
            return False
        calls = self._calls(function, node.name) if not node.decorator_list else []
        for call, at in calls:
            given = [arg for arg in argument_values(call) if parameter_of(call, arg, function) == name]
            if len(given) != 1 or not self._is_same(given[0], at.scope, depth + 1):
                return False
        return bool(calls)

    def _is_same(self, expr: ast.expr, scope: Scope, depth: int) -> bool:
        """Whether an expression is the same value in every process: it has only literals, numbers of loops and options in it."""
        if depth > _MAX_DEPTH:
            return False
        if isinstance(expr, ast.Constant):
            return True
        if isinstance(expr, ast.Call):
            return called_name(expr) in _JOINS and all(self._is_same(arg, scope, depth + 1) for arg in expr.args)
        if isinstance(expr, ast.Attribute):
            return self._is_same_attribute(expr, depth)
        if isinstance(expr, ast.Name):
            return self._is_same_name(expr.id, scope, depth)
        if isinstance(
            expr, (ast.BinOp, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.JoinedStr, ast.FormattedValue, ast.Tuple)
        ):
            inner = [part for part in ast.iter_child_nodes(expr) if isinstance(part, ast.expr)]
            return all(self._is_same(part, scope, depth + 1) for part in inner)
        return False

    def _is_same_attribute(self, expr: ast.Attribute, depth: int) -> bool:
        """The same for an option, and for an attribute that one statement sets."""
        if names_rank(expr.attr) or names_device_or_number(expr.attr):
            return False
        text = dotted(expr)
        writes = self.context.index.written(text)
        if expr.attr in self._options:
            return not writes
        value = writes[0].value if len(writes) == 1 and text.startswith("self.") else None
        return value is not None and self._is_same(value, writes[0].stmt.scope, depth + 1)

    def _is_same_name(self, name: str, scope: Scope, depth: int) -> bool:
        """The same for the number of a loop, a name with one value, and a parameter."""
        owner = scope.lookup(name)
        if owner is None:
            return False
        if all(isinstance(one, ast.For) for one in owner.bindings.get(name, (None,))):
            return True
        value = self.context.index.only_value(owner, name)
        if value is not None:
            return self._is_same(value, owner, depth + 1)
        return owner.is_function and self._is_same_argument(name, owner, depth)
