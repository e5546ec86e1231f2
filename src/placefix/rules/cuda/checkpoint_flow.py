"""Where the values of a checkpoint go: by name into other dicts, and with those into modules.

loaded = torch.load(path)
kept = {k: v for k, v in loaded.items() if k in own}
own.update(kept)
model.load_state_dict(own)
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.program.ast_names import dotted, is_name
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.facts.program.tree import Scope, Tree

# Properties of a dict of tensors, or of one of its values, that do not depend on the device.
_READS = frozenset(("get", "pop", "state_dict", "copy", "items", "keys", "values"))
_ASKS = frozenset(("size", "shape", "numel", "dim", "ndim", "dtype", "nelement"))
_PASSES = frozenset(
    ("list", "sorted", "tqdm", "tqdm.tqdm", "OrderedDict", "collections.OrderedDict", "dict", "reversed")
)
_LOOKS = frozenset(("print", "len", "isinstance", "type", "set", "str"))


class Taken(NamedTuple):
    """names: the names that hold a checkpoint, or a dict with values of it; read: reads of these names that only pass the values on, or
    need nothing but properties that are the same on every device; bound: how often each name is bound to such a dict."""

    names: frozenset[str]
    read: frozenset[ast.expr]
    bound: dict[str, int]


def taken(tree: Tree, name: str, scope: Scope) -> Taken:
    """The uses in `scope` of the checkpoint that `name` holds."""
    nodes = [s.node for s in tree.stmts.values() if s.scope is scope]
    held = {name}
    while True:
        found = {n for node in nodes for n in _given(node, held)}
        if found <= held:
            break
        held |= found
    read: set[ast.expr] = set()
    for node in nodes:
        read.update(_plain(node, held))
    for node in scope.node.body:
        read.update(_asked(node, held))
    bound = {n: sum(_binds(node, n, held) for node in nodes) for n in held}
    return Taken(frozenset(held), frozenset(read), bound)


def _given(node: ast.stmt, held: set[str]) -> Iterator[str]:
    """The names that hold values of held names after a statement."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        if isinstance(target, ast.Name) and (
            _roots(node.value, held) or _made(node.value, held) or _handed(node.value, held)
        ):
            yield target.id
    elif isinstance(node, ast.Expr) and (filled := _updated(node.value, held)) is not None:
        yield filled.id
    elif isinstance(node, ast.For):
        yield from (base.id for base, _ in _put(node, held))


def _plain(node: ast.stmt, held: set[str]) -> Iterator[ast.expr]:
    """The reads of held names in one statement that pass the values on unchanged."""
    value = getattr(node, "value", None)
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(value, ast.expr):
        yield from _roots(value, held)
        if (root := _made(value, held, plain=True)) is not None:
            yield root
        if isinstance(node.targets[0], ast.Subscript):
            yield from _roots_of([node.targets[0], value], held)
    elif isinstance(node, ast.Expr) and isinstance(value, ast.Call) and (filled := _updated(value, held)) is not None:
        yield filled
        root = _root(value.args[0], held) or _made(value.args[0], held, plain=True)
        if root is not None:
            yield root
    elif isinstance(node, ast.Delete):
        yield from _roots_of(node.targets, held)
    elif isinstance(node, ast.Expr):
        yield from _roots_of([node.value], held)  # popped
    elif isinstance(node, ast.For):
        source = _pairs(node.iter, held)
        if source is not None and _only(node, {id(v) for _, v in _put(node, held)}):
            yield source
        yield from (base for base, _ in _put(node, held))


def _roots_of(parts: Iterable[ast.expr], held: set[str]) -> Iterator[ast.expr]:
    """The held names that some expressions are items of."""
    return (root for part in parts if (root := _root(part, held)) is not None)


def _asked(node: ast.stmt, held: set[str]) -> Iterator[ast.expr]:
    """Reads of keys and sizes anywhere in a statement, nested ones included."""
    for part in walk(node):
        if isinstance(part, ast.Compare) and isinstance(part.ops[0], (ast.In, ast.NotIn)):
            found = _root(part.comparators[0], held)
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in _LOOKS and part.args:
            found = part.args[0] if isinstance(part.args[0], ast.Name) and part.args[0].id in held else None
        elif isinstance(part, ast.Attribute) and part.attr in (_ASKS | {"keys"}):
            found = _root(part.value, held)
        elif isinstance(part, ast.Call) and _shape_of(part) is not None:
            found = _root(_shape_of(part), held)
        else:
            continue
        if found is not None:
            yield found


def _root(expr: ast.expr | None, held: set[str]) -> ast.Name | None:
    """The held name that an expression is, or is read out of (``loaded["state_dict"]``)."""
    while True:
        if isinstance(expr, ast.Subscript):
            expr = expr.value
        elif isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute) and expr.func.attr in _READS:
            expr = expr.func.value
        else:
            return expr if isinstance(expr, ast.Name) and expr.id in held else None


def _roots(expr: ast.expr, held: set[str]) -> tuple[ast.Name, ...]:
    """The held names that an expression is or is read out of, whichever arm of a condition gives it: ``a["model"] if "model" in a
    else a``. None where an arm gives something else."""
    if isinstance(expr, ast.IfExp):
        one, other = _roots(expr.body, held), _roots(expr.orelse, held)
        return (*one, *other) if one and other else ()
    root = _root(expr, held)
    return (root,) if root is not None else ()


def _pairs(expr: ast.expr, held: set[str]) -> ast.Name | None:
    """The held name whose keys or items are gone through."""
    while isinstance(expr, ast.Call) and len(expr.args) == 1 and dotted(expr.func) in _PASSES:
        expr = expr.args[0]
    return _root(expr, held)


def _made(expr: ast.expr, held: set[str], *, plain: bool = False) -> ast.Name | None:
    """The held name of whose items a comprehension makes a dict (``{k: v for k, v in loaded.items()}``); with `plain` only
    where its values are those."""
    while isinstance(expr, ast.Call) and len(expr.args) == 1 and dotted(expr.func) in _PASSES:
        expr = expr.args[0]
    if isinstance(expr, ast.DictComp):
        value: ast.expr = expr.value
    elif (
        isinstance(expr, (ast.GeneratorExp, ast.ListComp))
        and isinstance(expr.elt, ast.Tuple)
        and len(expr.elt.elts) == 2
    ):
        value = expr.elt.elts[1]
    else:
        return _root(expr, held)
    first = expr.generators[0]
    root = _pairs(first.iter, held)
    if root is None or len(expr.generators) != 1:
        return None
    if plain and not (_is_value(value, first.target, held) and _only(expr, {id(value)}, first.target)):
        return None
    return root


def made_of(expr: ast.expr, load: ast.Call) -> bool:
    """Whether an expression makes a dict of the items of a call of torch.load, their values as they are."""
    if not isinstance(expr, ast.DictComp) or len(expr.generators) != 1:
        return False
    first = expr.generators[0]
    reads = first.iter
    while reads is not load:
        if isinstance(reads, ast.Subscript):
            reads = reads.value
        elif isinstance(reads, ast.Call) and isinstance(reads.func, ast.Attribute) and reads.func.attr in _READS:
            reads = reads.func.value
        else:
            return False
    return _is_value(expr.value, first.target, set()) and _only(expr, {id(expr.value)}, first.target)


def _handed(expr: ast.expr, held: set[str]) -> bool:
    """Whether a function that gets a held value may return a dict made from it (``strip_prefix(loaded)``)."""
    if not isinstance(expr, ast.Call) or dotted(expr.func) in _LOOKS:
        return False
    return any(_root(a, held) is not None for a in expr.args)


def _updated(expr: ast.expr, held: set[str]) -> ast.Name | None:
    """The name in ``own.update(loaded)``."""
    if (
        not isinstance(expr, ast.Call)
        or not isinstance(expr.func, ast.Attribute)
        or expr.func.attr != "update"
        or len(expr.args) != 1
    ):
        return None
    given = _root(expr.args[0], held) or _made(expr.args[0], held)
    return expr.func.value if given is not None and isinstance(expr.func.value, ast.Name) else None


def _put(loop: ast.For, held: set[str]) -> Iterator[tuple[ast.Name, ast.expr]]:
    """The names of dicts, and the values, of items that a loop over held items stores: ``new[k[7:]] = v``."""
    if _pairs(loop.iter, held) is None:
        return
    for node in ast.walk(loop):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Subscript):
            base = node.targets[0].value
            if isinstance(base, ast.Name) and _is_value(node.value, loop.target, held):
                yield base, node.value


def _is_value(expr: ast.expr, target: ast.expr, held: set[str]) -> bool:
    """Whether it is the value of an item: `v` of ``k, v``, or ``loaded[k]``."""
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    if isinstance(expr, ast.Name):
        return len(names) == 2 and isinstance(names[1], ast.Name) and names[1].id == expr.id
    return isinstance(expr, (ast.Subscript, ast.Call)) and _root(expr, held) is not None


def _only(node: ast.AST, handed: set[int], target: ast.expr | None = None) -> bool:
    """Whether the value of an item is read for nothing but to be put into a dict, and for its size."""
    target = target if target is not None else getattr(node, "target", None)
    if not isinstance(target, ast.Tuple) or len(target.elts) != 2 or not isinstance(target.elts[1], ast.Name):
        return True
    value = target.elts[1]
    parts = list(ast.walk(node))
    sizes = {id(p.value) for p in parts if isinstance(p, ast.Attribute) and p.attr in _ASKS}
    sizes |= {id(_shape_of(p)) for p in parts if isinstance(p, ast.Call)}
    reads = [p for p in parts if isinstance(p, ast.Name) and p.id == value.id and p is not value]
    return all(id(p) in handed or id(p) in sizes for p in reads)


def _shape_of(call: ast.Call) -> ast.expr | None:
    """The argument of ``np.shape(…)`` and ``len(…)``; None for other calls."""
    return call.args[0] if len(call.args) == 1 and dotted(call.func) in ("np.shape", "numpy.shape", "len") else None


def _binds(node: ast.stmt, name: str, held: set[str]) -> bool:
    """Whether a statement binds a held name to such a dict, or to a new one that is filled."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return False
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        given = [v for t, v in zip(target.elts, value.elts, strict=True) if is_name(t, name)]
        return len(given) == 1 and _is_new_dict(given[0])
    if not is_name(target, name):
        return False
    return bool(_roots(value, held)) or _made(value, held) is not None or _is_loaded(value)


def _is_new_dict(value: ast.expr) -> bool:
    return isinstance(value, ast.Dict) and not value.keys


def _is_loaded(value: ast.expr) -> bool:
    """Whether a value is a new dict, a checkpoint, or a part of one."""
    while isinstance(value, ast.Subscript) or (isinstance(value, ast.Call) and _last(value) in ("get", "copy")):
        value = value.value if isinstance(value, ast.Subscript) else value.func.value  # type: ignore[attr-defined]
    if isinstance(value, ast.Call):
        return dotted(value.func) in _PASSES or _last(value) in ("state_dict", "load")
    return _is_new_dict(value)


def _last(call: ast.Call) -> str:
    """The method that is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""
