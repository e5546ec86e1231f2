"""The features of the language server for one version of a document, as plain data: no protocol, no process.

A document is one text, or the cells of a notebook: its pieces. Everything is computed at the first request, and once.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from placefix import engine
from placefix.diagnostic import Applicability, Severity
from placefix.server.positions import Position, PositionedText, TextChange
from placefix.source import Source, SourceError

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterator

    from placefix.config import Config
    from placefix.diagnostic import Diagnostic, Fix, Rule
    from placefix.facts.program.repository import Home

_ROW = re.compile(r"line (\d+)")
_CELL = re.compile(r"cell (\d+)")
_BOM = "\ufeff"


class TextPiece(NamedTuple):
    """A text that the editor shows: the document's, or that of a cell."""

    uri: str
    version: int | None
    text: str


class DocumentVersion(NamedTuple):
    """One version of a document. path: absolute. notebook: its JSON text with the pieces as its cells, empty if it is none."""

    uri: str
    path: str
    pieces: tuple[TextPiece, ...]
    notebook: str = ""


class ShownFinding(NamedTuple):
    """A diagnostic in the editor. piece: the number of the document's piece (cell). diagnostic: None for an error.
    related: pieces and ranges of the operations that fail without its fix."""

    piece: int
    start: Position
    end: Position
    severity: Severity
    message: str
    code: str = ""
    diagnostic: Diagnostic | None = None
    related: tuple[tuple[int, Position, Position], ...] = ()

    def meets(self, piece: int, start: tuple[int, int], end: tuple[int, int]) -> bool:
        """Whether it has to do with a range of a piece."""
        return self.piece == piece and self.start <= Position(*end) and Position(*start) <= self.end


Edits = tuple[tuple[int, tuple[TextChange, ...]], ...]  # changes by the number of the piece


class CodeAction(NamedTuple):
    """An action that the editor offers: the fix of `findings`, or the comment that suppresses one of them."""

    title: str
    findings: tuple[ShownFinding, ...]
    edits: Edits
    applicability: Applicability
    fix: Fix | None = None  # None: a comment


class DocumentAnalysis:
    """One version of a document, under one configuration."""

    def __init__(
        self, document: DocumentVersion, config: Config | str, home: Callable[[], Home], encoding: str
    ) -> None:
        """config: or why there is none. home: the document's place in its repository. encoding: of positions."""
        self.document = document
        self.config = config
        self._home = home
        self._texts = [PositionedText(piece.text, encoding) for piece in document.pieces]
        # a byte order mark that the editor sends comes before the program
        self._lead = int(not document.notebook and document.pieces[0].text.startswith(_BOM))

    @cached_property
    def findings(self) -> tuple[ShownFinding, ...]:
        """The diagnostics to show, from top to bottom."""
        if isinstance(self.config, str):
            return (self._error(self.config, 0, 1),) if self._texts else ()
        if self.config.excludes_path(self.document.path, folder=False) or not self._rules or not self._texts:
            return ()
        try:
            return (*self._problems(), *map(self._finding, self._found))
        except (SourceError, engine.ParseError) as error:
            return (self._told(str(error)),)
        except Exception as error:  # a bug of ours must end no session
            return (self._error(engine.internal_error(error), 0, 1),)

    def fix_all(self, *, unsafe: bool) -> Edits:
        """The changes that `placefix apply` would make. unsafe: with --unsafe-fixes, or by the configuration."""
        if not self._repairable or isinstance(self.config, str):
            return ()
        unsafe = unsafe or self.config.unsafe_fixes
        try:
            outcome = engine.fix(self._source, self.config.settings, self._rules, unsafe=unsafe, home=self._home())
            return self._edits(outcome.text) if isinstance(outcome, engine.Changed) else ()
        except (SourceError, ValueError):
            return ()

    def actions(self, finding: ShownFinding) -> Iterator[CodeAction]:
        """The repair of a finding that can be written, and the comment that silences it."""
        diagnostic = finding.diagnostic
        if diagnostic is None:
            return
        fix = diagnostic.fix
        if (
            fix is not None
            and fix.applicability is not Applicability.DISPLAY
            and (edits := self._tried(self._repaired, fix))
        ):
            repaired = tuple(f for f in self.findings if f.diagnostic is not None and f.diagnostic.fix == fix)
            together = f" ({len(repaired)} problems together)" if len(repaired) > 1 else ""
            premise = f" (unsafe: {fix.premise})" if fix.applicability is Applicability.UNSAFE else ""
            yield CodeAction(f"{fix.message}{together}{premise}", repaired, edits, fix.applicability, fix)
        if edits := self._tried(self._silenced, diagnostic):
            yield CodeAction(f"ignore {diagnostic.code} on this line", (finding,), edits, Applicability.DISPLAY)

    def beliefs(self, piece: int, at: tuple[int, int]) -> str:
        """The values of the name at a position (0-based line and character) of a piece, as Markdown; "" if none is known."""
        from placefix import explain
        from placefix.report.explanation import describe_value

        word = self._texts[piece].word(*at)
        if not word or isinstance(self.config, str) or not self._rules:
            return ""
        cell = piece + 1 if self.document.notebook else None
        try:
            found = explain.explain_source(self._source, at[0] + 1, cell, self._home())
        except (SourceError, engine.ParseError, explain.ExplainError):
            return ""
        named = re.compile(rf"(?<![\w.]){re.escape(word)}\b")
        entries = {
            e.name: e for view in found.views for e in view.entries if named.search(e.name) and e.kind != "unknown"
        }
        shown = sorted(entries.values(), key=lambda entry: len(entry.name))[:3]
        return "\n".join(
            "\n".join(
                [f"- `{entry.name}`: {describe_value(entry)}", *(f"  - if {premise}" for premise in entry.premises)]
            )
            for entry in shown
        )

    # --- the program ---------------------------------------------------------------------

    @cached_property
    def _source(self) -> Source:
        """The program. Raises SourceError."""
        if not self.document.notebook:
            return Source(self.document.pieces[0].text[self._lead :], self.document.path)
        from placefix.notebook import Notebook

        has_recovery = any(rule.recover_syntax is not None for rule in self._rules)
        return Notebook.from_bytes(
            self.document.notebook.encode("utf-8", "surrogatepass"), self.document.path, legacy=has_recovery
        )

    @cached_property
    def _rules(self) -> tuple[Rule, ...]:
        """The configured rules, none where the text triggers none."""
        from placefix.rule_findings import triggered_at

        assert not isinstance(self.config, str)
        rules = self.config.rules_for(self.document.path)
        data = "\n".join(piece.text for piece in self.document.pieces).encode("utf-8", "surrogatepass")
        return rules if triggered_at(data, rules, self._home) else ()

    @cached_property
    def _found(self) -> tuple[Diagnostic, ...]:
        assert not isinstance(self.config, str)
        found = engine.check(self._source, self.config.settings, self._rules, self._home())
        return tuple(d for d in found if d.severity.reaches(self.config.settings.severity))

    @property
    def _repairable(self) -> bool:
        return any(finding.diagnostic is not None and finding.diagnostic.fix is not None for finding in self.findings)

    @cached_property
    def _tree(self) -> ast.Module:
        return engine.parse(self._source)

    # --- display -------------------------------------------------------------------------

    def _finding(self, diagnostic: Diagnostic) -> ShownFinding:
        piece, start = self._place(diagnostic.span.start)
        last, end = self._place(diagnostic.span.end)
        message = f"{diagnostic.message}\n{diagnostic.note}" if diagnostic.note else diagnostic.message
        return ShownFinding(
            piece,
            start,
            end if last == piece else start,
            diagnostic.severity,
            message,
            diagnostic.code,
            diagnostic,
            tuple(self._related(diagnostic)),
        )

    def _related(self, diagnostic: Diagnostic) -> Iterator[tuple[int, Position, Position]]:
        for operation in dict.fromkeys(operation for operation, _ in diagnostic.met):
            (piece, start), (last, end) = self._place(operation.start), self._place(operation.end)
            if operation != diagnostic.span:
                yield piece, start, end if last == piece else start

    def _place(self, offset: int) -> tuple[int, Position]:
        """The piece that holds an offset of the program, and where in it."""
        row, column = self._source.location(offset)
        cell = self._source.cell(offset)
        piece = 0 if cell is None else cell - 1
        return piece, self._texts[piece].at(row, column + (self._lead if row == 1 else 0))

    def _problems(self) -> list[ShownFinding]:
        return [self._told(problem) for problem in self._source.problems]

    def _told(self, message: str) -> ShownFinding:
        """An error that names its place in words."""
        cell, row = _CELL.match(message), _ROW.search(message)
        return self._error(
            message, int(cell[1]) - 1 if cell and self.document.notebook else 0, int(row[1]) if row else 1
        )

    def _error(self, message: str, piece: int, row: int) -> ShownFinding:
        start, end = self._texts[piece].row(row)
        return ShownFinding(piece, start, end, Severity.ERROR, message)

    # --- actions -------------------------------------------------------------------------

    def _edits(self, after: str) -> Edits:
        """The changes of the pieces that make the program `after`."""
        found: list[tuple[int, tuple[TextChange, ...]]] = []
        for name, body in self._source.pieces(after):
            cell = _CELL.match(name)
            piece = int(cell[1]) - 1 if cell else 0
            text = _BOM * self._lead + body
            if text != self._texts[piece].text:
                found.append((piece, self._texts[piece].changes(text)))
        return tuple(found)

    def _tried(self, make: Callable[[Any], str | None], what: Fix | Diagnostic) -> Edits:
        """The changes to the text that `make` makes; none if it fails: the command line shows the reason."""
        try:
            after = make(what)
            return self._edits(after) if after is not None else ()
        except Exception:
            return ()

    def _repaired(self, fix: Fix) -> str | None:
        """The program after one fix, proven as `apply` does."""
        from placefix import writer
        from placefix.text_edits import splice, token_edits

        source = self._source
        try:
            tree = self._tree
        except engine.ParseError:
            return splice(source.text, token_edits(fix))
        result = writer.apply(source, tree, [fix])
        if not result.applied:
            return None
        writer.verify(tree, engine.parse(source.with_text(result.text)), [fix])
        return result.text

    def _silenced(self, diagnostic: Diagnostic) -> str | None:
        """The program with a comment that silences a finding."""
        from placefix.ignore_comments import ignore_comment_edits
        from placefix.text_edits import splice

        return splice(self._source.text, ignore_comment_edits(self._source, self._tree, [diagnostic]))
