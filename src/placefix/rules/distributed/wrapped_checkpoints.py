"""Checkpoints that are saved with a wrapper and loaded without it, or the other way round."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Replace
from placefix.facts import premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.finding import Finding
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.ast_names import called_name
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.callees import definition_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope

_PREFIXES = frozenset((api.DATA_PARALLEL, api.DDP))
_JOINS = frozenset(("join", "Path", "str", "format"))
# Where a checkpoint is: the text of its path with the names in it, and the key in its dict ("" for the whole).
_Location = tuple[str, frozenset[tuple[str, "Scope"]], str]


class Misfit(NamedTuple):
    """A state that is loaded into another kind of module than it is saved from. row: the 1-based line of the load; wrapper: its class;
    wrapped: whether the saved one is the wrapper."""

    finding: Finding
    row: int
    wrapper: str
    wrapped: bool


class WrappedCheckpoints:
    """PF411 for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.owners = context.get(Flow).owners

    def found(self) -> Iterator[Misfit]:
        """The states that one line saves and another one, at the same path under the same key, loads into a module that has other keys."""
        if re.search(r"[\"']module\.?[\"']", self.context.source.text):
            return  # the file may rename the keys
        saved: dict[_Location, list[tuple[ast.Attribute, Scope]]] = {}
        for location, method, scope in self._saved():
            saved.setdefault(location, []).append((method, scope))
        for location, method, scope in self._loaded():
            kinds = [self._wrapper(*one) for one in saved.get(location, ())]
            into = self._wrapper(method, scope)
            if not kinds or into is None or None in kinds or any(bool(kind) == bool(into) for kind in kinds):
                continue
            for (one, _), kind in zip(saved[location], kinds, strict=True):
                yield Misfit(self._finding(one, method, kind or ""), method.lineno, kind or into, bool(kind))

    def _finding(self, saved: ast.Attribute, loaded: ast.Attribute, wrapper: str) -> Finding:
        found = Finding(self.context.span(saved))
        if not wrapper:
            return found._replace(why_not=reasons.LOAD_INTO_MODULE(name=self.context.text(loaded.value)))
        span, code = self.context.span(saved.value), self.context.text(saved.value)
        return found._replace(edits=(Replace(span, f"{code}.module", code),), premises=(premises.READ_BY_OTHERS,))

    def _wrapper(self, method: ast.Attribute, scope: Scope) -> str | None:
        """The class of the wrapper whose method is called, "" for a module without one, None if that is not known."""
        owners = self.owners.get(method, ())
        if not owners:
            return self._made(method.value, scope)
        if any(owner.maybe or owner.alts or not owner.is_module for owner in owners):
            return None
        names = {owner.wrap for owner in owners}
        name = names.pop()
        return None if names or (name and name not in _PREFIXES) else name.rpartition(".")[2]

    def _made(self, receiver: ast.expr, scope: Scope) -> str | None:
        """The same for a name in a function that places nothing, by the call that makes its one value."""
        value = self._value(receiver, scope)
        if not isinstance(value, ast.Call):
            return None
        name = self.context.tree.qualname(value.func, scope) or ""
        if name in _PREFIXES:
            return name.rpartition(".")[2]
        made = definition_of(value.func, scope, self.context.home)
        info = self.context.get(ClassSummaries).of(made) if made is not None and made.is_class else None
        bare = info is not None and info.is_module and info.closed and "load_state_dict" not in info.methods
        return "" if bare or (name not in api.WRAPPERS and api.is_module_constructor(name)) else None

    def _saved(self) -> Iterator[tuple[_Location, ast.Attribute, Scope]]:
        for call, stmt in self.context.index.called("save"):
            if self.context.tree.qualname(call.func, stmt.scope) != "torch.save" or len(call.args) < 2:
                continue
            path = self._path(call.args[1], stmt.scope)
            for key, value in self._items(call.args[0], stmt.scope):
                if path is not None and isinstance(value, ast.Call) and called_name(value) == "state_dict":
                    if isinstance(value.func, ast.Attribute) and not value.args and not value.keywords:
                        yield (*path, key), value.func, stmt.scope

    def _items(self, saved: ast.expr, scope: Scope) -> Iterator[tuple[str, ast.expr]]:
        """A saved value, or the values of a saved dict with their keys."""
        value = self._value(saved, scope)
        if isinstance(value, ast.Dict):
            for key, item in zip(value.keys, value.values, strict=True):
                if isinstance(key, ast.Constant):
                    yield repr(key.value), self._value(item, scope)
        elif isinstance(value, ast.Call) and called_name(value) == "dict":
            yield from ((repr(keyword.arg), self._value(keyword.value, scope)) for keyword in value.keywords)
        else:
            yield "", value

    def _loaded(self) -> Iterator[tuple[_Location, ast.Attribute, Scope]]:
        for call, stmt in self.context.index.called("load_state_dict"):
            if not isinstance(call.func, ast.Attribute) or len(call.args) != 1 or call.keywords:
                continue
            value, key = self._value(call.args[0], stmt.scope), ""
            item = value.slice if isinstance(value, ast.Subscript) else None
            if isinstance(value, ast.Subscript) and isinstance(item, ast.Constant):
                value, key = self._value(value.value, stmt.scope), repr(item.value)
            if (
                isinstance(value, ast.Call)
                and value.args
                and self.context.tree.qualname(value.func, stmt.scope) == "torch.load"
            ):
                path = self._path(value.args[0], stmt.scope)
                if path is not None:
                    yield (*path, key), call.func, stmt.scope

    def _value(self, expr: ast.expr, scope: Scope) -> ast.expr:
        """The expression that a name of a function has as its one value; the expression itself for others."""
        if isinstance(expr, ast.Name):
            return self.context.index.only_value(scope, expr.id) or expr
        return expr

    def _path(self, expr: ast.expr, scope: Scope) -> tuple[str, frozenset[tuple[str, Scope]]] | None:
        """The parts in which equal paths are equal: the text, and the scopes that bind the names in it; None if that may change, or is not known."""
        names = set()
        for part in walk(expr):
            if isinstance(part, ast.Call) and called_name(part) not in _JOINS:
                return None
            if isinstance(part, ast.Name):
                owner = scope.lookup(part.id)
                if owner is None or len(owner.bindings.get(part.id, ())) != 1:
                    return None
                names.add((part.id, owner))
        text = repr(expr.value) if isinstance(expr, ast.Constant) else self.context.text(expr)
        return text, frozenset(names)
