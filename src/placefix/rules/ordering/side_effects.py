"""The names that a statement reads and changes: its text, objects it mutates or passes on, and
the functions it calls, in the file or in another one of the repository."""

from __future__ import annotations

import ast
import builtins
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.naming import names_class
from placefix.facts.program.arguments import self_class
from placefix.facts.program.ast_names import argument_values, dotted, last_name
from placefix.facts.program.ast_walk import children, walk
from placefix.facts.program.callees import imported_definition
from placefix.facts.program.reads_and_writes import names
from placefix.reachability import reachable
from placefix.rules.ordering.shared_globals import GLOBALS, REPOSITORY, Shared

if TYPE_CHECKING:
    from placefix.facts.program.tree import Scope, Stmt, Tree

# Methods that do not change a plain object. Those of modules, optimizers and tensors are in the list as well:
# their effects are known more exactly from the objects (`Order.touched`).
HARMLESS = (
    frozenset(("get", "items", "keys", "values", "format", "join", "split", "strip", "startswith", "endswith", "lower"))
    | frozenset(("upper", "copy", "replace", "index", "count", "read", "write", "flush", "info", "debug", "warning"))
    | frozenset(("step", "zero_grad", "state_dict", "load_state_dict", "backward", "apply", "forward"))
    | api.RETURNS_SELF
    | api.PLACING
    | api.MODULE_NEUTRAL
    | api.MODULE_PARAMS
    | torch_model.marked("likely")
)


def is_harmless(method: str) -> bool:
    """Whether a method does not change a plain object."""
    return method in HARMLESS or torch_model.is_answer(method)


_HARMLESS_PACKAGES = (
    "torch.",
    "torchvision.",
    "math.",
    "numpy.",
    "os.",
    "time.",
    "random.",
    "logging.",
    "copy.",
    "itertools.",
)
_GIVES_PART = frozenset(("get", "setdefault", "pop", "items", "values"))
_ITERATES = frozenset(("enumerate", "zip", "reversed", "sorted", "list", "iter", "vars", "getattr"))
_BUILTINS = frozenset(vars(builtins)) - {"setattr", "delattr", "exec", "eval"}
_DEPTH = 4


class Effect(NamedTuple):
    """Dotted names, with their prefixes, that are read and changed."""

    read: frozenset[str]
    written: frozenset[str]


class _Inside(NamedTuple):
    """An effect inside a function; changed: the names of `written` that are written by more than a binding of the bare name; reached: the
    packages whose objects it may change as well (`Shared`)."""

    read: frozenset[str]
    written: frozenset[str]
    changed: frozenset[str]
    reached: frozenset[str]


class _CallEffect(NamedTuple):
    """The effect of a call."""

    read: frozenset[str]
    written: frozenset[str]
    reached: frozenset[str]


_NONE: frozenset[str] = frozenset()
_NOTHING = _CallEffect(_NONE, _NONE, _NONE)


class Effects:
    """Effects by name over one file."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.shared = Shared(tree)
        self._of: dict[Stmt, Effect] = {}

    def of(self, stmt: Stmt) -> Effect:
        """The effect of a statement, everything inside and everything it calls in the file included."""
        found = self._of.get(stmt)
        if found is None:
            inside = self._effect(stmt.node, stmt.scope, ())
            written = inside.written.union(self.shared.changed(inside.reached))
            if self.shared.holds(inside.changed):
                written |= {GLOBALS}
            found = self._of[stmt] = Effect(inside.read, written)
        return found

    def _effect(self, node: ast.stmt, scope: Scope, active: tuple[Scope, ...]) -> _Inside:
        read, written = map(set, names(node))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return _Inside(frozenset(read), frozenset(written), _NONE, _NONE)
        reached: set[str] = set()
        changed = {name for name in written if "." in name}
        for part in walk(node):
            if isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load):
                changed.add(_root(part))
            elif isinstance(part, ast.Call):
                inner = self._call(part, scope, active)
                read |= inner.read
                changed |= inner.written
                reached |= inner.reached
        changed.discard("")
        return _Inside(frozenset(read), frozenset(written | changed), frozenset(changed), frozenset(reached))

    def _call(self, call: ast.Call, scope: Scope, active: tuple[Scope, ...]) -> _CallEffect:
        func = call.func
        callee, receiver = self._callee(func, scope)
        inside = self._inside(callee, receiver, call, active) if callee is not None else None
        if inside is not None:
            return inside
        if self._is_harmless(func, scope):
            return _NOTHING
        last = last_name(func)
        written: set[str] = set()
        if isinstance(func, ast.Attribute) and not is_harmless(last) and scope.tree.qualname(func, scope) is None:
            written.add(dotted(func.value))
        if names_class(last):
            # a constructor does not change its arguments
            return _CallEffect(_NONE, frozenset(written - {""}), _NONE)
        if isinstance(func, ast.Attribute) and is_harmless(last):
            return _NOTHING
        for argument in argument_values(call):
            written.add(dotted(argument.value if isinstance(argument, ast.Starred) else argument))
        return _CallEffect(_NONE, frozenset(written - {""}), self._reached(func, scope, changes=callee is not None))

    @staticmethod
    def _is_harmless(func: ast.expr, scope: Scope) -> bool:
        """Whether a function is a builtin, or of a package, that changes nothing."""
        if not isinstance(func, (ast.Attribute, ast.Name)):
            return False
        if (scope.tree.qualname(func, scope) or "").startswith(_HARMLESS_PACKAGES):
            return True
        return isinstance(func, ast.Name) and func.id in _BUILTINS and scope.lookup(func.id) is None

    def _reached(self, func: ast.expr, scope: Scope, *, changes: bool) -> frozenset[str]:
        """The packages whose objects a call may change, apart from its arguments: the package of an imported function, REPOSITORY if
        the function `changes` globals of a file of the repository or may come from a star import."""
        name = scope.tree.qualname(func, scope)
        if name is not None and not changes:
            return frozenset((self.shared.package(name),))
        starred = isinstance(func, ast.Name) and scope.tree.root.star_import and scope.lookup(func.id) is None
        return frozenset((REPOSITORY,)) if changes or starred else _NONE

    def _callee(self, func: ast.expr, scope: Scope) -> tuple[Scope | None, str]:
        """The called function of the file or of its repository, and its receiver ("" for a function)."""
        elsewhere = imported_definition(func, scope)
        if elsewhere is not None and elsewhere.kind == "function":
            return elsewhere.scope, ""
        if isinstance(func, ast.Name):
            owner = scope.lookup(func.id)
            if owner is not None and len(owner.bindings.get(func.id, ())) == 1:
                if func.id in owner.functions:
                    return owner.functions[func.id], ""
                if func.id in owner.classes:
                    return owner.classes[func.id].functions.get("__init__"), "?"
        if isinstance(func, ast.Attribute):
            cls = self_class(scope, func.value.id) if isinstance(func.value, ast.Name) else None
            if cls is not None:
                return cls.functions.get(func.attr), dotted(func.value)
            found = scope.tree.methods.get(func.attr, ())
            if len(found) == 1 and dotted(func.value) and not is_harmless(func.attr):
                return found[0], dotted(func.value)
        return None, ""

    def _inside(self, callee: Scope, receiver: str, call: ast.Call, active: tuple[Scope, ...]) -> _CallEffect | None:
        """The effect of a call of `callee` as seen by its caller; None if it changes objects that only another file has names for."""
        if callee in active or len(active) >= _DEPTH:
            return _NOTHING
        known = _texts_of_parameters(callee, receiver, call)
        effects = [self._effect(stmt.node, callee, (*active, callee)) for stmt in callee.body.stmts]
        inside_read = {name for effect in effects for name in effect.read}
        inside_written = {name for effect in effects for name in effect.written}
        if callee.tree is not self.tree:
            if any(_is_global(name, callee) for name in inside_written):
                return None
            shares = self.shared.reads_globals([name for name in inside_read if _is_global(name, callee)], callee)
            inside_read = {name for name in inside_read if not _is_global(name, callee)} | (
                {GLOBALS} if shares else set()
            )
        heads = {name.partition(".")[0] for effect in effects for name in effect.changed}
        inside_written |= _aliased(callee, heads - known.keys()) & known.keys()
        read = {self._outside(name, callee, known) for name in inside_read}
        written = {self._outside(name, callee, known) for name in inside_written}
        # a parameter that is rebound is not the caller's
        written -= {text for name, text in known.items() if name in inner_names(callee)}
        reached = frozenset().union(*(effect.reached for effect in effects))
        return _CallEffect(frozenset(read - {""}), frozenset(written - {""}), reached)

    @staticmethod
    def _outside(name: str, callee: Scope, known: dict[str, str]) -> str:
        head, dot, tail = name.partition(".")
        if head in known:
            return f"{known[head]}{dot}{tail}" if known[head] else ""
        if head in callee.bindings and not callee.declares(head):
            return ""
        return name


def _texts_of_parameters(callee: Scope, receiver: str, call: ast.Call) -> dict[str, str]:
    """The caller's text for each parameter of a function that gets an argument."""
    arguments = callee.function.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
    known: dict[str, str] = {}
    if receiver and names:
        known[names.pop(0)] = "" if receiver == "?" else receiver
    known.update((name, dotted(argument)) for name, argument in zip(names, call.args, strict=False))
    known.update((keyword.arg, dotted(keyword.value)) for keyword in call.keywords if keyword.arg is not None)
    return known


def _aliased(callee: Scope, changed: set[str]) -> set[str]:
    """The names of which a function's `changed` variables hold a part: ``part = config.optimizer``, ``for group in groups``."""
    held: dict[str, set[str]] = {}
    for node in callee.nodes:
        pairs: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, (ast.For, ast.comprehension)):
            pairs = [(node.target, node.iter)]
        elif isinstance(node, ast.NamedExpr) or (isinstance(node, ast.AnnAssign) and node.value is not None):
            pairs = [(node.target, node.value)]  # type: ignore[list-item]
        for target, value in pairs:
            for name in (n.id for n in walk(target) if isinstance(n, ast.Name)):
                held.setdefault(name, set()).update(_parts_of(value))
    parts = (held.get(name, ()) for name in changed)
    return reachable(chain.from_iterable(parts), lambda name: held.get(name, ()))


def _parts_of(value: ast.expr) -> set[str]:
    """The variables that the result of an expression may be, or be a part of; calls of functions make new objects."""
    if isinstance(value, ast.Name):
        return {value.id}
    if isinstance(value, (ast.Attribute, ast.Subscript, ast.Starred)):
        return _parts_of(value.value)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return _parts_of(value.func.value) if value.func.attr in _GIVES_PART else set()
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _ITERATES:
        return {name for argument in value.args for name in _parts_of(argument)}
    if isinstance(value, (ast.IfExp, ast.BoolOp, ast.Tuple, ast.List)):
        return {name for part in children(value) if isinstance(part, ast.expr) for name in _parts_of(part)}
    return set()


def _is_global(name: str, scope: Scope) -> bool:
    """Whether a name in the code of a function is not local to it."""
    head = name.partition(".")[0]
    return head not in scope.bindings or scope.declares(head)


def inner_names(scope: Scope) -> set[str]:
    """Parameters that the function rebinds."""
    return {name for name, bindings in scope.bindings.items() if len(bindings) > 1}


def _root(node: ast.expr) -> str:
    """``a.b`` of ``a.b[0]["c"]``."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return dotted(node)
