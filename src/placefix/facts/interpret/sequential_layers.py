"""Containers of layers whose elements are written where they are made: ``nn.Sequential(nn.Linear(4, 8), nn.ReLU())``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.program.assignments import sole_values
from placefix.facts.program.ast_names import dotted, may_give
from placefix.torch_model import modules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.tree import Scope

SEQUENTIAL = "torch.nn.Sequential"
MODULE_LIST = "torch.nn.ModuleList"
MODULE_DICT = "torch.nn.ModuleDict"
CONTAINERS = (SEQUENTIAL, MODULE_LIST, MODULE_DICT)  # their items are layers on one device
_ORDERED = frozenset(("collections.OrderedDict", "OrderedDict"))
_PUTS = frozenset(("append", "extend", "insert"))
_CHANGES = frozenset(("append", "add_module", "register_module", "extend", "insert", "pop", "update", "clear"))


class SequentialLayer(NamedTuple):
    """The devices of a Sequential's input, weights and result.

    takes: its input meets one of its weights. gives: its result is on the device of its weights. is_plain: it has no weights, and the
    result is on the device of the input. sized: the input has a dimension.
    """

    takes: bool
    gives: bool
    is_plain: bool
    sized: bool


def sequential_layers(scope: Scope, layers: dict[str, str]) -> dict[str, SequentialLayer]:
    """The Sequentials among the layers of a class: by their attributes; without those that are changed after they are made.

    layers: the attributes that the constructor alone sets, with the qualified names of their classes.
    """
    attributes = {attr for attr, name in layers.items() if name == SEQUENTIAL}
    if not attributes:
        return {}
    calls: dict[str, ast.Call] = {}
    for node in scope.nodes:
        changed = ""
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            calls[dotted(node.targets[0]).removeprefix("self.")] = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
            changed = dotted(node.func.value)
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            changed = dotted(node.value)
        attributes.discard(changed.removeprefix("self."))
    constructor = scope.functions["__init__"]
    return {attr: _sequential(calls[attr], constructor) for attr in attributes if attr in calls}


def layers_of_dicts(scope: Scope, layers: dict[str, str]) -> dict[str, str]:
    """The layers of torch.nn in the literal ModuleDicts of a class that no statement changes: "heads.mask" to the name of its class.

    layers: as of `sequential_layers`.
    """
    attributes = {attr for attr, name in layers.items() if name == MODULE_DICT}
    if not attributes:
        return {}
    nodes = scope.nodes
    attributes -= {dotted(owner).removeprefix("self.") for node in nodes if (owner := _changed(node)) is not None}
    constructor = scope.functions["__init__"]
    found: dict[str, str] = {}
    for node in nodes:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        attr = dotted(node.targets[0]).removeprefix("self.")
        if attr in attributes:
            found.update((f"{attr}.{key}", name) for key, name in _named_elements(node.value, constructor))
    return found


def layers_of_lists(scope: Scope, layers: dict[str, str]) -> dict[str, str]:
    """The ModuleLists of a class whose items are all of one class of torch.nn: by their attributes, with the name of that class.

    Items are put in by the constructor: ``nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])``, ``self.layers.append(nn.Linear(4, 4))``.
    A list that is changed in any other way or place is left out. layers: as of `sequential_layers`.
    """
    attributes = {attr for attr, name in layers.items() if name == MODULE_LIST}
    if not attributes:
        return {}
    constructor = scope.functions["__init__"]
    items, put = _items_put(constructor, attributes)
    for node in scope.nodes:
        changed = _changed(node)
        if changed is not None and changed not in put:
            items.pop(dotted(changed).removeprefix("self."), None)
    values = {name: value for value, name in sole_values(constructor.bindings).items()}
    found = {}
    for attr, elements in items.items():
        made = [values.get(item.id) if isinstance(item, ast.Name) else item for item in elements]
        names = {_class_made(item, constructor) for item in made}
        name = names.pop() if len(names) == 1 else ""
        if name.startswith("torch.nn."):
            found[attr] = name
    return found


def _items_put(constructor: Scope, attributes: set[str]) -> tuple[dict[str, list[ast.expr | None]], set[ast.expr]]:
    """The items that a constructor puts into the lists of some attributes, None for those that are not seen; and the lists in its calls
    that do so."""
    items: dict[str, list[ast.expr | None]] = {attr: [] for attr in attributes}
    put: set[ast.expr] = set()
    for node in constructor.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            attr = dotted(node.targets[0]).removeprefix("self.")
            items.get(attr, []).extend(_listed(node.value.args))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _PUTS:
            attr = dotted(node.func.value).removeprefix("self.")
            if attr in items:
                put.add(node.func.value)
                items[attr].extend(node.args[-1:] if node.func.attr != "extend" else _listed(node.args))
    return items, put


def _listed(arguments: list[ast.expr]) -> list[ast.expr | None]:
    """The items of a list or a comprehension that is the only argument; None for items that are not seen."""
    if not arguments:
        return []
    given = arguments[0]
    if isinstance(given, (ast.List, ast.Tuple)) and len(arguments) == 1:
        return list(given.elts)
    if isinstance(given, (ast.ListComp, ast.GeneratorExp)) and len(arguments) == 1:
        return [given.elt]
    return [None]


def _class_made(element: ast.expr | None, scope: Scope) -> str:
    """The qualified name of the class that an item is made of; "" for others."""
    if not isinstance(element, ast.Call) or may_give(element, "device"):
        return ""
    return scope.tree.qualname(element.func, scope) or ""


def _changed(node: ast.AST) -> ast.expr | None:
    """The container that an expression changes, if it is one; None for others."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
        return node.func.value
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        return node.value
    return None


def _named_elements(call: ast.Call, scope: Scope) -> Iterator[tuple[str, str]]:
    """The keys in a literal ``nn.ModuleDict(dict(mask=…))`` or ``nn.ModuleDict({"mask": …})``, with the names of the classes of torch.nn."""
    given = call.args[0] if len(call.args) == 1 and not call.keywords else None
    elements: dict[object, ast.expr] = {}
    if isinstance(given, ast.Dict):
        keys = (key.value if isinstance(key, ast.Constant) else None for key in given.keys)
        elements = dict(zip(keys, given.values, strict=True))
    elif isinstance(given, ast.Call) and dotted(given.func) == "dict" and not given.args:
        elements = {keyword.arg: keyword.value for keyword in given.keywords}
    for key, element in elements.items():
        if isinstance(key, str) and isinstance(element, ast.Call) and not may_give(element, "device"):
            name = scope.tree.qualname(element.func, scope) or ""
            if name.startswith("torch.nn."):
                yield key, name


def _sequential(call: ast.Call, scope: Scope) -> SequentialLayer:
    roles = [_role(element, scope) for element in _elements(call, scope)]
    weighted = [name for role, name in roles if role == "weighted"]
    leading = next((name for role, name in roles if role != "plain"), "")
    takes = bool(weighted) and leading == weighted[0]
    last = next((role for role, _ in reversed(roles) if role != "plain"), "")
    return SequentialLayer(
        takes=takes,
        gives=last == "weighted",
        is_plain=bool(roles) and all(role == "plain" for role, _ in roles),
        sized=takes and not leading.startswith("Embedding"),
    )


def _elements(call: ast.Call, scope: Scope) -> Iterator[ast.expr]:
    """The elements, in order: arguments, or the values of an OrderedDict."""
    first = call.args[0] if len(call.args) == 1 else None
    if isinstance(first, ast.Call) and scope.tree.qualname(first.func, scope) in _ORDERED and first.args:
        pairs = first.args[0].elts if isinstance(first.args[0], (ast.List, ast.Tuple)) else [first]
        for pair in pairs:
            yield pair.elts[-1] if isinstance(pair, ast.Tuple) and len(pair.elts) == 2 else pair
        return
    yield from call.args


def _role(element: ast.expr, scope: Scope) -> tuple[str, str]:
    """The role of an element ("weighted", "plain", "" for others) and the name of its class."""
    if not isinstance(element, ast.Call) or may_give(element, "device"):
        return "", ""
    name = scope.tree.qualname(element.func, scope) or ""
    if not name.startswith("torch.nn."):
        return "", name
    if name == SEQUENTIAL:
        inner = _sequential(element, scope)
        role = "plain" if inner.is_plain else "weighted" if inner.takes and inner.gives else ""
        return role, name if inner.sized or not inner.takes else "Embedding"
    role = modules.role_of(name)
    return (role if role in ("weighted", "plain") else ""), name.rpartition(".")[2]
