"""What one change of a 300-line file costs the language server once warm: from the text to what is shown, in ms.

    python benchmarks/server.py
"""

from __future__ import annotations

import os
import statistics
import time

from placefix.batch import Repositories
from placefix.config import Configs
from placefix.server.analysis import Analysis, Document, Piece

_STEP = "    for x, y in loader:\n        loss = loss_fn(model(x), y)\n        loss.backward()\n        optimizer.step()\n\n"


def main() -> None:
    """Print the median and the slowest of 50 changes."""
    head = "import torch\nfrom torch import nn\n\nmodel = nn.DataParallel(nn.Linear(1, 1))\nmodel.cuda()\n\n\n"
    body = "".join(f"def train_{n}(model, loader, loss_fn, optimizer):\n{_STEP}" for n in range(49))
    path = os.path.abspath("benchmark.py")
    config, repositories, taken = Configs(isolated=True).at(os.path.dirname(path)), Repositories(), []
    for version in range(55):
        text = f"{head}{body}# {version}\n"
        start = time.perf_counter()
        found = Analysis(Document("", path, (Piece("", version, text),)), config, lambda: repositories.home(path), "utf-16").findings
        taken.append((time.perf_counter() - start) * 1000)
        assert found
    warm = taken[5:]
    print(f"{text.count(chr(10))} lines: median {statistics.median(warm):.1f} ms, slowest {max(warm):.1f} ms, first {taken[0]:.0f} ms")


if __name__ == "__main__":
    main()
