"""Attributes of ``self``: their uses, their only assignment, and those that a statement sets."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

from placefix.facts.program.arguments import self_class
from placefix.facts.program.assignments import leaf_targets, only_target
from placefix.facts.program.ast_names import dotted, is_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.expression_index import AttributeWrite, Index
    from placefix.facts.program.tree import Scope


def attribute_of_self(index: Index, node: ast.Attribute, scope: Scope) -> AttributeWrite | None:
    """The only assignment, in its class, to the attribute of the object that a method belongs to; None of anything else."""
    text = dotted(node)
    me, _, name = text.partition(".")
    cls = self_class(scope.lookup(me), me) if name and "." not in name else None
    if cls is None:
        return None
    writes = [w for w in index.writes.get(text, ()) if self_class(w.stmt.scope.lookup(me), me) is cls]
    return writes[0] if len(writes) == 1 and name not in cls.bindings else None


def uses_of_self(*scopes: Scope) -> Counter[str]:
    """How often code names each attribute of ``self``."""
    found = (n for scope in scopes for n in scope.nodes)
    return Counter(n.attr for n in found if isinstance(n, ast.Attribute) and is_name(n.value, "self"))


def attributes_set(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The attributes of ``self`` that a statement sets, with their values: ``self.a, self.b = f(), g()``, ``self.a: Module = f()``."""
    target = node.target if isinstance(node, ast.AnnAssign) else only_target(node)
    for leaf, value in leaf_targets(target, node.value) if target is not None else ():  # type: ignore[attr-defined]
        text = dotted(leaf)
        if value is not None and text.startswith("self."):
            yield text.removeprefix("self."), value
