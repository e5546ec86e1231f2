"""How the code around uses an expression: as a tensor or a module, as an operand, as one of several items."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts.naming import mentions_modules
from placefix.facts.program.ast_names import dotted, under_methods
from placefix.rules.cuda.name_usage import OF_TENSORS, NameUsage

if TYPE_CHECKING:
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.rules.cuda.name_usage import Evidence


class ExpressionUsage(NameUsage):
    """The uses of the expressions of one file."""

    def is_seen(self, expr: ast.expr, stmt: Stmt, guess: Evidence) -> bool:
        """Whether the code around uses the expression as a tensor or a module; or, as a guess, as an item."""
        text = dotted(expr)
        if not text:
            return isinstance(expr, ast.Subscript) and is_sliced(expr.slice)
        if self.is_of_lambda(expr, stmt):  # no other code uses it
            return stmt in self.shown(text, guess) or (guess.items and self.is_comprehended(expr, stmt))
        home = self.home(text, stmt.scope)
        if home in self.shown(text, guess):
            return True
        return guess.items and (self._unpacked(text, home) or self.is_comprehended(expr, stmt))

    def _unpacked(self, text: str, home: Scope) -> bool:
        """Whether the name is one part of something: unpacked with others, an item of a batch, of a list of modules."""
        for binder in self._context.index.binding(home, text):
            node = binder.node
            if isinstance(node, (ast.For, ast.AsyncFor)):
                target = node.target
                if (
                    isinstance(node.iter, ast.Call)
                    and dotted(node.iter.func) == "enumerate"
                    and isinstance(target, ast.Tuple)
                    and len(target.elts) == 2
                ):
                    target = target.elts[1]
                if isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) > 1:
                    return True
                if isinstance(node.iter, (ast.Name, ast.Attribute, ast.List, ast.Tuple)) and mentions_modules(
                    dotted(node.iter)
                ):
                    return True
            elif isinstance(node, ast.Assign):
                if any(isinstance(t, (ast.Tuple, ast.List)) and len(t.elts) > 1 for t in node.targets):
                    return True
                if isinstance(node.value, ast.Subscript) and isinstance(node.value.slice, ast.Constant):
                    return True
        return False

    def meets(self, expr: ast.expr) -> bool:
        """Whether an expression is an operand, or an argument of a function of torch, a module or a loss."""
        return expr in self.operands

    def in_operation(self, expr: ast.expr, stmt: Stmt) -> bool:
        """Whether the code around computes with the value of a chain of names: as an operand, by a function of torch."""
        text = dotted(expr)
        home = self.home(text, stmt.scope) if text else None
        return home is not None and any(scope.within(home) for scope in self._computed.get(text, ()))

    @cached_property
    def _computed(self) -> dict[str, list[Scope]]:
        """Dotted text -> scopes that compute with it."""
        found: dict[str, list[Scope]] = defaultdict(list)
        for node, stmt in self._context.index.operands:
            found[_chained(node)].append(stmt.scope)
        for call, stmt, name in self._context.index.named:
            if torch_model.is_function(name):
                for arg in call.args:
                    for part in arg.elts if isinstance(arg, (ast.List, ast.Tuple)) else [arg]:
                        found[_chained(part)].append(stmt.scope)
        return found


def is_sliced(key: ast.expr) -> bool:
    """Whether a subscript has a slice or several indices: ``x[:2]``, ``x[i, j]``."""
    parts = key.elts if isinstance(key, ast.Tuple) else [key]
    return any(isinstance(p, ast.Slice) for p in parts) or (isinstance(key, ast.Tuple) and len(parts) > 1)


def _chained(expr: ast.expr) -> str:
    """The innermost receiver of a chain of tensor methods (``x.float().view(-1)``), as a dotted text."""
    return dotted(under_methods(expr, OF_TENSORS | {"float", "half", "double"}))
