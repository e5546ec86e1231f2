"""The documents that the editor has open, as its messages make them: each change is a new `Document`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from placefix.notebook.document import notebook_text
from placefix.server.features import DocumentVersion, TextPiece
from placefix.server.positions import PositionedText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class _Notebook:
    """The cells of an open notebook, in order, with the state that the editor sent for each."""

    def __init__(self, cells: Iterable[lsp.NotebookCell]) -> None:
        self.cells = list(cells)

    def changed(self, change: lsp.NotebookCellArrayChange) -> None:
        """Replace a run of cells."""
        self.cells[change.start : change.start + change.delete_count] = change.cells or ()

    def described(self, cells: Iterable[lsp.NotebookCell]) -> None:
        """Take new data of cells: kind, metadata, execution summary."""
        new = {cell.document: cell for cell in cells}
        self.cells = [new.get(cell.document, cell) for cell in self.cells]


class OpenDocuments:
    """The open documents. `encoding`: the encoding of positions in the editor's messages."""

    def __init__(self) -> None:
        self.encoding = "utf-16"
        self._open: dict[str, DocumentVersion] = {}
        self._pieces: dict[str, TextPiece] = {}
        self._python: set[str] = set()
        self._notebooks: dict[str, _Notebook] = {}

    def __iter__(self) -> Iterator[DocumentVersion]:
        return iter(list(self._open.values()))

    def get(self, uri: str) -> DocumentVersion | None:
        """The current version of the document with a URI; the URI may be that of one of its cells. None if it is not open."""
        found = self._open.get(uri)
        if found is None and uri in self._pieces:
            return next((d for d in self._open.values() if any(piece.uri == uri for piece in d.pieces)), None)
        return found

    def opened(self, item: lsp.TextDocumentItem) -> DocumentVersion:
        """A text is open."""
        return self._put(item.uri, (TextPiece(item.uri, item.version, item.text),))

    def changed(
        self, identifier: lsp.VersionedTextDocumentIdentifier, changes: Sequence[lsp.TextDocumentContentChangeEvent]
    ) -> DocumentVersion | None:
        """A text has changed."""
        document = self._open.get(identifier.uri)
        if document is None:
            return None
        return self._put(document.uri, (self._edited(document.pieces[0], identifier.version, changes),))

    def closed(self, uri: str) -> DocumentVersion | None:
        """A text or a notebook is closed."""
        notebook = self._notebooks.pop(uri, None)
        for cell in notebook.cells if notebook else ():
            self._pieces.pop(cell.document, None)
        return self._open.pop(uri, None)

    def notebook_opened(self, params: lsp.DidOpenNotebookDocumentParams) -> DocumentVersion:
        """A notebook is open."""
        uri = params.notebook_document.uri
        self._notebooks[uri] = _Notebook(params.notebook_document.cells)
        self._take(params.cell_text_documents)
        return self._put_notebook(uri)

    def notebook_changed(self, params: lsp.DidChangeNotebookDocumentParams) -> DocumentVersion | None:
        """Cells of a notebook have come, gone or changed."""
        uri, change = params.notebook_document.uri, params.change.cells
        notebook = self._notebooks.get(uri)
        if notebook is None:
            return None
        if change is not None and change.structure is not None:
            notebook.changed(change.structure.array)
            there = {cell.document for cell in notebook.cells}
            for closed in change.structure.did_close or ():
                if closed.uri not in there:
                    self._pieces.pop(closed.uri, None)
            self._take(change.structure.did_open or ())
        for data in (change.text_content or ()) if change is not None else ():
            if data.document.uri in self._pieces:
                piece = self._pieces[data.document.uri]
                self._pieces[piece.uri] = self._edited(piece, data.document.version, data.changes)
        if change is not None and change.data:
            notebook.described(change.data)
        return self._put_notebook(uri)

    def _take(self, items: Iterable[lsp.TextDocumentItem]) -> None:
        for item in items:
            self._pieces[item.uri] = TextPiece(item.uri, item.version, item.text)
            (self._python.add if item.language_id == "python" else self._python.discard)(item.uri)

    def _edited(
        self, piece: TextPiece, version: int, changes: Iterable[lsp.TextDocumentContentChangeEvent]
    ) -> TextPiece:
        text = piece.text
        for change in changes:
            if isinstance(change, lsp.TextDocumentContentChangePartial):
                start, end = change.range.start, change.range.end
                text = PositionedText(text, self.encoding).replaced(
                    (start.line, start.character), (end.line, end.character), change.text
                )
            else:
                text = change.text
        return TextPiece(piece.uri, version, text)

    def _put(self, uri: str, pieces: tuple[TextPiece, ...], notebook: str = "") -> DocumentVersion:
        self._open[uri] = DocumentVersion(uri, to_fs_path(uri) or uri, pieces, notebook)
        return self._open[uri]

    def _put_notebook(self, uri: str) -> DocumentVersion:
        cells = [cell for cell in self._notebooks[uri].cells if cell.document in self._pieces]
        pieces = tuple(self._pieces[cell.document] for cell in cells)
        return self._put(
            uri, pieces, notebook_text([self._cell(cell, piece.text) for cell, piece in zip(cells, pieces)])
        )

    def _cell(self, cell: lsp.NotebookCell, text: str) -> tuple[bool, str, dict[str, object], int | None, bool]:
        code = cell.kind == lsp.NotebookCellKind.Code and cell.document in self._python
        tags = cell.metadata.get("tags") if isinstance(cell.metadata, dict) else None
        run = cell.execution_summary
        return (
            code,
            text,
            {"tags": tags} if tags else {},
            run.execution_order if run else None,
            bool(run and run.success is False),
        )
