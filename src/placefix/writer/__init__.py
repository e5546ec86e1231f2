"""Write fixes into a source: edits over spans become splices of text.

libcst writes, statement by statement. For every edit only the touched statement's own text (a
compound statement's header, for an edit in its header) is given to libcst, which substitutes
the nodes and prints; the result is spliced back, so that everything else in the file stays
byte for byte as it was and the cost goes with the fix. Statements that move keep their text.
This is the only module that imports libcst, and only when a fix is there to be written.
"""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Delete, Insert, Move, Remark, Replace, Span, Unwrap
from placefix.layout import (
    Gap,
    Layout,
    RefusedError,
    Region,
    RewriteError,
    StatementPlace,
    newline_before,
    why_protected,
)
from placefix.line_wrapping import fit_lines
from placefix.parsing import parse_quietly
from placefix.recursion import final_recursion_errors, retry_deeper
from placefix.text_edits import EditPlan, InsertedLines, PlanSet, TextEdit, splice, spliced_segment
from placefix.writer.kept_statements import kept_module
from placefix.writer.replacements import (
    LONGEST,
    NEWLINE,
    independent_edits,
    parenthesized,
    parse_expression,
    parse_program,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import libcst as cst

    from placefix.diagnostic import Fix
    from placefix.source import Source

__all__ = ["RefusedError", "Result", "RewriteError", "TextEdit", "apply", "resolve_fix", "verify"]


class Result(NamedTuple):
    """The result of `apply`. All numbers are indexes into the list of fixes.

    applied: written into `text`. deferred: overlap an applied fix; run again on `text`.
    refused: cannot be written in this layout, each with the reason in one sentence. edits: the splices that make `text`, sorted.
    """

    text: str
    applied: tuple[int, ...]
    deferred: tuple[int, ...]
    refused: tuple[tuple[int, str], ...] = ()
    edits: tuple[TextEdit, ...] = ()


def resolve_fix(source: Source, tree: ast.Module, fix: Fix, layout: Layout | None = None) -> tuple[TextEdit, ...]:
    """Resolve one fix into sorted splices that do not overlap.

    `tree` is the tree of `source.text`; callers with many fixes for it pass one `layout`. Raises RewriteError if a span does not hold the
    text that the fix expects, and RefusedError (a RewriteError) if the layout does not allow the fix.
    """
    layout = layout or Layout(source, tree)
    return tuple(fit_lines(layout, _plan_fix(layout, fix).edits()))


def apply(source: Source, tree: ast.Module, fixes: Sequence[Fix]) -> Result:
    """Write as many of `fixes` as go together, greedily in the given order, each all or nothing.

    `tree` is the tree of `source.text`. A fix that overlaps one already taken is deferred; one
    that the layout does not allow is refused with the reason. Raises RewriteError where a span
    does not hold the text that its fix expects. Equal fixes are one, and equal Inserts of several fixes are written once.
    """
    return retry_deeper(lambda: _apply(source, tree, fixes))


def _apply(source: Source, tree: ast.Module, fixes: Sequence[Fix]) -> Result:
    layout = Layout(source, tree)
    whole = PlanSet(layout)
    applied: list[int] = []
    deferred: list[int] = []
    refused: list[tuple[int, str]] = []
    reasons: dict[Fix, str | None] = {}  # of those that the layout does not allow; None of the others
    written: set[Fix] = set()
    for index, fix in enumerate(fixes):
        if fix not in reasons:
            try:
                plan, reasons[fix] = _plan_fix(layout, fix), None
            except RefusedError as error:
                reasons[fix] = str(error)
            else:
                if not whole.conflicts(plan):
                    whole.add(plan)
                    written.add(fix)
        reason = reasons[fix]
        if reason is not None:
            refused.append((index, reason))
        else:
            (applied if fix in written else deferred).append(index)
    edits = fit_lines(layout, whole.plan.edits())
    return Result(splice(source.text, edits), tuple(applied), tuple(deferred), tuple(refused), tuple(edits))


def verify(before: ast.Module, after: ast.Module, fixes: Iterable[Fix]) -> None:
    """Check that fixes which only move statements, or change comments, kept every one of them, as often as before.

    `before` and `after` are the trees of the text without and with `fixes`. Raises
    RewriteError naming a statement that was lost or made up; other fixes are not checked.
    """
    edits = [edit for fix in fixes for edit in fix.edits]
    if not edits or not all(
        isinstance(edit, Remark) or (isinstance(edit, Move) and not edit.replace) for edit in edits
    ):
        return
    was, now = _statements(before), _statements(after)
    if was != now:
        lost, new = was - now, now - was
        raise RewriteError(f"moving statements {'lost' if lost else 'made up'} one: {next(iter(lost or new))[:80]}")


def _statements(tree: ast.Module) -> Counter[str]:
    """All statements, handlers and cases, each without its suites, spelled out."""
    found: Counter[str] = Counter()
    todo: list[ast.AST] = [*tree.body]
    while todo:
        words: list[str] = []
        # not ast.dump: it recurses, and gives up on expressions that parse
        stack: list[object] = [todo.pop()]
        while stack:
            item = stack.pop()
            if isinstance(item, ast.AST):
                words.append(type(item).__name__)
                stack += [getattr(item, name, None) for name in reversed(item._fields)]
            elif not isinstance(item, list):
                words.append(repr(item))
            elif item and isinstance(item[0], (ast.stmt, ast.ExceptHandler, ast.match_case)):
                todo += item
            else:
                words.append(str(len(item)))
                stack += item[::-1]
        found[" ".join(words)] += 1
    return found


# --- one fix, resolved ---------------------------------------------------------------------


def _plan_fix(layout: Layout, fix: Fix) -> EditPlan:
    """Turn the edits of one fix into a plan, rendering every replacement through libcst."""
    plan = EditPlan(layout)
    loose = [edit for edit in fix.edits if isinstance(edit, Replace)]
    lifted: list[Span] = []  # statements that leave their place: nothing may anchor there
    for edit in fix.edits:
        if isinstance(edit, Move):
            within, loose = _partition(loose, edit.statements)
            lifted += _plan_move(layout, plan, edit, [*edit.replace, *within])
        elif isinstance(edit, Delete):
            _plan_deletion(layout, plan, edit)
        elif isinstance(edit, Unwrap):
            within, loose = _partition(loose, edit.keep)
            _plan_unwrapping(layout, plan, edit, [*edit.replace, *within])
        elif isinstance(edit, Remark):
            if layout.text[edit.span.start : edit.span.end] != edit.expect:
                raise RewriteError(f"{layout.row(edit.span.start)}: the comment is not {edit.expect!r}")
            plan.splices.append(TextEdit(*edit.span, edit.text))
        elif isinstance(edit, Insert):
            place = layout.place(edit.anchor)
            gap = layout.gap(_without_leaving(layout, place, fix) if edit.where == "before" else place, edit.where)
            apart = edit.text.startswith("\n"), edit.text.endswith("\n") or _is_above_heading(layout, edit, gap)
            plan.write(gap, InsertedLines(edit, _indented_insert(layout, edit, gap.indent), *apart))
            plan.anchors.append((place.span.start, edit))
    plan.splices += _replacement_edits(layout, loose)
    for offset, _ in plan.anchors:
        if any(span.start <= offset < span.end for span in lifted):
            raise RewriteError(f"{layout.row(offset)}: the anchor is a statement that moves away")
    for start, end, _ in plan.edits():  # raises where the edits of the fix overlap
        if layout.source.keeps(start, end):
            raise RefusedError(f"{layout.row(start)}: a line that is not Python's is in the way")
    return plan


def _without_leaving(layout: Layout, place: StatementPlace, fix: Fix) -> StatementPlace:
    """The first of the statements on the line of `place` that leave it by the same fix, up to `place`: lines above ``b = 2`` go above
    ``a = 1; b = 2`` if `a` is deleted."""
    leaving = {span.start for edit in fix.edits if isinstance(edit, (Move, Delete)) for span in edit.statements}
    while layout.shares_left(place) and layout.sibling(place, -1).span.start in leaving:
        place = layout.sibling(place, -1)
    return place


def _partition(replaces: list[Replace], spans: Sequence[Span]) -> tuple[list[Replace], list[Replace]]:
    within = [r for r in replaces if any(s.start <= r.span.start and r.span.end <= s.end for s in spans)]
    return within, [r for r in replaces if r not in within]


def _places_of_suite(layout: Layout, spans: Sequence[Span]) -> list[StatementPlace]:
    """The places of statements of one suite, in source order."""
    if not spans:
        raise RewriteError("an edit names no statement")
    places = [layout.place(span) for span in spans]
    first = places[0]
    for before, place in itertools.pairwise(places):
        if place.suite is not first.suite or place.nth <= before.nth:
            raise RewriteError(f"{layout.row(place.span.start)}: the statements are not of one suite, in source order")
    return places


def _require_unprotected(layout: Layout, places: Iterable[StatementPlace]) -> None:
    for place in places:
        reason = why_protected(layout.source, place.span)
        if reason:
            raise RefusedError(f"{layout.row(place.span.start)}: {reason}")


def _plan_removal(
    layout: Layout, plan: EditPlan, places: Sequence[StatementPlace]
) -> list[tuple[StatementPlace, StatementPlace]]:
    """Splice statements out of their suite; their runs."""
    runs = layout.runs(places)
    plan.splices += [TextEdit(*layout.removal(*run), "") for run in runs]
    return runs


def _plan_move(layout: Layout, plan: EditPlan, move: Move, replaces: list[Replace]) -> list[Span]:
    places = _places_of_suite(layout, move.statements)
    anchor = layout.place(move.anchor)
    if anchor.suite is not places[0].suite:
        raise RewriteError(f"{layout.row(anchor.span.start)}: the anchor is not of the suite of the statements to move")
    if any(place.nth == anchor.nth for place in places):
        raise RewriteError(f"{layout.row(anchor.span.start)}: the anchor is one of the statements to move")
    _require_unprotected(layout, places)
    gap = layout.gap(anchor, move.where)
    edits = _replacement_edits(layout, replaces)
    newline, lines = layout.source.newline, ""
    for first, last in _plan_removal(layout, plan, places):
        body = layout.body(first, last)
        text = spliced_segment(layout.text, body, edits)
        if layout.shares_line(first, last):
            text = gap.indent + text
        if lines and _has_heading(layout, first):
            lines += newline
        lines += text if text.endswith(("\n", "\r")) else text + newline
    above, below = _blank_lines(layout, move, places, anchor, gap)
    if any(max(gap.start, edit.start) < min(gap.end, edit.end) for edit in plan.splices):
        raise RefusedError(f"{layout.row(anchor.span.start)}: the statements are on one line with their destination")
    plan.write(gap, InsertedLines(None, lines, above, below))
    around = [layout.lines(place) for place in (*places, anchor)]
    plan.claims.append(Span(min(s.start for s in around), max(s.end for s in around)))
    plan.anchors.append((anchor.span.start, None))
    return [place.span for place in places]


def _blank_lines(
    layout: Layout, move: Move, places: Sequence[StatementPlace], anchor: StatementPlace, gap: Gap
) -> tuple[bool, bool]:
    """Whether blank lines go above and below statements that move to `gap`."""
    if move.where != "after":
        return False, not gap.suffix and _needs_blank_below(layout, places, anchor, gap)
    ends = _ends_paragraph(layout, places[-1])
    above = _has_heading(layout, places[0]) or (ends and hasattr(anchor.node, "body"))
    moved = [place.node for place in places]
    follower = next((node for node in anchor.suite[anchor.nth + 1 :] if node not in moved), None)
    return above, ends and not gap.suffix and hasattr(follower, "body")


def _needs_blank_below(layout: Layout, places: Sequence[StatementPlace], anchor: StatementPlace, gap: Gap) -> bool:
    """Whether a blank line goes below statements that move to `gap`: `anchor` starts a paragraph with its comment, or `anchor` is a
    block that starts one and a blank line stood below the statements."""
    first, last = places[0], places[-1]
    if layout.shares_line(first, first):
        return False
    starts = layout.block(first, first).start, gap.end
    heading, beside = (layout.text[start:].lstrip(" \t").startswith("#") for start in starts)
    if beside and layout.blanks(gap.start, -1):
        return True
    block = hasattr(anchor.node, "body") and layout.blank_above(gap)
    return _ends_paragraph(layout, last) and (block or (heading and beside))


def _is_above_heading(layout: Layout, insert: Insert, gap: Gap) -> bool:
    """Whether an assignment is inserted above a comment that starts a paragraph: a blank line below it keeps the comment the heading of its paragraph."""
    starts = insert.where == "before" and " = " in insert.text and not gap.suffix
    heading = starts and layout.text[gap.end :].lstrip(" \t").startswith("#")
    return heading and bool(layout.blanks(gap.start, -1))


def _has_heading(layout: Layout, place: StatementPlace) -> bool:
    """Whether a statement has a comment as its heading, below a blank line."""
    if layout.shares_line(place, place):
        return False
    start = layout.block(place, place).start
    return layout.text[start:].lstrip(" \t").startswith("#") and bool(layout.blanks(start, -1))


def _ends_paragraph(layout: Layout, place: StatementPlace) -> bool:
    """Whether a blank line parts a statement from the next of its suite."""
    last = place.nth + 1 == len(place.suite)
    return not last and not layout.shares_right(place) and bool(layout.blanks(layout.tail(place), 1))


def _plan_deletion(layout: Layout, plan: EditPlan, delete: Delete) -> None:
    places = _places_of_suite(layout, delete.statements)
    suite = places[0].suite
    _require_unprotected(layout, places)
    if not plan.leave(id(suite), len(places), len(suite)):
        raise RewriteError(f"{layout.row(places[0].span.start)}: the suite would be left empty")
    for first, last in _plan_removal(layout, plan, places):
        plan.claims.append(layout.body(first, last))


# --- libcst ----------------------------------------------------------------------------------


def _replacement_edits(layout: Layout, replaces: Sequence[Replace]) -> list[TextEdit]:
    """Sorted splices for replacements, rendered statement by statement."""
    regions: dict[Span, tuple[Region, list[Replace]]] = {}
    for edit in sorted(set(replaces), key=lambda edit: edit.span):
        if layout.text[edit.span.start : edit.span.end] != edit.expect:
            raise RewriteError(
                f"{layout.row(edit.span.start)}: expected {edit.expect!r}, found {layout.source.segment(edit.span)!r}"
            )
        region = layout.region(edit.span)
        regions.setdefault(region.span, (region, []))[1].append(edit)
    found: list[TextEdit] = []
    for region, edits in regions.values():
        for a, b in itertools.pairwise(edits):
            if b.span.start < a.span.end:
                raise RewriteError(f"{layout.row(b.span.start)}: two replacements overlap")
        found += _render_replacements(layout, region, edits)
    return found


def _render_replacements(layout: Layout, region: Region, edits: Sequence[Replace]) -> list[TextEdit]:
    """Replace parts of one statement: libcst substitutes the nodes and prints the statement."""
    import libcst as cst

    text, nodes = layout.text, {}
    alone = independent_edits(layout, region, edits)
    edits = [edit for edit in edits if TextEdit(*edit.span, edit.text) not in alone]
    if not edits:
        return alone
    splices: list[TextEdit] = []
    holes: list[TextEdit] = []
    for number, edit in enumerate(edits):
        content, node = edit.text, None
        if content.strip() and layout.expressions(region).at(edit.span) is not None:
            content = parenthesized(layout, region, edit)
            node = parse_expression(content)
        splices.append(TextEdit(*edit.span, content))
        if node is not None:
            name = f"__placefix_{number}__"
            nodes[name] = node
            content = name
        holes.append(TextEdit(*edit.span, content))

    class Fill(cst.CSTTransformer):
        """Puts the new expressions in the place of their placeholders."""

        def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:  # noqa: N802
            """Replace a placeholder by its new expression."""
            new = nodes.get(updated_node.value)
            if new is None:
                return updated_node
            # parentheses around the old expression stay around the new one
            return new.with_changes(lpar=[*updated_node.lpar, *new.lpar], rpar=[*new.rpar, *updated_node.rpar])

    def program(parts: Sequence[TextEdit]) -> str:
        """The region's program with edits in it."""
        # newlines as \n: libcst prints a parsed expression with the module's own
        return NEWLINE.sub("\n", region.prefix + spliced_segment(text, region.span, parts) + region.suffix)

    module = _parse_module(layout, region.span.start, program(holes), program(()))
    try:
        printed = module.visit(Fill()).code if nodes else module.code
    except final_recursion_errors():
        raise RefusedError(f"{layout.row(region.span.start)}: the statement is nested too deeply for libcst") from None
    if printed != program(splices):
        raise RewriteError(f"{layout.row(region.span.start)}: libcst prints the replaced statement differently")
    return sorted(alone + splices)


def _parse_module(layout: Layout, offset: int, program: str, original: str = "") -> cst.Module:
    """Parse a program made from `original`; errors name the row of `offset`."""
    import libcst as cst

    row = layout.row(offset)
    if len(program) > LONGEST:
        raise RefusedError(f"{row}: the statement is too long to rewrite")
    try:
        return parse_program(program)
    except final_recursion_errors():
        raise RefusedError(f"{row}: the statement is nested too deeply for libcst") from None
    except cst.ParserSyntaxError as error:
        try:
            cst.parse_module(original)
        except cst.ParserSyntaxError:
            # Python reads it, so its syntax is newer than libcst
            raise RefusedError(f"{row}: libcst cannot read the statement") from None
        raise RewriteError(f"{row}: libcst cannot parse the replaced statement: {error.message}") from None


def _indented_insert(layout: Layout, insert: Insert, indent: str) -> str:
    """The statements of an Insert at an indentation, with the file's newline."""
    import libcst as cst

    text = insert.text.strip("\n")
    module = _parse_module(layout, insert.anchor.start, text + "\n")
    if not module.body:
        raise RewriteError(f"{layout.row(insert.anchor.start)}: the text to insert holds no statement")
    if "\n" not in text:  # libcst prints a single line unchanged
        return indent + text + layout.source.newline

    class Blank(cst.CSTTransformer):
        """Removes white space on blank lines."""

        def leave_EmptyLine(  # noqa: N802
            self, original_node: cst.EmptyLine, updated_node: cst.EmptyLine
        ) -> cst.EmptyLine:
            """The line, without indentation unless it has a comment."""
            return updated_node if updated_node.comment else updated_node.with_changes(indent=False)

    module = module.with_changes(default_indent=layout.unit).visit(Blank())
    return _print_block(module, indent).replace("\n", layout.source.newline)


def _print_block(module: cst.Module, indent: str) -> str:
    """Print a module as a block at `indent`; every line ends with a newline."""
    import libcst as cst

    module = module.with_changes(has_trailing_newline=True)
    if not indent:
        return module.code
    first = module.body[0]
    body = [first.with_changes(leading_lines=[*module.header, *first.leading_lines]), *module.body[1:]]
    block = cst.IndentedBlock(body=body, footer=module.footer, indent=indent)
    code = module.with_changes(header=[], footer=[], body=[cst.If(cst.Name("x"), block)]).code
    return code[len("if x:" + module.default_newline) :]


def _plan_unwrapping(layout: Layout, plan: EditPlan, unwrap: Unwrap, replaces: list[Replace]) -> None:
    """Splice an `if` away: libcst reads it whole and prints the kept statements one level out."""
    place = layout.place(unwrap.statement)
    row, node = layout.row(place.span.start), place.node
    kept = _places_of_suite(layout, unwrap.keep)
    if not isinstance(node, ast.If) or kept[0].owner is not node:
        raise RewriteError(f"{row}: the statements to keep are not of a suite of an if statement")
    _require_unprotected(layout, [place])
    indent = layout.margin(place.span.start)
    lines = Span(place.span.start - len(indent), layout.tail(place))
    edits = _replacement_edits(layout, replaces)
    spelled_elif = layout.is_elif(node)
    if spelled_elif:
        edits.insert(0, TextEdit(place.span.start, place.span.start + 2, ""))
    newline = layout.source.newline
    # an indented `if` is read inside another one, or its `else` would match no margin
    outer = f"if 1:{newline}" if indent else ""
    program = outer + spliced_segment(layout.text, lines, edits)
    ended = program.endswith(("\n", "\r"))
    program += "" if ended else newline
    original = outer + spliced_segment(layout.text, lines, edits[:1] if spelled_elif else ()) + newline
    module = _parse_module(layout, place.span.start, program, original)
    try:
        if module.code.rstrip("\r\n") != program.rstrip("\r\n"):
            raise RefusedError(f"{row}: libcst does not print the if statement unchanged")
        arm = "body" if kept[0].suite is node.body else "orelse"
        joined = "\\" in program
        text = _print_block(
            kept_module(module, indent, arm, {p.nth for p in kept}, spelled_elif, joined=joined), indent
        )
    except final_recursion_errors():
        raise RefusedError(f"{row}: the statement is nested too deeply for libcst") from None
    if spelled_elif:
        text = text[len(f"{indent}if x: pass{module.default_newline}") :]

    # proof: the syntax tree of the kept statements is the same
    was = _first_statement(parse_quietly(program), bool(indent))
    now = parse_quietly(f"{outer}{indent}if 1: pass{newline}{text}" if spelled_elif else outer + text).body
    if indent:
        now = now[0].body  # type: ignore[attr-defined]
    if spelled_elif:
        now = now[0].orelse  # type: ignore[attr-defined]
    if [ast.dump(getattr(was, arm)[p.nth]) for p in kept] != [ast.dump(statement) for statement in now]:
        raise RewriteError(f"{row}: the kept statements changed")
    plan.splices.append(TextEdit(*lines, text if ended else text[: len(text) - newline_before(text, len(text))]))
    plan.claims.append(layout.lines(place))


def _first_statement(tree: ast.Module, nested: bool) -> ast.stmt:
    first = tree.body[0]
    return first.body[0] if nested else first  # type: ignore[attr-defined]
