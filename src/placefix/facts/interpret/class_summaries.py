"""Summaries of classes: their kind, their attributes, and their use of devices."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret.method_resolution import resolution_order
from placefix.facts.interpret.sequential_layers import layers_of_dicts, layers_of_lists, sequential_layers
from placefix.facts.interpret.values import ClassInfo
from placefix.facts.naming import names_base_of_modules
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import dotted, is_name, literal_int
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.attributes_of_self import attributes_set
from placefix.facts.program.callees import (
    bases_of,
    class_of,
    class_of_framework,
    imported_definition,
    local_definition,
    value_of_name,
)
from placefix.facts.program.device_values import device_argument, device_of_word
from placefix.torch_model import modules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope, Stmt, Tree


def decorated(scope: Scope) -> bool:
    """Whether a decorator may make something of a function that takes or gives other things than it does."""
    node = scope.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    for decorator in node.decorator_list:
        expr = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = scope.tree.qualname(expr, scope.parent or scope) or dotted(expr)
        if name in api.TRANSPARENT_DECORATORS or name.endswith(".setter"):
            continue
        if not _returns_function(scope, decorator):
            return True
    return False


def _returns_function(scope: Scope, decorator: ast.expr) -> bool:
    """Whether a decorator is a function, or a method of a class, of the repository that returns the function that it decorates:
    ``@register("net")``."""
    expr = decorator.func if isinstance(decorator, ast.Call) else decorator
    maker = _function_of(scope.parent or scope, expr)
    if maker is None:
        return False
    if not isinstance(decorator, ast.Call):
        return _returns_argument(maker)
    inner = [node.value for node in maker.tree.returns.get(maker, ())]
    made = [maker.functions.get(value.id) if isinstance(value, ast.Name) else None for value in inner]
    return bool(made) and all(function is not None and _returns_argument(function) for function in made)


def _function_of(scope: Scope, expr: ast.expr) -> Scope | None:
    """The function that an expression denotes: of the repository, or a method of a registry that is made from a class of it."""
    local = local_definition(expr, scope)
    if local is not None and local.is_function:
        return local
    found = imported_definition(expr, scope)
    if found is not None:
        return found.scope if found.kind == "function" else None
    if not isinstance(expr, ast.Attribute):
        return None
    made, tree = value_of_name(scope, expr.value)
    cls = class_of(tree.root, made.func) if isinstance(made, ast.Call) else class_of(scope, expr.value)
    return cls.functions.get(expr.attr) if cls is not None else None


def _returns_argument(function: Scope) -> bool:
    """Whether a function returns its first parameter, or the second one of a method, unchanged."""
    names = [a.arg for a in function.function.args.args if a.arg not in ("self", "cls")]
    found = [node.value for node in function.tree.returns.get(function, ())]
    own = names[:1]
    return bool(found) and all(
        isinstance(value, ast.Name) and value.id in own and len(function.bindings[value.id]) == 1 for value in found
    )


def _decorators(scope: Scope) -> Iterator[str]:
    """The names of the decorators of a function or class."""
    assert not isinstance(scope.node, ast.Module)
    for decorator in scope.node.decorator_list:
        expr = decorator.func if isinstance(decorator, ast.Call) else decorator
        yield scope.tree.qualname(expr, scope.parent or scope) or dotted(expr)


def is_cached(getter: Scope) -> bool:
    """Whether the object keeps the first result of a property: ``functools.cached_property``."""
    return any(name in _CACHED for name in _decorators(getter))


class ClassSummaries:
    """The summaries of classes, made on request from the statement tree alone, without a flow."""

    def __init__(self, context: AnalysisContext) -> None:
        self.known: dict[Scope, ClassInfo] = {}

    def of(self, scope: Scope) -> ClassInfo:
        """The summary of a class."""
        return class_info(scope, self.known)


def class_info(scope: Scope, known: dict[Scope, ClassInfo]) -> ClassInfo:
    """The summary of a class, made once; a class that derives from itself ends the recursion."""
    info = known.get(scope)
    if info is not None:
        return info
    known[scope] = info = ClassInfo(scope)
    _inherit(info, known)
    _add_own_methods(info)
    info.indices = frozenset(_indices(scope))
    if info.is_module:
        own = _layers(scope.tree, scope)
        if info.layers:  # of the bases
            written = self_writes(scope)
            info.layers = {attr: name for attr, name in info.layers.items() if attr not in written}
            info.sequentials = {attr: known for attr, known in info.sequentials.items() if attr in info.layers}
            info.list_layers = {attr: name for attr, name in info.list_layers.items() if attr in info.layers}
        info.layers.update(own)
        info.sequentials.update(sequential_layers(scope, own))
        info.dict_layers = layers_of_dicts(scope, own)
        info.list_layers.update(layers_of_lists(scope, own))
        info.optional_layers = _optional_layers(scope, own)
    return info


def made_attributes(info: ClassInfo) -> frozenset[str]:
    """Attributes that the constructor of a class sets to the results of calls, or to several values."""
    if info.made is None:
        init = info.scope.functions.get("__init__")
        found: dict[str, list[ast.expr]] = {}
        for stmt, _ in _inner(init.body.stmts) if init is not None else ():
            for attr, value in attributes_set(stmt.node):
                found.setdefault(attr, []).append(value)
        info.made = frozenset(a for a, values in found.items() if len(values) > 1 or isinstance(values[0], ast.Call))
    return info.made


def parts_of(info: ClassInfo) -> dict[str, Scope]:
    """Attributes that the constructor of a class of modules sets, and no other statement does, to a module of a class of the same file."""
    init = info.scope.functions.get("__init__")
    found: dict[str, Scope] = {}
    for stmt in init.body.stmts if init is not None else ():
        for attr, value in attributes_set(stmt.node):
            cls = class_of(init, value.func) if isinstance(value, ast.Call) else None
            if cls is not None and cls.tree is info.scope.tree and cls is not info.scope:
                found[attr] = cls
    writes = self_writes(info.scope) if found else Counter()
    return {attr: cls for attr, cls in found.items() if writes[attr] == 1}


def _inherit(info: ClassInfo, known: dict[Scope, ClassInfo]) -> None:
    """Add the facts about the bases, of the repository and of other packages."""
    scope, tree = info.scope, info.scope.tree
    assert isinstance(scope.node, ast.ClassDef) and scope.parent is not None
    outside: list[str] = []
    parents: list[ClassInfo] = []
    for base, where in bases_of(scope):
        local = class_of(where, base)
        name = where.tree.qualname(base, where) or "?"
        if local is None or local is scope:
            outside.append(name)
            info.closed &= name in _PLAIN_BASES or api.is_module_base(name) or dotted(base) == "object"
            found = class_of_framework(where, name)
            info.is_module |= found is not None and class_info(found, known).is_module
            info.is_module_by_name |= "forward" in scope.functions and names_base_of_modules(dotted(base))
            continue
        parents.append(class_info(local, known))
        outside.extend(parents[-1].bases)
        if local.tree is not tree:
            outside.append(name)
    for parent in reversed(parents):  # the first base overrides the others
        _inherit_from(info, parent)
    info.order = resolution_order(scope, [parent.order for parent in parents])
    if len(parents) > 1:
        for cls in reversed(info.order[1:]):
            _add_functions(info, cls)
    info.bases = tuple(outside)
    info.is_module |= any(_is_module_base(name) for name in outside)
    info.is_optimizer = any(map(api.is_optimizer, outside))
    info.dataset |= any(name in api.DATASET_BASES for name in outside)


def _inherit_from(info: ClassInfo, parent: ClassInfo) -> None:
    info.methods.update(parent.methods)
    info.properties.update(parent.properties)
    info.setters.update(parent.setters)
    info.descriptors |= parent.descriptors
    info.data_fields.update(parent.data_fields)
    info.own_moves |= parent.own_moves
    info.is_module |= parent.is_module
    info.is_module_by_name |= parent.is_module_by_name
    info.dataset |= parent.dataset
    info.layers.update(parent.layers)
    info.sequentials.update(parent.sequentials)
    info.list_layers.update(parent.list_layers)
    info.places_self |= parent.places_self
    info.closed &= parent.closed


def _is_module_base(name: str) -> bool:
    return name in api.MODULE_BASES or api.is_module_base(name) or name.endswith((".LightningModule", ".Module"))


def _add_own_methods(info: ClassInfo) -> None:
    """Add the methods that the body of the class defines, and facts about them."""
    scope = info.scope
    text = scope.tree.text(scope)
    own = {name for name in scope.functions if name in ("to", "cuda", "cpu")}
    if "lambda" in text or "partial" in text:
        own.update(_OWN_MOVE.findall(text))
    info.own_moves |= own
    _add_functions(info, scope)
    _drop_replaced(info)
    init = scope.functions.get("__init__")
    if init is not None:
        info.places_self |= bool(moves_in(init)) or _made_on_device(scope.tree, init)
    if "__getitem__" in scope.functions and "__len__" in scope.functions and not info.is_module:
        info.dataset = True


def _add_functions(info: ClassInfo, scope: Scope) -> None:
    """Add the methods, the properties with their setters, and the fields of a dataclass or named tuple that a class, or a base of it, defines."""
    for name in scope.bindings:
        for own in (info.methods, info.properties, info.setters):
            own.pop(name, None)  # the class overrides it
    info.methods.update(scope.functions)
    info.descriptors = (info.descriptors - scope.bindings.keys()) | _descriptors(scope)
    for name, bound in scope.bindings.items():
        for node in bound:
            function = scope.tree.scopes.get(node) if isinstance(node, ast.FunctionDef) else None
            if function is None or not function.function.decorator_list:
                continue
            decorators = set(_decorators(function))
            if decorators & _PROPERTIES:
                info.properties[name] = info.methods[name] = function
            elif f"{name}.setter" in decorators:
                info.setters[name] = function
    if _NAMED_TUPLE in info.bases or any(name in _DATACLASS for name in _decorators(scope)):
        for stmt in scope.node.body if isinstance(scope.node, ast.ClassDef) else ():
            if (
                isinstance(stmt, ast.AnnAssign)
                and isinstance(stmt.target, ast.Name)
                and "ClassVar" not in ast.dump(stmt.annotation)
            ):
                info.data_fields[stmt.target.id] = stmt


def _drop_replaced(info: ClassInfo) -> None:
    """Drop the methods that the file sets from outside the class, ``Net.forward = moved``; a module has another `forward` then."""
    name, text = info.scope.name, info.scope.tree.source.text
    if f"{name}." not in text:
        return
    # begins with the name for speed: a search for `\b` looks at every word of the file, for each of its classes
    for attr in re.findall(rf"{name}\.(?<!\w{name}\.)(\w+)\s*=(?!=)", text):
        if info.methods.pop(attr, None) is not None and attr == "forward":
            info.bases = (*info.bases, "?")


def _descriptors(scope: Scope) -> frozenset[str]:
    """The attributes set to an instance of a class of the repository that has a `__set__`: a read may give another value."""
    found: set[str] = set()
    for name, bound in scope.bindings.items():
        value = bound[-1].value if isinstance(bound[-1], ast.Assign) else None
        cls = class_of(scope, value.func) if isinstance(value, ast.Call) else None
        if cls is not None and "__set__" in cls.functions:
            found.add(name)
    return frozenset(found)


_CACHED = frozenset(("cached_property", "functools.cached_property"))
_PROPERTIES = _CACHED | {"property", "abc.abstractproperty"}
_NAMED_TUPLE = "typing.NamedTuple"
_DATACLASS = frozenset(("dataclass", "dataclasses.dataclass"))


def _layers(tree: Tree, scope: Scope) -> dict[str, str]:
    """Attributes that `__init__` sets, and no other statement does, to a module of torch.nn: attribute to name."""
    if scope.name == tree.source.unseen_class:
        return {attr: name for attr, name in api.CUSTOMARY_LAYERS.items() if f"self.{attr}(" in tree.text(scope)}
    init = scope.functions.get("__init__")
    if init is None:
        return {}
    layers: dict[str, str] = {}
    losses: dict[str, list[str]] = {}
    for stmt, top in _inner(init.body.stmts):
        for attr, value in attributes_set(stmt.node):
            name = tree.qualname(value.func, init) or "" if isinstance(value, ast.Call) else ""
            if name.startswith("torch.nn.") and api.is_module_constructor(name):
                if top:
                    layers[attr] = name
                if api.is_loss(name):
                    losses.setdefault(attr, []).append(name)
    if not layers and not losses:
        return layers
    # by the text, not by a walk over every method: this runs for each class of each file
    writes = self_writes(scope)
    found = {attr: name for attr, name in layers.items() if writes[attr] == 1}
    # a criterion chosen by a condition: whichever it is, its operands are on one device
    chosen = {attr: min(names, key=_strictness) for attr, names in losses.items() if writes[attr] == len(names)}
    return chosen | found


def _optional_layers(scope: Scope, own: dict[str, str]) -> dict[str, str]:
    """Attributes that one arm of a test in `__init__` sets to a module of torch.nn, and no other statement sets: code that calls one has it."""
    init = scope.functions.get("__init__")
    found: dict[str, str] = {}
    for stmt, top in _inner(init.body.stmts) if init is not None else ():
        value = stmt.node.value if isinstance(stmt.node, ast.Assign) and not top else None
        name = scope.tree.qualname(value.func, init) or "" if isinstance(value, ast.Call) and init is not None else ""
        attr = assigned_text(stmt.node).removeprefix("self.")
        if (
            name.startswith("torch.nn.")
            and api.is_module_constructor(name)
            and not api.is_loss(name)
            and attr not in own
        ):
            found[attr] = name
    writes = self_writes(scope) if found else {}
    return {attr: name for attr, name in found.items() if writes.get(attr) == 1}


def _inner(stmts: Iterable[Stmt]) -> Iterator[tuple[Stmt, bool]]:
    """Statements and those in their ``if``s, and whether each is one of `stmts`."""
    for stmt in stmts:
        yield stmt, True
        if isinstance(stmt.node, ast.If):
            for suite in stmt.suites:
                yield from ((inner, False) for inner, _ in _inner(suite.stmts))


def _strictness(loss: str) -> bool:
    """Whether a criterion accepts no 0-dim tensor of the CPU."""
    layer = modules.layer(loss)
    return layer is not None and layer.operator is not None and layer.operator.together == "all"


_PLAIN_BASES = api.MODULE_BASES | api.DATASET_BASES | {"abc.ABC", "typing.Generic"}


def self_writes(scope: Scope) -> Counter[str]:
    """How often the code of a class sets each attribute of ``self``; an annotation alone sets none."""
    bare = {node.target for node in scope.nodes if isinstance(node, ast.AnnAssign) and node.value is None}
    stores = (n for n in scope.nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store) and n not in bare)
    return Counter(node.attr for node in stores if is_name(node.value, "self"))


# A function that an object gives itself under such a name; a flag (``self.cuda = args.cuda``) is none.
_OWN_MOVE = re.compile(r"self\.(?<!\wself\.)(to|cuda|cpu)\s*=\s*(?:lambda\b|(?:functools\.)?partial\()")


def _made_on_device(tree: Tree, scope: Scope) -> bool:
    """Whether a constructor makes layers or tensors with ``device=``."""
    text = tree.text(scope)
    return ("device" in text or "factory" in text) and any(
        isinstance(n, ast.Call)
        and any(k.arg == "device" or (k.arg is None and "factory" in ast.dump(k.value)) for k in n.keywords)
        for n in scope.nodes
    )


def moves_in(scope: Scope) -> list[ast.Call]:
    """Calls of .to, .cuda, .cpu in a function."""
    text = scope.tree.text(scope)
    if not any(f".{method}" in text for method in api.PLACING):
        return []
    return [
        n
        for n in scope.nodes
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in api.PLACING
    ]


def _indices(scope: Scope) -> Iterator[int]:
    """Literal device indices a class uses, ``"cuda:1"``, ``x.cuda(1)``, ``x.to(1)``: two of them make it model-parallel."""
    text = scope.tree.text(scope)
    if "cuda" not in text and ".to(" not in text:
        return
    for call in moves_in(scope):
        number = literal_int(device_argument(call))
        if number is not None:
            yield number
    for node in scope.nodes:
        device = device_of_word(node.value) if isinstance(node, ast.Constant) else None
        if device is not None and device.index is not None:
            yield device.index


def holds_nothing(info: ClassInfo) -> bool:
    """Whether the modules of a class have no parameters, buffers or parts: it makes nothing that it keeps, and calls nothing that it is given."""
    key = (-1, None)
    found = info.usage.get(key)
    if found is None:
        found = info.usage[key] = "nothing" if _holds_nothing(info) else "something"
    return found == "nothing"


def _holds_nothing(info: ClassInfo) -> bool:
    if not info.closed or not set(info.bases) <= api.MODULE_BASES:
        return False
    classes = {info.scope, *(method.parent for method in info.methods.values() if method.parent is not None)}
    texts = [cls.tree.text(cls) for cls in classes]
    if any(word in text for text in texts for word in _HOLDS):
        return False
    kept: set[str] = set()
    for cls in classes:
        for node in cls.nodes:
            targets = (
                node.targets
                if isinstance(node, ast.Assign)
                else [node.target]
                if isinstance(node, ast.AnnAssign)
                else []
            )
            attributes = [target.attr for target in targets if isinstance(target, ast.Attribute)]
            value = getattr(node, "value", None)
            if attributes and value is not None and any(isinstance(part, ast.Call) for part in walk(value)):
                return False
            kept.update(attributes)
    return not any(contains(text, f".{attr}{use}") for text in texts for attr in kept for use in ("(", "["))


# They make a parameter, a buffer or a part of a module.
_HOLDS = ("register_", "Parameter", "Buffer(", "add_module", "setattr", "nn.Module(")


def contains(text: str, words: str) -> bool:
    """Whether a text contains these words, not as the end of a longer name; a pattern would have to be compiled for each."""
    at = text.find(words)
    while at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_"):
        at = text.find(words, at + 1)
    return at >= 0


_PLAIN_STORES = frozenset(("data", "eps", "momentum", "inplace", "p"))
_PLAIN_CALLS = ("torch.nn.init.", "math.", "numpy.", "torch.no_grad")


def only_initialises(scope: Scope) -> bool:
    """Whether a function that is applied to every layer only fills parameters, in place."""
    for n in scope.nodes:
        if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load) and n.attr not in _PLAIN_STORES:
            return False
        if not isinstance(n, ast.Call):
            continue
        name = scope.tree.qualname(n.func, scope)
        if name is not None and (name.startswith(_PLAIN_CALLS) or torch_model.gives_tensor(name)):
            continue
        if (
            name is None
            and isinstance(n.func, ast.Name)
            and n.func.id in api.PURE_OF_MODULES
            and scope.lookup(n.func.id) is None
        ):
            continue
        if name is None and isinstance(n.func, ast.Attribute):
            attr = n.func.attr
            if attr.endswith("_") and attr not in api.MODULE_PARAMS:
                continue
            if torch_model.is_answer(attr) or attr in ("find", "startswith", "endswith", "lower", "reset_parameters"):
                continue
        return False
    return True
