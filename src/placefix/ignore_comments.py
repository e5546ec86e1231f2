"""`check --add-ignore`: writes comments that suppress the findings."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import engine
from placefix.diagnostic import Span
from placefix.engine import Changed, Failed
from placefix.suppression import Suppressions
from placefix.text_edits import TextEdit, splice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from placefix.diagnostic import Diagnostic
    from placefix.runner import FileResult
    from placefix.source import Source
    from placefix.suppression import Statement


class IgnoreCommentError(ValueError):
    """A suppression comment cannot be written, or would not work; the message is one line."""


def add_ignore_comments(result: FileResult, reason: str = "") -> FileResult:
    """Suppress the findings of a file by comments: `applied` are the suppressed ones, `remaining` the others.

    result: of a check. reason: one line for each new comment. A file that cannot be parsed is not changed; notes and findings about
    suppressions get no comment. The outcome is Failed if a comment would not suppress its finding.
    """
    source = result.source
    found = [d for d in result.faults if d.rule.check_suppressions is None]
    if source is None or not found:
        return result
    try:
        tree = engine.parse(source)
    except engine.ParseError:
        return result
    try:
        edits = ignore_comment_edits(source, tree, found, reason)
        text = splice(source.text, edits)
        source.encode(text)
    except IgnoreCommentError as error:
        return result._replace(outcome=Failed(f"{error}; the file is left as it was"))
    except UnicodeEncodeError as error:
        return result._replace(
            outcome=Failed(
                f"the reason cannot be written in {source.encoding}: {error.reason}; the file is left as it was"
            )
        )
    except Exception as error:  # a bug of ours must never touch the file
        return result._replace(outcome=Failed(engine.internal_error(error)))
    remaining = tuple(_shift_finding(d, edits) for d in result.remaining if d not in found)
    return result._replace(outcome=Changed(text, tuple(found), remaining))


def ignore_comment_edits(
    source: Source, tree: ast.Module, found: Sequence[Diagnostic], reason: str = ""
) -> list[TextEdit]:
    """The sorted edits of the comments that silence findings. tree: that of the text. Raises SilenceError."""
    edits = _statement_edits(source, found, reason)
    after = source.with_text(splice(source.text, edits))
    now = Suppressions(after)
    loud = [d for d in found if not now.covers(_shift_finding(d, edits))]
    if (
        loud
        or ast.dump(engine.parse(after)) != ast.dump(tree)
        or any(source.keeps(edit.start, edit.end) for edit in edits)
    ):
        row = source.row_name(source.line_of((loud or found)[0].span.start))
        raise IgnoreCommentError(f"{row}: no comment can be written that suppresses the findings")
    return edits


def _statement_edits(source: Source, found: Iterable[Diagnostic], reason: str) -> list[TextEdit]:
    """One edit for each statement with findings, sorted."""
    suppressions = Suppressions(source)
    by_statement: dict[Statement, list[Diagnostic]] = {}
    for diagnostic in found:
        statement = suppressions.statement(source.line_of(diagnostic.span.start))
        by_statement.setdefault(statement, []).append(diagnostic)
    return sorted(
        _statement_edit(source, suppressions, statement, here, reason) for statement, here in by_statement.items()
    )


def _statement_edit(
    source: Source, suppressions: Suppressions, statement: Statement, found: Sequence[Diagnostic], reason: str
) -> TextEdit:
    codes = sorted({d.code for d in found})
    for directive in suppressions.directives:
        if directive.kind == "ignore" and directive.codes is not None and directive.covers_row(statement.first):
            at = directive.codes[-1][1].end if directive.codes else directive.span.end - 1
            return TextEdit(at, at, ", ".join(["", *codes] if directive.codes else codes))
    comment = f"# placefix: ignore[{', '.join(codes)}]{reason and ' '}{reason}"
    row = source.line_of(found[0].span.start)
    if row in statement.ends:
        start, line = source.line_starts[row - 1], source.line(row)
        return TextEdit(start + len(line.rstrip()), start + len(line.rstrip("\r\n")), f"  {comment}")
    # behind a backslash, or in a string: above it all
    start, line = source.line_starts[statement.first - 1], source.line(statement.first)
    return TextEdit(start, start, f"{line[: len(line) - len(line.lstrip())]}{comment}{source.newline}")


def _shift_finding(diagnostic: Diagnostic, edits: Iterable[TextEdit]) -> Diagnostic:
    """A finding at its place after the edits, without its fix, whose edits fit the old text only."""

    def moved(offset: int) -> int:
        """The offset after the edits."""
        return offset + sum(len(edit.content) - (edit.end - edit.start) for edit in edits if edit.end <= offset)

    return diagnostic._replace(span=Span(moved(diagnostic.span.start), moved(diagnostic.span.end)), fix=None)
