"""The function or class that an expression names, if its code is known, the bases of a class, and whether one of its parameters takes a device in any spelling.

``torch.device("cuda")`` may replace ``"cuda"`` if it is only passed to torch: as the device of a move, a factory or a load.
If it is compared with a string, formatted, or passed to unknown code, it may not.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.program.arguments import receiver_name, self_class
from placefix.facts.program.ast_names import dotted, is_literal, under_methods
from placefix.facts.program.ast_walk import parents
from placefix.facts.program.repository import either_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.facts.program.repository import Definition, Home
    from placefix.facts.program.tree import Scope, Tree

_MOVES = frozenset(("to", "cuda"))
# Methods of tensors that make another one, with a device argument.
_MAKES = frozenset(("new_zeros", "new_ones", "new_tensor", "new_full", "new_empty"))
# Keywords of torch's functions that take a device.
_TELLS = frozenset(("device", "map_location"))
# Functions of torch with a device by position, and the position.
_TOLD_AT = {"torch.device": 0, "torch.Generator": 0, "torch.load": 1}
_MAX_DEPTH = 4


def code_of(call: ast.Call, scope: Scope, home: Home | None) -> Scope | None:
    """The function that a call in `scope` runs, where it is one of the file or of its repository: of a class its constructor.

    home: the file's place in its repository, None where other files are not to be read.
    """
    found = definition_of(call.func, scope, home)
    if found is not None and found.is_class:
        found = found.functions.get("__init__")
    return found if found is not None and found.is_function and is_plain(found) else None


def definition_of(func: ast.expr, scope: Scope, home: Home | None) -> Scope | None:
    """The function or class of the file or of its repository that an expression in `scope` names; None for any other."""
    name = scope.tree.qualname(func, scope)
    if name is not None:
        found = home.find(name) if home is not None and not name.startswith("torch.") else None
        return found.scope if found is not None else None
    if isinstance(func, ast.Name):
        return local_definition(func, scope)
    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
        cls = self_class(scope.lookup(func.value.id), func.value.id)
        return cls.functions.get(func.attr) if cls is not None else None
    return None


def local_definition(expr: ast.expr, scope: Scope) -> Scope | None:
    """The function or class of the file that a name denotes, if nothing else binds the name."""
    owner = scope.lookup(expr.id) if isinstance(expr, ast.Name) else None
    is_only = owner is not None and isinstance(expr, ast.Name) and len(owner.bindings.get(expr.id, ())) == 1
    return possible_definition(expr, scope) if is_only else None


def possible_definition(expr: ast.AST, scope: Scope) -> Scope | None:
    """The function or class of the file that a name may denote: something else may bind it as well."""
    owner = scope.lookup(expr.id) if isinstance(expr, ast.Name) else None
    if owner is None or not isinstance(expr, ast.Name):
        return None
    return owner.functions.get(expr.id) or owner.classes.get(expr.id)


def imported_definition(expr: ast.expr, scope: Scope) -> Definition | None:
    """The definition in another file of the repository that an expression names; None where no other file is to be read."""
    home = scope.tree.home
    name = scope.tree.qualname(expr, scope) if home is not None else None
    return home.find(name) if home is not None and name is not None else None


def class_of(scope: Scope | None, expr: ast.expr) -> Scope | None:
    """The class that `expr` names in `scope`: one of the file, or of another of its repository."""
    if scope is None:
        return None
    local = local_definition(expr, scope)
    if local is not None and local.is_class:
        return local
    found = imported_definition(expr, scope)
    return found.scope if found is not None and found.kind == "class" else None


def value_of_name(scope: Scope, expr: ast.expr) -> tuple[ast.expr | None, Tree]:
    """The expression that a name of a module level of the repository is bound to once and for all, and its file."""
    tree = scope.tree
    if isinstance(expr, ast.Name) and scope.lookup(expr.id) is tree.root and expr.id not in tree.root.imports:
        only = next((value for value, name in tree.level_values.items() if name == expr.id), None)
        return only or either_of(tree, expr.id), tree
    found = imported_definition(expr, scope)
    return (found.value, found.tree) if found is not None else (None, tree)


def bases_of(scope: Scope) -> Iterator[tuple[ast.expr, Scope]]:
    """The expressions of the bases of a class, each with the scope of its names; of an alias of the module level its value, and of one
    that a test chooses both, ``Base = torch.jit.ScriptModule if scripted else nn.Module``, where none is a class of the repository."""
    assert isinstance(scope.node, ast.ClassDef) and scope.parent is not None
    for written in scope.node.bases:
        base = written.value if isinstance(written, ast.Subscript) else written  # ``Base[T]``
        value, tree = (
            (None, scope.tree) if class_of(scope.parent, base) is not None else value_of_name(scope.parent, base)
        )
        arms = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
        names = [arm for arm in arms if arm is not None and dotted(arm)]
        if len(names) != len(arms) or (len(arms) > 1 and any(class_of(tree.root, arm) is not None for arm in names)):
            yield base, scope.parent
        else:
            yield from ((arm, tree.root) for arm in names)


def class_of_framework(scope: Scope, name: str) -> Scope | None:
    """The class with the dotted name of an import, also in a file of the repository that leaves placement to a framework: such a file does
    not tell where its values are, but the kinds of its classes."""
    home = scope.tree.home
    found = home._replace(frameworks=True).find(name) if home is not None else None
    return found.scope if found is not None and found.kind == "class" else None


def chain_start(value: ast.expr) -> ast.expr:
    """``Net()`` of ``Net().eval().to(device)``: an expression without the methods of modules that return the module."""
    return under_methods(value, api.RETURNS_SELF)


def is_plain(function: Scope) -> bool:
    """Whether no decorator makes a function of other parameters of it."""
    for decorator in function.function.decorator_list:
        expr = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = function.tree.qualname(expr, function.parent or function) or dotted(expr)
        if name not in api.TRANSPARENT_DECORATORS:
            return False
    return True


def parameter_of(call: ast.Call, value: ast.expr, function: Scope) -> str:
    """The parameter that an argument of a call becomes in the function that it runs; empty where it is not one alone."""
    arguments = function.function.args
    keyword = next((k for k in call.keywords if k.value is value), None)
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
    if keyword is not None:
        known = {*names, *(a.arg for a in arguments.kwonlyargs)}
        return keyword.arg if keyword.arg in known else ""
    at = next((n for n, a in enumerate(call.args) if a is value), -1)
    if at < 0 or any(isinstance(a, ast.Starred) for a in call.args[: at + 1]):
        return ""
    at += bool(receiver_name(function))
    return names[at] if at < len(names) else ""


def takes_any_device(function: Scope, name: str, home: Home | None, depth: int = 0) -> bool:
    """Whether all that a function does with a parameter takes a torch.device as well as the word for it."""
    return depth <= _MAX_DEPTH and _Uses(function, home, depth).neutral(name)


class _Uses:
    """The uses of names in the code of one function, and of the class that it is a method of."""

    def __init__(self, function: Scope, home: Home | None, depth: int) -> None:
        self._function = function
        self._home = home
        self._depth = depth
        self._parents = parents(function.node)
        self._seen: set[str] = set()

    def neutral(self, name: str) -> bool:
        """Whether every read of a name is one that a torch.device serves as well as a word."""
        if name in self._seen:
            return True
        self._seen.add(name)
        made = self._made_device(name)
        reads = [n for n in self._parents if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]
        return all(self._serves(n, self._function) for n in reads if made is None or n.lineno <= made)

    def _made_device(self, name: str) -> int | None:
        """The line of ``name = torch.device(name)`` in the function's own suite: below, it is a torch.device whatever was given."""
        for stmt in self._function.function.body:
            if (
                isinstance(stmt, ast.Assign)
                and len(stmt.targets) == 1
                and dotted(stmt.targets[0]) == name
                and isinstance(stmt.value, ast.Call)
                and self._function.tree.qualname(stmt.value.func, self._function) == "torch.device"
            ):
                return stmt.end_lineno
        return None

    def _serves(self, node: ast.expr, scope: Scope) -> bool:
        around = self._parents.get(node)
        if isinstance(around, ast.Call):
            return self._handed(around, node, scope)
        if isinstance(around, ast.keyword):
            call = self._parents.get(around)
            return isinstance(call, ast.Call) and self._handed(call, node, scope)
        if isinstance(around, ast.Compare):
            return all(is_literal(c, None) for c in around.comparators)
        if isinstance(around, (ast.BoolOp, ast.IfExp)):
            return (isinstance(around, ast.IfExp) and around.test is node) or self._serves(around, scope)
        if isinstance(around, (ast.If, ast.While)):
            return around.test is node
        if isinstance(around, ast.Assign) and len(around.targets) == 1:
            target = around.targets[0]
            if isinstance(target, ast.Name):
                return self.neutral(target.id)
            return isinstance(target, ast.Attribute) and self._kept(target)
        return False

    def _handed(self, call: ast.Call, value: ast.expr, scope: Scope) -> bool:
        """Whether the called function accepts the argument as any kind of device."""
        func = call.func
        if value is func:
            return False
        named = next((k.arg for k in call.keywords if k.value is value), None)
        name = scope.tree.qualname(func, scope)
        if name is not None and name.startswith("torch."):
            at = _TOLD_AT.get(name)
            return named in _TELLS or (at is not None and len(call.args) > at and call.args[at] is value)
        if name is None and isinstance(func, ast.Attribute) and _is_device_of_method(call, func.attr, value, named):
            return True
        home = self._home if scope.tree is self._function.tree else scope.tree.home
        callee = code_of(call, scope, home)
        parameter = parameter_of(call, value, callee) if callee is not None else ""
        if callee is None or not parameter:
            return False
        return callee is self._function or takes_any_device(
            callee, parameter, home if callee.tree is scope.tree else callee.tree.home, self._depth + 1
        )

    def _kept(self, target: ast.Attribute) -> bool:
        """Whether every read of an attribute of the object, in the file, is one that a torch.device serves."""
        text, cls = dotted(target), self._function.cls
        if cls is None or self_class(self._function, text.partition(".")[0]) is not cls:
            return False
        if text.count(".") != 1:
            return False
        if text in self._seen:
            return True
        self._seen.add(text)
        tree = self._function.tree
        if any(_asks_word(node, target.attr) for node in tree.root.nodes):
            return False
        for method in cls.functions.values():
            self._parents.update(parents(method.node))
            for node in method.nodes:
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and dotted(node) == text:
                    if not self._serves(node, method):
                        return False
        return True


def _asks_word(node: ast.AST, attr: str) -> bool:
    """Whether an expression compares an attribute of that name with something, or makes a text of it."""
    if isinstance(node, ast.Compare):
        parts: Iterable[ast.AST] = (node.left, *node.comparators)
    elif isinstance(node, (ast.FormattedValue, ast.Subscript)):
        parts = (node.value, node.slice) if isinstance(node, ast.Subscript) else (node.value,)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
        return node.value.attr == attr and node.attr not in ("type", "index")
    else:
        return False
    none = isinstance(node, ast.Compare) and all(is_literal(c, None) for c in node.comparators)
    return not none and any(isinstance(part, ast.Attribute) and part.attr == attr for part in parts)


def _is_device_of_method(call: ast.Call, method: str, value: ast.expr, keyword: str | None) -> bool:
    """Whether an argument is the device of a method of a tensor: ``x.to(value)``, ``x.new_zeros(3, device=value)``."""
    if method in _MOVES and (keyword == "device" or (bool(call.args) and call.args[0] is value)):
        return True
    return keyword == "device" and (method in _MAKES or method.endswith("_like"))
