"""What a caller hands over may lie on the GPU although the flag that nobody has to give is false."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.interpret.stores import class_of_self
from placefix.facts.program.names import defaults, dotted, parameters
from placefix.facts.program.tree import common, dominates

if TYPE_CHECKING:
    from placefix.facts import Facts
    from placefix.facts.cuda.sites import Site
    from placefix.facts.program.guards import Test
    from placefix.facts.program.tree import Scope, Stmt


def handed(facts: Facts, site: Site) -> str:
    """The parameter of its function that a site moves, or a part of one, as it was handed over; empty otherwise."""
    node: ast.expr = site.node
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    scope = site.stmt.scope
    text = (
        dotted(site.node.func.value)
        if isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute)
        else ""
    )
    if "." in text:  # self.x = x, and then self.x = self.x.cuda()
        kept = [
            w.value
            for w in facts.devices.index.values(scope, text)
            if w.value is not None and dotted(w.value) and w.stmt is not site.stmt
        ]
        node = kept[0] if len(kept) == 1 else node
    if not isinstance(node, ast.Name) or scope.kind != "function" or scope.lookup(node.id) is not scope:
        return ""
    return node.id if _Handed(facts, scope).at(node.id, site.stmt, frozenset()) else ""


class _Handed:
    """Which names of a function may hold a parameter as it was handed over, or a part or a view of one."""

    def __init__(self, facts: Facts, scope: Scope) -> None:
        self.facts = facts
        self.scope = scope
        self.parameters = parameters(scope.function.args).keys() - {"self", "cls"}

    def at(self, name: str, stmt: Stmt, seen: frozenset[str]) -> bool:
        """Whether `name` may hold one at `stmt`: what is bound behind it does not count, nor what always replaces it before."""
        seen |= {name}
        derived = False
        replaced: list[Stmt] = []
        for binder in self.facts.devices.index.binding(self.scope, name):
            node = binder.node
            if not isinstance(node, ast.Assign) or not _before(binder, stmt):
                continue
            roots = [root for root in map(self._root, _items(node.value)) if root not in seen]
            if roots and all(root and self.at(root, binder, seen) for root in roots):
                derived = True
            elif roots:
                replaced.append(binder)
        if any(dominates(binder, stmt) for binder in replaced):
            return False
        return name in self.parameters or derived

    def _root(self, node: ast.expr) -> str:
        """The name that a value is a part, a view or a moved copy of, or is computed of."""
        while True:
            if isinstance(node, (ast.Attribute, ast.Subscript)):
                node = node.value
            elif isinstance(node, ast.Call) and node.args and self._computes(node):
                node = _items(node.args[0])[0] if _items(node.args[0]) else node.args[0]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                node = node.func.value
            else:
                return node.id if isinstance(node, ast.Name) else ""

    def _computes(self, call: ast.Call) -> bool:
        """Whether a function of torch's makes its result where its first argument lies."""
        name = self.facts.tree.qualname(call.func, self.scope) or ""
        return name == api.VARIABLE or name in api.TENSOR_FUNCTIONS or name.startswith(api.FUNCTIONAL)


def _before(binder: Stmt, stmt: Stmt) -> bool:
    """Whether a statement may run before another: it stands above it, or in a loop with it."""
    pair = common(binder, stmt)
    if pair is None:
        return True
    loops = {a for a in binder.ancestors() if isinstance(a.node, (ast.For, ast.AsyncFor, ast.While))}
    return binder is not stmt and (pair[0].index < pair[1].index or any(a in loops for a in stmt.ancestors()))


def _items(value: ast.expr) -> list[ast.expr]:
    return value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]


def optional(facts: Facts, test: Test, scope: Scope) -> bool:
    """Whether a flag is false where a caller does not speak of it, by the default of a parameter or of the class's
    constructor, and no call in the file shows that all of them do."""
    for text in test.reads:
        name, owner = text, scope.lookup(text)
        made: Scope | None = None
        if "." in text:
            made = class_of_self(text.partition(".")[0], scope)
            init = made.functions.get("__init__") if made is not None else None
            values = [w.value for w in facts.devices.index.values(init, text)] if init is not None else []
            if text.count(".") != 1 or init is None or len(values) != 1 or not isinstance(values[0], ast.Name):
                continue
            name, owner = values[0].id, init
        if owner is None or owner.kind != "function" or not _falsy(defaults(owner.function.args).get(name)):
            continue
        called = made if made is not None else owner
        calls = [c for c, _ in facts.devices.index.calls if dotted(c.func).rpartition(".")[2] == called.name]
        if not calls or not all(_given(c, name, owner) for c in calls):
            return True
    return False


def _falsy(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and not value.value


def _given(call: ast.Call, name: str, function: Scope) -> bool:
    """Whether a call says what a parameter is."""
    if any(k.arg == name for k in call.keywords):
        return True
    given = function.function.args
    names = [a.arg for a in (*given.posonlyargs, *given.args) if a.arg != "self"]
    return (
        name in names and len(call.args) > names.index(name) and not any(isinstance(a, ast.Starred) for a in call.args)
    )


def _same_flag(site: Site, test: Test) -> bool:
    """Whether a site stands under the flag, as an argument or as the attribute that it became."""
    other = site.guard.test if site.guard is not None else None
    return other is not None and _last(other.text) == _last(test.text)


def _makes_device(facts: Facts, call: ast.Call, test: Test) -> bool:
    """``torch.device("cuda" if use_cuda else "cpu")``"""
    choice = call.args[0] if call.args else None
    return (
        isinstance(choice, ast.IfExp)
        and dotted(call.func).endswith("device")
        and _last(facts.text(choice.test)) == _last(test.text)
    )


def _last(text: str) -> str:
    return text.rpartition(".")[2]


def _related(a: Scope, b: Scope) -> bool:
    """Whether two functions are the same, or of one class."""
    return a is b or (a.parent is b.parent and a.parent is not None and a.parent.kind == "class")


def doubt(facts: Facts, site: Site, test: Test) -> str:
    """Why something that is moved may lie on a GPU where the flag is false; empty where it is the flag that decides."""
    if test.available or test.negated:
        return ""
    named = facts.intents.mover(site)
    if named is not None:
        return f"what `{named.name}` is given is taken to lie on the CPU where `{test.text}` is false"
    name = handed(facts, site)
    if not name or not optional(facts, test, site.stmt.scope):
        return ""
    scope = site.stmt.scope
    if any(
        _same_flag(other, test) and _related(other.stmt.scope, scope) and not handed(facts, other)
        for other in facts.cuda.sites
    ):
        return ""  # what is made here lies where the flag says, and meets it
    if any(
        _makes_device(facts, call, test) and _related(stmt.scope, scope) for call, stmt in facts.devices.index.calls
    ):
        return ""
    return f"`{name}` is taken to lie on the CPU where `{test.text}` is false: that is the default, and the caller may have placed it"
