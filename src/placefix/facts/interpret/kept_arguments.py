"""Arguments that the constructor of a class keeps as attributes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.interpret.class_summaries import contains, self_writes
from placefix.facts.program.assignments import target_pairs
from placefix.facts.program.ast_names import is_name

if TYPE_CHECKING:
    from placefix.facts.interpret.values import ClassInfo


def keeps_module(info: ClassInfo, position: int, keyword: str | None) -> bool:
    """Whether the constructor stores an argument that the class calls, or whose parameters it reads: a module from outside."""
    key = (position, f"__init__ {keyword}")
    found = info.usage.get(key)
    if found is None:
        found = info.usage[key] = "module" if _keeps_module(info, position, keyword) else "other"
    return found == "module"


def _keeps_module(info: ClassInfo, position: int, keyword: str | None) -> bool:
    text = info.scope.tree.text(info.scope)
    kept = kept_attributes(info, position, keyword)
    return any(
        contains(text, f"self.{attr}{use}") for attr in kept for use in ("(", ".parameters(", ".named_parameters(")
    )


def kept_attributes(info: ClassInfo, position: int, keyword: str | None) -> list[str]:
    """The attributes that the constructor of a class sets to an argument."""
    init = info.methods.get("__init__")
    if init is None:
        return []
    arguments = init.function.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)][1:]
    name = keyword if keyword is not None else names[position] if position < len(names) else ""
    pairs = [
        pair
        for node in init.nodes
        if isinstance(node, ast.Assign)
        for target in node.targets
        for pair in target_pairs(target, node.value)
    ]
    return [
        target.attr
        for target, value in pairs
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and is_name(value, name)
    ]


def is_set_once(info: ClassInfo, attr: str) -> bool:
    """Whether one statement of a class sets an attribute of its instances."""
    return self_writes(info.scope)[attr] == 1
