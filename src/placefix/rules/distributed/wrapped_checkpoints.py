"""Checkpoints that are saved with a wrapper or torch.compile and loaded without it, or the other way round."""

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
from placefix.facts.program.ast_names import called_name, may_give
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.callees import definition_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Obj
    from placefix.facts.program.tree import Scope

# The attribute in which each keeps the module: the keys of its state begin with it.
_INSIDE = {api.DATA_PARALLEL: "module", api.DDP: "module", api.COMPILE: "_orig_mod"}
_NAMES_PREFIX = r"[\"'](module|_orig_mod)\.?[\"']"
_MAX_LAYERS = 4
_JOINS = frozenset(("join", "Path", "str", "format"))
# Where a checkpoint is: the text of its path with the names in it, and the key in its dict ("" for the whole).
_Location = tuple[str, frozenset[tuple[str, "Scope"]], str]


class Misfit(NamedTuple):
    """A state that is loaded into another kind of module than it is saved from. row: the 1-based line of the load; saved and loaded: the
    start of the keys of both, "" without a wrapper; wrapper: what one of them has around it and the other has not."""

    finding: Finding
    row: int
    saved: str
    loaded: str
    wrapper: str


class WrappedCheckpoints:
    """PF411 for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.owners = context.get(Flow).owners

    def found(self) -> Iterator[Misfit]:
        """The states that one line saves and another one, at the same path under the same key, loads into a module that has other keys."""
        if re.search(_NAMES_PREFIX, self.context.source.text):
            return  # the file may rename the keys
        saved: dict[_Location, list[tuple[ast.Attribute, Scope]]] = {}
        for location, method, scope in self._saved():
            saved.setdefault(location, []).append((method, scope))
        for location, method, scope in self._loaded():
            kinds = [self._around(*one) for one in saved.get(location, ())]
            into = self._around(method, scope)
            if into is None or any(kind is None or _prefix(kind) == _prefix(into) for kind in kinds):
                continue
            for (one, _), kind in zip(saved.get(location, ()), kinds, strict=True):
                name = (kind or into)[0]
                wrapper = name if name == api.COMPILE else name.rpartition(".")[2]
                finding = self._finding(one, method, kind or (), into)
                yield Misfit(finding, method.lineno, _prefix(kind or ()), _prefix(into), wrapper)

    def _finding(
        self, saved: ast.Attribute, loaded: ast.Attribute, around: tuple[str, ...], into: tuple[str, ...]
    ) -> Finding:
        found = Finding(self.context.span(saved))
        prefix, wanted = _prefix(around), _prefix(into)
        if not prefix.endswith(wanted):
            inside = _INSIDE[(into or around)[0]]
            return found._replace(why_not=reasons.LOAD_INTO_MODULE(name=self.context.text(loaded.value), inside=inside))
        span, code = self.context.span(saved.value), self.context.text(saved.value)
        edit = Replace(span, f"{code}.{prefix[: len(prefix) - len(wanted)].rstrip('.')}", code)
        return found._replace(edits=(edit,), premises=(premises.READ_BY_OTHERS(prefix=prefix),))

    def _around(self, method: ast.Attribute, scope: Scope) -> tuple[str, ...] | None:
        """The classes of the wrappers, and torch.compile, around the module whose method is called, from outside in; None if they are not
        known."""
        owners = self.owners.get(method, ())
        if not owners:
            return self._made(method.value, scope)
        found = {_wrappers(owner) for owner in owners}
        return found.pop() if len(found) == 1 else None

    def _made(self, receiver: ast.expr, scope: Scope, depth: int = 0) -> tuple[str, ...] | None:
        """The same for a name in a function that places nothing, by the call that makes its one value."""
        value = self._value(receiver, scope)
        if not isinstance(value, ast.Call) or depth > _MAX_LAYERS:
            return None
        name = self.context.tree.qualname(value.func, scope) or ""
        if name in _INSIDE:
            off = may_give(value, "disable")  # torch.compile may return the module
            inner = self._made(value.args[0], scope, depth + 1) if value.args and not off else None
            return (name, *inner) if inner is not None else None
        made = definition_of(value.func, scope, self.context.home)
        info = self.context.get(ClassSummaries).of(made) if made is not None and made.is_class else None
        bare = info is not None and info.is_module and info.closed and "load_state_dict" not in info.methods
        return () if bare or (name not in api.WRAPPERS and api.is_module_constructor(name)) else None

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


def _wrappers(module: Obj) -> tuple[str, ...] | None:
    """The wrappers around a module, from outside in; None if they are not known."""
    if module.maybe or module.alts or not module.is_module:
        return None
    if module.kind == "module":
        return ()
    name = api.COMPILE if module.kind == "compiled" else module.wrap
    inner = _wrappers(module.base) if module.base is not None and name in _INSIDE else None
    return (name, *inner) if inner is not None else None


def _prefix(around: tuple[str, ...]) -> str:
    """The start of the keys of a module with these wrappers."""
    return "".join(f"{_INSIDE[name]}." for name in around)
