"""Each function of a repository interpreted alone: the values of its expressions for every caller.

`Flow` follows calls, so it knows the arguments that callers in this file pass. Here no call is followed. Arguments are unknown values, and so
are attributes that the function does not set; the result of a call has the called function in `Obj.maker`. `Provenance` combines these runs.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret.trace import Observer
from placefix.facts.interpret.values import Frame, Obj
from placefix.facts.program.ast_names import argument_values
from placefix.facts.program.ast_walk import children

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from placefix.facts.interpret.interpreter_base import Arguments, Known
    from placefix.facts.interpret.state import State
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope, Stmt, Tree

# Methods whose result is the receiver, or another object of its kind.
SAME = frozenset(
    ("to", "type", "cpu", "cuda", "float", "half", "double", "eval", "train", "requires_grad_", "share_memory")
)
# Methods of containers: they put one thing in (by the number of the argument), or several; or nothing.
_PUT = {"append": 0, "add": 0, "insert": 1}
_PUT_ALL = frozenset(("extend", "update"))
_PUT_NOTHING = frozenset(
    ("values", "items", "keys", "get", "copy", "index", "count", "pop", "popitem", "clear", "sort", "reverse", "remove")
)
# Builtins that make a container of the items of another, and those that only read one.
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
_TENSOR_ATTRIBUTES = frozenset(("data", "grad", "T"))


class SummaryRuns(Observer):
    """Runs the functions of a file, and of those that it imports, one at a time and on demand.

    seen: the values that each expression had. slots: values that an attribute has which nothing set yet, with the class of the
    object (or the function) and its name. holders: names (with the scope that binds them) and attributes that hold a container.
    through: the values of attributes by name. sources: the values that a value was computed from. wholes: the value that it is a part,
    a view, a copy or an operation's result of.
    """

    def __init__(self, tree: Tree, infos: dict[Scope, ClassInfo]) -> None:
        self.seen: dict[ast.expr, list[Obj]] = {}
        self.slots: dict[Obj, tuple[Scope, str]] = {}
        self.holders: dict[Obj, set[tuple[Scope | None, str]]] = {}
        self.through: dict[str, list[Obj]] = {}
        self.sources: dict[Obj, tuple[Obj, ...]] = {}
        self.wholes: dict[Obj, Obj] = {}
        self._results: dict[Scope, Obj | None] = {}
        self._ends: dict[Scope, tuple[int, State]] = {}
        super().__init__(tree, tree.source, always=True, infos=infos)

    def _run(self) -> None:
        self.known_of(self.tree)
        self.run_root()
        self.module_state = self.state

    def known_of(self, tree: Tree) -> Known:
        """No evidence: a method that code calls on an object is no proof of its class."""
        return self.known.setdefault(tree, (self.imports if tree is self.own else {}, {}, frozenset()))

    def result(self, scope: Scope) -> Obj | None:
        """The result of a function for unknown arguments; None while the function runs."""
        if scope not in self._results:
            self._results[scope] = None  # for one that comes back to itself
            self.state = self._before(scope)
            self.stack.clear()
            cls = scope.cls
            instance = self.new_instance(cls, cls.node) if cls is not None else None
            self._results[scope] = self.call_scope(scope, instance)
            self.state.dead = ""
            self._ends[scope] = self._ends[scope][0], self.state
        return self._results[scope]

    def _before(self, scope: Scope) -> State:
        """The state in which a function is run: its file's, or that in which the function around it ends."""
        around = scope.parent
        if scope.cls is not None:
            return self._before(scope.cls)
        if around is None or not around.is_function:
            return self.module_state.copy()
        self.result(around)
        self.envs[around], end = self._ends[around]
        return end.copy()

    def bind_parameters(
        self, scope: Scope, ident: int, self_obj: Obj | None, call: ast.expr | None, args: Arguments | None
    ) -> None:
        """Bind parameters, and note the state at the start."""
        super().bind_parameters(scope, ident, self_obj, call, args)
        self._ends[scope] = ident, self.state

    def value_in(self, tree: Tree, expr: ast.expr) -> Obj:
        """The value of an expression on the module level of another file."""
        self.state = self.module_state.copy()
        self.stack.clear()
        with self.inside_of(tree, None):
            self.scopes_active.append(tree.root)
            self.stack.append(Frame(self.envs[tree.root], tree.root.body.stmts[0]))
            value = self.eval(expr)
            self.stack.pop()
            self.scopes_active.pop()
        return value

    # --- calls ---------------------------------------------------------

    def _runs(self, scope: Scope) -> bool:
        return False

    def local_call(self, scope: Scope, self_obj: Obj | None, node: ast.Call, args: Arguments | None = None) -> Obj:
        """The result of a function of the file; it is not run here, and the result names its maker."""
        value = super().local_call(scope, self_obj, node, args)
        value.maker = scope
        return value

    def named(self, name: str, node: ast.Call, root: Scope | None = None) -> Obj:
        """The result of a named function; the result names its maker."""
        value = super().named(name, node, root)
        if value.is_unknown and value.origin is node:
            found = self.found(name, root)
            value.maker = value.maker or (found.scope if found is not None else None)
            value.made = name
        return value

    def opaque(self, node: ast.Call, name: str, *, receiver: Obj | None = None, args: Arguments | None = None) -> Obj:
        """A call of unknown code: its arguments may be changed there, unless it only reads them."""
        if args is None:
            args = self.arguments(node)
        if name not in _READS and not name.startswith("torch."):
            self._leak(value for _, _, value in args)
        return super().opaque(node, name, receiver=receiver, args=args)

    def called_unknown(self, callee: Obj, name: str, node: ast.Call, receiver: Obj | None = None) -> Obj:
        """A call of a value of unknown kind: its arguments may be changed there."""
        return self.opaque(node, name, receiver=receiver)

    def forward(self, module: Obj, node: ast.Call, args: Arguments | None = None) -> Obj:
        """A call of a module: its arguments may be changed there."""
        value = super().forward(module, node, args)
        self._leak(self._last(arg) for arg in argument_values(node))
        return value

    # --- the contents of containers ------------------------------------------------------------------------

    def _leak(self, values: Iterable[Obj | None]) -> None:
        """Code that is not followed gets these, and may put something in."""
        for value in values:
            if value is not None and value.content is not None:
                value.content = None

    def _put(self, container: Obj, *values: Obj, alias: bool = True) -> None:
        if alias:
            self._leak(values)  # an item that is itself a container is reached in two ways from here on
        if container.content is not None:
            container.content = tuple(dict.fromkeys((*container.content, *values)))

    def _put_all(self, container: Obj, source: Obj | None) -> None:
        if source is None or source.content is None:
            container.content = None
        elif container.content is not None:
            container.content = tuple(dict.fromkeys((*container.content, *source.content)))

    def assign_item(self, base: Obj, key: ast.expr, value: Obj) -> None:
        """``base[key] = value``: also note the content of a container."""
        if base.content is not None:
            if isinstance(key, ast.Slice):
                self._put_all(base, value)
            else:
                self._put(base, value)
        super().assign_item(base, key, value)

    def executed(self, stmt: Stmt) -> None:
        """After a statement: note contents and attributes that it changed."""
        node = stmt.node
        if isinstance(node, ast.AugAssign):
            target = self._last(node.target)
            if target is not None and target.content is not None:
                self._put_all(target, self._last(node.value))
        elif isinstance(node, ast.Assign):
            for attribute in node.targets:
                if isinstance(attribute, ast.Attribute):
                    self._kept(attribute, node.value)
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Attribute):
            self._leak([self._last(node.value)])  # the object still holds it

    def _kept(self, attribute: ast.Attribute, expr: ast.expr) -> None:
        """An attribute is set to a value."""
        owner, value = self._last(attribute.value), self._last(expr)
        if owner is None or (owner.cls is None and owner.kind != "function"):
            self._leak([value])  # an object that is not known may be read anywhere
        elif value is not None and value.content is not None:
            self.holders.setdefault(value, set()).add((None, attribute.attr))

    # --- the values of expressions -----------------------------------------------------------------------

    def _last(self, expr: ast.expr) -> Obj | None:
        values = self.seen.get(expr)
        return values[-1] if values else None

    def observe(self, node: ast.expr, value: Obj) -> None:
        """Record each value of an expression, and the operands it was computed from."""
        observer = _OBSERVERS.get(node.__class__)
        if observer is not None:
            observer(self, node, value)
        if value.origin is node and value not in self.sources:
            sources = [self._last(operand) for operand in _operands(node)]
            self.sources[value] = tuple(source for source in sources if source is not None and source is not value)
        known = self.seen.setdefault(node, [])
        if value not in known:
            known.append(value)
        else:
            known.remove(value)
            known.append(value)  # the last one is that of now

    def _of_name(self, node: ast.Name, value: Obj) -> None:
        if value.content is not None:
            owner = self.scopes_active[-1].lookup(node.id)
            if owner is not None:
                self.holders.setdefault(value, set()).add((owner, node.id))

    def _part(self, value: Obj, node: ast.expr, of: ast.expr) -> None:
        whole = self._last(of)
        if value.origin is node and whole is not None and whole is not value:
            self.wholes.setdefault(value, whole)

    def _of_attribute(self, node: ast.Attribute, value: Obj) -> None:
        self._part(value, node, node.value)
        if value.kind in ("unknown", "part") and value.origin is node and value not in self.through.get(node.attr, ()):
            base = self._last(node.value)
            home = base.cls.scope if base is not None and base.cls is not None else None
            if base is not None and base.kind == "function":
                home = base.scope
            if node.attr in _TENSOR_ATTRIBUTES:
                value.made = f"torch.Tensor.{node.attr}"
            elif home is not None:
                self.slots[value] = home, node.attr
            value.content = ()  # the content added through this name
        if value.content is not None:
            self.through.setdefault(node.attr, []).append(value)
            self.holders.setdefault(value, set()).add((None, node.attr))

    def _of_call(self, node: ast.Call, value: Obj) -> None:
        func = node.func
        name = self.tree.qualname(func, self.scopes_active[-1])
        if node.args and name is not None and (name == api.VARIABLE or torch_model.computes_tensor(name)):
            first = node.args[0]
            self._part(value, node, first.elts[0] if isinstance(first, (ast.List, ast.Tuple)) and first.elts else first)
        if isinstance(func, ast.Attribute):
            receiver = self._last(func.value)
            if receiver is not None and not receiver.is_import:
                self._part(value, node, func.value)
                self._of_method(receiver, func.attr, node, value)
        elif isinstance(func, ast.Name) and func.id in _COPIES and self.scopes_active[-1].lookup(func.id) is None:
            self._of_copy(node, value)

    def _of_copy(self, node: ast.Call, value: Obj) -> None:
        """``dict(a=x)`` and ``list(xs)``: a container with the items that it is made of."""
        given = self._last(node.args[0]) if node.args else None
        if value.content is not None or value is given:
            return
        if given is not None and not node.keywords:
            value.content = given.content
        elif not node.args and all(keyword.arg for keyword in node.keywords):
            items = [self._last(keyword.value) for keyword in node.keywords]
            if None not in items:
                value.content = tuple(item for item in items if item is not None)

    def _of_method(self, receiver: Obj, attr: str, node: ast.Call, value: Obj) -> None:
        if value.origin is node:
            self._trace_result(receiver, attr, value)
        if receiver.content is not None:
            self._update_content(receiver, attr, node, value)

    def _trace_result(self, receiver: Obj, attr: str, value: Obj) -> None:
        """The origin of the result of a method."""
        if value.is_unknown:
            if attr in SAME:
                value.alts = (receiver,)
            elif torch_model.is_tensor_method(attr) and torch_model.stays(attr):
                value.made = f"torch.Tensor.{attr}"
            elif receiver.kind == "class" and receiver.scope is not None:
                value.maker = self.class_info(receiver.scope).methods.get(attr)
        elif value.kind == "tensor" and attr.endswith("_") and not attr.endswith("__"):
            value.alts = (receiver,)  # x.add_(y) is x

    def _update_content(self, receiver: Obj, attr: str, node: ast.Call, value: Obj) -> None:
        """The items that a method takes out of a container, or puts into it."""
        if attr in ("values", "items", "copy") and value.content is None:
            value.content, value.attr = receiver.content, attr
        elif attr in _PUT and len(node.args) == _PUT[attr] + 1:
            item = self._last(node.args[-1])
            if item is not None:
                self._put(receiver, item)
        elif attr in _PUT_ALL and len(node.args) == 1 and not node.keywords:
            self._put_all(receiver, self._last(node.args[0]))
        elif attr not in _PUT_NOTHING:
            receiver.content = None

    def _of_subscript(self, node: ast.Subscript, value: Obj) -> None:
        self._part(value, node, node.value)
        if not value.is_unknown or value.origin is not node:
            return
        base = self._last(node.value)
        if isinstance(node.slice, ast.Tuple):
            value.made = "torch.Tensor.__getitem__"  # x[i, :]: no list has that
        elif isinstance(node.slice, ast.Slice):
            if base is not None:
                value.operands = (base,)
                value.content = base.content if base not in self.slots else None
        else:
            value.holder = base
            value.value = node.slice.value if isinstance(node.slice, ast.Constant) else None

    def _of_display(self, node: ast.List | ast.Tuple | ast.Set, value: Obj) -> None:
        items = [self._last(element) for element in node.elts]
        if not any(isinstance(element, ast.Starred) for element in node.elts) and None not in items:
            unpacked = isinstance(node, ast.Tuple) and getattr(self.stack[-1].stmt.node, "value", None) is node
            value.content = ()
            self._put(value, *(item for item in items if item is not None), alias=not unpacked)

    def _of_dict(self, node: ast.Dict, value: Obj) -> None:
        items = [self._last(item) for item in node.values]
        if None not in node.keys and None not in items:
            value.content = ()
            self._put(value, *(item for item in items if item is not None))

    def _of_comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, value: Obj) -> None:
        item = self._last(node.elt)
        if value.origin is node and item is not None:
            value.content = (item,)

    def _of_dict_comprehension(self, node: ast.DictComp, value: Obj) -> None:
        item = self._last(node.value)
        if item is not None:
            value.content = (item,)

    def _of_operation(self, node: ast.BinOp, value: Obj) -> None:
        left, right = self._last(node.left), self._last(node.right)
        if value.is_tensor_like or left is None or right is None:
            return
        if isinstance(node.op, ast.Mult):
            value.content = left.content if isinstance(node.left, ast.List) else right.content
        elif isinstance(node.op, ast.Add) and left.content is not None and right.content is not None:
            value.content = (*left.content, *right.content)
        if value.origin is node:
            value.operands = (left, right)

    def item_of(self, value: Obj, key: object, node: ast.expr) -> Obj:
        """An item of a value: also note its container."""
        item = super().item_of(value, key, node)
        if item.is_unknown and item.origin is node:
            item.holder, item.value = value, key
        if item.origin is node and item is not value:
            self.wholes[item] = value
            self.sources[item] = (value,)
        return item

    def store_name(self, name: str, value: Obj) -> None:
        """Bind a name: also note the operands of the value."""
        stmt = self.stack[-1].stmt.node if self.stack else None
        if value not in self.sources and value.holder is None and not value.param:
            made = [stmt.iter] if isinstance(stmt, (ast.For, ast.AsyncFor)) else []
            made = [stmt.target, stmt.value] if isinstance(stmt, ast.AugAssign) else made
            sources = [self._last(expr) for expr in made]
            self.sources[value] = tuple(source for source in sources if source is not None and source is not value)
        super().store_name(name, value)


def _operands(node: ast.expr) -> list[ast.expr]:
    """The expressions that a value is computed of: receiver, arguments, elements."""
    if isinstance(node, ast.Call):
        receiver = [node.func.value if isinstance(node.func, ast.Attribute) else node.func]
        return [*receiver, *argument_values(node)]
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        return [node.elt]
    if isinstance(node, ast.DictComp):
        return [node.key, node.value]
    return [child for child in children(node) if isinstance(child, ast.expr)]


_OBSERVERS: dict[type[ast.AST], Callable[[SummaryRuns, Any, Obj], None]] = {
    ast.Name: SummaryRuns._of_name,
    ast.Attribute: SummaryRuns._of_attribute,
    ast.Call: SummaryRuns._of_call,
    ast.Subscript: SummaryRuns._of_subscript,
    ast.List: SummaryRuns._of_display,
    ast.Tuple: SummaryRuns._of_display,
    ast.Set: SummaryRuns._of_display,
    ast.Dict: SummaryRuns._of_dict,
    ast.ListComp: SummaryRuns._of_comprehension,
    ast.SetComp: SummaryRuns._of_comprehension,
    ast.GeneratorExp: SummaryRuns._of_comprehension,
    ast.DictComp: SummaryRuns._of_dict_comprehension,
    ast.BinOp: SummaryRuns._of_operation,
}
