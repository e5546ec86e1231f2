"""What one change of a 300-line file costs the language server once warm, in ms: its analysis, and all of it as an editor sees it.

    python benchmarks/server.py

The second figure is from sending the change to the answer to a question about it, over the pipe. What is found is shown
`placefix.server.DELAY` later, for a document that keeps changing.
"""

from __future__ import annotations

import asyncio
import gc
import os
import statistics
import sys
import time
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.lsp.client import BaseLanguageClient  # type: ignore[attr-defined]

from placefix.config import Configs
from placefix.runner import Repositories
from placefix.server.features import DocumentAnalysis, DocumentVersion, TextPiece

if TYPE_CHECKING:
    from collections.abc import Iterable

_STEP = "    for x, y in loader:\n        loss = loss_fn(model(x), y)\n        loss.backward()\n        optimizer.step()\n\n"
_HEAD = "import torch\nfrom torch import nn\n\nmodel = nn.DataParallel(nn.Linear(1, 1))\nmodel.cuda()\n\n\n"
_PATH = os.path.abspath("benchmark.py")
_COLD = 5  # changes that are not counted


def texts(count: int = 50) -> Iterable[str]:
    """The versions of a file of 302 lines."""
    body = "".join(f"def train_{n}(model, loader, loss_fn, optimizer):\n{_STEP}" for n in range(49))
    return (f"{_HEAD}{body}# {version}\n" for version in range(_COLD + count))


def analysing() -> list[float]:
    """From each text to what is found in it."""
    config, repositories, taken = Configs(isolated=True).at(os.path.dirname(_PATH)), Repositories(), []
    for version, text in enumerate(texts()):
        start = time.perf_counter()
        found = DocumentAnalysis(
            DocumentVersion("", _PATH, (TextPiece("", version, text),)),
            config,
            lambda: repositories.home(_PATH),
            "utf-16",
        ).findings
        taken.append((time.perf_counter() - start) * 1000)
        assert found
    return taken


async def asking() -> list[float]:
    """From sending each change to a server to the answer of a question about it."""
    client, uri, taken = BaseLanguageClient("benchmark", "0"), f"file://{_PATH}", []
    await client.start_io(sys.executable, "-m", "placefix", "server")
    await client.initialize_async(
        lsp.InitializeParams(lsp.ClientCapabilities(), initialization_options={"isolated": True})
    )
    client.initialized(lsp.InitializedParams())
    client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda shown: None)
    versions = list(texts())
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "python", 0, versions[0])))
    last = lsp.Position(versions[0].count("\n") - 1, 0)
    place = lsp.Position(_HEAD[: _HEAD.index(".cuda")].count("\n"), len("model.c"))
    for version in range(1, len(versions)):
        await asyncio.sleep(0.05)  # a fast typist
        typed = lsp.TextDocumentContentChangePartial(lsp.Range(last, last), "#")
        start = time.perf_counter()
        client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(version, uri), [typed])
        )
        found = await client.text_document_hover_async(lsp.HoverParams(lsp.TextDocumentIdentifier(uri), place))
        taken.append((time.perf_counter() - start) * 1000)
        assert found
    await client.shutdown_async(None)
    client.exit(None)
    return taken


def main() -> None:
    """Print the median, the slowest but two and the slowest of 50 changes."""
    gc.disable()  # as the server's process has it: what was slowest were the collector's looks through all modules
    for name, taken in (("analysis", analysing()), ("through the server", asyncio.run(asking()))):
        warm = sorted(taken[_COLD:])
        print(
            f"{name}: median {statistics.median(warm):.1f} ms, 95 % below {warm[-3]:.1f} ms, slowest {warm[-1]:.1f} ms, first {taken[0]:.0f} ms"
        )


if __name__ == "__main__":
    main()
