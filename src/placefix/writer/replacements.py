"""Replacements of expressions: when libcst reads them alone, and when they need parentheses."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from placefix.diagnostic import Span
from placefix.parsing import parse_quietly
from placefix.recursion import final_recursion_errors
from placefix.text_edits import TextEdit, spliced_segment

if TYPE_CHECKING:
    from collections.abc import Sequence

    import libcst as cst

    from placefix.diagnostic import Replace
    from placefix.layout import Layout, Region

NEWLINE = re.compile(r"\r\n|\r|\n")
# libcst recurses in C on long operator chains and takes the process down; no statement that
# a fix touches is anywhere near this long.
LONGEST = 50_000
# Expressions that bind tightest: they never need parentheses of their own.
_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
# Expressions that need no parentheses in any place.
_CLOSED = (*_ATOMS, ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)
# Expressions whose span, or whose possible replacements, depend on the code around them.
_OPEN = (ast.Tuple, ast.GeneratorExp, ast.Starred, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.JoinedStr, ast.Slice)


def independent_edits(layout: Layout, region: Region, edits: Sequence[Replace]) -> list[TextEdit]:
    """Those of the sorted edits that depend on nothing but an expression around them: it is read, and the new one needs no parentheses
    in any place. Then libcst parses only that, so that a fix in a long statement costs no more than in a short one."""
    expressions = layout.expressions(region)
    splices = [TextEdit(*edit.span, edit.text) for edit in edits]
    whole = [edit for edit in splices if expressions.at(Span(edit.start, edit.end)) is not None]
    found: set[TextEdit] = set()
    for edit in [*whole, *(edit for edit in splices if edit not in whole)]:
        for node, span in expressions.around(Span(edit.start, edit.end)):
            if not isinstance(node, _CLOSED) and (edit.start, edit.end) != span:
                continue  # an operator around an edit remains one
            within = [e for e in splices if span.start <= e.start and e.end <= span.end]
            if any(e in whole and e not in found and (e.start, e.end) != span for e in within):
                break  # a new expression that may need parentheses
            if _is_closed_after(layout, node, span, within):
                found.update(within)
                break
    return sorted(found)


def _is_closed_after(layout: Layout, node: ast.expr, span: Span, edits: Sequence[TextEdit]) -> bool:
    """Whether an expression needs no parentheses in its place after the edits inside it."""
    if isinstance(node, _OPEN) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return False
    around = layout.text[max(span.start - 1, 0) : span.start] + layout.text[span.end : span.end + 1]
    if any(char.isalnum() or char in "_'\"" or not char.isascii() for char in around):  # `return'cuda'`
        return False
    return _is_closed(spliced_segment(layout.text, span, edits))


@lru_cache(maxsize=256)
def _is_closed(text: str) -> bool:
    """Whether `text` is an expression that needs no parentheses in any place, and libcst parses and prints it."""
    import libcst as cst

    if len(text) > LONGEST:
        return False
    try:
        body = ast.parse(text, mode="eval").body
        lines = NEWLINE.split(text)
        end = len(lines), len(lines[-1].encode())
        if not isinstance(body, _CLOSED) or (body.lineno, body.col_offset) != (1, 0):
            return False  # also: in parentheses
        if (body.end_lineno, body.end_col_offset) != end:
            return False  # with a comment
        node = parse_expression(text)
        return node is not None and cst.Module([]).code_for_node(node) == NEWLINE.sub("\n", text)
    except final_recursion_errors():
        return False
    except (SyntaxError, ValueError, MemoryError):
        return False


@lru_cache(maxsize=64)
def parse_program(program: str) -> cst.Module:
    """The libcst module of a program. Many fixes insert the same statements."""
    import libcst as cst

    return cst.parse_module(program)


def parse_expression(content: str) -> cst.BaseExpression | None:
    """The libcst node of an expression; None where the text is none by itself."""
    import libcst as cst

    try:
        return cst.parse_expression(NEWLINE.sub("\n", content))
    except cst.ParserSyntaxError:
        return None


def parenthesized(layout: Layout, region: Region, edit: Replace) -> str:
    """The replacement of an expression, in parentheses where its place binds tighter than it does.

    A bare tuple is inserted without parentheses (one argument becomes two).
    """
    text = edit.text
    try:
        node = ast.parse(f"({text}\n)", mode="eval").body
    except SyntaxError:
        return text
    if isinstance(node, _ATOMS) and "\n" not in text and "\r" not in text:
        return text
    if isinstance(node, ast.Tuple) and node.col_offset == 0 and not text.startswith("("):
        return text

    def dump(content: str) -> str:
        """The syntax tree of the region with `content` in it; "" if it cannot be parsed."""
        body = spliced_segment(layout.text, region.span, [TextEdit(*edit.span, content)])
        try:
            return ast.dump(parse_quietly(region.prefix + body + region.suffix))
        except SyntaxError:
            return ""

    try:
        return text if dump(text) == dump(f"({text})") else f"({text})"
    except final_recursion_errors():
        return f"({text})"
