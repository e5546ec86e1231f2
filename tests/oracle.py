"""The writer's differential oracle: the same edits through one whole-file libcst tree.

Shares no code with placefix.writer. It finds nodes with PositionProvider, moves comments as
libcst trivia (leading_lines, footers) and prints the whole module, so the two can only agree
byte for byte if both put every comment, blank line and indentation where it belongs.

Limits of whole-file libcst that the table of programs respects: it prints inserted lines with
the file's first newline, drops form feeds before statements and a final lone carriage return.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from placefix.diagnostic import Delete, Edit, Insert, Move, Replace, Span, Unwrap

if TYPE_CHECKING:
    from collections.abc import Sequence

_NL = re.compile(r"\r\n|\r|\n")
_BINDS = (cst.Attribute, cst.Call, cst.Subscript, cst.UnaryOperation, cst.BinaryOperation, cst.Await)
_LOOSE = (
    cst.BinaryOperation,
    cst.BooleanOperation,
    cst.Comparison,
    cst.IfExp,
    cst.Lambda,
    cst.UnaryOperation,
    cst.Await,
)


class Suite:
    """A suite as a mutable list of single statements; `line` marks statements of one line."""

    def __init__(self, tree: Tree, node: Any) -> None:
        self.tree = tree
        self.node = node
        self.items: list[Any] = []
        self.one_line = isinstance(node, cst.SimpleStatementSuite)
        self.joined: set[int] = set()  # ids of items that share the line of the item before
        if self.one_line:
            self._split(
                node.body, cst.SimpleStatementLine(body=node.body, trailing_whitespace=node.trailing_whitespace)
            )
        else:
            for statement in node.body:
                if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) > 1:
                    self._split(statement.body, statement)
                else:
                    self.items.append(statement)
        # parts that ended their line: a stray `;` behind them stays
        lines = [node] if self.one_line else node.body
        self.ended = {id(line.body[-1]) for line in lines if not isinstance(line, cst.BaseCompoundStatement)}
        self.starts = [tree.start(item) for item in self.items]
        self.touched = False

    def _split(self, parts: Sequence[Any], line: Any) -> None:
        for number, part in enumerate(parts):
            item = cst.SimpleStatementLine(
                body=[part],
                leading_lines=line.leading_lines if number == 0 else (),
                trailing_whitespace=line.trailing_whitespace if number == len(parts) - 1 else cst.TrailingWhitespace(),
            )
            self.tree.spans[id(item)] = self.tree.start(part)
            self.tree.keep.append(item)
            if number:
                self.joined.add(id(item))
            self.items.append(item)

    def joins(self, index: int) -> bool:
        return 0 < index < len(self.items) and id(self.items[index]) in self.joined

    def part_ways(self, index: int) -> None:
        """Break the line in front of items[index]; the `;` goes."""
        if self.joins(index):
            self.joined.discard(id(self.items[index]))

    def replace(self, old: Any, new: Any) -> None:
        index = next(i for i, item in enumerate(self.items) if item is old)
        if id(old) in self.joined:
            self.joined.discard(id(old))
            self.joined.add(id(new))
        self.tree.keep += [old, new]
        self.items[index] = new

    def lead(self, index: int) -> list[cst.EmptyLine]:
        return list(self.items[index].leading_lines)

    def set_lead(self, index: int, lines: Sequence[cst.EmptyLine]) -> None:
        self.replace(self.items[index], self.items[index].with_changes(leading_lines=list(lines)))

    def body(self) -> list[Any]:
        """The statements as libcst has them, lines joined again."""
        lines: list[list[Any]] = []
        for item in self.items:
            if id(item) in self.joined:
                lines[-1].append(item)
            else:
                lines.append([item])
        found = []
        for line in lines:
            if len(line) == 1 and not isinstance(line[0], cst.SimpleStatementLine):
                found.append(line[0])
                continue
            parts = [part for item in line for part in item.body]
            if id(parts[-1]) not in self.ended:
                parts[-1] = parts[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
            found.append(line[0].with_changes(body=parts, trailing_whitespace=line[-1].trailing_whitespace))
        return found


def _blank(line: cst.EmptyLine) -> bool:
    return line.comment is None


def _attached(lines: list[cst.EmptyLine]) -> int:
    """Index of the first of the comment lines directly above a statement."""
    index = len(lines)
    while index and not _blank(lines[index - 1]):
        index -= 1
    return index


def _parses(text: str) -> bool:
    try:
        cst.parse_expression(f"({text})")
    except cst.ParserSyntaxError:
        return False
    return True


class Tree:
    def __init__(self, text: str) -> None:
        module = cst.parse_module(text)
        # a module's first comments become its first statement's, as in any other suite
        first = module.body[0].with_changes(leading_lines=[*module.header, *module.body[0].leading_lines])
        module = module.with_changes(header=[], body=[first, *module.body[1:]])
        wrapper = MetadataWrapper(module)
        self.module = wrapper.module
        self.text = text
        self.keep: list[Any] = []  # nodes whose ids are in use
        lines = [0, *(m.end() for m in _NL.finditer(text)), len(text)]  # the module may end a line further
        self.spans: dict[int, int] = {}
        self.ends: dict[int, int] = {}
        for node, where in wrapper.resolve(PositionProvider).items():
            start, end = where.start, where.end
            if isinstance(node, (cst.FunctionDef, cst.ClassDef)) and node.decorators:
                continue
            self.spans[id(node)] = lines[start.line - 1] + start.column
            self.ends[id(node)] = lines[end.line - 1] + end.column
        for node in wrapper.resolve(PositionProvider):
            if isinstance(node, (cst.FunctionDef, cst.ClassDef)) and node.decorators:
                self.spans[id(node)] = self.spans[id(node.decorators[0])]
        self.parents: dict[int, Any] = {}
        self.all: list[Any] = []
        self._index(self.module)
        self.suites: dict[int, Suite] = {}
        for node in self.all:
            if isinstance(node, (cst.Module, cst.IndentedBlock, cst.SimpleStatementSuite)):
                self.suites[id(node)] = Suite(self, node)

    def _index(self, node: Any) -> None:
        self.all.append(node)
        for child in node.children:
            self.parents[id(child)] = node
            self._index(child)

    def start(self, node: Any) -> int:
        return self.spans[id(node)]

    def find(self, span: Span) -> tuple[Suite, int]:
        for suite in self.suites.values():
            if span.start in suite.starts:
                index = suite.starts.index(span.start)
                item = suite.items[index]
                kind = item.body[0] if isinstance(item, cst.SimpleStatementLine) else item
                # an Expr statement and a one-line suite start where their first part does
                if self.ends.get(id(kind), span.end) == span.end or not isinstance(item, cst.SimpleStatementLine):
                    return suite, index
        raise AssertionError(f"no statement at {span}")

    # --- edits -------------------------------------------------------------------------

    def prepare(self, edits: Sequence[Edit]) -> cst.Module:
        """Substitute expressions first: they change no statement's place."""
        todo = [r for e in edits for r in ((e,) if isinstance(e, Replace) else getattr(e, "replace", ()))]
        todo.sort(key=lambda edit: edit.span)
        found: list[tuple[Any, Any, list[Replace]]] = []
        for edit in todo:
            group = [edit]
            old, new = self.substitute(edit)
            while near := [
                f for f in found if self.start(f[0]) < self.ends[id(old)] and self.start(old) < self.ends[id(f[0])]
            ]:
                # one node inside the other: the outer one is read again with all edits
                found = [f for f in found if f not in near]
                group = sorted([*group, *(r for f in near for r in f[2])], key=lambda r: r.span)
                outer = max([old, *(f[0] for f in near)], key=lambda n: self.ends[id(n)] - self.start(n))
                span = Span(self.start(outer), self.ends[id(outer)])
                text = self.text[span.start : span.end]
                for r in reversed(group):
                    text = text[: r.span.start - span.start] + r.text + text[r.span.end - span.start :]
                old, new = self.substitute(Replace(span, text, ""))
            found.append((old, new, group))
        swaps = {id(old): new for old, new, _ in found}

        class Swap(cst.CSTTransformer):
            def on_leave(self, original_node: Any, updated_node: Any) -> Any:
                return swaps.get(id(original_node), updated_node)

        return self.module.visit(Swap())

    def substitute(self, edit: Replace) -> tuple[Any, Any]:
        exact = [
            n
            for n in self.all
            if isinstance(n, cst.BaseExpression)
            and self.spans.get(id(n)) == edit.span.start
            and self.ends.get(id(n)) == edit.span.end
        ]
        if exact and _parses(edit.text):
            old = exact[0]
            new = self.expression(old, edit.text)
            if isinstance(new, _LOOSE) and isinstance(self.parents[id(old)], _BINDS) and not new.lpar and not old.lpar:
                new = new.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
            return old, new.with_changes(lpar=[*old.lpar, *new.lpar], rpar=[*new.rpar, *old.rpar])
        if exact and edit.text.startswith("if "):
            return self.guarded(exact[0], edit.text)
        # a run of tokens: the smallest expression or statement around it is read again
        around = [n for n in self.all if isinstance(n, (cst.BaseExpression, cst.BaseSmallStatement))]
        around = [n for n in around if self.start(n) <= edit.span.start and edit.span.end <= self.ends[id(n)]]
        for node in sorted(
            around, key=lambda n: (self.ends[id(n)] - self.start(n), isinstance(n, cst.BaseSmallStatement))
        ):
            text = (
                self.text[self.start(node) : edit.span.start]
                + edit.text
                + self.text[edit.span.end : self.ends[id(node)]]
            )
            try:
                if isinstance(node, cst.BaseSmallStatement):
                    line: Any = cst.parse_module(text).body[0]
                    return node, line.body[0].with_changes(semicolon=node.semicolon)
                new = self.expression(node, text)
                return node, new.with_changes(lpar=[*node.lpar, *new.lpar], rpar=[*new.rpar, *node.rpar])
            except cst.ParserSyntaxError:
                continue
        raise AssertionError(f"nothing at {edit.span}")

    def guarded(self, node: Any, text: str) -> tuple[Any, Any]:
        """The line of an expression statement, and the `if` statement of `text` with the line's comments in its body."""
        line = self.parents[id(self.parents[id(node)])]
        assert isinstance(line, cst.SimpleStatementLine)
        assert len(line.body) == 1
        margin = re.split(r"[\r\n]", self.text[: self.start(node)])[-1]
        first, *rest = text.replace("\r\n", "\n").split("\n")
        new: Any = cst.parse_module("\n".join([first, *(r.removeprefix(margin) for r in rest)]) + "\n").body[0]
        (inner,) = new.body.body
        block = new.body.with_changes(body=[inner.with_changes(trailing_whitespace=line.trailing_whitespace)])
        return line, new.with_changes(leading_lines=line.leading_lines, body=block)

    def expression(self, old: Any, text: str) -> Any:
        """Parse an expression where its further lines have the margin of the old one's statement."""
        while not isinstance(old, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            old = self.parents[id(old)]
        start = self.start(old)
        margin = re.split(r"[\r\n]", self.text[:start])[-1]
        block = f"if 1:\n{margin}({text})\n" if margin and not margin.strip() else f"({text})\n"
        statement: Any = cst.parse_module(block.replace("\r\n", "\n")).body[0]
        if isinstance(statement, cst.If):
            statement = statement.body.body[0]
        value = statement.body[0].value
        return value.with_changes(lpar=value.lpar[1:], rpar=value.rpar[:-1])

    def apply(self, edits: Sequence[Edit]) -> str:
        for edit in edits:
            if isinstance(edit, Insert):
                suite, index = self.find(edit.anchor)
                new = cst.parse_module((edit.text.strip("\n") + "\n").replace("\n", self.module.default_newline))
                lines = suite.lead(index)
                headed = edit.where == "before" and not suite.joins(index) and 0 < _attached(lines) < len(lines)
                below = edit.text[-1] == "\n" or (headed and " = " in edit.text)
                self.insert(suite, index, edit.where, self.flush(new), edit.text[0] == "\n", below)
            elif isinstance(edit, Delete):
                for span in edit.statements:
                    self.take(*self.find(span))
            elif isinstance(edit, Move):
                self.move(edit)
            elif isinstance(edit, Unwrap):
                self.unwrap(edit)
        return self.rebuild(self.module).code

    def flush(self, module: cst.Module) -> list[Any]:
        class NoIndent(cst.CSTTransformer):
            def leave_EmptyLine(self, original_node: cst.EmptyLine, updated_node: cst.EmptyLine) -> cst.EmptyLine:  # noqa: N802
                return updated_node if updated_node.comment else updated_node.with_changes(indent=False)

        module = module.with_changes(
            header=[], body=[module.body[0].with_changes(leading_lines=module.header), *module.body[1:]]
        )
        return list(module.visit(NoIndent()).body)

    def insert(
        self, suite: Suite, index: int, where: str, new: list[Any], above: bool = False, below: bool = False
    ) -> None:
        suite.touched = True
        blank = cst.EmptyLine(indent=False)
        head = list(new[0].leading_lines)
        if where in ("before", "under"):
            shared = suite.joins(index)
            suite.part_ways(index)
            lines = suite.lead(index)
            cut = _attached(lines) if where == "before" else len(lines)
            rest = lines[:cut]
            first = index == 0 and isinstance(suite.node, cst.Module)
            if above and not (first and not rest) and (shared or not rest or not _blank(rest[-1])):
                rest = [*rest, blank]
            new[0] = new[0].with_changes(leading_lines=[*rest, *head])
            suite.set_lead(index, [*([blank] if below else []), *lines[cut:]])
            at = index
        else:
            suite.part_ways(index + 1)
            new[0] = new[0].with_changes(leading_lines=[*([blank] if above else []), *head])
            at = index + 1
            if below and at < len(suite.items):
                lines = suite.lead(at)
                if not lines or not _blank(lines[0]):
                    suite.set_lead(at, [blank, *lines])
        suite.items[at:at] = new
        suite.starts[at:at] = [-1] * len(new)
        self.keep += new

    def take(self, suite: Suite, index: int) -> Any:
        """Lift a statement out with its comments; blank lines do not pile up."""
        suite.touched = True
        item = suite.items[index]
        left, right = suite.joins(index), suite.joins(index + 1)
        lines = suite.lead(index)
        if right:  # the rest of the line takes its place
            following = suite.items[index + 1]
            suite.part_ways(index + 1)
            suite.replace(following, following.with_changes(leading_lines=lines))
            if left:
                suite.joined.add(id(suite.items[index + 1]))
            rest, own = [], item.with_changes(leading_lines=[])
        elif left:
            before = suite.items[index - 1]
            suite.replace(before, before.with_changes(trailing_whitespace=item.trailing_whitespace))
            own, rest = item.with_changes(leading_lines=[], trailing_whitespace=cst.TrailingWhitespace()), []
        else:
            cut = _attached(lines)
            rest, own = lines[:cut], item.with_changes(leading_lines=lines[cut:])
        suite.joined.discard(id(item))
        del suite.items[index], suite.starts[index]
        self.keep += [item, own]
        if right or left:
            return own
        if index < len(suite.items):
            below = suite.lead(index)
            suite.set_lead(index, self.merge(rest, below, index == 0))
        else:
            footer = list(suite.node.footer)
            while rest and _blank(rest[-1]) and not (footer and not _blank(footer[0])):
                rest.pop()
            suite.node = suite.node.with_changes(footer=[*rest, *footer])
        return own

    @staticmethod
    def merge(above: list[cst.EmptyLine], below: list[cst.EmptyLine], first: bool) -> list[cst.EmptyLine]:
        gap_above = len(above) - next((i + 1 for i in range(len(above) - 1, -1, -1) if not _blank(above[i])), 0)
        gap_below = next((i for i, line in enumerate(below) if not _blank(line)), len(below))
        drop = gap_below if first and not above else min(gap_above, gap_below)
        return [*above, *below[drop:]]

    def move(self, edit: Move) -> None:
        suite, _ = self.find(edit.anchor)
        anchor_start = edit.anchor.start
        indexes = [self.find(span)[1] for span in edit.statements]
        groups: list[list[int]] = []
        for index in indexes:
            if groups and index == groups[-1][-1] + 1:
                groups[-1].append(index)
            else:
                groups.append([index])
        groups = [part for group in groups for part in self.by_line(suite, group)]
        moved: list[Any] = []
        gone = 0
        behind = indexes[-1] + 1
        apart = (
            behind < len(suite.items) and not suite.joins(behind) and [*map(_blank, suite.lead(behind))][:1] == [True]
        )
        headings = [self.has_heading(suite, group[0]) for group in groups]
        alone = not suite.joins(indexes[0]) and not suite.joins(indexes[0] + 1)
        # the anchor starts a paragraph with its comment
        paragraph = alone and self.starts_paragraph(suite, suite.starts.index(anchor_start))
        headed = edit.where == "after" and headings[0]
        for group, heading in zip(groups, headings, strict=True):
            # inner blank lines of a run move along: only its first statement is parted from them
            first, last = group[0] - gone, group[-1] - gone
            run = [suite.items[i] for i in range(first, last + 1)]
            joined = [id(item) in suite.joined for item in run]
            inner = run[1:]
            for item in inner:
                where = suite.items.index(item)
                if joined[run.index(item)]:
                    suite.joined.discard(id(item))
                del suite.items[where], suite.starts[where]
            head = self.take(suite, first)
            if heading and moved:
                head = head.with_changes(leading_lines=[cst.EmptyLine(indent=False), *head.leading_lines])
            moved.append(head)
            for item, was in zip(inner, joined[1:], strict=True):
                if was:
                    suite.joined.add(id(item))
                moved.append(item)
            gone += len(group)
        index = suite.starts.index(anchor_start)
        lines = suite.lead(index) if edit.where == "before" and not suite.joins(index) else []
        # each under its own comment, or a block that starts a paragraph: two paragraphs
        above = lines[: _attached(lines)]
        block = isinstance(suite.items[index], cst.BaseCompoundStatement) and bool(above) and _blank(above[-1])
        parted = paragraph or bool(apart and (block or (moved[0].leading_lines and lines[_attached(lines) :])))
        if edit.where == "after":  # one that ended a paragraph is parted from blocks
            beside = suite.items[index : index + 2]
            blocks = [apart and isinstance(item, cst.BaseCompoundStatement) for item in beside]
            headed, parted = headed or blocks[0], blocks[1:] == [True]
        self.insert(suite, index, edit.where, moved, above=headed, below=parted)

    def has_heading(self, suite: Suite, index: int) -> bool:
        """Whether a statement's comment is a heading below a blank line."""
        lead = suite.lead(index)
        cut = 0 if suite.joins(index) or suite.joins(index + 1) else _attached(lead)
        return 0 < cut < len(lead)

    def starts_paragraph(self, suite: Suite, index: int) -> bool:
        """Whether a statement's line begins a paragraph with a comment."""
        lead = [] if suite.joins(index) else suite.lead(index)
        cut = _attached(lead)
        return 0 < cut < len(lead) and _blank(lead[cut - 1])

    def by_line(self, suite: Suite, group: list[int]) -> list[list[int]]:
        """A run, without the ends that share a line with others: that line's comments stay."""
        starts = [n for n, index in enumerate(group) if n and not suite.joins(index)]
        cuts = starts[:1] if suite.joins(group[0]) else []
        cuts += starts[-1:] if suite.joins(group[-1] + 1) else []
        edges = [0, *sorted(set(cuts)), len(group)]
        return [group[a:b] for a, b in itertools.pairwise(edges)]

    def unwrap(self, edit: Unwrap) -> None:
        suite, index = self.find(edit.statement)
        suite.touched = True
        statement = suite.items[index]
        inner, _ = self.find(edit.keep[0])
        wanted = [self.find(span)[1] for span in edit.keep]
        ends = wanted[-1] == len(inner.items) - 1
        inner.items = [item for number, item in enumerate(inner.items) if number in wanted]
        owner = self.parents[id(inner.node)]
        head = list(statement.leading_lines)
        own: list[cst.EmptyLine] = []
        if isinstance(owner, cst.Else):
            own += owner.leading_lines
        if isinstance(inner.node, cst.IndentedBlock) and inner.node.header.comment:
            own.append(cst.EmptyLine(comment=inner.node.header.comment))
        body = inner.body()
        own += body[0].leading_lines
        while own and _blank(own[0]):
            del own[0]
        body[0] = body[0].with_changes(leading_lines=[*head, *own])
        foot = list(inner.node.footer) if ends and isinstance(inner.node, cst.IndentedBlock) else []
        suite.items[index : index + 1] = body
        suite.starts[index : index + 1] = [-1] * len(body)
        self.keep += body
        after = index + len(body)
        if after < len(suite.items):
            suite.set_lead(after, [*foot, *suite.lead(after)])
        else:
            suite.node = suite.node.with_changes(footer=[*foot, *suite.node.footer])

    # --- printing ----------------------------------------------------------------------

    def rebuild(self, node: Any) -> Any:
        """The tree with every touched suite's new statements."""
        tree = self

        class Build(cst.CSTTransformer):
            def on_leave(self, original_node: Any, updated_node: Any) -> Any:
                suite = tree.suites.get(id(original_node))
                if suite is None or not suite.touched:
                    return updated_node
                # statements that hold touched suites themselves are printed with them
                body = [item.visit(Build()) for item in suite.body()]
                if suite.one_line:
                    return cst.IndentedBlock(body=body)
                return suite.node.with_changes(body=body)

        return node.visit(Build())


def apply(text: str, edits: Sequence[Edit]) -> str:
    """`text` after `edits`, through one libcst tree of the whole file.

    Expressions inside the text are replaced first, on a tree of their own, by libcst too; the
    statements' spans are then carried over to the new text by position among the statements.
    """
    tree = Tree(text)
    replaced = tree.prepare(edits).code
    if all(isinstance(edit, Replace) for edit in edits):
        return replaced
    if replaced != text:
        places = _shift(tree, replaced)
        edits = [_moved(edit, places) for edit in edits if not isinstance(edit, Replace)]
        tree = Tree(replaced)
    return tree.apply(edits)


def _statements(tree: Tree) -> list[tuple[int, int]]:
    found = []
    for node in tree.all:
        if isinstance(node, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            found.append((tree.spans[id(node)], tree.ends.get(id(node), -1)))
    return found


def _shift(tree: Tree, text: str) -> dict[int, tuple[int, int]]:
    new = _statements(Tree(text))
    return {old[0]: now for old, now in zip(_statements(tree), new, strict=True)}


def _moved(edit: Edit, places: dict[int, tuple[int, int]]) -> Edit:
    def at(span: Span) -> Span:
        return Span(*places[span.start])

    if isinstance(edit, Insert):
        return Insert(at(edit.anchor), edit.text, edit.where)
    if isinstance(edit, Move):
        return Move(tuple(map(at, edit.statements)), at(edit.anchor), edit.where)
    if isinstance(edit, Unwrap):
        return Unwrap(at(edit.statement), tuple(map(at, edit.keep)))
    assert isinstance(edit, Delete)
    return Delete(tuple(map(at, edit.statements)))
