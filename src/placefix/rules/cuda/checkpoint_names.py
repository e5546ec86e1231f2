"""Loads whose value is a checkpoint by its names: of the value, of its file, and of the keys that are read of it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.naming import last, mentions_checkpoint, mentions_no_checkpoint, names_test
from placefix.facts.program.arguments import self_name
from placefix.facts.program.ast_names import argument_values, called_name, dotted
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from placefix.facts.program.tree import Stmt


def bound_names(stmt: Stmt) -> list[str]:
    """The names and attributes that a statement assigns its value to."""
    node = stmt.node
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [name for name in map(dotted, targets) if name]


def checkpoint_name(call: ast.Call, stmt: Stmt) -> str:
    """The name by which the value of a load is a checkpoint; "" if none of its names is, or one is that of something else. A test loads
    a file that it has saved."""
    if names_test(stmt.scope.name):
        return ""
    if names_other_data(call, stmt):
        return ""
    bound = bound_names(stmt)
    own = [*map(last, bound), *_of_path(argument_values(call)[0])]
    own += _keys(stmt, lambda value: value is call or dotted(value) in bound)
    own += _receivers(call, stmt, bound)
    if not bound and not stmt.scope.is_root:
        own.append(stmt.scope.name)  # ``return torch.load(path)``
        own += _owner_of_path(call, stmt)
    return next(filter(mentions_checkpoint, own), "")


def names_other_data(call: ast.Call, stmt: Stmt) -> bool:
    """Whether the value of a load, or its file, has the name of something else than a checkpoint: of data, of embeddings."""
    return any(map(mentions_no_checkpoint, (*map(last, bound_names(stmt)), *_of_path(argument_values(call)[0]))))


def _of_path(path: ast.expr) -> Iterator[str]:
    """The names and texts in the expression of a path, those of functions and of what has an attribute left out."""
    if isinstance(path, ast.Call):
        for argument in argument_values(path):
            yield from _of_path(argument)
        if isinstance(path.func, ast.Attribute):
            yield from _of_path(path.func.value)
    elif isinstance(path, (ast.Name, ast.Attribute)):
        yield last(dotted(path))
    elif isinstance(path, ast.Constant):
        yield str(path.value)
    elif isinstance(path, ast.Subscript):
        yield from (*_of_path(path.value), *_of_path(path.slice))
    elif isinstance(path, (ast.BinOp, ast.JoinedStr, ast.FormattedValue)):
        for part in ast.iter_child_nodes(path):
            if isinstance(part, ast.expr):
                yield from _of_path(part)


def _receivers(call: ast.Call, stmt: Stmt, bound: list[str]) -> Iterator[str]:
    """The names of the functions that the scope gives the loaded value: ``build_with_state_dict(loaded)``. That of `load_state_dict` copies."""
    for node in stmt.scope.nodes:
        if isinstance(node, ast.Call) and any(
            given is call or dotted(given) in bound for given in argument_values(node)
        ):
            if called_name(node) != "load_state_dict":
                yield called_name(node)


def _owner_of_path(call: ast.Call, stmt: Stmt) -> Iterator[str]:
    """The class of which a path is an attribute: ``torch.load(self.path)`` in ``class Checkpoint``."""
    cls = stmt.scope.cls
    me = self_name(stmt.scope) if cls is not None else ""
    if cls is not None and me and any(dotted(n) == me for n in walk(argument_values(call)[0])):
        yield cls.name


def _keys(stmt: Stmt, is_loaded: Callable[[ast.expr], bool]) -> Iterator[str]:
    """The literal keys that the function, or the module level, reads of the loaded value."""
    for node in stmt.scope.nodes:
        if isinstance(node, ast.Subscript) and is_loaded(node.value):
            key = node.slice
        elif isinstance(node, ast.Compare) and is_loaded(node.comparators[0]):
            key = node.left
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.args
            and is_loaded(node.func.value)
        ):
            key = node.args[0]
        else:
            continue
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield key.value
