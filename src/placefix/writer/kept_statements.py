"""The statements that are kept of an `if`, as libcst prints them one level out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from placefix.layout_habits import PRAGMA

if TYPE_CHECKING:
    from collections.abc import Sequence

    import libcst as cst


def kept_module(
    module: cst.Module, margin: str, arm: str, keep: set[int], spelled_elif: bool, *, joined: bool
) -> cst.Module:
    """A module of the kept statements of the `if` in `module`, with the comments that are theirs.

    margin: the indentation of the `if`; arm: "body" or "orelse"; keep: the numbers of the statements in that suite. spelled_elif:
    the `if` is an elif, and its statements become an else. joined: lines may be, by backslashes.
    """
    import libcst as cst

    statement, foot = _if_in(module, margin)
    other = statement.orelse
    head: list[cst.EmptyLine] = []
    suite: cst.BaseSuite = statement.body
    if arm == "orelse":
        if isinstance(other, cst.If):  # an elif becomes an if, or the elif that goes
            return module.with_changes(header=[], body=[_stub(other) if spelled_elif else other], footer=foot)
        assert other is not None
        head, suite = [*other.leading_lines], other.body
    elif other is not None:
        foot = []
    body: Sequence[cst.BaseStatement]
    if isinstance(suite, cst.IndentedBlock):
        if not spelled_elif:
            head += _header_comment(suite)
        body, keeps_last = _kept_lines(suite, keep)
        if joined and not spelled_elif:
            body = [_outdent(line, margin, suite.indent or module.default_indent) for line in body]
        foot = [*suite.footer, *foot] if keeps_last else foot
    else:
        simple = cst.ensure_type(suite, cst.SimpleStatementSuite)
        parts = _small_statements([part for number, part in enumerate(simple.body) if number in keep])
        body = [cst.SimpleStatementLine(body=parts, trailing_whitespace=simple.trailing_whitespace)]
    head, body = _comments_above(head, body)
    if not spelled_elif:
        return module.with_changes(header=head, body=body, footer=foot)
    indented = suite if isinstance(suite, cst.IndentedBlock) else cst.IndentedBlock(body=body)
    first = body[0].with_changes(leading_lines=head)
    arm_node = cst.Else(body=indented.with_changes(body=[first, *body[1:]], footer=foot))
    return module.with_changes(header=[], body=[_stub(arm_node)], footer=[])


def _if_in(module: cst.Module, margin: str) -> tuple[cst.If, list[cst.EmptyLine]]:
    """The `if`, inside another one if it is indented; and the comments between its margin and that of its body, at the end."""
    import libcst as cst

    statement = cst.ensure_type(module.body[0], cst.If)
    if not margin:
        return statement, [*module.footer]
    block = cst.ensure_type(statement.body, cst.IndentedBlock)
    return cst.ensure_type(block.body[0], cst.If), [*block.footer, *module.footer]


def _stub(other: cst.If | cst.Else) -> cst.If:
    """An `if` with an empty body, to hold an elif or else."""
    import libcst as cst

    return cst.If(cst.Name("x"), cst.SimpleStatementSuite([cst.Pass()]), orelse=other)


def _header_comment(suite: cst.IndentedBlock) -> list[cst.EmptyLine]:
    """The comment on the line of the `if`, unless it is about that line."""
    import libcst as cst

    comment = suite.header.comment
    return [cst.EmptyLine(comment=comment)] if comment is not None and not PRAGMA.match(comment.value) else []


def _kept_lines(suite: cst.IndentedBlock, keep: set[int]) -> tuple[list[cst.BaseStatement], bool]:
    """The kept statements of a block, several on a line by themselves; and whether the last one of the block is kept."""
    import libcst as cst

    body: list[cst.BaseStatement] = []
    index = 0
    for line in suite.body:
        small = len(line.body) if isinstance(line, cst.SimpleStatementLine) else 1
        here = [number for number in range(small) if index + number in keep]
        if isinstance(line, cst.SimpleStatementLine) and here and len(here) < small:
            body.append(line.with_changes(body=_small_statements([line.body[number] for number in here])))
        elif here:
            body.append(line)
        index += small
    return body, index - 1 in keep


def _comments_above(
    head: Sequence[cst.EmptyLine], body: Sequence[cst.BaseStatement]
) -> tuple[list[cst.EmptyLine], list[cst.BaseStatement]]:
    """The comments above the statements, without the blank lines before them; and the statements without these."""
    head = [*head, *getattr(body[0], "leading_lines", ())]
    while head and head[0].comment is None:
        del head[0]
    return head, [body[0].with_changes(leading_lines=()), *body[1:]]


def _outdent(statement: cst.BaseStatement, margin: str, unit: str) -> cst.BaseStatement:
    """A statement that goes one level out, with the lines behind its backslashes, which libcst leaves where they are."""
    import libcst as cst

    deeper = re.compile(rf"(\\(?:\r\n|\r|\n){re.escape(margin)}){re.escape(unit)}")

    class Outdent(cst.CSTTransformer):
        """Removes one level of indentation."""

        def leave_SimpleWhitespace(  # noqa: N802
            self, original_node: cst.SimpleWhitespace, updated_node: cst.SimpleWhitespace
        ) -> cst.SimpleWhitespace:
            """Outdent continuation lines inside white space with a backslash."""
            return updated_node.with_changes(value=deeper.sub(r"\1", updated_node.value))

    out = statement.visit(Outdent())
    assert isinstance(out, cst.BaseStatement)
    return out


def _small_statements(parts: list[cst.BaseSmallStatement]) -> list[cst.BaseSmallStatement]:
    """Small statements of one line, the last without the `;` that led to one that goes."""
    import libcst as cst

    return [*parts[:-1], parts[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)]
