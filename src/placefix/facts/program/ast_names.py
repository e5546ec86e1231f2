"""Names in syntax trees: dotted texts, parameters, items."""

from __future__ import annotations

import ast

from placefix.facts import torch_api as api


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


def is_name(node: ast.AST, name: str) -> bool:
    """Whether a node is just this name."""
    return isinstance(node, ast.Name) and node.id == name


def parameters(arguments: ast.arguments) -> dict[str, ast.arg]:
    """The parameters that a caller gives one by one, by their names."""
    return {a.arg: a for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}


def gives(call: ast.Call, position: int, name: str) -> bool:
    """Whether a call gives an argument, by its position or its name, or may: as one of ``*given`` or ``**given``."""
    starred = any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords)
    return starred or len(call.args) > position or any(k.arg == name for k in call.keywords)


def every_parameter(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters, those that gather the rest among them."""
    gathering = (arguments.vararg, arguments.kwarg)
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *(a for a in gathering if a is not None)]


def defaults(arguments: ast.arguments) -> dict[str, ast.expr]:
    """The defaults of parameters, by their names."""
    pairs = [*zip(reversed([*arguments.posonlyargs, *arguments.args]), reversed(arguments.defaults), strict=False)]
    pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None]
    return {a.arg: d for a, d in pairs}


def ends_process(node: ast.stmt) -> bool:
    """Whether a statement is a call that ends the process: ``sys.exit(1)``."""
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and dotted(call.func) in api.EXIT_CALLS
