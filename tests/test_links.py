"""Links to the pages of rules: where they lead, and in which outputs they are."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

import placefix
from placefix.config import Configs
from placefix.report import load, web_links
from placefix.report.output_stream import OutputStream
from placefix.report.web_links import rule_url
from placefix.rules import RULES

if TYPE_CHECKING:
    from pathlib import Path

RULE = next(rule for rule in RULES if rule.code == "PF401")
REPOSITORY = "https://example.org/somebody/placefix"


def given(monkeypatch: pytest.MonkeyPatch, **known: str) -> None:
    monkeypatch.setattr(web_links, "project_urls", lambda: known)


def output(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *, terminal: bool = False) -> str:
    """What a format writes about a script with a hard-coded device."""
    (folder / "a.py").write_text("import torch\n\nx = torch.zeros(1).cuda()\n")
    monkeypatch.chdir(folder)
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="utf-8"))
    out = OutputStream(colour=terminal)
    out.terminal = terminal
    load(name).render(placefix.check_paths(["a.py"], isolated=True), out)
    out.flush()
    return written.getvalue().decode()


def test_the_page_of_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch)
    assert rule_url(RULE) == ""
    given(monkeypatch, repository=REPOSITORY)
    assert rule_url(RULE) == f"{REPOSITORY}/blob/HEAD/src/placefix/rules/cuda/pf401_hardcoded_cuda_call.py"
    given(monkeypatch, repository=REPOSITORY, documentation="https://docs.example.org")
    assert rule_url(RULE) == "https://docs.example.org/rules/PF401.html"


def test_every_rule_has_the_file_that_is_linked(monkeypatch: pytest.MonkeyPatch) -> None:
    from pathlib import Path

    given(monkeypatch, repository=REPOSITORY)
    for rule in RULES:
        module = rule_url(rule).removeprefix(f"{REPOSITORY}/blob/HEAD/")
        assert (Path(placefix.__file__).parents[2] / module).is_file()


def test_addresses_are_those_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    from email.message import Message
    from importlib import metadata

    installed = Message()
    installed["Project-URL"] = f"Repository, {REPOSITORY}/"
    installed["Project-URL"] = "Changelog, https://example.org/changes"
    monkeypatch.setattr(metadata, "metadata", lambda name: installed)
    assert web_links.project_urls.__wrapped__() == {
        "repository": REPOSITORY,
        "changelog": "https://example.org/changes",
    }


@pytest.mark.parametrize("known", [{}, {"repository": REPOSITORY}])
def test_formats_with_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: dict[str, str]) -> None:
    given(monkeypatch, **known)
    url = f"{REPOSITORY}/blob/HEAD/src/placefix/rules/cuda/pf401_hardcoded_cuda_call.py" if known else None
    assert json.loads(output("json", tmp_path, monkeypatch))[0]["url"] == url
    (rule,) = json.loads(output("sarif", tmp_path, monkeypatch))["runs"][0]["tool"]["driver"]["rules"]
    assert rule.get("helpUri") == url
    assert json.loads(output("rdjson", tmp_path, monkeypatch))["diagnostics"][0]["code"].get("url") == url


@pytest.mark.parametrize("name", ["full", "concise", "grouped"])
def test_codes_are_links_on_terminals_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    given(monkeypatch, repository=REPOSITORY)
    shown = output(name, tmp_path, monkeypatch, terminal=True)
    assert f"\x1b]8;;{rule_url(RULE)}\x1b\\\x1b[1mPF401\x1b[0m\x1b]8;;\x1b\\" in shown
    assert "\x1b" not in output(name, tmp_path, monkeypatch)
    given(monkeypatch)
    assert "\x1b]8" not in output(name, tmp_path, monkeypatch, terminal=True)


def test_the_server_links_rules_and_operations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygls")
    from lsprotocol import types as lsp

    from placefix.server import PlacefixServer
    from placefix.server.features import DocumentAnalysis, DocumentVersion, TextPiece

    given(monkeypatch, repository=REPOSITORY)
    text = (
        "import torch\nfrom torch import nn\n\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n"
        "model = nn.Linear(4, 4).to(device)\ny = torch.zeros(2, 4)\nout = model(torch.ones(2, 4, device=device))\nloss = (out - y).sum()\n"
    )
    path = tmp_path / "a.py"
    document = DocumentVersion(path.as_uri(), str(path), (TextPiece(path.as_uri(), 1, text),))
    from placefix.runner import Repositories

    analysis = DocumentAnalysis(
        document, Configs(isolated=True).at(str(tmp_path)), lambda: Repositories().home(str(path)), "utf-16"
    )
    (finding,) = analysis.findings
    server = PlacefixServer()
    publish = lsp.PublishDiagnosticsClientCapabilities(related_information=True, code_description_support=True)
    can = lsp.TextDocumentClientCapabilities(publish_diagnostics=publish)

    class Workspace:
        """Only what the editor can do is asked of it."""

        client_capabilities = lsp.ClientCapabilities(text_document=can)

    monkeypatch.setattr(type(server), "client_capabilities", Workspace.client_capabilities)
    shown = server._diagnostic(document, finding)
    assert shown.code_description is not None and shown.code_description.href == rule_url(finding.diagnostic.rule)
    assert shown.related_information
    rows = {text.splitlines()[related.location.range.start.line] for related in shown.related_information}
    assert rows == {"loss = (out - y).sum()"}
    monkeypatch.setattr(type(server), "client_capabilities", lsp.ClientCapabilities())
    shown = server._diagnostic(document, finding)
    assert shown.code_description is None and shown.related_information is None
