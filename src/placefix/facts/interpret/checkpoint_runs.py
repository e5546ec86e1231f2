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
from placefix.facts.program.ast_names import argument_values, dotted
from placefix.facts.program.ast_walk import children

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

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
_LOOKS = frozenset(("len", "isinstance", "type", "set", "int", "float", "bool", "np.shape", "numpy.shape"))

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
        else:
            self.need(self.of_parts(*_leaving(node)))

    def store_name(self, name: str, value: Obj) -> None:
        """Bind a name."""
        super().store_name(name, value)
        if self.scopes_active[-1] is self.scope:
            for load in self.loads_in(value):
                self.bound.setdefault(load, set()).add(name)
        elif self.scopes_active[-1].declares(name) or self.scopes_active[-1].is_class:
            self.need(self.loads_in(value))

    def assign_item(self, base: Obj, key: ast.expr, value: Obj) -> None:
        """``base[key] = value``"""
        super().assign_item(base, key, value)
        self.need(self.of_parts(key))
        self.fill(base, self.loads_in(value))

    def fill(self, container: Obj, loads: Loads) -> None:
        """Values of checkpoints go into a container, which code elsewhere may have as well: a parameter, a global, an attribute."""
        self.hold(container, loads)
        if container.is_part or isinstance(container.origin, (ast.arg, ast.Name, ast.Attribute)):
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
        if node in self.loads:
            self.hold(value, frozenset((node,)))
        else:
            self.hold(value, _TRANSFERS.get(node.__class__, _other)(self, node, value))
        return value

    def of_parts(self, *parts: ast.expr | None) -> Loads:
        """The checkpoints in the values of expressions."""
        plain = (part.value if isinstance(part, ast.Starred) else part for part in parts if part is not None)
        return _NONE.union(*(self.loads_in(self.last_value(part)) for part in plain))

    def use(self, obj: Obj, what: str, node: ast.expr | None) -> None:
        """A use of a tensor, which is of no interest here."""

    def need(self, loads: Loads) -> Loads:
        """Values of checkpoints are needed for themselves."""
        self.used |= loads
        return loads


def takes_copy(attr: str) -> bool:
    """Whether a method writes a tensor on any device into its own, which stays where it is: ``copy_``."""
    operator = torch_model.method(attr) if attr.endswith("_") else None
    return operator is not None and not operator.together and operator.device == "input"


def _leaving(node: ast.stmt) -> list[ast.expr]:
    """The expressions of a statement whose values it uses itself, or stores where other code may read them."""
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [item.context_expr for item in node.items]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
    if isinstance(node, ast.Match):
        return [node.subject]
    if isinstance(node, (ast.For, ast.AsyncFor)):
        targets, value = [node.target], node.iter
    elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        targets, value = node.targets if isinstance(node, ast.Assign) else [node.target], node.value
    else:
        return []
    return [value] if any(isinstance(part, ast.Attribute) for target in targets for part in _bound(target)) else []


def _bound(target: ast.expr) -> Iterator[ast.expr]:
    """The names, attributes and items that a target binds."""
    if isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _bound(element)
    else:
        yield target.value if isinstance(target, ast.Starred) else target


# --- one function for each class of expressions: the run, the expression, its value; the checkpoints that the value holds -------------


def _other(run: CheckpointRun, node: ast.expr, value: Obj) -> Loads:
    return run.need(run.of_parts(*(part for part in children(node) if isinstance(part, ast.expr))))


def _name(run: CheckpointRun, node: ast.Name, value: Obj) -> Loads:
    holder = value.holder
    if holder is None:
        return _NONE
    if holder.holder is not None and holder.holder in run.pairs:
        return run.loads_in(holder.holder) if value.value == 1 else _NONE
    return run.loads_in(holder) if holder in run.listed or holder in run.pairs else _NONE


def _of_owner(run: CheckpointRun, node: ast.Attribute) -> Loads:
    """The checkpoints in the value that an attribute is read of. A loop may go through keys, but a key has no ``cuda``."""
    owner = run.last_value(node.value)
    whole = owner.holder if not hasattr(str, node.attr) else None
    return run.loads_in(owner) | (run.loads_in(whole) if whole is not None and whole not in run.pairs else _NONE)


def _binop(run: CheckpointRun, node: ast.BinOp, value: Obj) -> Loads:
    operands = (node.left, node.right)
    wholes = (run.last_value(operand).holder for operand in operands if isinstance(operand, ast.Name))
    texts = (ast.Constant, ast.JoinedStr)
    if not isinstance(node.op, ast.Mod) and not any(isinstance(operand, texts) for operand in operands):
        for whole in wholes:
            if whole is not None and whole not in run.pairs:
                run.need(run.loads_in(whole))
    return run.need(run.of_parts(*operands))


def _attribute(run: CheckpointRun, node: ast.Attribute, value: Obj) -> Loads:
    if _keeps_values(node.attr):
        return _of_owner(run, node)
    return _NONE if _is_same_anywhere(node.attr) else run.need(_of_owner(run, node))


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
        run.need(run.of_parts(node.elt.elts[0]))
        return run.of_parts(node.elt.elts[1])
    run.listed.add(value)
    return run.of_parts(node.elt)


def _call(run: CheckpointRun, node: ast.Call, value: Obj) -> Loads:
    func = node.func
    given = run.of_parts(*argument_values(node))
    if given and isinstance(func, ast.Attribute) and (func.attr == "load_state_dict" or takes_copy(func.attr)):
        return _copied(run, func.value, node, given)
    if node in run.entered:
        return _NONE  # the value of its return
    if isinstance(func, ast.Attribute) and not run.last_value(func.value).is_import:
        return _method(run, func, node, value, given)
    name, first = dotted(func), node.args[0] if node.args else None
    if name in _PASSES and first is not None:
        for forms in (run.listed, run.pairs):
            if run.last_value(first) in forms:
                forms.add(value)
        return run.of_parts(first)
    return _NONE if name in _LOOKS and not _names_cuda(run, node) else run.need(given)


def _copied(run: CheckpointRun, receiver: ast.expr, node: ast.Call, given: Loads) -> Loads:
    """``load_state_dict``, and ``copy_`` of a tensor: the state of a scheduler holds no tensors."""
    made = run.last_value(receiver).origin
    if any(isinstance(expr, ast.expr) and mentions_schedule(run.source.code(expr)) for expr in (receiver, made)):
        run.need(given)
    else:
        for load in given:
            run.copied.setdefault(load, {})[node] = None
    return _NONE


def _method(run: CheckpointRun, func: ast.Attribute, node: ast.Call, value: Obj, given: Loads) -> Loads:
    owner, attr = run.last_value(func.value), func.attr
    held = _of_owner(run, func)
    if attr in _FILLS:
        run.fill(owner, given)
        return _NONE
    held |= run.need(given)
    if attr == "items":
        run.pairs.add(value)
    elif attr == "values":
        run.listed.add(value)
    elif _is_same_anywhere(attr) or attr == "keys":
        return _NONE
    return held if attr in _READS or attr in ("items", "values") or _keeps_values(attr) else run.need(held)


def _names_cuda(run: CheckpointRun, node: ast.Call) -> bool:
    """Whether an argument of a call is a class of torch.cuda: ``isinstance(x, torch.cuda.FloatTensor)``"""
    values = (run.last_value(argument) for argument in node.args)
    return any(value.is_import and value.name.startswith("torch.cuda.") for value in values)


def _keeps_values(attr: str) -> bool:
    """Whether an attribute or method gives the values of a tensor as they are: ``data``, ``detach``, ``clone``, ``float``."""
    plain = torch_model.is_view(attr) or torch_model.keeps_layout(attr) or attr == "clone"
    return plain or (torch_model.attribute(attr) is not None and torch_model.stays(attr))


def _is_same_anywhere(attr: str) -> bool:
    """Whether an attribute or method of a tensor gives the same on every device."""
    return torch_model.is_answer(attr) and not torch_model.gives_place(attr)


def _nothing(run: CheckpointRun, node: ast.expr, value: Obj) -> Loads:
    return _NONE


_TRANSFERS: dict[type[ast.AST], Callable[[CheckpointRun, Any, Obj], Loads]] = {
    ast.Constant: _nothing,
    ast.NamedExpr: _nothing,  # its value is that of the expression in it
    ast.Slice: _nothing,
    ast.JoinedStr: _nothing,
    ast.FormattedValue: _other,
    ast.Starred: lambda run, node, value: run.of_parts(node.value),
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Compare: _compare,
    ast.UnaryOp: _unaryop,
    ast.BinOp: _binop,
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
