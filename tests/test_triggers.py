"""Triggers lose no finding: a rule that they keep from a file has nothing to say about it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from corpus_support import core_members, fetch
from each import check_each
from placefix import engine
from placefix.diagnostic import triggered_rules
from placefix.prefilter.scanner import CodeScanner
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.source import Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Diagnostic

ROOT = Path(__file__).parent.parent
FOLDERS = [*sorted(p for p in (ROOT / "tests" / "cases").iterdir() if p.is_dir()), ROOT / "corpus" / "scripts"]
MEMBERS = [member.name for member in fetch.read_manifest()]
PARTS = 10  # of the corpus, so that a test takes some seconds


def sampled(place: int, count: int) -> list[pytest.MarkDecorator]:
    """Marks of the item at a 0-based place: the tests have one of `count`, and `pytest -m battery` has the others."""
    return [pytest.mark.battery] if place % count else []


@pytest.fixture(scope="session")
def members() -> dict[str, bytes]:
    return core_members()


@pytest.mark.parametrize(
    "folder",
    # test_cases looks at each case with the triggers, and misses what they keep back
    [pytest.param(folder, id=folder.name, marks=sampled(n, 3)) for n, folder in enumerate(reversed(FOLDERS))],
)
def test_what_is_not_triggered_finds_nothing(folder: Path) -> None:
    check_each(triggers_whatever_is_found, sorted(folder.rglob("*.py")))


def triggers_whatever_is_found(file: Path) -> None:
    try:
        source = Source.from_bytes(file.read_bytes())
        triggered = engine.check(source, Settings(), RULES)
    except (SourceError, engine.ParseError):
        return
    found = engine.check(source, Settings(), RULES, live=True)
    assert found == triggered
    each_is_triggered(source, found)


@pytest.mark.parametrize("part", [pytest.param(part, marks=sampled(part, 5)) for part in range(PARTS)])
def test_what_real_code_is_found_to_do_triggers(part: int, members: dict[str, bytes]) -> None:
    def triggers(name: str) -> None:
        try:
            source = Source.from_bytes(members[name])
            found = engine.check(source, Settings(), RULES, live=True)
        except (SourceError, engine.ParseError):
            return
        each_is_triggered(source, found)

    check_each(triggers, MEMBERS[part::PARTS])


def each_is_triggered(source: Source, found: Iterable[Diagnostic]) -> None:
    """Each rule that found something is triggered, and leans on no answer to the question of another."""
    data = source.encode(source.text)
    rules = {diagnostic.rule for diagnostic in found}
    assert rules <= set(triggered_rules(RULES, data))
    assert not [rule.code for rule in rules if rule.scan and not CodeScanner(data).may_match(rule.scan)]


def test_triggers_keep_something() -> None:
    """The test above cannot pass by triggering everything everywhere."""
    assert {rule.code for rule in triggered_rules(RULES, b"import torch\nmodel.to(device)\n")} < {r.code for r in RULES}


_FORWARD = "class Net(nn.Module):\n    def forward(self, x):\n        return x + "
_LOAD = "import torch\nmodel.load_state_dict("


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("PF304", f"import torch\n{_FORWARD}torch.zeros(3)\n"),
        ("PF304", f"import torch\n{_FORWARD}torch.cuda.zeros(3, device=d) + torch . zeros (3)\n"),
        ("PF304", f"import torch as th\n{_FORWARD}th.zeros(3)\n"),
        ("PF304", f"from torch import nn, zeros\n{_FORWARD}zeros(3)\n"),
        ("PF304", f"from torch import (\n    nn,\n    zeros,\n)\n{_FORWARD}zeros(3)\n"),
        ("PF304", f"from torch import nn, \\\n    FloatTensor\n{_FORWARD}FloatTensor(3)\n"),
        ("PF405", _LOAD + "torch.load(path))\n"),
        ("PF405", _LOAD + "torch.load(os.path.join(folder, name(x))))\n"),
        ("PF405", _LOAD + "torch.load(path, map_location=d))\nother.load_state_dict(torch.load(path))\n"),
        ("PF405", _LOAD + "torch.load(\n    path,  # map_location=d\n))\n"),
        ("PF405", _LOAD + "torch.load(path), other(map_location=d))\n"),
        ("PF405", "from torch import (\n    nn,\n    load,\n)\nmodel.load_state_dict(load(path))\n"),
        ("PF405", "from torch import serialization as s\nmodel.load_state_dict(s.load(path))\n"),
        ("PF112", "net.to (device)\nx.to(device)\n"),
        ("PF303", "def f(x):\n    x.cpu ().cpu()\n"),
        ("PF310", "def f(x):\n    return x.detach().numpy(), (x + 1).cpu().numpy()\nimport numpy\n"),
        ("PF310", "import numpy as np\nx = x.to(device)\nnp.array(x)\n"),
        ("PF409", "import torch\nos.environ['CUDA_VISIBLE_DEVICES' ] = \"0\"\n"),
        ("PF415", "import torch.distributed as d\nd.barrier()\n"),
        ("PF415", "import torch as th\nth.distributed.all_reduce(x)\n"),
        ("PF415", "from torch import (\n    nn,\n    distributed as d,\n)\nd.barrier()\n"),
        ("PF415", "# distributed\nif rank == 0:\n    dist.barrier()\n"),
        ("PF415", "net = DistributedDataParallel(net)\nnet(x).sum().backward()\n"),
    ],
)
def test_spellings_that_trigger(code: str, text: str) -> None:
    assert code in {rule.code for rule in triggered_rules(RULES, text.encode())}


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("PF304", f"import torch\nimport numpy as np\n{_FORWARD}np.zeros(3)\n"),
        ("PF304", f"import torch\n{_FORWARD}torch.zeros(3, device=x.device)\n"),
        ("PF405", _LOAD + "torch.load(path, map_location=device))\n"),
        ("PF405", _LOAD + "torch.load(os.path.join(folder, name(x)), map_location=device))\n"),
        ("PF405", "from torch import nn\nmodel.load_state_dict(hub.load(path))\n"),
        ("PF310", "import numpy\ndef f(x):\n    return x.detach().cpu().numpy()\n"),
        ("PF409", "import torch\nprint(os.environ['CUDA_VISIBLE_DEVICES'] == '0')\n"),
        ("PF415", "# software distributed under the License\nimport torch\nx = torch.gather(x, 0, i).mean()\n"),
    ],
)
def test_spellings_that_do_not_trigger(code: str, text: str) -> None:
    """A file is not parsed for the sake of these."""
    assert code not in {rule.code for rule in triggered_rules(RULES, text.encode())}
