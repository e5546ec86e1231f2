"""Modules and moves that are seen only with the other files of a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import placefix
from command import run_text
from placefix.engine import Changed

if TYPE_CHECKING:
    from pathlib import Path

ENGINE = """\
import torch


def train(net, loader, device):
    for x, y in loader:
        x = torch.stack([row.to(device) for row in x])
        net(x)
"""
NETS = """\
import torch
from torch import nn


class Pair(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(2, 2)

    def forward(self, x):
        return self.head(self.encoder(x))


def build():
    net = Pair(nn.Linear(3, 2))
    net.eval()
    return net


def build_placed(device):
    return Pair(nn.Linear(3, 2)).to(device)


class Agent:
    def __init__(self, device):
        self.device = device
        self.net = nn.Linear(3, 2).to(device)

    def make(self):
        return nn.Linear(3, 2)


class Own(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})


def optimize(net):
    return Own(net.parameters(), 0.1)
"""
DEVICE = 'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")\n'
HEAD = f"import torch\nfrom torch.utils.data import DataLoader\nimport engine\nimport nets\n{DEVICE}"


def fixed(folder: Path, main: str) -> str:
    """The text of a script beside the two other files, after the safe fixes."""
    for name, text in (("engine", ENGINE), ("nets", NETS), ("main", main)):
        (folder / f"{name}.py").write_text(text)
    results = placefix.fix_paths([folder], isolated=True)
    changed = {result.source.name for result in results if isinstance(result.outcome, Changed) and result.source}
    assert all(name.endswith("main.py") for name in changed)
    return (folder / "main.py").read_text()


@pytest.mark.parametrize(
    ("main", "line"),
    [
        # No line of the script moves anything: the loop in the other file moves the batches.
        ("net = torch.nn.Linear(3, 2)\nengine.train(net, DataLoader(range(3)), device)\n", "net = torch.nn.Linear(3, 2).to(device)"),
        ("net = nets.build()\nx = torch.zeros(2, 3).to(device)\nnet(x)\n", "net = nets.build().to(device)"),
        # An inference script: neither a loop of training nor `__main__`.
        ("net = nets.build_placed(device)\nnet.eval()\nx = torch.zeros(2, 3)\nnet.encoder(x)\n", "x = torch.zeros(2, 3, device=device)"),
        # Attributes and methods of an object of a plain class.
        ("agent = nets.Agent(device)\nagent.net.eval()\nx = torch.zeros(2, 3)\nagent.net(x)\n", "x = torch.zeros(2, 3, device=device)"),
        ("net = nets.Agent(device).make()\nx = torch.zeros(2, 3).to(device)\nnet(x)\n", "net = nets.Agent(device).make().to(device)"),
    ],
    ids=["moved-elsewhere", "built-elsewhere", "inference", "attribute-of-object", "made-by-object"],
)  # fmt: skip
def test_fixes(main: str, line: str, tmp_path: Path) -> None:
    """What the other files do with modules and tensors is repaired in the script."""
    assert line in fixed(tmp_path, HEAD + main).splitlines()


@pytest.mark.parametrize(
    "main",
    [
        "net = torch.nn.Linear(3, 2).to(device)\nengine.train(net, DataLoader(range(3)), device)\n",
        "net = nets.build()\nx = torch.zeros(2, 3)\nnet(x)\n",
        "net = nets.build()\nnet.eval()\nx = torch.zeros(2, 3)\nnet.encoder(x)\nnet.to(device)\n",
        "net = nets.build_placed(device)\nnet.encoder.cpu()\nx = torch.zeros(2, 3)\nnet.encoder(x)\n",
    ],
    ids=["placed", "on-the-cpu", "placed-later", "part-moved-back"],
)
def test_leaves(main: str, tmp_path: Path) -> None:
    """Correct programs stay as they are."""
    assert fixed(tmp_path, HEAD + main) == HEAD + main


GUARDED = """\
import torch


def double(x, use_cuda):
    if use_cuda:
        x = x.cuda()
    return x * 2


use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
if __name__ == "__main__":
    print(double(torch.ones(2), use_cuda).sum())
"""


GUARDED_MODULE = """\
import argparse

import torch
from nets import Pair

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args()
device = torch.device("cuda" if args.cuda else "cpu")


def build():
    net = Pair(torch.nn.Linear(3, 2))
    if args.cuda:
        net = net.cuda()
    return net
"""


def test_guarded_module(tmp_path: Path) -> None:
    """A function asks another file for a module, which is on the CPU without the flag; the file of the class is read for that alone."""
    assert "    net = net.to(device)\n" in fixed(tmp_path, GUARDED_MODULE)


def test_own_optimizer(tmp_path: Path) -> None:
    """An object of a class of the repository that derives from torch's optimizers is an optimizer, which may store what it is given."""
    (tmp_path / "nets.py").write_text(NETS)
    main = tmp_path / "main.py"
    main.write_text(f"{HEAD}net = nets.build()\noptimizer = nets.optimize(net)\nnet.to(device)\n")
    (result,) = placefix.check_paths([main], isolated=True)
    (found,) = [finding for finding in result.remaining if finding.rule.code == "PF201"]
    assert found.fix is not None and found.fix.applicability.value == "unsafe"


@pytest.mark.parametrize(("other", "applied"), [("import math\n", True), ("from main import double\n", False)])
def test_script_with_importers(other: str, applied: bool, tmp_path: Path) -> None:
    """A fix in a function of a script is safe only if no other file imports the script: it may call the function with a tensor on a GPU."""
    (tmp_path / "other.py").write_text(other)
    (tmp_path / "main.py").write_text(GUARDED)
    placefix.fix_paths([tmp_path], isolated=True)
    assert ("x.cuda()" not in (tmp_path / "main.py").read_text()) == applied


def test_a_finding_is_decided_with_the_other_files(tmp_path: Path) -> None:
    """The other file shows that the device of a result is the default one; a file that neither trains nor loads data reads it only now."""
    (tmp_path / "defaults.py").write_text(
        "import torch\n\n\ndef chosen(device):\n    if device is None:\n        device = torch.empty(0).device\n    return device\n"
    )
    main = tmp_path / "tables.py"
    text = "import torch\nfrom defaults import chosen\n\n\ndef make(n, device=None):\n    table = torch.zeros(n)\n    device = chosen(device)\n    return table.to(device=device)\n\n\n"
    used = "def total(n):\n    return make(n) + torch.zeros(n)\n\n\ntotal(3)\n"
    main.write_text(text + used)
    [result] = [
        r for r in placefix.check_paths([tmp_path], isolated=True) if r.source and r.source.name.endswith("tables.py")
    ]
    assert not result.outcome.remaining

    main.write_text(text + used.replace("make(n)", 'make(n, "cuda" if torch.cuda.is_available() else "cpu")'))
    [result] = [
        r for r in placefix.check_paths([tmp_path], isolated=True) if r.source and r.source.name.endswith("tables.py")
    ]
    assert [d.code for d in result.outcome.remaining] == ["PF302"]


# A file of which no line places anything: the base class in another file does, or the function that it calls.
BASE = """\
import torch
from torch import nn


class Base:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = nn.Linear(3, 2).to(self.device)
        self.left = nn.Linear(2, 2)
        self.criterion = nn.CrossEntropyLoss(weight=torch.ones(2))
        self.x = torch.ones(4, 3).to(self.device)
        self.y = torch.zeros(4, dtype=torch.long)


class Hosted:
    def __init__(self):
        self.net = nn.Linear(3, 2)
        self.x = torch.ones(4, 3)


def placed():
    return nn.Linear(3, 2).to("cuda" if torch.cuda.is_available() else "cpu")


def looked_up():
    return placed()


def unplaced():
    return nn.Linear(3, 2)
"""
_DERIVED = "import torch\nfrom {module} import {name}\n\n\nclass Trainer({name}):\n    def fit(self):\n        {body}\n"
_CALLING = "import torch\nfrom {module} import {name}\n\n\ndef main():\n    net = {name}()\n    net(torch.ones(2, 3)).sum().backward()\n"


def found_in_main(folder: Path, main: str, **others: str) -> list[str]:
    """The codes of the findings in a script beside the file with the base classes, and others."""
    for name, text in {"base": BASE, "main": main, **others}.items():
        (folder / f"{name}.py").parent.mkdir(exist_ok=True)
        (folder / f"{name}.py").write_text(text)
    results = placefix.check_paths([folder], isolated=True)
    return [
        finding.code
        for result in results if result.source and result.source.name.endswith("main.py")
        for finding in result.remaining
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("torch.nn.functional.cross_entropy(self.net(self.x), self.y).backward()", ["PF302"]),
        ("self.net(torch.ones(4, 3)).sum().backward()", ["PF302"]),
        ("self.criterion(self.net(self.x), self.y.to(self.device)).backward()", ["PF307"]),
        ("self.left(self.net(self.x)).sum().backward()", ["PF112"]),
        ("self.net(self.x).sum().backward()", []),
        ("self.net.eval()\n        return self.y + 1", []),
        ("self.net.cpu()\n        self.net(torch.ones(4, 3)).sum().backward()", []),
        ("self.net = torch.nn.Linear(3, 2)\n        self.net(torch.ones(4, 3)).sum().backward()", []),
    ],
    ids=["tensor-of-base", "tensor-here", "loss-of-base", "module-of-base", "placed", "not-met", "moved-back", "replaced"],
)  # fmt: skip
def test_a_base_class_places(body: str, expected: list[str], tmp_path: Path) -> None:
    """The constructor of the base class places; the class that derives from it computes."""
    assert found_in_main(tmp_path, _DERIVED.format(module="base", name="Base", body=body)) == expected


def test_a_module_of_another_file_says_so(tmp_path: Path) -> None:
    body = "self.left(self.net(self.x)).sum().backward()"
    (tmp_path / "base.py").write_text(BASE)
    (tmp_path / "main.py").write_text(_DERIVED.format(module="base", name="Base", body=body))
    (found,) = [one for result in placefix.check_paths([tmp_path], isolated=True) for one in result.remaining]
    assert (found.code, found.note) == ("PF112", "not fixed: it is made in another file")


_BODY = "self.net(torch.ones(4, 3)).sum().backward()"


@pytest.mark.parametrize(
    ("main", "others", "expected"),
    [
        (_DERIVED.format(module="tools", name="Base", body=_BODY), {"tools/__init__": "from base import Base\n"}, ["PF302"]),
        (_DERIVED.format(module="middle", name="Middle", body=_BODY), {"middle": "from base import Base\n\n\nclass Middle(Base):\n    pass\n"}, ["PF302"]),
        (_DERIVED.format(module="base", name="Hosted", body=_BODY), {}, []),
        (_CALLING.format(module="base", name="placed"), {}, ["PF302"]),
        (_CALLING.format(module="base", name="looked_up"), {}, ["PF302"]),
        (_CALLING.format(module="base", name="unplaced"), {}, []),
        ("import torch\nimport base\n\n\ndef main():\n    net = base.placed()\n    net(torch.ones(2, 3)).sum().backward()\n", {}, ["PF302"]),
        ("import torch\nfrom base import *\n\n\ndef main():\n    net = placed()\n    net(torch.ones(2, 3)).sum().backward()\n", {}, ["PF302"]),
        ("import torch\nfrom base import placed\n\n\ndef main(net):\n    net(torch.ones(2, 3)).sum().backward()\n", {}, []),
    ],
    ids=["re-exported", "base-of-base", "base-on-the-cpu", "function", "function-of-function", "function-on-the-cpu", "module", "star", "not-used"],
)  # fmt: skip
def test_an_import_leads_to_a_placement(main: str, others: dict[str, str], expected: list[str], tmp_path: Path) -> None:
    """The code of an imported name places something, perhaps through a third file; only what it places is on a device."""
    assert found_in_main(tmp_path, main, **others) == expected


def test_a_change_of_the_base_class_counts(tmp_path: Path) -> None:
    """The answer that a file imports no placement is kept with the files that it rests on."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "main.py").write_text(_DERIVED.format(module="base", name="Hosted", body=_BODY))
    for number in range(30):  # a run over few files keeps nothing
        (folder / f"other{number}.py").write_text("x = 1\n")
    placed = BASE.replace(
        "self.net = nn.Linear(3, 2)\n        self.x", 'self.net = nn.Linear(3, 2).to("cuda")\n        self.x'
    )
    found = []
    for base in (BASE, placed):
        (folder / "base.py").write_text(base)
        shown = run_text("check", "-j", "1", cwd=folder, env={"PLACEFIX_CACHE_DIR": str(tmp_path / "kept")})
        found.append("PF302" in shown.stdout)
    assert (tmp_path / "kept").exists()
    assert found == [False, True]
