"""Options of the command line, as argparse has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts.program.ast_names import keyword_value, literal_text

if TYPE_CHECKING:
    import ast

    from placefix.facts.program.expression_index import Index


def destination(call: ast.Call) -> str:
    """The attribute that ``add_argument(…)`` sets; empty where it is not written out."""
    given = keyword_value(call, "dest")
    if given is not None:
        return literal_text(given) or ""
    words = [word for word in map(literal_text, call.args) if word is not None]
    long = [w for w in words if w.startswith("--")] or words
    return long[0].lstrip("-").replace("-", "_") if long else ""


def options(index: Index) -> dict[str, list[ast.Call]]:
    """The calls of ``add_argument`` in a file by the attribute that they set."""
    found: dict[str, list[ast.Call]] = {}
    for call, _ in index.called("add_argument"):
        if name := destination(call):
            found.setdefault(name, []).append(call)
    return found
