"""`placefix server`: the language server, over standard input and output.

The loop takes messages in their order; one thread analyses. Each answer belongs to one version of a document, and is dropped
where the document has changed meanwhile. Nothing is written: edits go to the editor.
"""

from __future__ import annotations

import asyncio
import gc
from concurrent.futures import ThreadPoolExecutor
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

import placefix
from placefix.diagnostic import Applicability, Severity
from placefix.report.rule_pages import as_markdown
from placefix.report.web_links import rule_url
from placefix.runner import Repositories
from placefix.server.documents import OpenDocuments
from placefix.server.editor_settings import EditorSettings
from placefix.server.features import DocumentAnalysis

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.server.features import CodeAction, DocumentVersion, Edits, ShownFinding
    from placefix.server.positions import Position

DELAY = 0.1  # seconds without a change before a document is analysed
COLLECT_ABOVE = 50_000  # objects more than when garbage was collected last

FIX_ALL = "source.fixAll.placefix"
# Not below source.fixAll: many editors run that when a file is saved.
FIX_ALL_UNSAFE = "source.unsafeFixes.placefix"
_KINDS = (lsp.CodeActionKind.QuickFix.value, FIX_ALL, FIX_ALL_UNSAFE)

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.STYLE: lsp.DiagnosticSeverity.Information,
    Severity.NOTE: lsp.DiagnosticSeverity.Hint,
}


class PlacefixServer(LanguageServer):
    """The language server: the open documents, their analyses, the settings, and the messages to the editor."""

    def __init__(self) -> None:
        super().__init__(
            "placefix",
            placefix.__version__,
            notebook_document_sync=lsp.NotebookDocumentSyncOptions(
                # all cells, so that theirs are the numbers that people see
                notebook_selector=[lsp.NotebookDocumentFilterWithNotebook(notebook="jupyter-notebook")]
            ),
        )
        self.documents = OpenDocuments()
        self.settings = EditorSettings()
        self._analyses: dict[str, DocumentAnalysis] = {}
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._thread = ThreadPoolExecutor(1, "analysis")
        self._running: set[asyncio.Task[None]] = set()
        self._repositories = Repositories()
        self._prepared = False

    def begin(self, options: object) -> None:
        """Take the options of the editor and the position encoding that was agreed; called once, after `initialize`."""
        # pygls has its own copy of each document, ends lines at form feeds, and clips our positions to that copy
        self.workspace.update_text_document = lambda *_: None  # type: ignore[method-assign]
        self.workspace.update_notebook_document = lambda *_: None  # type: ignore[method-assign]
        self.documents.encoding = str(
            getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding)
        )
        self.configure(options)

    def configure(self, options: object) -> None:
        """Take options over configuration files."""
        problem = self.settings.take(options)
        if problem:
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, f"placefix: {problem}"))

    def analysis(self, document: DocumentVersion) -> DocumentAnalysis:
        """The analysis of this version of a document; computed again only if the version or its configuration changed."""
        config = self.settings.config(document.path)
        found = self._analyses.get(document.uri)
        if found is None or found.document is not document or found.config is not config:
            home = self._repositories
            found = DocumentAnalysis(document, config, lambda: home.home(document.path), self.documents.encoding)
            self._analyses[document.uri] = found
        return found

    async def ask(self, document: DocumentVersion, question: Callable[[DocumentAnalysis], Any]) -> Any:
        """The answer of the analysing thread; None if the document has changed meanwhile."""
        analysis = self.analysis(document)

        def answered() -> Any:
            """The answer, None if the document changed while the question waited for a worker."""
            return question(analysis) if self._current(document) else None  # it waited for others

        answer = await asyncio.get_running_loop().run_in_executor(self._thread, answered)
        return answer if self._current(document) else None

    def _current(self, document: DocumentVersion) -> bool:
        return self.documents.get(document.uri) is document

    def look(self, document: DocumentVersion | None, delay: float = DELAY) -> None:
        """Publish the findings of a document once it has not changed for `delay` seconds."""
        if document is None:
            return
        self.rest(document.uri)
        start = asyncio.get_running_loop().call_later
        self._waiting[document.uri] = start(delay, lambda: self._start(document))

    def look_again(self) -> None:
        """Files or configurations may have changed: drop all that was read, and analyse all open documents again."""
        self._repositories = Repositories()
        self.settings.forget()
        self._analyses.clear()
        for document in self.documents:
            self.look(document, 0)

    def rest(self, uri: str) -> None:
        """Do not look at a document."""
        if (waiting := self._waiting.pop(uri, None)) is not None:
            waiting.cancel()

    def close(self, uri: str) -> None:
        """A document is closed: nothing is shown in it."""
        self.rest(uri)
        self._analyses.pop(uri, None)
        self.clear(self.documents.closed(uri), None)

    def clear(self, before: DocumentVersion | None, after: DocumentVersion | None) -> None:
        """Show nothing in the pieces that a document had and has no more."""
        there = {piece.uri for piece in after.pieces} if after else set()
        for piece in before.pieces if before else ():
            if piece.uri not in there:
                self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(piece.uri, []))

    def _start(self, document: DocumentVersion) -> None:
        task = asyncio.get_running_loop().create_task(self._show(document))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _show(self, document: DocumentVersion) -> None:
        found = await self.ask(document, lambda analysis: analysis.findings)
        if found is None:
            return
        for number, piece in enumerate(document.pieces):
            shown = [self._diagnostic(document, finding) for finding in found if finding.piece == number]
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(piece.uri, shown, piece.version))
        self._thread.submit(self._between_changes, self.analysis(document))

    def _between_changes(self, analysis: DocumentAnalysis) -> None:
        """Work that is done while no request waits."""
        repairable = (finding for finding in analysis.findings if finding.diagnostic and finding.diagnostic.fix)
        if not self._prepared and (finding := next(repairable, None)) is not None:
            self._prepared = True
            list(analysis.actions(finding))  # the first one waits for libcst
        _collect_garbage()

    # --- requests of the editor ---------------------------------------------------------

    async def actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        """Fixes of the findings in a range, comments that suppress them, and the fixes of the whole document."""
        document = self.documents.get(params.text_document.uri)
        if document is None:
            return None
        only = [getattr(kind, "value", kind) for kind in params.context.only or ()]
        wanted = [kind for kind in _KINDS if not only or any(kind == o or kind.startswith(f"{o}.") for o in only)]
        if not only and params.context.trigger_kind == lsp.CodeActionTriggerKind.Automatic:
            wanted = wanted[:1]  # with every move of the cursor
        area, piece = params.range, _piece_index(document, params.text_document.uri)
        start, end = (area.start.line, area.start.character), (area.end.line, area.end.character)
        # some editors (Neovim) request actions at the cursor and list the diagnostics of the whole line in the context
        meant = {(d.range.start.line, d.range.start.character, d.code) for d in params.context.diagnostics}

        def near(finding: ShownFinding) -> bool:
            """Whether the finding touches the range, or is one of the diagnostics in the context."""
            return finding.meets(piece, start, end) or (
                finding.piece == piece and (*finding.start, finding.code) in meant
            )

        def question(analysis: DocumentAnalysis) -> list[lsp.CodeAction]:
            """The actions of the wanted kinds, in the order of `_KINDS`."""
            found: list[lsp.CodeAction] = []
            if wanted[:1] == [_KINDS[0]]:
                actions = [a for finding in filter(near, analysis.findings) for a in analysis.actions(finding)]
                first = {action.fix: action for action in reversed(actions)}  # of a fix that several findings have
                found += (self._quick(document, a) for a in actions if a.fix is None or first[a.fix] is a)
            for kind, title, unsafe in (
                (FIX_ALL, "placefix: fix all", False),
                (FIX_ALL_UNSAFE, "placefix: fix all, unsafe fixes too", True),
            ):
                if kind in wanted and (edits := analysis.fix_all(unsafe=unsafe)):
                    found.append(lsp.CodeAction(title, kind, edit=self._edit(document, edits)))
            return found

        answer: list[lsp.CodeAction] | None = await self.ask(document, question)
        return answer

    async def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """The pages of the rules with findings at a position, and the values that the analysis has for the name there."""
        document = self.documents.get(params.text_document.uri)
        if document is None:
            return None
        at, piece = (params.position.line, params.position.character), _piece_index(document, params.text_document.uri)
        findings: tuple[ShownFinding, ...] = await self.ask(document, lambda analysis: analysis.findings) or ()
        here = [f for f in findings if f.diagnostic is not None and f.meets(piece, at, at)]
        believed: str = await self.ask(document, lambda analysis: analysis.beliefs(piece, at)) or ""
        parts = [*([believed] if believed else ()), *map(_rule_page, here)]
        if not parts:
            return None
        return lsp.Hover(
            lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n---\n\n".join(parts)),
            _lsp_range(here[0].start, here[0].end) if here else None,
        )

    def _diagnostic(self, document: DocumentVersion, finding: ShownFinding) -> lsp.Diagnostic:
        """A finding as a diagnostic of the protocol, with the parts that this editor can show."""
        can = self.client_capabilities.text_document
        shows = can.publish_diagnostics if can else None
        url = rule_url(finding.diagnostic.rule) if finding.diagnostic is not None else ""
        related = [
            lsp.DiagnosticRelatedInformation(
                lsp.Location(document.pieces[piece].uri, _lsp_range(start, end)),
                "this operation fails without the repair",
            )
            for piece, start, end in finding.related
        ]
        return lsp.Diagnostic(
            _lsp_range(finding.start, finding.end),
            finding.message,
            severity=_SEVERITIES[finding.severity],
            code=finding.code or None,
            source="placefix",
            code_description=lsp.CodeDescription(url) if url and shows and shows.code_description_support else None,
            related_information=related if related and shows and shows.related_information else None,
        )

    def _quick(self, document: DocumentVersion, action: CodeAction) -> lsp.CodeAction:
        preferred = action.applicability is Applicability.SAFE
        return lsp.CodeAction(
            f"{', '.join(dict.fromkeys(finding.code for finding in action.findings))}: {action.title}",
            lsp.CodeActionKind.QuickFix,
            diagnostics=[self._diagnostic(document, finding) for finding in action.findings],
            is_preferred=preferred or None,
            edit=self._edit(document, action.edits),
        )

    def _edit(self, document: DocumentVersion, edits: Edits) -> lsp.WorkspaceEdit:
        """Edits of this version of the document, which an editor does not make in another."""
        changes = {
            document.pieces[number]: [
                lsp.TextEdit(_lsp_range(change.start, change.end), change.text) for change in piece
            ]
            for number, piece in edits
        }
        workspace = self.client_capabilities.workspace
        if workspace is None or workspace.workspace_edit is None or not workspace.workspace_edit.document_changes:
            return lsp.WorkspaceEdit(changes={piece.uri: texts for piece, texts in changes.items()})
        return lsp.WorkspaceEdit(
            document_changes=[
                lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(piece.uri, piece.version), texts)
                for piece, texts in changes.items()
            ]
        )


def _collect_garbage() -> None:
    """The garbage collector is off (`placefix.__main__`); a process that lives for days runs it when there may be garbage."""
    if gc.isenabled() or gc.get_count()[0] < COLLECT_ABOVE:
        return
    gc.collect()
    if not gc.get_freeze_count():
        gc.freeze()  # the modules, which most of its time goes to


def _piece_index(document: DocumentVersion, uri: str) -> int:
    return next((number for number, piece in enumerate(document.pieces) if piece.uri == uri), 0)


def _lsp_range(start: Position, end: Position) -> lsp.Range:
    return lsp.Range(lsp.Position(*start), lsp.Position(*end))


def _rule_page(finding: ShownFinding) -> str:
    assert finding.diagnostic is not None
    rule = finding.diagnostic.rule
    return f"**{rule.code} {rule.name}** ({finding.severity.value})\n\n{as_markdown(cleandoc(rule.documentation) or rule.summary)}"


def build_server() -> PlacefixServer:
    """The server with its handlers registered, ready to be started."""
    server = PlacefixServer()
    _register_lifecycle(server)
    _register_text_documents(server)
    _register_notebooks(server)
    _register_workspace(server)
    _register_requests(server)
    return server


def _register_lifecycle(server: PlacefixServer) -> None:
    """Handlers of `initialize` and `initialized`; the latter registers a watch of configurations and modules."""
    feature = server.feature

    @feature(lsp.INITIALIZE)
    def initialize(ls: PlacefixServer, params: lsp.InitializeParams) -> None:
        """Take the editor's capabilities and options."""
        ls.begin(params.initialization_options)

    @feature(lsp.INITIALIZED)
    def initialized(ls: PlacefixServer, params: lsp.InitializedParams) -> None:
        """Request notifications of changed configurations and modules."""
        workspace = ls.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace else None
        if watched is not None and watched.dynamic_registration:
            globs = ("**/placefix.toml", "**/pyproject.toml", "**/*.py")
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(glob) for glob in globs])
            registration = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            ls.client_register_capability(lsp.RegistrationParams([registration]))


def _register_text_documents(server: PlacefixServer) -> None:
    """Handlers of texts that are opened, changed, saved and closed."""
    feature = server.feature

    @feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: PlacefixServer, params: lsp.DidOpenTextDocumentParams) -> None:
        """Analyse a text at once."""
        ls.look(ls.documents.opened(params.text_document), 0)

    @feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: PlacefixServer, params: lsp.DidChangeTextDocumentParams) -> None:
        """Analyse a text after the delay."""
        ls.look(ls.documents.changed(params.text_document, params.content_changes))

    @feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: PlacefixServer, params: lsp.DidSaveTextDocumentParams) -> None:
        """Analyse all open documents again: they may import the saved one."""
        ls.look_again()

    @feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: PlacefixServer, params: lsp.DidCloseTextDocumentParams) -> None:
        """Show nothing more for a text."""
        ls.close(params.text_document.uri)


def _register_notebooks(server: PlacefixServer) -> None:
    """Handlers of notebooks that are opened, changed, saved and closed."""
    feature = server.feature

    @feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
    def notebook_opened(ls: PlacefixServer, params: lsp.DidOpenNotebookDocumentParams) -> None:
        """Analyse a notebook at once."""
        ls.look(ls.documents.notebook_opened(params), 0)

    @feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def notebook_changed(ls: PlacefixServer, params: lsp.DidChangeNotebookDocumentParams) -> None:
        """Analyse a notebook after the delay; clear the cells that are gone."""
        before = ls.documents.get(params.notebook_document.uri)
        after = ls.documents.notebook_changed(params)
        ls.clear(before, after)
        ls.look(after)

    @feature(lsp.NOTEBOOK_DOCUMENT_DID_SAVE)
    def notebook_saved(ls: PlacefixServer, params: lsp.DidSaveNotebookDocumentParams) -> None:
        """Analyse all open documents again."""
        ls.look_again()

    @feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def notebook_closed(ls: PlacefixServer, params: lsp.DidCloseNotebookDocumentParams) -> None:
        """Show nothing more for a notebook."""
        ls.close(params.notebook_document.uri)


def _register_workspace(server: PlacefixServer) -> None:
    """Handlers of changed files and options."""
    feature = server.feature

    @feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(ls: PlacefixServer, params: lsp.DidChangeWatchedFilesParams) -> None:
        """Read configurations and modules again."""
        ls.look_again()

    @feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configured(ls: PlacefixServer, params: lsp.DidChangeConfigurationParams) -> None:
        """Take the changed options of the editor."""
        if isinstance(params.settings, dict) and "placefix" in params.settings:
            ls.configure(params.settings["placefix"])
        ls.look_again()


def _register_requests(server: PlacefixServer) -> None:
    """Handlers of code actions and hover texts."""
    feature = server.feature

    @feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=list(_KINDS)))
    async def actions(ls: PlacefixServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        """The code actions of a range."""
        return await ls.actions(params)

    @feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(ls: PlacefixServer, params: lsp.HoverParams) -> lsp.Hover | None:
        """The hover text of a position."""
        return await ls.hover(params)


def serve() -> None:
    """Serve the editor that is at standard input and output, until it leaves."""
    build_server().start_io()
