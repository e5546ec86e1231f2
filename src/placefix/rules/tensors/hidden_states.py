"""Hidden states that a method makes for whoever runs the module: ``def init_hidden(self, n): return torch.zeros(1, n, self.size)``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import premises
from placefix.facts.interpret.class_summaries import ClassSummaries, decorated
from placefix.facts.interpret.forward_parameters import given_states
from placefix.facts.naming import names_state_maker
from placefix.facts.program.arguments import receiver_name
from placefix.facts.program.ast_names import called_methods, called_names, dotted, identifiers
from placefix.facts.program.ast_walk import walk
from placefix.rules.tensors.module_tensors import ModuleTensors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.finding import Finding
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope


def initial_states(context: AnalysisContext) -> Iterator[Finding]:
    """Tensors on the CPU returned by a method that makes states, where `forward` passes an argument, or an attribute, to a recurrent
    layer as its state. The file calls the method at most to set an attribute; other calls are followed by the interpreter."""
    if "set_default_" in context.source.text:
        return
    for scope in list(context.tree.scopes.values()):
        forward = scope.functions.get("forward") if scope.is_class else None
        if forward is None or decorated(forward):
            continue
        info = context.get(ClassSummaries).of(scope)
        if info.is_module and not info.places_self and not info.own_moves and _hands_on_a_state(info):
            for name, method in scope.functions.items():
                if names_state_maker(name) and not decorated(method) and _handed_out(context, name, scope):
                    yield from _made(context, name, method)


def _hands_on_a_state(info: ClassInfo) -> bool:
    """Whether `forward` gives a recurrent layer a state that it got as an argument or keeps as an attribute."""
    taken = {a.arg for a in info.methods["forward"].function.args.args[1:]}
    states = given_states(info)
    return any(state in taken or state.startswith("self.") for state in states)


def _handed_out(context: AnalysisContext, name: str, scope: Scope) -> bool:
    """Whether a method is called only by other files, or by the class itself to set an attribute."""
    for call, stmt in context.index.called(name):
        node = stmt.node
        kept = isinstance(node, ast.Assign) and node.value is call and dotted(node.targets[0]).startswith("self.")
        if not kept or stmt.scope.parent is not scope:
            return False
    return True


def _made(context: AnalysisContext, name: str, method: Scope) -> Iterator[Finding]:
    """The tensors that a method makes, which does nothing else than return them."""
    me = receiver_name(method)
    returned = [
        stmt.node.value
        for stmt in context.tree.stmts.values()
        if stmt.scope is method and isinstance(stmt.node, ast.Return)
    ]
    if not me or not returned or None in returned or _follows_something(method.node):
        return
    for stmt in context.tree.stmts.values():
        if stmt.scope is method and not stmt.suites:
            for node in walk(stmt.node):
                if isinstance(node, ast.Call) and torch_model.fills(context.tree.qualname(node.func, method)):
                    premise = premises.CALLERS_PASS_STATE(method=name)
                    yield context.get(ModuleTensors).made_at(node, stmt, f"next({me}.parameters()).device", premise)


def _follows_something(node: ast.AST) -> bool:
    """Whether code may make a tensor on a device: by a move, after another tensor, or with a device that it names."""
    return (
        not identifiers(node).isdisjoint({"device", "cuda"})
        or any(name in ("to", "type", "type_as") or name.startswith("new") for name in called_methods(node))
        or any(name.endswith("_like") for name in called_names(node))
    )
