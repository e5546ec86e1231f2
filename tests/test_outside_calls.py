"""Functions and classes that only other files of the repository call are run with what those files give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import placefix
from placefix.config import Options

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
{imports}

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8, 2)), batch_size=4)
net = nn.Linear(4, 2)
"""
LOOP = """import torch.nn.functional as F


def run(net, loader, opt, device):
    for x, y in loader:
        y = y.to(device)
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
"""
TRAINER = """import torch.nn.functional as F


class Trainer:
    def __init__(self, net, loader, device):
        self.net = net
        self.loader = loader
        self.device = device

    def fit(self):
        for x, y in self.loader:
            y = y.to(self.device)
            F.mse_loss(self.net(x), y).backward()
"""
CALLED = "net.to(device)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\nrun(net, loader, opt, device)\n"
MADE = "net.to(device)\nTrainer(net, loader, device).fit()\n"


def script(imports: str, rest: str) -> str:
    return HEAD.format(imports=imports) + rest


def found(root: Path, files: dict[str, str], name: str) -> list[str]:
    """Code, severity and applicability of what is found in a file of a repository (without PF4)."""
    for path, text in files.items():
        (root / path).write_text(text)
    results = placefix.check_paths([root], options=Options(ignore=("PF4",)), isolated=True)
    (one,) = [result for result in results if result.path == str(root / name)]
    return [f"{d.code} {d.severity.value} {d.fix.applicability.value if d.fix else 'no fix'}" for d in one.remaining]


KNOWN = {
    "a call at the module level": ("loops.py", LOOP, script("from loops import run", CALLED)),
    "a call through the module": ("loops.py", LOOP, script("import loops", CALLED.replace("run(", "loops.run("))),
    "a call in a function that its file does not call": (
        "loops.py",
        LOOP,
        script("from loops import run", "\ndef main():\n" + "".join(f"    {line}\n" for line in CALLED.splitlines())),
    ),
    "a class that another file makes": ("trainer.py", TRAINER, script("from trainer import Trainer", MADE)),
}


@pytest.mark.parametrize("case", KNOWN)
def test_the_arguments_of_another_file_are_known(tmp_path: Path, case: str) -> None:
    name, text, caller = KNOWN[case]
    assert found(tmp_path, {name: text, "main.py": caller}, name) == ["PF301 error safe"]


UNKNOWN = {
    "a module that stays on the CPU": (
        "loops.py",
        LOOP.replace("        y = y.to(device)\n", ""),
        script("from loops import run", CALLED.replace("net.to(device)\n", "")),
    ),
}
UNPROVEN = {
    "a batch that the caller moves": (
        "loops.py",
        LOOP,
        script("from loops import run", CALLED.replace("loader,", "[(x.to(device), y) for x, y in loader],")),
    ),
    "a function that is handed on": (
        "loops.py",
        LOOP,
        script("from loops import run", CALLED + "print(sorted([3, 1], key=run))\n"),
    ),
    "a class that is made in two ways": (
        "trainer.py",
        TRAINER,
        script("from trainer import Trainer", MADE + "Trainer(nn.Linear(4, 2), loader, 'cpu').fit()\n"),
    ),
    "a class that another one derives from": (
        "trainer.py",
        TRAINER,
        script("from trainer import Trainer", "class Other(Trainer):\n    pass\n\n\n" + MADE),
    ),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_what_works_there_is_not_reported(tmp_path: Path, case: str) -> None:
    name, text, caller = UNKNOWN[case]
    assert found(tmp_path, {name: text, "main.py": caller}, name) == []


@pytest.mark.parametrize("case", UNPROVEN)
def test_where_not_all_calls_are_known_nothing_is_proven(tmp_path: Path, case: str) -> None:
    name, text, caller = UNPROVEN[case]
    assert "PF301 error safe" not in found(tmp_path, {name: text, "main.py": caller}, name)


HELPER = "def to_device(thing, device):\n    return thing.to(device)\n"
LATE = "opt = torch.optim.Adam(net.parameters())\nto_device(net, {device})\n"


@pytest.mark.parametrize("device", ["device", "cfg.device"])
def test_a_module_that_a_helper_of_another_file_places(tmp_path: Path, device: str) -> None:
    imports = "from helpers import to_device\nfrom settings import cfg"
    files = {
        "helpers.py": HELPER,
        "settings.py": "class cfg:\n    device = 'cuda'\n",
        "main.py": script(imports, LATE.format(device=device)),
    }
    assert found(tmp_path, files, "main.py") == ["PF201 style safe"]


def test_a_module_that_a_helper_places_first(tmp_path: Path) -> None:
    rest = "to_device(net, device)\nopt = torch.optim.Adam(net.parameters())\n"
    files = {"helpers.py": HELPER, "main.py": script("from helpers import to_device", rest)}
    assert found(tmp_path, files, "main.py") == []


MADE_ON_THE_DEFAULT = (
    "import torch\n\n\ndef run(device):\n    net = torch.nn.Linear(3, 1).to(device)\n    print(net(torch.ones(4, 3)))\n"
)
SETS = "import torch\nfrom {module} import run\n\ntorch.{setter}\nrun(torch.device('cuda'))\n"
SETTERS = {
    "set_default_tensor_type(torch.cuda.FloatTensor)": [],
    "set_default_device('cuda')": [],
    "set_default_tensor_type(torch.FloatTensor)": ["PF302 error safe"],
    "set_default_device('cpu')": ["PF302 error safe"],
}


@pytest.mark.parametrize("setter", SETTERS)
def test_a_script_that_imports_the_file_sets_the_default_device(tmp_path: Path, setter: str) -> None:
    files = {
        "loops.py": MADE_ON_THE_DEFAULT,
        "runs.py": "from loops import run\n",
        "main.py": SETS.format(module="runs", setter=setter),
    }
    assert found(tmp_path, files, "loops.py") == SETTERS[setter]


def test_a_script_that_does_not_import_the_file_sets_the_default_device(tmp_path: Path) -> None:
    setter = "set_default_device('cuda')"
    files = {
        "loops.py": MADE_ON_THE_DEFAULT,
        "other.py": "def run(device):\n    pass\n",
        "main.py": SETS.format(module="other", setter=setter),
    }
    assert found(tmp_path, files, "loops.py") == ["PF302 error safe"]
