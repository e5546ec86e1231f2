"""Attributes of the wrapped module that are read of its wrapper."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace
from placefix.facts import premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.ast_names import called_name
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.tree import dominates
from placefix.torch_model.wrappers import has_attribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Obj
    from placefix.facts.program.tree import Stmt

# Calls and names by which code finds out whether a module is wrapped.
_ASKS = frozenset(("hasattr", "getattr", "isinstance", "type", "issubclass"))


class WrapperAttributes:
    """PF113 for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.flow = context.get(Flow)
        self.called = {id(call.func) for call, _ in context.index.calls}

    def missing(self) -> Iterator[Finding]:
        """The reads of attributes that the wrapper does not have. what: the class of the wrapper; names: the wrapper and the attribute."""
        for text, node, stmt in self.context.index.attributes(lambda name: not name.startswith("_")):
            owners = [owner.uncompiled() for owner in self.flow.owners.get(node, ())]
            if (
                not owners
                or not all(_lacks(owner, node.attr) for owner in owners)
                or self._may_be_set(text, node, stmt)
            ):
                continue
            certain = not any(owner.maybe for owner in owners)
            if self._asks(stmt, node) or not (certain or self._is_unconditional(owners[0], stmt)):
                continue
            yield self._finding(node, owners[0], certain=certain)

    def _finding(self, node: ast.Attribute, wrapper: Obj, *, certain: bool) -> Finding:
        name = self.context.text(node.value)
        found = Finding(self.context.span(node), wrapper.wrap.rpartition(".")[2], names=(name, node.attr))
        if not certain:
            return found._replace(
                why_not=reasons.WRAPPED_ON_SOME_PATHS(name=name), doubt=premises.ONLY_IF_WRAPPED(name=name)
            )
        if wrapper.wrap == api.DDP and id(node) in self.called:
            return found._replace(why_not=reasons.CALLED_PAST_DDP(name=node.attr))
        return found._replace(edits=(Replace(self.context.span(node.value), f"{name}.module", name),))

    def _may_be_set(self, text: str, node: ast.Attribute, stmt: Stmt) -> bool:
        """Whether the file may have given the wrapper an attribute of that name before a statement."""
        return any(not dominates(stmt, write.stmt) for write in self.context.index.written(text)) or any(
            call.args and self.context.text(call.args[0]) == self.context.text(node.value)
            for call, _ in self.context.index.called("setattr", "add_module", "register_buffer", "register_parameter")
        )

    def _asks(self, stmt: Stmt, node: ast.Attribute) -> bool:
        """Whether code around a read finds out whether there is such an attribute, or catches the failure."""
        name = self.context.text(node.value)
        tests = [part.test for part in walk(stmt.node) if isinstance(part, ast.IfExp)]
        tests += [part for part in walk(stmt.node) if isinstance(part, ast.BoolOp)]
        inner = stmt
        for outer in stmt.ancestors():
            if isinstance(outer.node, ast.Try) and inner.suite is outer.suites[0] and outer.node.handlers:
                return True
            if isinstance(outer.node, (ast.If, ast.While)):
                tests.append(outer.node.test)
            inner = outer
        return any(name in self.context.text(test) or _asks_type(test) for test in tests)

    def _is_unconditional(self, wrapper: Obj, stmt: Stmt) -> bool:
        """Whether a read is in no branch that the wrap is not in, and the code before it nowhere finds out whether there is a wrapper."""
        wrap = next((e.stmt for e in self.flow.index.of_kind("wrap") if e.node is wrapper.origin), None)
        if wrap is None or wrap.scope is not stmt.scope:
            return False
        around = set(wrap.ancestors())
        if any(isinstance(outer.node, (ast.If, ast.Try)) and outer not in around for outer in stmt.ancestors()):
            return False
        return ".module" not in self.context.tree.text(stmt.scope) and not any(
            called_name(call) in _ASKS for call, one in self.context.index.calls if one.scope is stmt.scope
        )


def _lacks(owner: Obj, attr: str) -> bool:
    """Whether a value is a wrapper without an attribute of that name."""
    return owner.is_wrapper and not has_attribute(owner.name, attr)


def _asks_type(test: ast.expr) -> bool:
    return any(isinstance(part, ast.Call) and called_name(part) in _ASKS for part in walk(test))
