"""Names in syntax trees: dotted texts, parameters, items."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Container


def dotted(expr: ast.expr) -> str:
    """``a.b.c`` for a chain of names, else an empty string."""
    text = ""
    while expr.__class__ is ast.Attribute:
        text = f".{expr.attr}{text}"
        expr = expr.value
    return f"{expr.id}{text}" if expr.__class__ is ast.Name else ""


def item(expr: ast.expr) -> str:
    """``opt.['cuda']`` for ``opt["cuda"]``, an item of a chain of names under a literal key; else an empty string."""
    if isinstance(expr, ast.Subscript) and isinstance(expr.slice, ast.Constant) and isinstance(expr.slice.value, str):
        owner = dotted(expr.value)
        return f"{owner}.[{expr.slice.value!r}]" if owner else ""
    return ""


def name_of(expr: ast.expr) -> str:
    """The name that code gives the value of an expression: ``device`` of ``args.device``, ``cfg["device"]`` and ``cfg.get("device")``, that
    of a constant in ``state[keys.DEVICE]``; else an empty string."""
    key: ast.expr | None = None
    if isinstance(expr, ast.Subscript):
        key = expr.slice
    elif isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute) and expr.func.attr in ("get", "pop"):
        key = expr.args[0] if expr.args else None
    elif isinstance(expr, (ast.Name, ast.Attribute)):
        return dotted(expr).rpartition(".")[2]
    constant = dotted(key).rpartition(".")[2] if key is not None else ""
    return literal_text(key) or (constant if constant.isupper() else "")


def identifier(node: ast.AST) -> str:
    """The name, the attribute or the keyword that a node is, or the text of a literal; "" for others."""
    return literal_text(node) or getattr(node, "attr", getattr(node, "id", None)) or getattr(node, "arg", None) or ""


def is_name(node: ast.AST | None, name: str) -> bool:
    """Whether a node is just this name."""
    return isinstance(node, ast.Name) and node.id == name


def is_literal(node: ast.AST | None, value: object) -> bool:
    """Whether a node is a literal of this value and of its type: ``None``, ``True``, ``"cpu"``."""
    return isinstance(node, ast.Constant) and node.value.__class__ is value.__class__ and node.value == value


def literal_int(node: ast.AST | None) -> int | None:
    """The number that a literal is; None for other nodes, and for True and False."""
    return node.value if isinstance(node, ast.Constant) and node.value.__class__ is int else None


def literal_text(node: ast.AST | None) -> str | None:
    """The text that a string literal is; None for other nodes."""
    return node.value if isinstance(node, ast.Constant) and node.value.__class__ is str else None


def under_methods(
    value: ast.expr, methods: Container[str] | Callable[[str], bool], *, until: ast.expr | None = None
) -> ast.expr:
    """``net`` of ``net.eval().to(device)``: an expression without the calls of these methods at its end. until: the expression to end with."""
    fits = methods if callable(methods) else methods.__contains__
    while value is not until and isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if not fits(value.func.attr):
            break
        value = value.func.value
    return value


def chain_root(value: ast.expr) -> ast.expr:
    """The expression that a chain of calls of methods begins with."""
    return under_methods(value, lambda _: True)


def has_name(node: ast.AST, name: str) -> bool:
    """Whether code reads, binds or deletes this name."""
    return any(is_name(part, name) for part in walk(node))


def parameters(arguments: ast.arguments) -> dict[str, ast.arg]:
    """The parameters that a caller gives one by one, by their names."""
    return {a.arg: a for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}


def unpacks(call: ast.Call) -> bool:
    """Whether a call has arguments such as ``*given`` or ``**given``."""
    return any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords)


def argument_values(call: ast.Call) -> list[ast.expr]:
    """The values of all arguments of a call, in their order; an ``ast.Starred`` for ``*given``."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def keyword_value(call: ast.Call, *names: str) -> ast.expr | None:
    """The value of the first keyword argument that has one of these names; None without one."""
    return next((keyword.value for keyword in call.keywords if keyword.arg in names), None)


def argument_value(call: ast.Call, position: int, *names: str) -> ast.expr | None:
    """The value of an argument that a call gives by its position or one of its names; the ``ast.Starred`` where it may be one of ``*given``.
    None where it is neither; ``**given`` may still have it (`may_give`)."""
    given = call.args[: position + 1]
    unpacked = next((value for value in given if isinstance(value, ast.Starred)), None)
    if unpacked is not None or len(given) > position:
        return unpacked or given[position]
    return keyword_value(call, *names)


def may_give(call: ast.Call, *names: str, position: int | None = None) -> bool:
    """Whether a call gives an argument, by its position or one of its names, or may: as one of ``*given`` or ``**given``."""
    if any(keyword.arg is None or keyword.arg in names for keyword in call.keywords):
        return True
    return position is not None and (len(call.args) > position or any(isinstance(a, ast.Starred) for a in call.args))


def every_parameter(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters, those that gather the rest among them."""
    gathering = (arguments.vararg, arguments.kwarg)
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *(a for a in gathering if a is not None)]


def defaults(arguments: ast.arguments) -> dict[str, ast.expr]:
    """The defaults of parameters, by their names."""
    pairs = [*zip(reversed([*arguments.posonlyargs, *arguments.args]), reversed(arguments.defaults), strict=False)]
    pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None]
    return {a.arg: d for a, d in pairs}


def plain_parameters(arguments: ast.arguments) -> set[str]:
    """The parameters whose default is a number, a text or a flag: ``tf`` in ``def forward(self, x, tf=0.5)``."""
    found = defaults(arguments).items()
    return {name for name, default in found if isinstance(default, ast.Constant) and default.value is not None}


def ends_process(node: ast.stmt) -> bool:
    """Whether a statement is a call that ends the process: ``sys.exit(1)``."""
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and dotted(call.func) in api.EXIT_CALLS


def last_name(expr: ast.expr) -> str:
    """The name of an expression without its owner: ``b`` of ``b`` and of ``a().b``; "" if it has none."""
    return expr.attr if isinstance(expr, ast.Attribute) else expr.id if isinstance(expr, ast.Name) else ""


def called_name(call: ast.Call) -> str:
    """The last part of the called name; "" if it has none."""
    return last_name(call.func)


def called_names(node: ast.AST) -> set[str]:
    """The last parts of all names that code calls."""
    return {called_name(part) for part in walk(node) if isinstance(part, ast.Call)} - {""}


def called_methods(node: ast.AST) -> set[str]:
    """The names of all methods that code calls, and of functions called by a dotted name."""
    calls = (part.func for part in walk(node) if isinstance(part, ast.Call))
    return {func.attr for func in calls if isinstance(func, ast.Attribute)}


def identifiers(node: ast.AST) -> set[str]:
    """The names, attributes and keywords in code."""
    found: set[str] = set()
    for part in walk(node):
        if isinstance(part, ast.Name):
            found.add(part.id)
        elif isinstance(part, ast.Attribute):
            found.add(part.attr)
        elif isinstance(part, (ast.keyword, ast.arg)) and part.arg is not None:
            found.add(part.arg)
    return found


def bind_names(bindings: dict[str, list[ast.AST]], target: ast.expr, node: ast.AST) -> None:
    """Let `node` bind the names in a target."""
    if isinstance(target, ast.Name):
        bindings.setdefault(target.id, []).append(node)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            bind_names(bindings, element, node)
    elif isinstance(target, ast.Starred):
        bind_names(bindings, target.value, node)


def is_of_dimensions(index: ast.expr) -> bool:
    """Whether an index has slices of several dimensions, as no list or dict takes: ``x[:, 0]``."""
    return isinstance(index, ast.Tuple) and any(isinstance(part, ast.Slice) for part in index.elts)


def makes_list(node: ast.expr) -> bool:
    """Whether an expression is a list, a range or the tuple of something: ``[0] * n``, ``list(x)``, ``range(n)``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mult)):
        return makes_list(node.left) or makes_list(node.right)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("range", "list", "sorted", "tuple")
    return isinstance(node, (ast.List, ast.ListComp))
