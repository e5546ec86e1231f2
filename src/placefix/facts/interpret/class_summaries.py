"""Summaries of classes: their kind, their attributes, and their use of devices."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret.values import ClassInfo
from placefix.facts.program.ast_names import dotted, is_name, parameters
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope, Tree


def decorated(scope: Scope) -> bool:
    """Whether a decorator may make something of a function that takes or gives other things than it does."""
    node = scope.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    for decorator in node.decorator_list:
        expr = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = scope.tree.qualname(expr, scope.parent or scope) or dotted(expr)
        if name not in api.TRANSPARENT_DECORATORS:
            return True
    return False


class ClassSummaries:
    """The summaries of classes, made when they are asked for; they are read in the statement tree alone, and start no flow."""

    def __init__(self, context: AnalysisContext) -> None:
        self.known: dict[Scope, ClassInfo] = {}

    def of(self, scope: Scope) -> ClassInfo:
        """The summary of a class."""
        return class_info(scope, self.known)


def class_info(scope: Scope, known: dict[Scope, ClassInfo]) -> ClassInfo:
    """The summary of a class, made once; a class that derives from itself ends the recursion."""
    tree = scope.tree
    info = known.get(scope)
    if info is not None:
        return info
    known[scope] = info = ClassInfo(scope)
    node = scope.node
    assert isinstance(node, ast.ClassDef) and scope.parent is not None
    methods: dict[str, Scope] = {}
    own: set[str] = set()
    outside: list[str] = []
    for base in node.bases:
        local = class_of(scope.parent, base)
        if local is not None and local is not scope:
            parent = class_info(local, known)
            methods.update(parent.methods)
            own |= parent.own_moves
            info.is_module |= parent.is_module
            info.dataset |= parent.dataset
            info.places_self |= parent.places_self
            info.closed &= parent.closed
            outside.extend(parent.bases)
            if local.tree is not tree:
                outside.append(tree.qualname(base, scope.parent) or "?")
        else:
            outside.append(tree.qualname(base, scope.parent) or "?")
            info.closed &= (
                outside[-1] in _PLAIN_BASES or api.is_module_constructor(outside[-1]) or dotted(base) == "object"
            )
    for name in outside:
        if (
            name in api.MODULE_BASES
            or api.is_module_constructor(name)
            or name.endswith((".LightningModule", ".Module"))
        ):
            info.is_module = True
        if name in api.DATASET_BASES:
            info.dataset = True
    info.bases = tuple(outside)
    own |= {name for name in scope.functions if name in ("to", "cuda", "cpu")}
    text = tree.text(scope)
    if "lambda" in text or "partial" in text:
        own.update(_OWN_MOVE.findall(text))
    methods.update(scope.functions)
    info.methods = methods
    info.own_moves = frozenset(own)
    init = scope.functions.get("__init__")
    if init is not None:
        info.places_self |= bool(_moves(tree, init)) or _made_on_device(tree, init)
    if "__getitem__" in scope.functions and "__len__" in scope.functions and not info.is_module:
        info.dataset = True
    info.indices = frozenset(_indices(text))
    if info.is_module:
        info.layers.update(_layers(tree, scope))
    return info


def _layers(tree: Tree, scope: Scope) -> dict[str, str]:
    """Attributes that `__init__` sets, and no other statement does, to a module of torch.nn: attribute to name."""
    init = scope.functions.get("__init__")
    if init is None:
        return {}
    layers: dict[str, str] = {}
    for stmt in init.body.stmts:
        assign = stmt.node
        if isinstance(assign, ast.Assign) and isinstance(assign.value, ast.Call) and len(assign.targets) == 1:
            attr = dotted(assign.targets[0]).removeprefix("self.")
            name = tree.qualname(assign.value.func, init) or ""
            if name.startswith("torch.nn.") and api.is_module_constructor(name):
                layers[attr] = name
    if not layers:
        return layers
    # by the text, not by a walk over every method: this runs for each class of each file
    writes = Counter(_SELF_WRITE.findall(tree.text(scope)))
    return {attr: name for attr, name in layers.items() if writes[attr] == 1}


_PLAIN_BASES = api.MODULE_BASES | api.DATASET_BASES | {"abc.ABC"}


def class_of(scope: Scope | None, expr: ast.expr) -> Scope | None:
    """The class that `expr` names in `scope`: one of the file, or of another of its repository."""
    if scope is None:
        return None
    if isinstance(expr, ast.Name):
        owner = scope.lookup(expr.id)
        if owner is not None and len(owner.bindings.get(expr.id, ())) == 1 and expr.id in owner.classes:
            return owner.classes[expr.id]
    home = scope.tree.home
    name = scope.tree.qualname(expr, scope) if home is not None else None
    found = home.find(name) if home is not None and name is not None else None
    return found.scope if found is not None and found.kind == "class" else None


# An attribute of self as a target: assigned, augmented, unpacked, or bound by for and with.
# Literal starts are found many times faster.
_SELF_WRITE = re.compile(
    r"self\.(?<!\wself\.)(\w+)\s*(?=(?:[-+*/@%&|^]|//|\*\*|<<|>>)?=(?!=)|:[^=\n]*=|,[^=\n()]*=(?!=)|\)?\s+in\b|\)?\s*:\s*$)",
    re.MULTILINE,
)
# A function that an object gives itself under such a name; a flag (``self.cuda = args.cuda``) is none.
_OWN_MOVE = re.compile(r"self\.(?<!\wself\.)(to|cuda|cpu)\s*=\s*(?:lambda\b|(?:functools\.)?partial\()")
_MOVE = re.compile(r"\.(?:to|cuda|cpu|xpu)\s*\(")
# Literal device indices: "cuda:1", .cuda(1), .to(1).
_INDEX = (
    re.compile(r"cuda:(?<=[\"']cuda:)(\d+)[\"']"),
    re.compile(r"\.to\(\s*(?:device\s*=\s*)?(\d+)\s*[,)]"),
    re.compile(r"\.cuda\(\s*(?:device\s*=\s*)?(\d+)\s*[,)]"),
)


_DEVICE_ARGUMENTS = (re.compile(r"device\s*="), re.compile(r"\*\*\w*factory"))


def _made_on_device(tree: Tree, scope: Scope) -> bool:
    """Whether a constructor makes layers or tensors with ``device=``."""
    text = tree.text(scope)
    return any(argument.search(text) for argument in _DEVICE_ARGUMENTS) and any(
        isinstance(n, ast.Call)
        and any(k.arg == "device" or (k.arg is None and "factory" in ast.dump(k.value)) for k in n.keywords)
        for n in walk(scope.node)
    )


def _moves(tree: Tree, scope: Scope) -> list[ast.Call]:
    """Calls of .to, .cuda, .cpu in a function."""
    if not _MOVE.search(tree.text(scope)):
        return []
    return [
        n
        for n in walk(scope.node)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in api.PLACING
    ]


def _indices(text: str) -> set[int]:
    """Literal device indices a class uses: two of them make it model-parallel."""
    if "cuda" not in text and ".to(" not in text:
        return set()
    return {int(digits) for spelling in _INDEX for digits in spelling.findall(text)}


# In `moves_inputs`: anything that a module is called with.
ANYTHING = "*"


def moves_inputs(info: ClassInfo) -> frozenset[str]:
    """The parameters of its `forward` that a module of this class may move: the receivers of moves outside __init__ that are neither
    the module itself nor made on the spot. `ANYTHING` among them, where one is no parameter of `forward`."""
    if info.moves_inputs is None:
        info.moves_inputs = _moves_inputs(info)
    return info.moves_inputs


def _moves_inputs(info: ClassInfo) -> frozenset[str]:
    if "forward" in info.methods and decorated(info.methods["forward"]):
        return frozenset((ANYTHING,))
    moved: set[str] = set()
    for name, method in info.methods.items():
        if name == "__init__":
            continue
        given = parameters(method.function.args)
        for call in _moves(method.tree, method):
            receiver = call.func.value  # type: ignore[attr-defined]
            if isinstance(receiver, ast.Call) and torch_model.fills(method.tree.qualname(receiver.func, method)):
                continue
            if not isinstance(receiver, ast.Name) or receiver.id == "self":
                moved |= set() if isinstance(receiver, ast.Name) else {ANYTHING}
            elif receiver.id in given:
                moved.add(receiver.id if name == "forward" else ANYTHING)
            elif not _made_inside(receiver.id, method):
                moved.add(ANYTHING)
    return frozenset(moved)


def _made_inside(name: str, method: Scope) -> bool:
    """Whether a method computes every value that it binds to a name only from the shapes, devices and types of its arguments."""
    bound = method.bindings.get(name, [])
    made = False
    for binding in bound:
        if not isinstance(binding, ast.Assign) or not any(is_name(t, name) for t in binding.targets):
            return False
        parts = list(walk(binding.value))
        asked = {id(n.value) for n in parts if isinstance(n, ast.Attribute) and n.attr in _TOLD}
        if any(
            isinstance(n, ast.Name) and n.id != name and n.id in method.bindings and id(n) not in asked for n in parts
        ):
            return False
        made = made or any(
            isinstance(n, ast.Call) and torch_model.is_factory(method.tree.qualname(n.func, method)) for n in parts
        )
    return made


# Properties of a tensor that are independent of its values.
_TOLD = frozenset(("size", "shape", "device", "dtype", "dim", "ndim", "numel"))
_HOST_CALLS = frozenset({"pack_padded_sequence", "range", "int", "len", "list", "tolist", "numpy"})


def forward_argument(info: ClassInfo, position: int, keyword: str | None) -> str:
    """What `forward` does with an argument: "tensor" (hands it straight to a layer or a torch
    function, or calls a tensor method on it), "host" (wants it on the CPU, or hands it to code
    that is not known), "other"."""
    found = info.usage.get((position, keyword))
    if found is None:
        found = info.usage[position, keyword] = _forward_argument(info, position, keyword)
    return found


def forward_parameter(info: ClassInfo, position: int, keyword: str | None) -> str:
    """The parameter of `forward` that an argument of a call goes to, an empty string where that is not known."""
    forward = info.methods.get("forward")
    return _parameter(forward, position, keyword) or "" if forward is not None else ""


def _forward_argument(info: ClassInfo, position: int, keyword: str | None) -> str:
    forward, name = info.methods.get("forward"), forward_parameter(info, position, keyword)
    if forward is None or not name:
        return "host"
    node = forward.function
    if _counts_lengths(forward, name):
        return "host"
    found = "other"
    for n in walk(node):
        if isinstance(n, ast.BinOp) and any(isinstance(o, ast.Name) and o.id == name for o in (n.left, n.right)):
            found = "tensor"
        if not isinstance(n, ast.Call):
            continue
        func = n.func
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == name:
            if func.attr in _HOST_CALLS or func.attr == "cpu":
                return "host"
            if torch_model.shows_tensor(func.attr):
                found = "tensor"
        for number, argument in enumerate(n.args):
            if not isinstance(argument, ast.Name) or argument.id != name:
                continue
            head: ast.expr = func
            while isinstance(head, (ast.Attribute, ast.Subscript)):
                head = head.value
            last = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
            if forward.tree.qualname(func, forward) in api.PACK:
                found = "tensor" if not number else "host"
            elif dotted(func) == f"self.{last}" and last in info.methods:
                inner = _parameter(info.methods[last], number, None)
                if inner is None or _counts_lengths(info.methods[last], inner):
                    return "host"
                found = "tensor"
            elif isinstance(head, ast.Name) and head.id in ("self", "F", "torch", "nn"):
                found = "tensor"
            elif last in _HOST_CALLS:
                return "host"
    return found


def _counts_lengths(forward: Scope, name: str) -> bool:
    """Whether pack_padded_sequence, under any name, gets lengths that are made of a parameter, where they lie with it."""
    made = {name}
    lengths = [
        value
        for call in walk(forward.function)
        if isinstance(call, ast.Call) and forward.tree.qualname(call.func, forward) in api.PACK
        for value in (*call.args[1:2], *(k.value for k in call.keywords if k.arg == "lengths"))
    ]
    if not lengths:
        return False
    bindings = [n for n in walk(forward.function) if isinstance(n, ast.Assign)]
    for _ in bindings:
        made |= {
            part.id
            for n in bindings
            if _made_of(n.value, made)
            for target in n.targets
            for part in walk(target)
            if isinstance(part, ast.Name)
        }
    return any(_made_of(value, made) for value in lengths)


def _made_of(value: ast.expr, names: set[str]) -> bool:
    """Whether a value is, or is computed of, what has one of these names, on the device where that lies."""
    if isinstance(value, ast.Name):
        return value.id in names
    if isinstance(value, ast.Attribute):
        return value.attr not in _TOLD and _made_of(value.value, names)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if value.func.attr in ("cpu", "numpy", "tolist", "item") or value.func.attr in _TOLD:
            return False
        return _made_of(value.func.value, names)
    parts: tuple[ast.expr, ...] = ()
    if isinstance(value, ast.BinOp):
        parts = (value.left, value.right)
    elif isinstance(value, ast.Subscript):
        parts = (value.value,)
    elif isinstance(value, ast.Compare):
        parts = (value.left, *value.comparators)
    return any(_made_of(part, names) for part in parts)


def packed_by(info: ClassInfo, position: int, keyword: str | None) -> ast.Name | None:
    """The argument that `forward` passes unchanged to pack_padded_sequence as the lengths; None if it does not."""
    forward = info.methods.get("forward")
    if forward is None or decorated(forward) or "pack_padded_sequence" not in forward.tree.text(forward):
        return None
    name = _parameter(forward, position, keyword)
    uses = [n for n in walk(forward.node) if isinstance(n, ast.Name) and n.id == name]
    if name is None or any(not isinstance(n.ctx, ast.Load) for n in uses):
        return None
    for n in walk(forward.node):
        if isinstance(n, ast.Call) and forward.tree.qualname(n.func, forward) in api.PACK:
            given = [k.value for k in n.keywords if k.arg == "lengths"] or n.args[1:2]
            if given and given[0] in uses and isinstance(given[0], ast.Name):
                return given[0]
    return None


def _parameter(function: Scope, position: int, keyword: str | None) -> str | None:
    """The parameter of a method that an argument of its call is for."""
    arguments = function.function.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)][1:]
    if keyword is not None:
        return keyword if keyword in (*names, *(a.arg for a in arguments.kwonlyargs)) else None
    return names[position] if position < len(names) else None


def keeps_module(info: ClassInfo, position: int, keyword: str | None) -> bool:
    """Whether the constructor stores an argument that the class calls, or asks for parameters: a module from outside."""
    key = (position, f"__init__ {keyword}")
    found = info.usage.get(key)
    if found is None:
        found = info.usage[key] = "module" if _keeps_module(info, position, keyword) else "other"
    return found == "module"


def _keeps_module(info: ClassInfo, position: int, keyword: str | None) -> bool:
    init = info.methods.get("__init__")
    if init is None:
        return False
    arguments = init.function.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)][1:]
    name = keyword if keyword is not None else names[position] if position < len(names) else ""
    kept = [
        target.attr
        for n in walk(init.node)
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.Name) and n.value.id == name
        for target in n.targets
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
    ]
    text = info.scope.tree.text(info.scope)
    return any(_says(text, f"self.{attr}{use}") for attr in kept for use in ("(", ".parameters(", ".named_parameters("))


def _says(text: str, words: str) -> bool:
    """Whether a text says this, and not as the end of a longer name; a pattern would have to be compiled for each."""
    at = text.find(words)
    while at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_"):
        at = text.find(words, at + 1)
    return at >= 0


_PLAIN_STORES = frozenset(("data", "eps", "momentum", "inplace", "p"))
_PLAIN_CALLS = ("torch.nn.init.", "math.", "numpy.", "torch.no_grad")


def only_initialises(scope: Scope) -> bool:
    """Whether a function that is applied to every layer only fills parameters, in place."""
    for n in walk(scope.node):
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
