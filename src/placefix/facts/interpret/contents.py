"""What lists, tuples and dicts of a file can only hold: ``nets = []``, ``nets.append(Net())``, then ``nets[i].cuda()``.

Looked at is what a container is made of, and everything that the file does with it, in whatever order: where it is handed to
code that may put something in, what it holds is not known.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.interpret.stores import class_of_self
from placefix.facts.program.children import children, header, walk
from placefix.facts.program.names import dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from placefix.facts.interpret.stores import Store
    from placefix.facts.program.index import Index
    from placefix.facts.program.tree import Scope, Stmt

    # What the code of a scope can only get from an expression, an empty string where that is not known, None where it says nothing.
    Answer = str | None

# Methods of containers: they put one thing in (by the number of the argument), or several; or nothing.
_PUT = {"append": 0, "add": 0, "insert": 1}
_PUT_ALL = frozenset(("extend", "update"))
_PUT_NOTHING = frozenset(
    ("values", "items", "keys", "get", "copy", "index", "count", "pop", "popitem", "clear", "sort", "reverse", "remove")
)
# Builtins that give the items of what they are called with, and those that read them.
_COPIES = frozenset(("list", "tuple", "sorted", "reversed", "set", "dict", "iter"))
_READS = _COPIES | {
    "len",
    "enumerate",
    "zip",
    "range",
    "print",
    "bool",
    "all",
    "any",
    "isinstance",
    "id",
    "sum",
    "next",
}


class Contents:
    """Answers for one file.

    index: its expressions. under: the containers that are being looked at. of: the answer for what is no container. kept: the
    bare thing under what gives a thing itself (``x.cuda().eval()``). stored: what an attribute of a class's instances is set to.
    """

    def __init__(
        self,
        index: Index,
        under: set[object],
        of: Callable[[ast.expr, Scope], Answer],
        kept: Callable[[ast.expr], ast.expr],
        stored: Callable[[str, Scope], Iterable[Store]],
    ) -> None:
        self._index = index
        self._under = under
        self._of = of
        self._kept = kept
        self._stored = stored

    def items(self, expr: ast.expr, scope: Scope) -> Iterator[Answer]:
        """The answers for what an expression holds, one for each way to put something in."""
        if isinstance(expr, (ast.List, ast.Tuple, ast.Set)):
            for element in expr.elts:
                yield "" if isinstance(element, ast.Starred) else self._of(element, scope)
        elif isinstance(expr, ast.Dict):
            yield from ("" if key is None else self._of(value, scope) for key, value in zip(expr.keys, expr.values))
        elif isinstance(expr, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            yield from self._made(expr.elt, expr.generators, scope)
        elif isinstance(expr, ast.DictComp):
            yield from self._made(expr.value, expr.generators, scope)
        elif isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Mult):
            yield from self.items(expr.left if isinstance(expr.left, ast.List) else expr.right, scope)
        elif isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Add):
            yield from self.items(expr.left, scope)
            yield from self.items(expr.right, scope)
        elif isinstance(expr, ast.Subscript) and isinstance(expr.slice, ast.Slice):
            yield from self.items(expr.value, scope)
        elif isinstance(expr, ast.Call):
            yield from self._called(expr, scope)
        elif isinstance(expr, ast.Name):
            yield from self._named(expr.id, scope)
        elif isinstance(expr, ast.Attribute):
            yield from self._attribute(dotted(expr), scope)
        else:
            yield ""

    def ran_over(self, name: str, target: ast.expr, iterable: ast.expr, scope: Scope) -> Iterator[Answer]:
        """The answers for a name that a loop or comprehension binds."""
        called = iterable.func if isinstance(iterable, ast.Call) else None
        if isinstance(target, ast.Name) and target.id == name:
            yield from self.items(iterable, scope)
        elif not isinstance(target, ast.Tuple) or not isinstance(iterable, ast.Call):
            yield ""
        else:
            at = next((n for n, e in enumerate(target.elts) if isinstance(e, ast.Name) and e.id == name), -1)
            if isinstance(called, ast.Name) and called.id == "zip" and 0 <= at < len(iterable.args):
                yield from self.items(iterable.args[at], scope)
            elif isinstance(called, ast.Name) and called.id == "enumerate" and at == 1 and iterable.args:
                yield from self.items(iterable.args[0], scope)
            elif isinstance(called, ast.Attribute) and called.attr == "items" and at == 1 and not iterable.args:
                yield from self.items(called.value, scope)
            else:
                yield ""

    def _made(self, element: ast.expr, generators: list[ast.comprehension], scope: Scope) -> Iterator[Answer]:
        """What a comprehension makes."""
        bare = self._kept(element)
        bound = {n.id: g for g in generators for n in walk(g.target) if isinstance(n, ast.Name)}
        if isinstance(bare, ast.Name) and bare.id in bound:
            yield from self.ran_over(bare.id, bound[bare.id].target, bound[bare.id].iter, scope)
        elif any(
            isinstance(n, ast.Name) and n.id in bound for n in walk(bare.func if isinstance(bare, ast.Call) else bare)
        ):
            yield ""
        else:
            yield self._of(bare, scope)

    def _called(self, call: ast.Call, scope: Scope) -> Iterator[Answer]:
        func = call.func
        if isinstance(func, ast.Name) and func.id in _COPIES and scope.lookup(func.id) is None and len(call.args) <= 1:
            for arg in call.args:
                yield from self.items(arg, scope)
            for keyword in call.keywords:
                yield self._of(keyword.value, scope) if func.id == "dict" and keyword.arg else None
        elif isinstance(func, ast.Attribute) and func.attr in ("values", "copy") and not call.args:
            yield from self.items(func.value, scope)
        else:
            yield ""

    # --- containers that have a name ----------------------------------------------------------------

    def _named(self, name: str, scope: Scope) -> Iterator[Answer]:
        owner = scope.lookup(name)
        key = owner, f"{name}[]"
        if owner is None or name in owner.imports or name not in owner.bindings or key in self._under:
            yield None if key in self._under else ""  # what it holds itself adds nothing
            return
        self._under.add(key)
        for bound in owner.bindings[name]:
            yield from self._bound(bound, name, owner)
        for node, stmt in self._index.read(name):
            if stmt.scope.lookup(name) is owner:
                yield from self._use(node, stmt)
        self._under.discard(key)

    def _bound(self, node: ast.AST, name: str, owner: Scope) -> Iterator[Answer]:
        """The answers for what one statement binds to a name."""
        if isinstance(node, ast.AugAssign):
            return  # one of the uses
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name) and target.id == name:
                    yield from self.items(node.value, owner)
                    return
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    if len(target.elts) == len(node.value.elts):
                        for element, value in zip(target.elts, node.value.elts, strict=True):
                            if isinstance(element, ast.Name) and element.id == name:
                                yield from self.items(value, owner)
                                return
        yield ""

    def _attribute(self, text: str, scope: Scope) -> Iterator[Answer]:
        """The answers for ``self.x``, wherever the file speaks of an attribute of that name."""
        root, _, attr = text.partition(".")
        home = class_of_self(root, scope) if attr and "." not in attr else None
        key, stores = (home, f"{text}[]"), list(self._stored(text, home)) if home is not None else []
        if not stores or key in self._under:
            yield None if key in self._under else ""
            return
        self._under.add(key)
        for store in stores:
            yield from self.items(store.value, store.scope) if store.value is not None else ("",)
        for _, node, stmt in self._index.attributes(lambda name: name == attr):
            yield from self._use(node, stmt)
        self._under.discard(key)

    def _use(self, node: ast.expr, stmt: Stmt) -> Iterator[Answer]:
        """The answers for what a place in the text that names a container puts into it."""
        parents = {child: top for part in header(stmt.node) for top in walk(part) for child in children(top)}
        around = parents.get(node, stmt.node)
        above = parents.get(around, stmt.node)
        scope = stmt.scope
        if isinstance(around, ast.Attribute) and isinstance(above, ast.Call) and above.func is around:
            yield from self._method(around.attr, above, scope)
        elif isinstance(around, ast.Subscript) and around.value is node:
            yield from self._item(around, above, scope)
        elif isinstance(around, ast.AugAssign):
            yield from self.items(around.value, scope) if around.target is node else ("",)
        elif isinstance(around, ast.Call) and node is not around.func:
            name = around.func.id if isinstance(around.func, ast.Name) and scope.lookup(around.func.id) is None else ""
            known = name in _READS or (scope.tree.qualname(around.func, scope) or "").startswith("torch.")
            yield None if known else ""
        elif isinstance(around, ast.Assign):
            yield None if node in around.targets else ""
        elif isinstance(around, ast.Return):
            yield None if isinstance(node, ast.Name) else ""  # the caller's, once the function has ended
        elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            yield None  # its binding was asked
        else:
            reads = (ast.For, ast.comprehension, ast.Starred, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.If, ast.While)
            yield None if isinstance(around, (*reads, ast.BinOp, ast.Delete)) else ""

    def _method(self, name: str, call: ast.Call, scope: Scope) -> Iterator[Answer]:
        if name in _PUT and len(call.args) == _PUT[name] + 1:
            yield self._put(call.args[-1], call.func, scope)
        elif name in _PUT_ALL and len(call.args) == 1 and not call.keywords:
            yield from self.items(call.args[0], scope)
        else:
            yield None if name in _PUT_NOTHING else ""

    def _item(self, item: ast.Subscript, above: ast.AST, scope: Scope) -> Iterator[Answer]:
        """``nets[i] = net``; reading an item puts nothing in."""
        if not isinstance(item.ctx, ast.Store):
            yield None
        elif isinstance(above, ast.Assign) and item in above.targets:
            if isinstance(item.slice, ast.Slice):
                yield from self.items(above.value, scope)
            else:
                yield self._put(above.value, item, scope)
        else:
            yield ""

    def _put(self, value: ast.expr, place: ast.expr, scope: Scope) -> Answer:
        """The answer for what is put in; None for what was there before (``nets[i] = nets[i].cuda()``)."""
        bare, held = self._kept(value), place.value if isinstance(place, (ast.Subscript, ast.Attribute)) else None
        same = isinstance(bare, ast.Subscript) and held is not None and dotted(bare.value) == dotted(held) != ""
        return None if same else self._of(bare, scope)
