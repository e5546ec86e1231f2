"""The language server, spoken to as an editor does."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

import placefix
from placefix.server import build_server
from placefix.server.positions import Position, PositionedText, TextChange

if TYPE_CHECKING:
    from placefix.server.features import DocumentAnalysis

SCRIPT = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    pass\n\n\nmodel = Net()\nmodel = nn.DataParallel(model)\nmodel.cuda()\n"
PATIENCE = 300  # seconds: nothing is shown for so long only where the server hangs
FIX_ALL, UNSAFE = "source.fixAll.placefix", "source.unsafeFixes.placefix"


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[sys.executable, "-m", "placefix", "server"]))
async def client(lsp_client: LanguageClient, tmp_path: Path):
    (tmp_path / ".git").mkdir()
    lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(lambda params: None)
    await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"),
            root_uri=tmp_path.as_uri(),
            initialization_options=None,
        )
    )
    yield
    await lsp_client.shutdown_session()


class Editor:
    """A document open in the client, with the text that the client holds."""

    def __init__(self, client: LanguageClient, path: Path, text: str) -> None:
        self.client, self.uri, self.text, self.version = client, path.as_uri(), text, 1
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(self.uri, "python", 1, text)))

    def change(self, text: str) -> None:
        self.version, self.text = self.version + 1, text
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self.version, self.uri),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def found(self, wait: float = PATIENCE) -> list[lsp.Diagnostic]:
        """What is shown for the present version."""
        until = time.monotonic() + wait
        while time.monotonic() < until:
            if self.uri in self.client.diagnostics and self.client.log_version.get(self.uri) == self.version:
                return list(self.client.diagnostics[self.uri])
            await asyncio.sleep(0.02)
        raise AssertionError(f"nothing was shown for version {self.version}")

    async def actions(self, line: int | None = None, only: list[str] | None = None) -> list[lsp.CodeAction]:
        last = len(self.text.split("\n"))
        area = lsp.Range(lsp.Position(line or 0, 0), lsp.Position(last if line is None else line, 0))
        params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(self.uri), area, lsp.CodeActionContext([], only))
        return list(await self.client.text_document_code_action_async(params) or ())

    def apply(self, action: lsp.CodeAction) -> str:
        """The text after an action, which must be for this version."""
        assert action.edit is not None and action.edit.document_changes is not None
        (change,) = action.edit.document_changes
        assert isinstance(change, lsp.TextDocumentEdit)
        assert (change.text_document.uri, change.text_document.version) == (self.uri, self.version)
        return applied(self.text, change.edits)


def applied(text: str, edits: object) -> str:
    """UTF-16, and what a client does with edits: from the last to the first."""
    data = text.encode("utf-16-le")
    starts = [0, *(end.end() for end in re.finditer(r"\r\n|\r|\n", text))]

    def at(position: lsp.Position) -> int:
        start = starts[position.line] if position.line < len(starts) else len(text)
        return len(text[:start].encode("utf-16-le")) + 2 * position.character

    for edit in sorted(edits, key=lambda e: at(e.range.start), reverse=True):  # type: ignore[call-overload]
        data = data[: at(edit.range.start)] + edit.new_text.encode("utf-16-le") + data[at(edit.range.end) :]
    return data.decode("utf-16-le")


@pytest.fixture(autouse=True)
def _versions(client: LanguageClient) -> None:
    """The client keeps what is shown; we also want to know for which version."""
    client.log_version = {}
    keep = client.protocol.fm.features[lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]

    def published(params: lsp.PublishDiagnosticsParams) -> None:
        keep(params)
        client.log_version[params.uri] = params.version

    client.protocol.fm.features[lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = published


def command_line(text: str, *, unsafe: bool = False, path: Path | None = None) -> str:
    outcome = placefix.fix_source(text, path=path, options=placefix.Options(unsafe_fixes=unsafe))
    return outcome.text if isinstance(outcome, placefix.Changed) else text


@pytest.mark.asyncio
async def test_open_edit_and_fix_all(client: LanguageClient, tmp_path: Path) -> None:
    editor = Editor(client, tmp_path / "train.py", "import torch\n")
    assert await editor.found() == []
    editor.change(SCRIPT)
    found = await editor.found()
    assert {d.code for d in found} == {d.code for d in placefix.check_source(SCRIPT)} != set()
    assert all(d.source == "placefix" for d in found)
    (fix,) = await editor.actions(only=["source.fixAll"])
    assert fix.kind == FIX_ALL
    assert editor.apply(fix) == command_line(SCRIPT) != SCRIPT
    editor.change(editor.apply(fix))
    assert {d.code for d in await editor.found()} == {d.code for d in placefix.check_source(editor.text)}


ALL_SCRIPTS = sorted((Path(__file__).parent.parent / "corpus" / "scripts").glob("*.py"))
SCRIPTS = sorted({*ALL_SCRIPTS[::6], *(path for path in ALL_SCRIPTS if b"\r\n" in path.read_bytes())})


def unsafe_scripts() -> list[Path]:
    """Two scripts with unsafe fixes."""
    unsafe = placefix.Applicability.UNSAFE
    found = (
        p
        for p in ALL_SCRIPTS
        if any(d.fix and d.fix.applicability is unsafe for d in placefix.check_source(p.read_bytes()))
    )
    return list(islice(found, 2))


@pytest.mark.asyncio
async def test_fix_all_is_what_apply_writes(client: LanguageClient, tmp_path: Path) -> None:
    changed = 0
    for path in SCRIPTS:
        editor = Editor(client, tmp_path / path.name, placefix.Source.from_bytes(path.read_bytes()).text)
        for kind, unsafe in ((FIX_ALL, False), (UNSAFE, True)):
            expected = command_line(editor.text, unsafe=unsafe, path=tmp_path / path.name)
            fixes = await editor.actions(only=[kind])
            assert [editor.apply(fix) for fix in fixes] == ([expected] if expected != editor.text else []), path.name
            changed += len(fixes)
    assert changed > 5


@pytest.mark.asyncio
async def test_positions_beyond_the_basic_plane(client: LanguageClient, tmp_path: Path) -> None:
    text = SCRIPT.replace("model.cuda()", 's = "😋\u2028"; model.cuda()  # 😋')
    editor = Editor(client, tmp_path / "train.py", text)
    call = next(d for d in await editor.found() if d.code == "PF401")
    assert call.range.start.character == len('s = "😋\u2028"; model.'.encode("utf-16-le")) // 2
    for fix in await editor.actions(only=["source.fixAll"]):
        assert editor.apply(fix) == command_line(text)


@pytest.mark.asyncio
async def test_incremental_changes(client: LanguageClient, tmp_path: Path) -> None:
    editor = Editor(client, tmp_path / "train.py", 's = "😋\x0c😋"\nmodel.cpu()\n')
    assert await editor.found() == []
    head = SCRIPT.removesuffix("model.cuda()\n")
    changes = [
        lsp.TextDocumentContentChangePartial(lsp.Range(lsp.Position(1, 6), lsp.Position(1, 9)), "cuda"),
        lsp.TextDocumentContentChangePartial(lsp.Range(lsp.Position(0, 8), lsp.Position(0, 8)), "x"),
        lsp.TextDocumentContentChangePartial(lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0)), head),
    ]
    editor.version += 1
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(editor.version, editor.uri), changes)
    )
    editor.text = head + 's = "😋\x0cx😋"\nmodel.cuda()\n'
    assert [d.range.start.line for d in await editor.found() if d.code == "PF401"] == [11]
    (fix,) = await editor.actions(only=[FIX_ALL])
    assert editor.apply(fix) == command_line(editor.text) != editor.text


@pytest.mark.asyncio
async def test_quick_fixes_tell_safe_from_unsafe(client: LanguageClient, tmp_path: Path) -> None:
    unsafe_seen = 0
    for path in [*SCRIPTS[::2], *unsafe_scripts()]:
        editor = Editor(client, tmp_path / path.name, placefix.Source.from_bytes(path.read_bytes()).text)
        for action in await editor.actions(only=["quickfix"]):
            if "ignore" not in action.title:
                assert editor.apply(action) != editor.text
                assert bool(action.is_preferred) != ("(unsafe: " in action.title)
                unsafe_seen += not action.is_preferred
        kinds = {action.kind for action in await editor.actions()}
        assert kinds <= {"quickfix", FIX_ALL, UNSAFE}
    assert unsafe_seen


@pytest.mark.asyncio
async def test_a_quick_fix_repairs_all_that_it_helps_together_with(client: LanguageClient, tmp_path: Path) -> None:
    text = (
        "import torch\n\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n"
        "lstm = torch.nn.LSTM(3, 3).to(device)\nh = torch.zeros(1, 2, 3)\nc = torch.zeros(1, 2, 3)\n"
        "out, _ = lstm(torch.zeros(5, 2, 3).to(device), (h, c))\n"
    )
    editor = Editor(client, tmp_path / "train.py", text)
    assert [d.code for d in await editor.found()] == ["PF302", "PF302"]
    (fix,) = [action for action in await editor.actions(only=["quickfix"]) if "ignore" not in action.title]
    assert fix.title == "PF302: move the tensor to the device (2 problems together)"
    assert [d.range.start.line for d in fix.diagnostics or ()] == [4, 5]
    after = editor.apply(fix)
    assert after == command_line(text)
    assert after.count("torch.zeros(1, 2, 3, device=device)") == 2


@pytest.mark.asyncio
async def test_ignore_on_this_line(client: LanguageClient, tmp_path: Path) -> None:
    text = SCRIPT.replace("model.cuda()", 'print("""\n""", model.cuda(\n    0))')
    editor = Editor(client, tmp_path / "train.py", text)
    before = {d.code for d in await editor.found()}
    assert "PF401" in before or "PF102" in before
    for action in await editor.actions(only=["quickfix"]):
        if "ignore" in action.title:
            after = editor.apply(action)
            assert after.count("# placefix: ignore[") == 1
            assert len(placefix.check_source(after)) < len(placefix.check_source(text))


@pytest.mark.asyncio
async def test_hover_shows_what_is_believed_of_a_name(client: LanguageClient, tmp_path: Path) -> None:
    text = "import torch\nnet = torch.nn.Linear(2, 2)\nnet.to('cuda')\n\n# nothing\n"
    editor = Editor(client, tmp_path / "train.py", text)
    await editor.found()

    async def hovered(line: int, character: int) -> str:
        place = lsp.HoverParams(lsp.TextDocumentIdentifier(editor.uri), lsp.Position(line, character))
        hover = await client.text_document_hover_async(place)
        return hover.contents.value if hover is not None and isinstance(hover.contents, lsp.MarkupContent) else ""

    assert "- `net`: module `torch.nn.Linear`, on the CPU before this line, on CUDA after it" in await hovered(2, 1)
    assert await hovered(0, 8) == ""  # a package
    assert await hovered(3, 0) == "" and await hovered(4, 4) == ""  # no statement


@pytest.mark.asyncio
async def test_hover_is_the_rules_page(client: LanguageClient, tmp_path: Path) -> None:
    editor = Editor(client, tmp_path / "train.py", SCRIPT)
    first = (await editor.found())[0]
    params = lsp.HoverParams(lsp.TextDocumentIdentifier(editor.uri), first.range.start)
    hover = await client.text_document_hover_async(params)
    assert hover is not None and isinstance(hover.contents, lsp.MarkupContent)
    assert str(first.code) in hover.contents.value and "```python" in hover.contents.value
    nowhere = lsp.HoverParams(lsp.TextDocumentIdentifier(editor.uri), lsp.Position(0, 0))
    assert await client.text_document_hover_async(nowhere) is None


@pytest.mark.asyncio
async def test_a_broken_file_is_one_diagnostic(client: LanguageClient, tmp_path: Path) -> None:
    editor = Editor(client, tmp_path / "train.py", SCRIPT + "def f(:\n")
    (error,) = await editor.found()
    assert error.range.start.line == SCRIPT.count("\n") and "cannot be parsed" in error.message
    assert await editor.actions() == []
    for text in (
        "import torch\nx.cuda(\0)\n",
        "import torch\nx.cuda(\ud800)\n".encode("utf-8", "replace").decode(),
        "\ufeff" + SCRIPT,
    ):
        editor.change(text)
        assert await editor.found()
    (fix,) = await editor.actions(only=[FIX_ALL])
    assert editor.apply(fix) == command_line("\ufeff" + SCRIPT)


@pytest.mark.asyncio
async def test_configuration_is_read_again(client: LanguageClient, tmp_path: Path) -> None:
    editor = Editor(client, tmp_path / "train.py", SCRIPT)
    assert await editor.found()
    (tmp_path / "placefix.toml").write_text("select = []\n")
    editor.change(SCRIPT)
    assert await editor.found() == []
    (tmp_path / "placefix.toml").write_text("nonsense = 1\n")
    editor.change(SCRIPT)
    (error,) = await editor.found()
    assert "nonsense: unknown key" in error.message
    (tmp_path / "placefix.toml").unlink()
    editor.change(SCRIPT)
    codes = {d.code for d in await editor.found()}
    assert len(codes) > 1
    client.workspace_did_change_configuration(
        lsp.DidChangeConfigurationParams({"placefix": {"ignore": sorted(codes)[:1]}})
    )
    editor.change(SCRIPT)
    assert {d.code for d in await editor.found()} == codes - set(sorted(codes)[:1])


@pytest.mark.asyncio
async def test_only_the_last_version_is_shown(client: LanguageClient, tmp_path: Path) -> None:
    editor = Editor(client, tmp_path / "train.py", SCRIPT)
    asked = [asyncio.ensure_future(editor.actions(only=[FIX_ALL]))]
    await asyncio.sleep(0)
    for number in range(20):
        editor.change(f"# {number}\n" * number + SCRIPT)
        asked.append(asyncio.ensure_future(editor.actions(only=[FIX_ALL])))
        await asyncio.sleep(0)  # it is sent
    found = await editor.found()
    assert {d.range.start.line for d in found} == {d.range.start.line for d in found if d.range.start.line > 19}
    for number, actions in enumerate(await asyncio.gather(*asked)):
        for action in actions:
            assert action.edit is not None and action.edit.document_changes is not None
            version = action.edit.document_changes[0].text_document.version  # type: ignore[union-attr]
            assert version == number + 1


@pytest.mark.asyncio
async def test_a_notebook(client: LanguageClient, tmp_path: Path) -> None:
    cells = [
        "# Title",
        "%matplotlib inline\nimport torch\nfrom torch import nn\nnet = nn.Linear(1, 1)",
        "net = nn.DataParallel(net)\nnet.cuda()",
        "def f(:",
    ]
    uri = (tmp_path / "a.ipynb").as_uri()
    uris = [f"vscode-notebook-cell:{tmp_path}/a.ipynb#{n}" for n in range(4)]
    kinds = [lsp.NotebookCellKind.Markup] + [lsp.NotebookCellKind.Code] * 3
    client.notebook_document_did_open(
        lsp.DidOpenNotebookDocumentParams(
            lsp.NotebookDocument(uri, "jupyter-notebook", 1, [lsp.NotebookCell(k, u) for k, u in zip(kinds, uris)]),
            [
                lsp.TextDocumentItem(u, "markdown" if not n else "python", 1, t)
                for n, (u, t) in enumerate(zip(uris, cells))
            ],
        )
    )
    until = time.monotonic() + PATIENCE
    while uris[3] not in client.diagnostics and time.monotonic() < until:
        await asyncio.sleep(0.02)
    assert not client.diagnostics[uris[0]] and not client.diagnostics[uris[1]]
    assert {d.range.start.line for d in client.diagnostics[uris[2]]} == {0, 1}
    assert "cannot be parsed" in client.diagnostics[uris[3]][0].message
    area = lsp.Range(lsp.Position(0, 0), lsp.Position(3, 0))
    params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uris[2]), area, lsp.CodeActionContext([], [FIX_ALL]))
    (fix,) = await client.text_document_code_action_async(params) or ()
    assert isinstance(fix, lsp.CodeAction) and fix.edit is not None and fix.edit.document_changes is not None
    after = list(cells)
    for change in fix.edit.document_changes:
        assert isinstance(change, lsp.TextDocumentEdit)
        number = uris.index(change.text_document.uri)
        after[number] = applied(cells[number], change.edits)
    import nbformat

    def file(texts: list[str]) -> str:
        made = [nbformat.v4.new_markdown_cell(texts[0]), *map(nbformat.v4.new_code_cell, texts[1:])]
        return nbformat.writes(nbformat.v4.new_notebook(cells=made))

    outcome = placefix.fix_source(file(cells), name="a.ipynb")
    assert isinstance(outcome, placefix.Changed)
    assert after == [cell.source for cell in nbformat.reads(outcome.text, 4).cells] != cells
    change = lsp.NotebookDocumentCellContentChanges(
        lsp.VersionedTextDocumentIdentifier(2, uris[3]), [lsp.TextDocumentContentChangeWholeDocument("x = 1")]
    )
    client.diagnostics.pop(uris[3])
    client.notebook_document_did_change(
        lsp.DidChangeNotebookDocumentParams(
            lsp.VersionedNotebookDocumentIdentifier(2, uri),
            lsp.NotebookDocumentChangeEvent(cells=lsp.NotebookDocumentCellChanges(text_content=[change])),
        )
    )
    until = time.monotonic() + PATIENCE
    while uris[3] not in client.diagnostics and time.monotonic() < until:
        await asyncio.sleep(0.02)
    assert not client.diagnostics[uris[3]]


class NotebookEditor:
    """A notebook open in the client: its cells by name, in their order, with the text that the client holds."""

    def __init__(self, client: LanguageClient, path: Path, cells: dict[str, str]) -> None:
        self.client, self.path, self.uri, self.version = client, path, path.as_uri(), 1
        self.cells, self.versions = dict(cells), dict.fromkeys(cells, 1)
        client.notebook_document_did_open(
            lsp.DidOpenNotebookDocumentParams(
                lsp.NotebookDocument(self.uri, "jupyter-notebook", 1, [self.cell(name) for name in cells]),
                [self.item(name) for name in cells],
            )
        )

    def at(self, name: str) -> str:
        return f"vscode-notebook-cell:{self.path}#{name}"

    def cell(self, name: str) -> lsp.NotebookCell:
        return lsp.NotebookCell(lsp.NotebookCellKind.Code, self.at(name))

    def item(self, name: str) -> lsp.TextDocumentItem:
        return lsp.TextDocumentItem(self.at(name), "python", self.versions[name], self.cells[name])

    def splice(self, start: int, count: int, new: dict[str, str]) -> None:
        """Put `new` in the place of some cells; a name that was there before is a cell that moves."""
        names = list(self.cells)
        gone = names[start : start + count]
        names[start : start + count] = new
        self.cells = {name: new.get(name) or self.cells[name] for name in names}
        self.versions.update({name: 1 for name in new if name not in gone})
        array = lsp.NotebookCellArrayChange(start, count, [self.cell(name) for name in new])
        closed = [lsp.TextDocumentIdentifier(self.at(name)) for name in gone if name not in names]
        opened = [self.item(name) for name in new if name not in gone]
        self._changed(
            lsp.NotebookDocumentCellChanges(structure=lsp.NotebookDocumentCellChangeStructure(array, opened, closed))
        )

    def type(self, name: str, text: str) -> None:
        self.cells[name], self.versions[name] = text, self.versions[name] + 1
        identifier = lsp.VersionedTextDocumentIdentifier(self.versions[name], self.at(name))
        content = lsp.NotebookDocumentCellContentChanges(identifier, [lsp.TextDocumentContentChangeWholeDocument(text)])
        self._changed(lsp.NotebookDocumentCellChanges(text_content=[content]))

    def _changed(self, cells: lsp.NotebookDocumentCellChanges) -> None:
        self.version += 1
        self.client.log_version.clear()
        self.client.notebook_document_did_change(
            lsp.DidChangeNotebookDocumentParams(
                lsp.VersionedNotebookDocumentIdentifier(self.version, self.uri),
                lsp.NotebookDocumentChangeEvent(cells=cells),
            )
        )

    async def found(self) -> dict[str, set[tuple[int, str]]]:
        """Line and code of what is shown in each cell, all for the present versions."""
        until = time.monotonic() + PATIENCE
        while any(self.client.log_version.get(self.at(name)) != self.versions[name] for name in self.cells):
            assert time.monotonic() < until, "nothing was shown"
            await asyncio.sleep(0.02)
        shown = {
            name: {(d.range.start.line, str(d.code)) for d in self.client.diagnostics[self.at(name)]}
            for name in self.cells
        }
        return {name: places for name, places in shown.items() if places}

    def expected(self) -> dict[str, set[tuple[int, str]]]:
        """The same by the command line, of a file with these cells."""
        import nbformat

        text = nbformat.writes(
            nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in self.cells.values()])
        )
        source = placefix.Notebook.from_bytes(text.encode())
        places: dict[str, set[tuple[int, str]]] = {}
        for diagnostic in placefix.check_source(source):
            cell = source.cell(diagnostic.span.start)
            assert cell is not None
            places.setdefault(list(self.cells)[cell - 1], set()).add(
                (source.location(diagnostic.span.start)[0] - 1, diagnostic.code)
            )
        return places

    async def quick_fixes(self, name: str) -> list[lsp.CodeAction]:
        area = lsp.Range(lsp.Position(0, 0), lsp.Position(self.cells[name].count("\n") + 1, 0))
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(self.at(name)), area, lsp.CodeActionContext([], ["quickfix"])
        )
        return [
            action
            for action in await self.client.text_document_code_action_async(params) or ()
            if isinstance(action, lsp.CodeAction)
        ]

    def apply(self, action: lsp.CodeAction) -> None:
        """Make an action's edits, each for the present version of its cell."""
        assert action.edit is not None and action.edit.document_changes is not None
        for change in action.edit.document_changes:
            assert isinstance(change, lsp.TextDocumentEdit)
            name = change.text_document.uri.partition("#")[2]
            assert change.text_document.version == self.versions[name]
            self.type(name, applied(self.cells[name], change.edits))


@pytest.mark.asyncio
async def test_cells_come_go_and_move(client: LanguageClient, tmp_path: Path) -> None:
    imports, model, loop = (
        "import torch\nfrom torch import nn\n",
        "net = nn.Linear(1, 1)\n",
        "x = torch.ones(1)\nnet(x)\n",
    )
    notebook = NotebookEditor(client, tmp_path / "a.ipynb", {"a": imports, "b": model, "c": loop})
    assert await notebook.found() == notebook.expected() == {}
    notebook.splice(2, 0, {"d": "net.cuda()\n"})
    assert await notebook.found() == notebook.expected() != {}
    notebook.splice(2, 2, {"c": loop, "d": notebook.cells["d"]})  # the two change places
    assert list(notebook.cells) == ["a", "b", "c", "d"]
    swapped = await notebook.found()
    assert swapped == notebook.expected()
    notebook.splice(1, 0, {"e": "# first\n\nopt = torch.optim.SGD([torch.ones(1)], 0.1)\n"})
    notebook.type("d", "\nnet.cuda()\n")
    moved = await notebook.found()
    assert moved == notebook.expected() and {line for line, _ in moved["d"]} == {line + 1 for line, _ in swapped["d"]}
    notebook.splice(4, 1, {})
    assert await notebook.found() == notebook.expected() == {}
    assert not client.diagnostics[notebook.at("d")]  # nothing stays behind in a cell that has gone


@pytest.mark.asyncio
async def test_a_quick_fix_in_a_cell(client: LanguageClient, tmp_path: Path) -> None:
    cells = {
        "a": "%matplotlib inline\nimport torch\n",
        "b": "net = torch.nn.Linear(1, 1)\n",
        "c": "!nvidia-smi\nnet.cuda()\n",
    }
    notebook = NotebookEditor(client, tmp_path / "a.ipynb", cells)
    assert (await notebook.found()).keys() == {"c"}
    assert await notebook.quick_fixes("b") == []
    fix = (await notebook.quick_fixes("c"))[0]
    assert fix.is_preferred
    notebook.apply(fix)
    assert notebook.cells["c"] == "!nvidia-smi\nnet.to(device)\n" and notebook.cells["b"] == cells["b"]
    assert notebook.cells["a"].startswith("%matplotlib inline\nimport torch\n\ndevice = ")
    assert await notebook.found() == notebook.expected() == {}


@pytest.mark.asyncio
async def test_a_changed_file_is_read_again(client: LanguageClient, tmp_path: Path) -> None:
    editor = Editor(client, tmp_path / "train.py", SCRIPT)
    assert await editor.found()

    async def shown_after(change: str, path: Path) -> list[lsp.Diagnostic]:
        path.write_text(change)
        client.log_version.clear()
        changes = [lsp.FileEvent(path.as_uri(), lsp.FileChangeType.Changed)]
        client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(changes))
        return await editor.found()

    assert await shown_after("select = []\n", tmp_path / "placefix.toml") == []
    assert {d.code for d in await shown_after('select = ["PF401"]\n', tmp_path / "placefix.toml")} == {"PF401"}
    (tmp_path / "placefix.toml").unlink()
    assert {
        d.code for d in await shown_after("[tool.placefix]\nignore = ['PF401']\n", tmp_path / "pyproject.toml")
    } not in (set(), {"PF401"})


@pytest.mark.asyncio
async def test_a_request_can_be_cancelled(client: LanguageClient, tmp_path: Path) -> None:
    editor = Editor(client, tmp_path / "train.py", SCRIPT * 20)
    area = lsp.Range(lsp.Position(0, 0), lsp.Position(999, 0))
    params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(editor.uri), area, lsp.CodeActionContext([], [FIX_ALL]))
    client.protocol.send_request("textDocument/codeAction", params, msg_id="slow")
    cancelled = client.protocol.send_request("textDocument/codeAction", params, msg_id="not wanted")
    client.cancel_request(lsp.CancelParams("not wanted"))
    with pytest.raises(Exception, match="cancel"):
        await asyncio.wait_for(asyncio.wrap_future(cancelled), PATIENCE)
    (fix,) = await editor.actions(only=[FIX_ALL])
    assert editor.apply(fix) == command_line(editor.text)


def test_what_waited_for_others_is_not_answered(tmp_path: Path) -> None:
    """A question about a version that has gone is dropped before it is looked into."""
    asked: list[str] = []
    gone = threading.Event()

    async def ask() -> list[object]:
        server = build_server()
        first = server.documents.opened(lsp.TextDocumentItem("file:///a.py", "python", 1, SCRIPT))

        def slow(analysis: DocumentAnalysis) -> str:
            assert gone.wait(PATIENCE)
            return "slow"

        other = server.documents.opened(lsp.TextDocumentItem("file:///b.py", "python", 1, ""))
        waiting = [
            asyncio.ensure_future(server.ask(other, slow)),
            asyncio.ensure_future(server.ask(first, lambda _: asked.append("first"))),
        ]
        await asyncio.sleep(0)
        server.documents.opened(lsp.TextDocumentItem("file:///a.py", "python", 2, ""))
        gone.set()
        return await asyncio.gather(*waiting)

    assert asyncio.run(ask()) == ["slow", None]
    assert asked == []


def test_garbage_is_collected_between_changes() -> None:
    program = (
        "import gc, weakref\nimport placefix.server as server\ngc.disable()\nclass Ring: pass\n"
        "ring = Ring(); ring.ring = ring; gone = weakref.ref(ring); del ring\n"
        "server._collect_garbage(); assert gone() is not None or gc.get_freeze_count()\n"
        "kept = [[] for _ in range(server.COLLECT_ABOVE + 1_000)]\nserver._collect_garbage(); assert gone() is None\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_positions(encoding: str, units: int) -> None:
    text = PositionedText("a\u2028\x0c😋b\r\nc\rd", encoding)
    for offset in (0, 1, 3, 4, 5, 7, 9, 10):
        position = text.position(offset)
        assert text.offset(*position) == offset
    wide = text.position(4).character - text.position(3).character
    assert wide == units
    assert text.position(7) == Position(1, 0) and text.position(9) == Position(2, 0)
    assert text.offset(0, 999) == 5 and text.offset(99, 0) == 10
    assert text.replaced((0, 0), (1, 0), "") == "c\rd"


def test_changes_are_the_lines_that_differ() -> None:
    assert PositionedText("a\nb\nc", "utf-16").changes("a\nB\nc") == (
        TextChange(Position(1, 0), Position(2, 0), "B\n"),
    )
    assert PositionedText("a", "utf-16").changes("a\nb") == (TextChange(Position(0, 0), Position(0, 1), "a\nb"),)
    assert PositionedText("", "utf-16").changes("x") == (TextChange(Position(0, 0), Position(0, 0), "x"),)
