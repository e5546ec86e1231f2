"""A run of code that finds where the values of a checkpoint go: by name into other dicts, and with those into modules and optimizers.

loaded = torch.load(path)
kept = {k: v for k, v in loaded.items() if k in own}
own.update(kept)
model.load_state_dict(own)
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from placefix import torch_model
from placefix.facts.interpret.constraint_runs import ConstraintRun, owner_of
from placefix.facts.naming import mentions_schedule
from placefix.facts.program.ast_names import dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from placefix.facts.interpret.interpreter_base import Arguments
    from placefix.facts.interpret.state import State
    from placefix.facts.interpret.values import ClassInfo, Obj
    from placefix.facts.program.tree import Scope, Stmt


Loads = frozenset[ast.expr]

# Methods of a dict that give a part of it, or a copy; that give its items; and that put others into it.
_READS = frozenset(("get", "pop", "state_dict", "copy", "values"))
_FILLS = frozenset(("update", "setdefault", "append", "extend", "insert"))
# Functions that give the items of their argument, and those that need its sizes or its text.
_PASSES = frozenset(
    ("list", "sorted", "tqdm", "tqdm.tqdm", "OrderedDict", "collections.OrderedDict", "dict", "reversed")
)
_LOOKS = frozenset(("print", "len", "isinstance", "type", "set", "str", "np.shape", "numpy.shape"))

_NONE: Loads = frozenset()


class CheckpointRun(ConstraintRun):
    """The run of a function, or of the module level, with the calls that load checkpoints (`loads`).

    copied: for each of those, the calls of ``load_state_dict`` that get values of it. used: those of which some value is needed for
    anything else than these calls, or for something that is the same on every device. bound: the names that hold values of each.
    """

    def __init__(self, scope: Scope, infos: dict[Scope, ClassInfo], loads: Collection[ast.expr]) -> None:
        self.loads = loads
        self.copied: dict[ast.expr, dict[ast.Call, None]] = {}
        self.used: set[ast.expr] = set()
        self.bound: dict[ast.expr, set[str]] = {}
        self._held: dict[Obj, Loads] = {}  # the checkpoints with values that an object is or holds
        self.listed: set[Obj] = set()  # iterables of values
        self.pairs: set[Obj] = set()  # iterables of keys with values
        self.entered: set[ast.expr] = set()  # the calls that were followed
        super().__init__(scope, infos, owner_of(scope, infos))

    def loads_in(self, value: Obj, depth: int = 0) -> Loads:
        """The checkpoints with values that a value is or holds."""
        found = self._held.get(value, _NONE)
        for part in (*value.alts, *(value.items or ())) if depth < 4 else ():
            found |= self.loads_in(part, depth + 1)
        return found

    def hold(self, value: Obj, loads: Loads) -> None:
        """Add checkpoints with values that a value is or holds."""
        if loads:
            self._held[value] = self._held.get(value, _NONE) | loads

    # --- statements -------------------------------------------------------------------------------------

    def differs(self, before: State, after: State) -> bool:
        """Whether a loop runs again: never, for speed."""
        return False

    def executed(self, stmt: Stmt) -> None:
        """Note the values that leave the function in a statement."""
        super().executed(stmt)
        node = stmt.node
        if isinstance(node, ast.Return) and node.value is not None and not any(self.inside):
            self.used |= self.loads_in(self.last_value(node.value))
        elif isinstance(node, ast.AugAssign):
            self.used |= self.loads_in(self.last_value(node.value)) | self.loads_in(self.last_value(node.target))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Attribute) for target in targets):
                self.used |= self.loads_in(self.last_value(node.value))

    def store_name(self, name: str, value: Obj) -> None:
        """Bind a name."""
        super().store_name(name, value)
        if self.scopes_active[-1] is self.scope:
            for load in self.loads_in(value):
                self.bound.setdefault(load, set()).add(name)
        elif name in self.scopes_active[-1].globals:
            self.need(self.loads_in(value))

    def assign_item(self, base: Obj, key: ast.expr, value: Obj) -> None:
        """``base[key] = value``"""
        super().assign_item(base, key, value)
        self.fill(base, self.loads_in(value))

    def fill(self, container: Obj, loads: Loads) -> None:
        """Values of checkpoints go into a container, which code elsewhere may have as well: a parameter, a global, an attribute."""
        self.hold(container, loads)
        if container.kind == "part" or isinstance(container.origin, (ast.arg, ast.Name, ast.Attribute)):
            self.need(loads)

    def item_of(self, value: Obj, key: object, node: ast.expr) -> Obj:
        """An item of a value: of a key with its value, the value."""
        item = super().item_of(value, key, node)
        pairs = value.holder
        if pairs is None or pairs not in self.pairs:
            self.hold(item, self.loads_in(value))
        elif key == 1:
            self.hold(item, self.loads_in(pairs))
        return item

    def local_call(self, scope: Scope, self_obj: Obj | None, node: ast.Call, args: Arguments | None = None) -> Obj:
        """The result of a function of the file; one that is given no value of a checkpoint is not followed, for speed."""
        args = self.arguments(node) if args is None else args
        if not any(self.loads_in(value) for _, _, value in args):
            return self.opaque(node, scope.name, receiver=self_obj, args=args)
        return super().local_call(scope, self_obj, node, args)

    def call_scope(
        self, scope: Scope, self_obj: Obj | None = None, call: ast.expr | None = None, args: Arguments | None = None
    ) -> Obj:
        """Run a function's body; its call is kept in `entered`."""
        if call is not None:
            self.entered.add(call)
        return super().call_scope(scope, self_obj, call, args)

    # --- expressions ------------------------------------------------------------------------------------

    def eval(self, node: ast.expr) -> Obj:
        """The value of an expression, with the checkpoints that it holds."""
        value = super().eval(node)
        transfer = _TRANSFERS.get(node.__class__)
        if node in self.loads:
            self.hold(value, frozenset((node,)))
        elif transfer is not None:
            self.hold(value, transfer(self, node, value))
        return value

    def of_parts(self, *parts: ast.expr | None) -> Loads:
        """The checkpoints in the values of expressions."""
        return _NONE.union(*(self.loads_in(self.last_value(part)) for part in parts if part is not None))

    def use(self, obj: Obj, what: str, node: ast.expr | None) -> None:
        """A use of a tensor, which is of no interest here."""

    def need(self, loads: Loads) -> Loads:
        """Values of checkpoints are needed for themselves."""
        self.used |= loads
        return loads


# --- one function for each class of expressions: the run, the expression, its value; the checkpoints that the value holds -------------


def _name(run: CheckpointRun, node: ast.Name, value: Obj) -> Loads:
    holder = value.holder
    if holder is None:
        return _NONE
    if holder.holder is not None and holder.holder in run.pairs:
        return run.loads_in(holder.holder) if value.value == 1 else _NONE
    return run.loads_in(holder) if holder in run.listed or holder in run.pairs else _NONE


def _attribute(run: CheckpointRun, node: ast.Attribute, value: Obj) -> Loads:
    return _NONE if torch_model.is_answer(node.attr) else run.need(run.of_parts(node.value))


def _subscript(run: CheckpointRun, node: ast.Subscript, value: Obj) -> Loads:
    run.need(run.of_parts(node.slice))
    return run.of_parts(node.value) if value.origin is node else _NONE


def _compare(run: CheckpointRun, node: ast.Compare, value: Obj) -> Loads:
    if isinstance(node.ops[0], (ast.In, ast.NotIn)):
        run.need(run.of_parts(node.left))
    elif not isinstance(node.ops[0], (ast.Is, ast.IsNot)):
        run.need(run.of_parts(node.left, *node.comparators))
    return _NONE


def _unaryop(run: CheckpointRun, node: ast.UnaryOp, value: Obj) -> Loads:
    return _NONE if isinstance(node.op, ast.Not) else run.need(run.of_parts(node.operand))


def _comprehension(run: CheckpointRun, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, value: Obj) -> Loads:
    if isinstance(node.elt, ast.Tuple) and len(node.elt.elts) == 2:
        run.pairs.add(value)
        return run.of_parts(node.elt.elts[1])
    run.listed.add(value)
    return run.of_parts(node.elt)


def _call(run: CheckpointRun, node: ast.Call, value: Obj) -> Loads:
    func = node.func
    given = run.of_parts(*node.args, *(keyword.value for keyword in node.keywords))
    if given and isinstance(func, ast.Attribute) and func.attr == "load_state_dict":
        return _copied(run, func.value, node, given)
    if node in run.entered:
        return _NONE  # the value of its return
    if isinstance(func, ast.Attribute) and run.last_value(func.value).kind != "import":
        return _method(run, func, node, value, given)
    name, first = dotted(func), node.args[0] if node.args else None
    if name in _PASSES and first is not None:
        for forms in (run.listed, run.pairs):
            if run.last_value(first) in forms:
                forms.add(value)
        return run.of_parts(first)
    return _NONE if name in _LOOKS or name in ("zip", "enumerate") else run.need(given)


def _copied(run: CheckpointRun, receiver: ast.expr, node: ast.Call, given: Loads) -> Loads:
    """``load_state_dict``: the state of a scheduler holds no tensors."""
    made = run.last_value(receiver).origin
    if any(isinstance(expr, ast.expr) and mentions_schedule(run.source.code(expr)) for expr in (receiver, made)):
        run.need(given)
    else:
        for load in given:
            run.copied.setdefault(load, {})[node] = None
    return _NONE


def _method(run: CheckpointRun, func: ast.Attribute, node: ast.Call, value: Obj, given: Loads) -> Loads:
    owner, attr = run.last_value(func.value), func.attr
    held = run.loads_in(owner)
    if attr in _FILLS:
        run.fill(owner, given)
        return _NONE
    held |= run.need(given)
    if attr == "items":
        run.pairs.add(value)
    elif attr == "values":
        run.listed.add(value)
    elif torch_model.is_answer(attr) or attr == "keys":
        return _NONE
    return held if attr in _READS or attr in ("items", "values") else run.need(held)


_TRANSFERS: dict[type[ast.AST], Callable[[CheckpointRun, Any, Obj], Loads]] = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Compare: _compare,
    ast.UnaryOp: _unaryop,
    ast.BinOp: lambda run, node, value: run.need(run.of_parts(node.left, node.right)),
    ast.BoolOp: lambda run, node, value: run.of_parts(*node.values),
    ast.IfExp: lambda run, node, value: run.of_parts(node.body, node.orelse),
    ast.Dict: lambda run, node, value: run.of_parts(*node.values),
    ast.DictComp: lambda run, node, value: run.of_parts(node.value),
    ast.Tuple: lambda run, node, value: run.of_parts(*node.elts),
    ast.List: lambda run, node, value: run.of_parts(*node.elts),
    ast.Set: lambda run, node, value: run.of_parts(*node.elts),
    ast.Lambda: lambda run, node, value: run.need(run.of_parts(node.body)),
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.Yield: lambda run, node, value: run.need(run.of_parts(node.value)),
    ast.Call: _call,
}
