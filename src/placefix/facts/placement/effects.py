"""What a statement reads and changes by name: its own text, objects it mutates or hands out, and
the file's own functions it calls."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.program.children import walk
from placefix.facts.program.names import dotted
from placefix.lazy import NamedTuple

if TYPE_CHECKING:
    from placefix.facts.program.tree import Scope, Stmt, Tree

# Methods that leave a plain object as it is. Those of modules, optimizers and tensors count as such:
# what they do is known better from the objects (`Order.touched`).
_HARMLESS = (
    frozenset(("get", "items", "keys", "values", "format", "join", "split", "strip", "startswith", "endswith", "lower"))
    | frozenset(("upper", "copy", "replace", "index", "count", "read", "write", "flush", "info", "debug", "warning"))
    | frozenset(("step", "zero_grad", "state_dict", "load_state_dict", "backward", "apply", "forward"))
    | api.RETURNS_SELF
    | api.PLACING
    | api.MODULE_NEUTRAL
    | api.MODULE_PARAMS
    | api.TENSOR_SAME_DEVICE
    | api.TENSOR_NEUTRAL
)
_HARMLESS_PACKAGES = ("torch.", "torchvision.", "math.", "numpy.", "os.", "time.", "random.", "logging.", "copy.", "itertools.")
_BUILTINS = frozenset(vars(builtins)) - {"setattr", "delattr", "exec", "eval"}
_DEPTH = 4


class Effect(NamedTuple):
    """Dotted names, with their prefixes, that are read and changed."""

    read: frozenset[str]
    written: frozenset[str]


_NOTHING = Effect(frozenset(), frozenset())


class Effects:
    """Effects by name over one file."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._of: dict[Stmt, Effect] = {}

    def of(self, stmt: Stmt) -> Effect:
        """The effect of a statement, everything inside and everything it calls in the file included."""
        found = self._of.get(stmt)
        if found is None:
            found = self._of[stmt] = self._effect(stmt.node, stmt.scope, ())
        return found

    def _effect(self, node: ast.stmt, scope: Scope, active: tuple[Scope, ...]) -> Effect:
        from placefix.facts.placement.order import names

        read, written = map(set, names(node))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return Effect(frozenset(read), frozenset(written))
        for part in walk(node):
            if isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load):
                written.add(_root(part))
            elif isinstance(part, ast.Call):
                inner = self._call(part, scope, active)
                read |= inner.read
                written |= inner.written
        written.discard("")
        return Effect(frozenset(read), frozenset(written))

    def _call(self, call: ast.Call, scope: Scope, active: tuple[Scope, ...]) -> Effect:
        func = call.func
        callee, receiver = self._callee(func, scope)
        if callee is not None:
            return self._inside(callee, receiver, call, active)
        written: set[str] = set()
        if isinstance(func, ast.Attribute):
            name = self.tree.qualname(func, scope)
            if name is not None and name.startswith(_HARMLESS_PACKAGES):
                return _NOTHING
            text = dotted(func.value)
            if name is None and func.attr not in _HARMLESS:
                written.add(text)
        elif isinstance(func, ast.Name):
            name = self.tree.qualname(func, scope)
            if (name or "").startswith(_HARMLESS_PACKAGES) or (func.id in _BUILTINS and scope.lookup(func.id) is None):
                return _NOTHING
        last = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        if last[:1].isupper():
            return Effect(frozenset(), frozenset(written - {""}))  # a class: constructors leave their arguments alone
        if isinstance(func, ast.Attribute) and func.attr in _HARMLESS:
            return _NOTHING
        for argument in (*call.args, *(k.value for k in call.keywords)):
            written.add(dotted(argument.value if isinstance(argument, ast.Starred) else argument))
        return Effect(frozenset(), frozenset(written - {""}))

    def _callee(self, func: ast.expr, scope: Scope) -> tuple[Scope | None, str]:
        """The function of the file that is called, and on what ("" for a function)."""
        if isinstance(func, ast.Name):
            owner = scope.lookup(func.id)
            if owner is not None and len(owner.bindings.get(func.id, ())) == 1:
                if func.id in owner.functions:
                    return owner.functions[func.id], ""
                if func.id in owner.classes:
                    return owner.classes[func.id].functions.get("__init__"), "?"
        if isinstance(func, ast.Attribute):
            if isinstance(func.value, ast.Name) and scope.parent is not None and scope.parent.kind == "class" and scope.kind == "function":
                first = scope.function.args.args[:1]
                if first and first[0].arg == func.value.id:
                    return scope.parent.functions.get(func.attr), func.value.id
            found = [s.functions[func.attr] for s in self.tree.scopes.values() if s.kind == "class" and func.attr in s.functions]
            if len(found) == 1 and dotted(func.value) and func.attr not in _HARMLESS:
                return found[0], dotted(func.value)
        return None, ""

    def _inside(self, callee: Scope, receiver: str, call: ast.Call, active: tuple[Scope, ...]) -> Effect:
        """The effect of a call of `callee` as its caller sees it."""
        if callee in active or len(active) >= _DEPTH:
            return _NOTHING
        node = callee.function
        parameters = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
        known: dict[str, str] = {}
        if receiver and parameters:
            known[parameters.pop(0)] = "" if receiver == "?" else receiver
        for name, argument in zip(parameters, call.args, strict=False):
            known[name] = dotted(argument)
        for keyword in call.keywords:
            if keyword.arg is not None:
                known[keyword.arg] = dotted(keyword.value)
        read: set[str] = set()
        written: set[str] = set()
        for stmt in callee.body.stmts:
            inner = self._effect(stmt.node, callee, (*active, callee))
            for source, target in ((inner.read, read), (inner.written, written)):
                for name in source:
                    target.add(self._outside(name, callee, known))
        # a parameter that is rebound is not the caller's
        written -= {text for name, text in known.items() if name in inner_names(callee)}
        return Effect(frozenset(read - {""}), frozenset(written - {""}))

    @staticmethod
    def _outside(name: str, callee: Scope, known: dict[str, str]) -> str:
        head, dot, tail = name.partition(".")
        if head in known:
            return f"{known[head]}{dot}{tail}" if known[head] else ""
        if head in callee.bindings and head not in callee.globals:
            return ""
        return name


def inner_names(scope: Scope) -> set[str]:
    """Parameters the function binds anew."""
    return {name for name, bindings in scope.bindings.items() if len(bindings) > 1}


def _root(node: ast.expr) -> str:
    """``a.b`` of ``a.b[0]["c"]``."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return dotted(node)
