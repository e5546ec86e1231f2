"""What a file imports from its repository: small repositories, each with what must be found in it and what must not."""

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

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randint(0, 2, (8,))))
"""
NET = """import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)
"""
# A batch that reaches a module of another file; `make` and `move` are filled in.
TRAIN = """
net = {make}
net.to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    {move}
    loss = nn.functional.cross_entropy(net(x), y.to(device))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
WRAP = """
net = nn.DataParallel({make})
for x, y in loader:
    net(x.to(device))
"""


def findings(root: Path, files: dict[str, str], name: str = "train.py") -> list[str]:
    """Codes of what is found in `name` of a repository, as `check` of the whole folder has them (without PF4)."""
    write(root, files)
    options = placefix.Options(ignore=("PF4",))
    results = {result.path: result for result in placefix.check_paths([root], options=options, isolated=True)}
    for result in results.values():
        assert not result.error, (result.path, result.error)
    return [d.code for d in results[str(root / name)].remaining]


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def train(imports: str, make: str = "Net()", move: str = "pass") -> str:
    return imports + HEAD + TRAIN.format(make=make, move=move)


def wrap(imports: str, make: str = "Net()") -> str:
    return imports + HEAD + WRAP.format(make=make)


BASE = "import torch.nn as nn\n\n\nclass Base(nn.Module):\n    pass\n"

# What imports resolve to: each of these repositories makes `Net` known in train.py.
RESOLVED: dict[str, dict[str, str]] = {
    "a star import in the other file": {"train.py": train("from models import Net\n"), "models.py": "from nets import *\n", "nets.py": NET},
    "a star import of a listed name": {
        "train.py": train("from models import Net\n"), "models.py": "from nets import *\n", "nets.py": "__all__ = ['Net']\n" + NET,
    },
    "two star imports": {"train.py": train("from models import Net\n"), "models.py": "from a import *\nfrom b import *\n", "a.py": NET, "b.py": "x = 1\n"},
    "star imports of each other": {
        "train.py": train("from models import Net\n"), "models.py": "from models import *\nfrom a import *\n", "a.py": "from models import *\n" + NET,
    },
    "two ways to one star import": {
        "train.py": train("from models import Net\n"), "models.py": "from a import *\nfrom b import *\n",
        "a.py": "from nets import *\n", "b.py": "from nets import *\n", "nets.py": NET,
    },
    "a star import in a package": {"train.py": train("from pkg import Net\n"), "pkg/__init__.py": "from .nets import *\n", "pkg/nets.py": NET},
    "one of two classes": {
        "train.py": train("from models import build\n", make="build('a')"),
        "models.py": NET + NET.replace("import torch.nn as nn\n", "").replace("class Net", "class Wide")
        + "\n\ndef build(name):\n    if name == 'a':\n        return Net()\n    return Wide()\n",
    },
    "a class of a dict": {
        "train.py": train("from models import build\n", make="build(str(loader))"),
        "models.py": NET + "\n\nNETS = {'a': Net, 'b': Net}\n\n\ndef build(name):\n    return NETS[name]()\n",
    },
    "a module beside it": {"train.py": train("from models import Net\n"), "models.py": NET},
    "a module by its name": {"train.py": train("import models\n", "models.Net()"), "models.py": NET},
    "a module of a package, renamed": {
        "train.py": train("import nets.small as s\n", "s.Net()"), "nets/__init__.py": "", "nets/small.py": NET,
    },
    "a folder without __init__.py": {"train.py": train("from nets.small import Net\n"), "nets/small.py": NET},
    "a re-export": {
        "train.py": train("from nets import Net\n"), "nets/__init__.py": "from .small import Net\n", "nets/small.py": NET,
    },
    "a re-export under another name": {
        "train.py": train("from nets import Best\n", "Best()"),
        "nets/__init__.py": "from nets.small import Net as Best\n", "nets/small.py": NET,
    },
    "relative, in a package": {
        "train.py": "", "app/__init__.py": "", "app/run.py": train("from .nets import Net\n"), "app/nets.py": NET,
    },
    "relative, above": {
        "train.py": "", "app/__init__.py": "", "app/cli/__init__.py": "",
        "app/cli/run.py": train("from ..nets import Net\n"), "app/nets.py": NET,
    },
    "a src layout": {"tools/run.py": train("from app.nets import Net\n"), "src/app/__init__.py": "", "src/app/nets.py": NET},
    "from the top of the repository": {"tools/run.py": train("from nets import Net\n"), "nets.py": NET},
    "a base class of a third file": {
        "train.py": train("from models import Net\n"), "models.py": NET.replace("nn.Module", "Base").replace("import torch.nn as nn\n", "import torch.nn as nn\nfrom base import Base\n"),
        "base.py": BASE,
    },
    "a function that makes it": {
        "train.py": train("from models import build\n", "build('a')"),
        "models.py": NET + "\n\ndef build(name):\n    if name == 'a':\n        return Net()\n    raise ValueError(name)\n",
    },
    "imports in a circle": {
        "train.py": train("from models import Net\n"), "models.py": "import helpers\n" + NET,
        "helpers.py": "from models import Net\nfrom train import device\n",
    },
    "a name of the standard library elsewhere": {"train.py": train("from models import Net\n"), "models.py": NET, "random.py": "x = 1\n"},
}  # fmt: skip


@pytest.mark.parametrize("case", RESOLVED)
def test_a_batch_meets_an_imported_module(tmp_path: Path, case: str) -> None:
    files = RESOLVED[case]
    name = next(n for n, text in files.items() if "torch.optim" in text)
    assert findings(tmp_path, {**files, "pyproject.toml": ""}, name) == ["PF301"]


# Nothing is known, or known to be right: silence.
QUIET: dict[str, dict[str, str]] = {
    "no such file": {"train.py": train("from models import Net\n")},
    "no such name": {"train.py": train("from models import Net\n"), "models.py": "x = 1\n"},
    "a star import of a name that is not listed": {
        "train.py": train("from models import Net\n"), "models.py": "from nets import *\n", "nets.py": "__all__ = ['Other']\n" + NET,
    },
    "two star imports of one name": {
        "train.py": train("from models import Net\n"), "models.py": "from a import *\nfrom b import *\n", "a.py": NET, "b.py": NET,
    },
    "a star import of another package too": {
        "train.py": train("from models import Net\n"), "models.py": "from a import *\nfrom elsewhere import *\n", "a.py": NET,
    },
    "star imports of each other without the name": {
        "train.py": "from models import *\n" + train("").replace("Net()", "Unknown()"), "models.py": "from a import *\nfrom models import *\n",
        "a.py": "from a import *\nfrom models import *\n",
    },
    "a star import of a private name": {
        "train.py": train("from models import _Net as Net\n"), "models.py": "from a import *\n", "a.py": NET.replace("Net", "_Net"),
    },
    "a star import that may hide it": {"train.py": train("from models import Net\n"), "models.py": NET + "\nfrom nets import *\n", "nets.py": "x = 1\n"},
    "bound twice": {"train.py": train("from models import Net\n"), "models.py": NET + "\n\nNet = wrapped(Net)\n"},
    "two imports of one name": {
        "train.py": train("from models import Net\n"), "a.py": NET, "b.py": NET,
        "models.py": "import os\n\nif os.name == 'nt':\n    from a import Net\nelse:\n    from b import Net\n",
    },
    "two files of the name": {"tools/run.py": train("from nets import Net\n"), "nets.py": NET, "tools/nets.py": NET},
    "a file that does not parse": {"train.py": train("from models import Net\n"), "models.py": NET + "\nprint 'x'\n"},
    "not above the repository": {"app/train.py": train("from models import Net\n"), "app/setup.py": "", "models.py": NET},
    "a base class that is not known": {
        "train.py": train("from models import Net\n"), "models.py": NET.replace("nn.Module", "Base, nn.Module").replace("import torch.nn as nn\n", "import torch.nn as nn\nfrom somewhere import Base\n"),
    },
    "its forward moves": {
        "train.py": train("from models import Net\n"),
        "models.py": NET.replace("self.fc(x)", "self.fc(x.to(self.fc.weight.device))"),
    },
    "its base's forward moves": {
        "train.py": train("from models import Net\n"),
        "models.py": "from base import Base\n\n\nclass Net(Base):\n    pass\n",
        "base.py": NET.replace("class Net", "class Base").replace("self.fc(x)", "self.fc(x.cuda())"),
    },
    "a helper moves the batch": {
        "train.py": train("from models import Net\nfrom helpers import put\n", move="x = put(x, device)"), "models.py": NET,
        "helpers.py": "def put(x, device):\n    return x.to(device)\n",
    },
    "a helper of a package moves the batch": {
        "train.py": train("from models import Net\nimport app.helpers\n", move="x, y = app.helpers.put((x, y), device)"), "models.py": NET,
        "app/__init__.py": "", "app/helpers.py": "def put(batch, device):\n    return tuple(t.to(device) for t in batch)\n",
    },
    "a helper that may": {
        "train.py": train("from models import Net\nfrom helpers import put\n", move="x = put(x)"), "models.py": NET,
        "helpers.py": "from elsewhere import send\n\n\ndef put(x):\n    return send(x)\n",
    },
    "a framework in the other file": {"train.py": train("from models import Net\n"), "models.py": "import pytorch_lightning as pl\n" + NET},
}  # fmt: skip


@pytest.mark.parametrize("case", QUIET)
def test_silent_where_another_file_decides(tmp_path: Path, case: str) -> None:
    files = QUIET[case]
    name = next(n for n, text in files.items() if "torch.optim" in text)
    assert findings(tmp_path, {"pyproject.toml": "", **files}, name) == []


def test_without_its_repository_a_file_is_judged_alone(tmp_path: Path) -> None:
    files = RESOLVED["a module beside it"]
    write(tmp_path, files)
    assert placefix.check_source(files["train.py"]) == ()
    found = placefix.check_source(files["train.py"], path=tmp_path / "train.py")
    assert [d.code for d in found] == ["PF301"]
    outcome = placefix.fix_source(files["train.py"], path=tmp_path / "train.py")
    assert isinstance(outcome, placefix.Changed)
    assert "    x = x.to(device)\n" in outcome.text


NEVER = ["PF103"]
PLACES_ITSELF = NET.replace("super().__init__()", "super().__init__()\n        self.cuda()").replace(
    "(4, 2)", "(4, 2).cuda()"
)
WRAPPED: dict[str, tuple[dict[str, str], list[str]]] = {
    "never placed": ({"train.py": wrap("from models import Net\n"), "models.py": NET}, NEVER),
    "made by a function": (
        {"train.py": wrap("from models import build\n", "build()"), "models.py": NET + "\n\ndef build():\n    return Net()\n"}, NEVER,
    ),
    "placed by the function": (
        {"train.py": wrap("from models import build\n", "build()"), "models.py": NET + "\n\ndef build():\n    return Net().cuda()\n"}, [],
    ),
    "placed by the function under a flag": (
        {
            "train.py": wrap("from models import build\n", "build(True)"),
            "models.py": NET + "\n\ndef build(cuda):\n    net = Net()\n    if cuda:\n        net = net.cuda()\n    return net\n",
        }, [],
    ),
    "places itself": ({"train.py": wrap("from models import Net\n"), "models.py": PLACES_ITSELF}, []),
    "placed by a helper": (
        {
            "train.py": HEAD + "from models import Net\nfrom helpers import prepare\n\nbase = Net()\nprepare(base, device)\n" + WRAP.format(make="base"),
            "models.py": NET, "helpers.py": "def prepare(net, device):\n    net.to(device)\n",
        }, [],
    ),
    "a decorated function is not followed": (
        {"train.py": wrap("from models import build\n", "build()"), "models.py": NET + "\n\n@placed\ndef build():\n    return Net()\n"}, [],
    ),
    "a generator is not followed": (
        {"train.py": wrap("from models import build\n", "next(build())"), "models.py": NET + "\n\ndef build():\n    yield Net()\n"}, [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRAPPED)
def test_a_wrapped_module_of_another_file(tmp_path: Path, case: str) -> None:
    files, expected = WRAPPED[case]
    assert findings(tmp_path, files) == expected


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("import torch\n\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n", ["PF102"]),
        ("device = 'cuda'\n", ["PF102"]),
        ("device = 'cpu'\n", []),
        ("import torch\n\ndevice = torch.device('cpu')\n", []),
    ],
)
def test_an_imported_device(tmp_path: Path, settings: str, expected: list[str]) -> None:
    """A placement on the CPU is none."""
    text = "import torch.nn as nn\nfrom settings import device\n\nnet = nn.DataParallel(nn.Linear(2, 2))\nnet.to(device)\nopt = list(net.parameters())\n"
    assert findings(tmp_path, {"train.py": text, "settings.py": settings}) == expected


def test_a_device_that_this_file_changes(tmp_path: Path) -> None:
    text = "import torch.nn as nn\nimport settings\n\nsettings.device = 'cuda'\nnet = nn.DataParallel(nn.Linear(2, 2))\nnet.to(settings.device)\nopt = list(net.parameters())\n"
    assert findings(tmp_path, {"train.py": text, "settings.py": "device = 'cpu'\n"}) == ["PF102"]


OWN_CUDA = NET + "\n    def cuda(self):\n        super().cuda()\n        self.on_gpu = True\n"


def test_a_class_with_a_cuda_of_its_own(tmp_path: Path) -> None:
    text = "import torch\nfrom models import Net\n\nnet = Net()\nif torch.cuda.is_available():\n    net.cuda()\nlist(net.parameters())\n"
    files = {"train.py": text, "models.py": NET}
    write(tmp_path, files)
    plain = placefix.fix_source(text, path=tmp_path / "train.py")
    assert isinstance(plain, placefix.Changed)
    (tmp_path / "models.py").write_text(OWN_CUDA)
    assert isinstance(placefix.fix_source(text, path=tmp_path / "train.py"), placefix.Unchanged)


MAKES_IN_FORWARD = "from common import *\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        x = x.t()\n        return x + torch.zeros(3, 2)\n"


@pytest.mark.parametrize(
    ("common", "found"),
    [
        ("import torch\nimport torch.nn as nn\n", ["PF304"]),
        ("import torch\nimport torch.nn as nn\nfrom elsewhere import *\n", ["PF304"]),
        ("import torch\nfrom here import *\nfrom elsewhere import *\n", ["PF304"]),
        ("from elsewhere import *\n", []),
        ("import torch\nimport somewhere.nn as nn\nfrom elsewhere import *\n", []),
        ("__all__ = ['torch']\nimport torch\nimport torch.nn as nn\n", []),
    ],
    ids=["torch", "and another package", "of two files", "nothing shows it", "another nn", "not listed"],
)
def test_torch_by_a_star_import(tmp_path: Path, common: str, found: list[str]) -> None:
    """A star import that is not seen does not hide that another one gives the customary names of torch."""
    files = {
        "net.py": MAKES_IN_FORWARD,
        "common.py": common,
        "here.py": "import torch.nn as nn\n",
        "pyproject.toml": "",
    }
    assert findings(tmp_path, files, "net.py") == found


def test_torch_by_a_star_import_of_the_package(tmp_path: Path) -> None:
    net = MAKES_IN_FORWARD.replace("from common", "from .")
    files = {"app/net.py": net, "app/__init__.py": "import torch\nfrom torch import nn\n", "pyproject.toml": ""}
    assert findings(tmp_path, files, "app/net.py") == ["PF304"]
    (tmp_path / "app/__init__.py").write_text("")
    assert findings(tmp_path, {}, "app/net.py") == []


def test_torch_by_a_star_import_and_bound_here(tmp_path: Path) -> None:
    text = MAKES_IN_FORWARD.replace("import *\n", "import *\n\nnn = other(nn)\n")
    files = {"net.py": text, "common.py": "import torch\nimport torch.nn as nn\nfrom elsewhere import *\n"}
    assert findings(tmp_path, files, "net.py") == []


def test_a_class_that_a_star_import_gives(tmp_path: Path) -> None:
    """One that has a `.cuda()` and no `.to()` is not taken to be a module."""
    text = "import torch\nfrom models import *\n\nnet = Net()\nif torch.cuda.is_available():\n    net.cuda()\n"
    write(tmp_path, {"train.py": text, "models.py": NET})
    assert isinstance(
        placefix.fix_source(text, path=tmp_path / "train.py", options=placefix.Options(unsafe_fixes=True)),
        placefix.Changed,
    )
    (tmp_path / "models.py").write_text("class Net:\n    def cuda(self):\n        self.rows = self.rows.cuda()\n")
    assert isinstance(
        placefix.fix_source(text, path=tmp_path / "train.py", options=placefix.Options(unsafe_fixes=True)),
        placefix.Unchanged,
    )


LOADER = """import torch
from models import Net


def build(path):
    with open(path, "rb") as handle:
        return Net.load(handle)


def images(folder):
    return torch.stack([torch.load(path) for path in folder]), len(folder)
"""
LOADED = (
    "import torch.nn as nn\n\n"
    + NET.partition("\n")[2]
    + """
    @classmethod
    def load(cls, handle):
        net = cls()
        net.read(handle)
        return net
"""
)
GUARDED = """import torch
from tools import {what}


def run(give, path, use_cuda):
    {name} = {call}
    if use_cuda:
        {name} = {name}.cuda()
    give({given})
"""
# What a guard moves comes from another file: (what is imported, what is called, the other file).
GIVEN: dict[str, tuple[str, str, str, str]] = {
    "a class of another file": ("Net", "found", "Net()", LOADED),
    "a class method": ("Net", "found", "Net.load(path)", LOADED),
    "a function": ("build", "found", "build(path)", LOADER),
    "one of what a function returns": ("images", "found", "images(path)", LOADER),
    "a value": ("NET", "found", "NET", LOADER + "\n\nNET = build('net.pt')\n"),
}


@pytest.mark.parametrize("case", GIVEN)
def test_what_another_file_gives_is_a_tensor_or_a_module(tmp_path: Path, case: str) -> None:
    what, name, call, tools = GIVEN[case]
    text = GUARDED.format(what=what, name=name, call=call, given=name)
    if case.startswith("one of"):
        text = text.replace("found = images", "found, n = images")
    write(tmp_path, {"main.py": text, "tools.py": tools, "models.py": LOADED})
    unsafe = placefix.Options(unsafe_fixes=True)
    alone = placefix.fix_source(text)
    assert isinstance(alone, placefix.Unchanged)  # nothing in the file shows it
    safe = placefix.fix_source(text, path=tmp_path / "main.py")
    # what is made here lies on the CPU without the flag; of the others that is not shown
    assert isinstance(safe, placefix.Changed) == (case == "a class of another file")
    beside = placefix.fix_source(text, path=tmp_path / "main.py", options=unsafe)
    assert isinstance(beside, placefix.Changed)
    assert "found = found.to(device)" in beside.text


# The same where the other file leaves it open, and where the class has a method of its own.
NOT_GIVEN: dict[str, tuple[str, str, str]] = {
    "a class that is no module": (
        "Batch",
        "Batch(path)",
        "class Batch:\n    def __init__(self, path):\n        self.path = path\n",
    ),
    "a module with a cuda of its own": ("Net", "Net()", OWN_CUDA),
    "a function with another way": (
        "build",
        "build(path)",
        LOADER.replace("        return", "        if path:\n            return"),
    ),
    "a function of one of them": (
        "build",
        "build(path)",
        LOADER.replace("Net.load(handle)", "Net.load(handle) if path else path"),
    ),
    "a generator": (
        "build",
        "build(path)",
        "import torch\n\n\ndef build(path):\n    yield path\n    return torch.ones(3)\n",
    ),
    "a value that is bound again": ("NET", "NET", LOADER + "\n\nNET = build('net.pt')\nNET = None\n"),
    "a decorated function": (
        "build",
        "build(path)",
        "from wrap import around\n" + LOADER.replace("def build", "@around\ndef build"),
    ),
    "a file that is not there": ("build", "build(path)", ""),
}


@pytest.mark.parametrize("case", NOT_GIVEN)
def test_what_another_file_may_give_is_not_taken_for_a_tensor(tmp_path: Path, case: str) -> None:
    what, call, tools = NOT_GIVEN[case]
    text = GUARDED.format(what=what, name="found", call=call, given="found")
    write(tmp_path, {"main.py": text, "tools.py": tools, "models.py": LOADED})
    assert isinstance(placefix.fix_source(text, path=tmp_path / "main.py"), placefix.Unchanged)


OPTIONS = """import torch
from nets import Net


def build(options, use_cuda):
    net = Net(**options)
    if use_cuda:
        net.cuda()
    return net
"""


@pytest.mark.parametrize(
    ("signature", "safe"),
    [("self, width=4", True), ("self, width=4, device=None", False), ("self, width=4, **kwargs", False)],
)
def test_a_class_whose_constructor_takes_no_device_is_made_on_the_cpu(
    tmp_path: Path, signature: str, safe: bool
) -> None:
    write(tmp_path, {"main.py": OPTIONS, "nets.py": NET.replace("__init__(self)", f"__init__({signature})")})
    assert isinstance(placefix.fix_source(OPTIONS, path=tmp_path / "main.py"), placefix.Changed) is safe


def test_neither_order_nor_writing_makes_a_difference(tmp_path: Path) -> None:
    """Every file is judged by what the others were when the run began."""
    helper = "import torch\n\n\ndef ramp(n):\n    x = torch.ones(n, 4)\n    x.cuda()\n    return x\n"
    files = {
        "a_helper.py": helper, "z_helper.py": helper, "models.py": NET,
        "train.py": "from models import Net\nfrom a_helper import ramp\nfrom z_helper import ramp as ramp2\n" + HEAD
        + "net = Net().to(device)\nx = ramp(3)\ny = ramp2(3)\nnet(x)\nnet(y)\n",
    }  # fmt: skip
    options = placefix.Options(select=("PF3",), unsafe_fixes=True)
    texts = []
    for number, order in enumerate(
        (("a_helper.py", "train.py", "z_helper.py"), ("train.py", "z_helper.py", "a_helper.py"))
    ):
        root = tmp_path / str(number)
        write(root, files)
        placefix.fix_paths([root / name for name in order], options=options, isolated=True)
        texts.append({name: (root / name).read_text() for name in files})
    assert texts[0] == texts[1]
    assert "    x = x.cuda()\n" in texts[0]["a_helper.py"]  # the premise: what train.py imports was written
    assert "x = ramp(3).to(device)\ny = ramp2(3).to(device)\n" in texts[0]["train.py"]


def test_standard_input_with_a_name_has_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    from placefix.cli import main

    files = RESOLVED["a module beside it"]
    write(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    for name, code in ((["--stdin-filename", "train.py"], 1), ([], 0)):
        stdin = io.TextIOWrapper(io.BytesIO(files["train.py"].encode()))
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(sys, "argv", ["placefix", "check", "--isolated", *name, "-"])
        with pytest.raises(SystemExit) as stop:
            main()
        assert stop.value.code == code


def test_a_class_that_inherits_from_another_file_is_read_without_its_base(tmp_path: Path) -> None:
    """`fc` is a layer of the base; the tensor meets `x`, whatever the base does."""
    text = "import torch\nfrom models import Net\n\n\nclass Mine(Net):\n    def forward(self, x):\n        return self.fc(x + torch.zeros(4))\n\n\nnet = Mine().cuda()\nlist(net.parameters())\n"
    assert findings(tmp_path, {"train.py": text, "models.py": "#\n" * 99 + NET}) == ["PF304"]
    moved = text.replace("        return", "        x = x.to(self.fc.weight.device)\n        return")
    moved = moved.replace("torch.zeros(4)", "torch.zeros(4).to(x)")
    assert findings(tmp_path, {"train.py": moved, "models.py": "#\n" * 99 + NET}) == []


CHOOSES = "import torch\n\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n"
FLAGGED = (
    "import argparse\nimport torch\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--no-cuda', action='store_true')\n"
    "args = parser.parse_args()\nuse_cuda = not args.no_cuda and torch.cuda.is_available()\ndevice = torch.device('cuda' if use_cuda else 'cpu')\n"
)
ARMS = "import torch\n\nif torch.cuda.is_available():\n    device = torch.device('cuda')\n    size = 64\nelse:\n    device = torch.device('cpu')\n    size = 8\n"
BELOW = "import torch\n\ndevice = 'cpu'\nif torch.cuda.is_available():\n    device = 'cuda'\n"
USES = "import torch\n{imports}\n\ndef step(net, x):\n    mask = torch.ones(3, device={device})\n    x = torch.cat([x, mask]){move}\n    return net(x)\n"


def uses(imports: str, device: str = "device", move: str = ".cuda()") -> str:
    return USES.format(imports=imports, device=device, move=move)


# An imported device is what its file makes of it: (files, what is written for `.cuda()`).
REUSED: dict[str, tuple[dict[str, str], str]] = {
    "under its name": ({"main.py": uses("from config import device\n"), "config.py": CHOOSES}, ".to(device)"),
    "under another name": (
        {"main.py": uses("from config import device as my_device\n", "my_device"), "config.py": CHOOSES}, ".to(my_device)",
    ),
    "in capitals": (
        {"main.py": uses("from config import DEVICE\n", "DEVICE"), "config.py": CHOOSES.replace("device =", "DEVICE =")}, ".to(DEVICE)",
    ),
    "through its module": ({"main.py": uses("import config\n", "config.device"), "config.py": CHOOSES}, ".to(config.device)"),
    "through a module of another kind of name": (
        {"main.py": uses("from app import constants\n", "constants.DEVICE"), "app/__init__.py": "",
         "app/constants.py": CHOOSES.replace("device =", "DEVICE =")}, ".to(constants.DEVICE)",
    ),
    "a re-export": (
        {"main.py": uses("from app import device\n"), "app/__init__.py": "from .where import device\n", "app/where.py": CHOOSES}, ".to(device)",
    ),
    "chosen by a function there": (
        {"main.py": uses("from config import device\n"),
         "config.py": "import torch\n\n\ndef choose():\n    return torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n\n\ndevice = choose()\n"},
        ".to(device)",
    ),
    "in both arms of an if": ({"main.py": uses("from config import device\n"), "config.py": ARMS}, ".to(device)"),
    "in both arms of an if, through its module": ({"main.py": uses("import config\n", "config.device"), "config.py": ARMS}, ".to(config.device)"),
    "in an if below the CPU": ({"main.py": uses("from config import device\n"), "config.py": BELOW}, ".to(device)"),
    "CUDA outright": ({"main.py": uses("from config import device\n"), "config.py": "device = 'cuda'\n"}, ".to(device)"),
    "not used before": ({"main.py": uses("from config import device\n", "x.device"), "config.py": CHOOSES}, ".to(device)"),
    "cuda:0 where no file chooses among GPUs": (
        {"main.py": uses("from config import device\n"), "config.py": CHOOSES.replace("'cuda'", "'cuda:0'")}, ".to(device)",
    ),
    "a string": ({"main.py": uses("from config import device\n", move=".to('cuda')"), "config.py": CHOOSES}, ".to(device)"),
    "a guard that asks the same": (
        {"main.py": uses("from config import device\n", move="\n    if torch.cuda.is_available():\n        x = x.cuda()"), "config.py": CHOOSES},
        "    x = x.to(device)\n    return",
    ),
    "a guard by the flag of the device": (
        {"main.py": uses("from config import device, use_cuda\n", move="\n    if use_cuda:\n        x = x.cuda()"), "config.py": FLAGGED},
        "    x = x.to(device)\n    return",
    ),
    "a guard by the flag of the device, through its module": (
        {"main.py": uses("import config\n", "config.device", "\n    if config.use_cuda:\n        x = x.cuda()"), "config.py": FLAGGED},
        "    x = x.to(config.device)\n    return",
    ),
    "a guard by an imported name for availability": (
        {"main.py": uses("from config import device, has_cuda\n", move="\n    if has_cuda:\n        x = x.cuda()"),
         "config.py": CHOOSES + "has_cuda = torch.cuda.is_available()\n"},
        "    x = x.to(device)\n    return",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REUSED)
def test_an_imported_device_is_reused(tmp_path: Path, case: str) -> None:
    files, written = REUSED[case]
    write(tmp_path, {**files, "pyproject.toml": ""})
    outcome = placefix.fix_source(files["main.py"], path=tmp_path / "main.py")
    assert isinstance(outcome, placefix.Changed)
    assert written in outcome.text
    assert "cuda" not in outcome.text.partition("def ")[2]  # nothing hard-coded is left, and no guard


# What may not go to the imported device without being asked for; nothing here imports anything new.
KEPT: dict[str, dict[str, str]] = {
    "no such file": {"main.py": uses("from config import device\n")},
    "a particular GPU": {"main.py": uses("from config import device\n"), "config.py": "device = 'cuda:1'\n"},
    "cuda:0 where the other file chooses among GPUs": {
        "main.py": uses("from config import device\n"),
        "config.py": CHOOSES.replace("'cuda'", "'cuda:0'") + "torch.cuda.set_device(1)\n",
    },
    "a rank": {"main.py": uses("from config import device\n"), "config.py": "import os\n\ndevice = f\"cuda:{os.environ['LOCAL_RANK']}\"\n"},
    "an option": {"main.py": uses("from config import device\n"), "config.py": "from options import args\n\ndevice = args.device\n"},
    "bound twice": {"main.py": uses("from config import device\n"), "config.py": CHOOSES + "device = pick(device)\n"},
    "in arms of an if that is about something else": {
        "main.py": uses("from config import device\n"), "config.py": ARMS.replace("torch.cuda.is_available()", "ready()"),
    },
    "in arms that are the wrong way round": {
        "main.py": uses("from config import device\n"), "config.py": ARMS.replace("if torch", "if not torch"),
    },
    "in both arms, one of them a particular GPU": {
        "main.py": uses("from config import device\n"), "config.py": ARMS.replace("'cuda'", "'cuda:2'"),
    },
    "in an if, and bound anew below it": {"main.py": uses("from config import device\n"), "config.py": BELOW + "device = pick(device)\n"},
    "in an if above the CPU": {
        "main.py": uses("from config import device\n"),
        "config.py": "import torch\n\nif torch.cuda.is_available():\n    device = 'cuda'\ndevice = 'cpu'\n",
    },
    "in an if inside another": {
        "main.py": uses("from config import device\n"),
        "config.py": "import torch\nimport os\n\nif 'GPU' in os.environ:\n" + "".join(f"    {line}\n" for line in ARMS.splitlines()[2:]),
    },
    "in the arms of elif": {
        "main.py": uses("from config import device\n"), "config.py": ARMS.replace("if torch", "if wanted:\n    pass\nelif torch"),
    },
    "changed here": {"main.py": uses("import config\nconfig.device = 'cpu'\n", "config.device"), "config.py": CHOOSES},
    "none where there is no accelerator": {
        "main.py": uses("from config import device\n"), "config.py": "import torch\n\ndevice = torch.accelerator.current_accelerator()\n",
    },
    "a circle": {"main.py": uses("from config import device\n"), "config.py": "from main import device\n"},
    "a name that the function has for itself": {
        "main.py": uses("from config import device\n").replace("(net, x)", "(net, x, device)"), "config.py": CHOOSES,
    },
    "a guard by another flag": {
        "main.py": uses("from config import device, use_cuda\n", move="\n    if use_cuda:\n        x = x.cuda()"),
        "config.py": FLAGGED.replace("use_cuda else", "torch.cuda.is_available() else"),
    },
    "a guard by a flag that this file changes": {
        "main.py": uses("from config import device, use_cuda\nuse_cuda = False\n", move="\n    if use_cuda:\n        x = x.cuda()"), "config.py": FLAGGED,
    },
    "a guard by availability of a device under a flag": {
        "main.py": uses("from config import device\n", move="\n    if torch.cuda.is_available():\n        x = x.cuda()"), "config.py": FLAGGED,
    },
    "a helper that puts things on the GPU": {
        "main.py": uses("from config import device\n").replace("step", "to_cuda"), "config.py": CHOOSES,
    },
    "tests that need a GPU": {
        "main.py": uses("from config import device\nassert torch.cuda.is_available()\n"), "config.py": CHOOSES,
    },
    "a star import": {"main.py": uses("from config import *\n"), "config.py": CHOOSES},
}  # fmt: skip


@pytest.mark.parametrize("case", KEPT)
def test_an_imported_device_is_not_taken_on_trust(tmp_path: Path, case: str) -> None:
    write(tmp_path, {"pyproject.toml": "", **KEPT[case]})
    outcome = placefix.fix_source(KEPT[case]["main.py"], path=tmp_path / "main.py")
    text = outcome.text if isinstance(outcome, placefix.Changed) else KEPT[case]["main.py"]
    imported = "config.device" if "config.device" in text else "device"
    assert f".to({imported})" not in text
    assert text.count("import") == KEPT[case]["main.py"].count("import")


LOOP = """import torch
import torch.nn as nn
from data import batches

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2).to(device)
loader = batches()
for {target} in loader:
    print(net({fed}).sum())
"""
BATCHES = """import torch
from torch.utils.data import DataLoader, TensorDataset


def batches():
    return DataLoader(TensorDataset(torch.randn(8, 4{device})))
"""


@pytest.mark.parametrize(("target", "fed"), [("(x,)", "x"), ("batch", "batch[0]")])
def test_a_loop_over_an_imported_loader_needs_no_training(tmp_path: Path, target: str, fed: str) -> None:
    files = {"train.py": LOOP.format(target=target, fed=fed), "data.py": BATCHES.format(device="")}
    assert findings(tmp_path, files) == ["PF301"]


def test_a_loop_over_an_imported_loader_that_places(tmp_path: Path) -> None:
    script = LOOP.format(target="(x,)", fed="x")
    assert not findings(tmp_path, {"train.py": script, "data.py": BATCHES.format(device=", device='cuda'")})
    assert not findings(
        tmp_path, {"train.py": script.replace("net(x)", "net(x.to(device))"), "data.py": BATCHES.format(device="")}
    )


@pytest.mark.parametrize("searched", [".", "pkg", "pkg/train", "pkg/train/train.py"])
@pytest.mark.parametrize("marker", ["", "setup.py"])
def test_whatever_part_of_a_package_is_searched_its_imports_are_found(
    tmp_path: Path, searched: str, marker: str
) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/nets.py": NET,
        "pkg/train/__init__.py": "",
        "pkg/train/train.py": HEAD + "from pkg.nets import Net\n" + TRAIN.format(make="Net()", move=""),
    }
    write(tmp_path, files | ({marker: ""} if marker else {}))
    options = placefix.Options(ignore=("PF4",))
    results = placefix.check_paths([tmp_path / searched], options=options, isolated=True)
    assert [d.code for r in results if r.path.endswith("train.py") for d in r.remaining] == ["PF301"]


@pytest.mark.parametrize(
    ("helper", "imported", "chosen"),
    [
        ("def begin(gpu):\n    os.environ['CUDA_VISIBLE_DEVICES'] = gpu\n", "begin", "begin('0')"),
        (
            "def see(gpu):\n    os.environ['CUDA_VISIBLE_DEVICES'] = gpu\n\n\ndef begin(gpu):\n    see(gpu)\n",
            "begin",
            "begin('0')",
        ),
        (
            "class Options:\n    def parse(self):\n        os.environ['CUDA_VISIBLE_DEVICES'] = '0'\n",
            "Options",
            "Options().parse()",
        ),
    ],
)
def test_visible_devices_are_chosen_by_another_file(tmp_path: Path, helper: str, imported: str, chosen: str) -> None:
    """What another file does to the visible GPUs goes before the question whether there is CUDA."""
    script = f"import torch\nfrom helper import {imported}\n\n{chosen}\nnet = torch.nn.Linear(3, 3).cuda()\nprint(net(torch.zeros(3).cuda()))\n"
    write(tmp_path, {"helper.py": f"import os\n\n\n{helper}", "train.py": script})
    placefix.fix_paths([tmp_path], isolated=True)
    lines = (tmp_path / "train.py").read_text(encoding="utf-8").splitlines()
    asked = next(n for n, line in enumerate(lines) if "is_available" in line)
    assert lines.index(chosen) < asked < next(n for n, line in enumerate(lines) if line.startswith("net"))


BUILDERS = """import torch


class Warmup:
    def __init__(self, optimizer, steps):
        self.optimizer = optimizer
        self.steps = steps


def build_optimizer(config, parameters):
    if config.get("optimizer", "sgd") == "sgd":
        return torch.optim.SGD(parameters, lr=config["lr"])
    raise ValueError(config["optimizer"])


def build_scheduler(config, optimizer):
    return Warmup(optimizer, config["steps"]), "step"
"""
BUILT = """import torch
import torch.nn as nn
from builders import build_optimizer, build_scheduler


class Trainer:
    def __init__(self, model, config):
        self.model = model
        self.optimizer = build_optimizer(config=config, parameters=model.parameters())
        self.epochs = config["epochs"]
        self.scheduler, self.when = build_scheduler(config, self.optimizer)
        if self.epochs < 1:
            raise ValueError("nothing to do")
        self.use_cuda = config["cuda"] and torch.cuda.is_available()
        self.device = torch.device("cuda" if self.use_cuda else "cpu")
        if self.use_cuda:
            self.model.to(self.device)
        self.steps = 0
"""
SUNK = """            self.model.to(self.device)
        self.optimizer = build_optimizer(config=config, parameters=model.parameters())
        self.scheduler, self.when = build_scheduler(config, self.optimizer)
        self.steps = 0
"""


def test_an_optimizer_that_another_file_makes_moves_with_its_scheduler(tmp_path: Path) -> None:
    write(tmp_path, {"train.py": BUILT, "builders.py": BUILDERS})
    outcome = placefix.fix_source(BUILT, path=tmp_path / "train.py", options=placefix.Options(select=("PF201",)))
    assert isinstance(outcome, placefix.Changed)
    assert outcome.text.endswith(SUNK)


# The other file's functions do more than make the optimizer and its scheduler.
BUILT_WITH_MORE: dict[str, str] = {
    "it draws numbers": BUILDERS.replace("    raise", "    torch.randn(3)\n    raise"),
    "it changes the settings": BUILDERS.replace("    raise", "    config['epochs'] = 3\n    raise"),
    "it changes a part of the settings": BUILDERS.replace("    raise", "    part = config['more']\n    part['lr'] = 3\n    raise"),
    "the scheduler's class draws numbers": BUILDERS.replace("self.steps = steps", "self.steps = steps + torch.rand(1)"),
    "the scheduler runs code that is not known": "from other import note\n" + BUILDERS.replace("    return Warmup", "    note(optimizer)\n    return Warmup"),
    "it sets what its own file knows": BUILDERS.replace("    raise", "    global made\n    made = True\n    raise"),
}  # fmt: skip


@pytest.mark.parametrize("case", BUILT_WITH_MORE)
def test_an_optimizer_stays_where_its_function_does_more(tmp_path: Path, case: str) -> None:
    write(tmp_path, {"train.py": BUILT, "builders.py": BUILT_WITH_MORE[case]})
    outcome = placefix.fix_source(BUILT, path=tmp_path / "train.py", options=placefix.Options(select=("PF201",)))
    assert isinstance(outcome, placefix.Unchanged)
    assert [d.code for d in outcome.remaining] == ["PF201"]


CENTRES = """import torch
import torch.nn as nn


class Centres(nn.Module):
    def __init__(self):
        super().__init__()
        self.centres = nn.Parameter(torch.randn(2, 4))

    def forward(self, x, y):
        return (x - self.centres{read}).abs().mean()
"""


CFG = "class Cfg:\n    lr = 0.1\n\n\ncfg = Cfg()\n"
LOADS = "import config\n\n\ndef load():\n    config.cfg.lr = 0.9\n"
MAKES = "import torch\nfrom config import cfg\n\n\ndef make_optimizer(m):\n    return torch.optim.SGD(m.parameters(), lr=cfg.lr)\n"
# How the optimizer is made, what stands below it, and whether the optimizer may move across that.
SHARED = {
    "the file itself sets what the maker reads": ("make_optimizer(net)", "cfg.lr = 0.5", False),
    "a function of the file sets what the maker reads": ("make_optimizer(net)", "change()", False),
    "another file sets what the maker reads": ("make_optimizer(net)", "load()", False),
    "another file sets what the optimizer gets": ("torch.optim.SGD(net.parameters(), lr=cfg.lr)", "load()", False),
    "a function through which another file sets it": ("torch.optim.SGD(net.parameters(), lr=cfg.lr)", "loads()", False),
    "a package that knows nothing of the repository": (
        "torch.optim.SGD(net.parameters(), lr=cfg.lr)",
        "wandb_init()",
        True,
    ),
    "nothing shared is read": ("torch.optim.SGD(net.parameters(), lr=0.1)", "load()", True),
}


@pytest.mark.parametrize("case", SHARED)
def test_what_files_share_is_set_at_its_time(tmp_path: Path, case: str) -> None:
    """Where the optimizer may not move down, the placement goes up."""
    made, below, moves = SHARED[case]
    text = (
        "import torch\nfrom torch import nn\n\nfrom wandb import init as wandb_init\n\nfrom config import cfg\nfrom loads import load\nfrom makes import make_optimizer\n\n"
        'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")\n\n\n'
        "def change():\n    cfg.lr = 0.7\n\n\ndef loads():\n    load()\n\n\n"
        f"net = nn.Linear(4, 2)\nopt = {made}\n{below}\nnet.to(device)\n"
        "for _ in range(3):\n    opt.zero_grad()\n    net(torch.randn(8, 4).to(device)).sum().backward()\n    opt.step()\n"
    )
    write(tmp_path, {"config.py": CFG, "loads.py": LOADS, "makes.py": MAKES, "train.py": text})
    outcome = placefix.fix_source(text, path=tmp_path / "train.py")
    assert isinstance(outcome, placefix.Changed)
    order = [line for line in outcome.text.splitlines() if line in (f"opt = {made}", below, "net.to(device)")]
    assert order == (
        [below, "net.to(device)", f"opt = {made}"] if moves else ["net.to(device)", f"opt = {made}", below]
    )


@pytest.mark.parametrize(("read", "expected"), [("[y]", ["PF112"]), ("[0]", []), (".sum()", [])])
def test_parameters_of_another_files_module(tmp_path: Path, read: str, expected: list[str]) -> None:
    """They are left on the CPU, and the labels that choose from them are not; a number of one may be."""
    text = (
        "from models import Centres\n"
        + HEAD
        + "\nloss = Centres()\nfor x, y in loader:\n    x, y = x.to(device), y.to(device)\n    loss(x, y).backward()\n"
    )
    assert findings(tmp_path, {"train.py": text, "models.py": CENTRES.format(read=read)}) == expected


RUNS = """import torch
import torch.nn as nn


def evaluate(model, loader, device):
    total = 0.0
    for x, y in loader:
        {move}
        total += nn.functional.cross_entropy(model(x), y).item()
    return total
"""


@pytest.mark.parametrize(
    ("move", "expected"),
    [("pass", ["PF301"]), ("x, y = x.to(device), y.to(device)", []), ("x = x.to(device)", ["PF301"])],
)
def test_a_function_of_another_file_leaves_the_batch(tmp_path: Path, move: str, expected: list[str]) -> None:
    """It is said where the function is called, with its place."""
    text = (
        "from models import Net\nfrom run import evaluate\n"
        + HEAD
        + "\nnet = Net().to(device)\nfor _ in range(2):\n    print(evaluate(net, loader, device))\n"
    )
    files = {"train.py": text, "models.py": NET, "run.py": RUNS.format(move=move)}
    assert findings(tmp_path, files) == expected
    said = [d.message for d in placefix.check_source(text, path=tmp_path / "train.py") if d.code == "PF301"]
    assert all("(`run.py`, line 9)" in message for message in said)


OWN_IMPORTS = {
    "a plain one below the others": (
        "import os\nimport numpy as np\nimport helpers\n",
        "import os\nimport numpy as np\nimport torch\nimport helpers\n",
    ),
    "in a paragraph of their own": (
        "import os\n\n# ours\nfrom nets import Net\nimport helpers as h\n",
        "import os\nimport torch\n\n# ours\nfrom nets import Net\nimport helpers as h\n",
    ),
    "below a name from elsewhere": (
        "from numpy import zeros\nimport helpers\n",
        "from numpy import zeros\nimport torch\nimport helpers\n",
    ),
    "none above": ("import helpers\nfrom nets import Net\n", "import torch\n\nimport helpers\nfrom nets import Net\n"),
    "the docstring alone above": (
        '"""Trains."""\n\nimport helpers\n',
        '"""Trains."""\n\nimport torch\n\nimport helpers\n',
    ),
    "a __future__ above": (
        "from __future__ import annotations\nimport helpers\n",
        "from __future__ import annotations\nimport torch\n\nimport helpers\n",
    ),
    # neither what runs nor a star is passed, and a comment stays with what it is about
    "what runs stands above": (
        'import os\nos.environ["A"] = "1"\nimport helpers\n',
        'import os\nos.environ["A"] = "1"\nimport torch\n\nimport helpers\n',
    ),
    "a star above": (
        "import os\nfrom nets import *\nimport helpers\n",
        "import os\nfrom nets import *\nimport helpers\nimport torch\n",
    ),
    "a comment above": ("# ours\nimport helpers\n", "# ours\nimport helpers\nimport torch\n"),
    "no other is ours": ("import numpy as np\nimport h5py\n", "import numpy as np\nimport h5py\nimport torch\n"),
    "ours above the others": (
        "import helpers\nimport numpy as np\n",
        "import helpers\nimport numpy as np\nimport torch\n",
    ),
}


@pytest.mark.parametrize("case", OWN_IMPORTS)
def test_torch_is_imported_above_what_is_the_repositorys_own(tmp_path: Path, case: str) -> None:
    before, after = OWN_IMPORTS[case]
    rest = "\n\ndef start(net, use_cuda):\n    if use_cuda:\n        net.cuda()\n    return net.train()\n"
    write(
        tmp_path, {"helpers.py": "def load(): ...\n", "nets.py": NET, "train.py": before + rest, "pyproject.toml": ""}
    )
    outcome = placefix.fix_source(before + rest, path=tmp_path / "train.py", options=Options(unsafe_fixes=True))
    assert isinstance(outcome, placefix.Changed)
    assert outcome.text.partition("\n\n\ndef")[0] + "\n" == after


CONSTANTS = """import torch
import torch.nn as nn


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.offset = torch.ones(4)

    def forward(self, x):
        x = x + torch.zeros(4)
        return x + self.offset


class Other(nn.Module):
    pass
"""
LAYERS = """import torch.nn as nn


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Linear(4, 4)]

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return nn.Linear(4, 4)(x)


class Other(nn.Module):
    pass
"""
# Who uses a class of shifts.py, and whether somebody does.
USERS: dict[str, tuple[dict[str, str], bool]] = {
    "nobody": ({"train.py": "from shifts import Other\n"}, False),
    "a word that begins like it": ({"train.py": "from shifts import Other\nShifted = Shift2 = Other\n"}, False),
    "no other file is seen": ({}, True),
    "a script": ({"train.py": "from shifts import Shift\nShift()\n"}, True),
    "an export": ({"pack.py": "__all__ = ['Shift']\n"}, True),
    "a star": ({"train.py": "from shifts import *\n"}, True),
    "the module as a whole": ({"train.py": "import shifts\nnet = getattr(shifts, name)()\n"}, True),
    "the module in a long import": ({"train.py": "from . import (\n    a,\n    shifts,\n)\n"}, True),
    "the module's name": ({"train.py": "import importlib\nnet = importlib.import_module('pack.shifts')\n"}, True),
    "a name that is made up": ({"train.py": "import importlib\nnet = importlib.import_module(name)\n"}, True),
}


@pytest.mark.parametrize("who", USERS)
def test_of_what_nothing_uses_nothing_is_shown_to_fail(tmp_path: Path, who: str) -> None:
    files, used = USERS[who]
    severity = "error" if used else "warning"
    for name, text, codes in (("one", CONSTANTS, ("PF304", "PF305")), ("two", LAYERS, ("PF306", "PF316"))):
        assert severities(tmp_path / name / "repository", {"shifts.py": text, **files}) == dict.fromkeys(
            codes, severity
        )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("class Shift(", "@register\nclass Shift("),
        ("class Shift(nn.Module)", "class Shift(nn.Module, metaclass=Registry)"),
        ("class Other(nn.Module)", "class Other(Shift)"),
        ("class Other(nn.Module):\n    pass", "net = Shift()"),
        ("class Other(nn.Module):\n    pass", "def make(name):\n    return globals()[name]()"),
    ],
)
def test_a_class_is_used_by_its_own_file(tmp_path: Path, before: str, after: str) -> None:
    assert before in LAYERS
    files = {"shifts.py": LAYERS.replace(before, after), "train.py": "from shifts import Other\n"}
    assert severities(tmp_path, files)["PF316"] == "error"


def severities(root: Path, files: dict[str, str]) -> dict[str, str]:
    """How severe is what is found in shifts.py of a repository, by rule."""
    write(root, files)
    options = placefix.Options(ignore=("PF4", "PF5"))
    results = {r.path: r for r in placefix.check_paths([root], options=options, isolated=True)}
    return {d.code: d.severity.value for d in results[str(root / "shifts.py")].remaining}


AMP = "from torch.cuda.amp import autocast\n\n\ndef forward(net, x):\n    with autocast(enabled=False):\n        return net(x)\n"


@pytest.mark.parametrize(
    ("other", "kept"),
    [
        ("from precision import autocast\nwith autocast():\n    pass\n", True),
        ("from precision import (\n    forward,\n    autocast,\n)\n", True),
        ("from precision import *\n", True),
        ("import precision\nwith precision.autocast():\n    pass\n", True),
        ("from precision import forward\nfrom torch.cuda.amp import autocast as cast\nprint(isinstance(forward, autocast))\n", True),
        ("from precision import forward\nfrom torch.cuda.amp import autocast\nwith autocast():\n    pass\n", False),
        ("import precision\nimport torch\nwith torch.cuda.amp.autocast():\n    pass\n", False),
        ("from torch.cuda.amp import autocast\nprint(isinstance(autocast, type))\n", False),
    ],
)  # fmt: skip
def test_a_name_of_amp_that_another_file_uses(tmp_path: Path, other: str, kept: bool) -> None:
    write(tmp_path, {"precision.py": AMP, "main.py": other})
    options = placefix.Options(select=("PF404",), target_torch="2.4")
    placefix.fix_paths([tmp_path], options=options, isolated=True)
    assert ("torch.cuda.amp" in (tmp_path / "precision.py").read_text()) == kept


@pytest.mark.parametrize(
    ("other", "idiom"),
    [
        ("def norm(x):\n    return x.norm()\n", "torch.accelerator"),
        ('import torch\n\n\ndef load(path):\n    return torch.load(path, map_location="cpu")\n', "torch.accelerator"),
        ("import torch\n\n\ndef fits():\n    return torch.cuda.is_available()\n", "torch.cuda.is_available"),
        ('import torch\n\n\ndef ones():\n    return torch.ones(2, device="cpu")\n', "torch.cuda.is_available"),
    ],
)
def test_the_idiom_auto_reads_the_other_files(tmp_path: Path, other: str, idiom: str) -> None:
    write(tmp_path, {"train.py": "import other\nimport torch\n\nprint(torch.ones(2).cuda())\n", "other.py": other})
    options = Options(device_idiom="auto", target_torch="2.7")
    placefix.fix_paths([tmp_path], options=options, isolated=True)
    assert idiom in (tmp_path / "train.py").read_text()


KERNELS = """\
import torch
from nccl import all_reduce


def summed(x):
    if not x.is_contiguous():
        x = x.contiguous()
    return all_reduce(x)


def halved(x):
    if not x.is_cuda:
        return x
    return all_reduce(x)


def moved(x, device=None):
    device = device or torch.cuda.current_device()
    return x.to(device)


def placed(x, device=None):
    if device is None:
        return moved(x)
    return x.to(device)


def sent(x, device="cpu"):
    device = device or torch.cuda.current_device()
    return x.to(device)


def told(x, device=None):
    device = "cpu" if device is None else torch.cuda.current_device()
    return x.to(device)
"""
NCCL = "import C\n\n\ndef all_reduce(x):\n    assert x.is_cuda\n    return C.ncclAllReduce(x)\n"


@pytest.mark.parametrize(
    ("called", "needed"),
    [("summed", True), ("halved", False), ("moved", True), ("placed", True), ("sent", False), ("told", False)],
)
def test_a_function_of_another_file_that_needs_cuda(tmp_path: Path, called: str, needed: bool) -> None:
    """No new device is defined for what it is called with; only where it needs CUDA on every path."""
    text = f"import torch\nfrom kernels import {called}\n\n\ndef run(x):\n    return {called}(torch.relu(x).cuda())\n"
    write(tmp_path, {"run.py": text, "kernels.py": KERNELS, "nccl.py": NCCL})
    outcome = placefix.fix_source(text, path=tmp_path / "run.py")
    assert isinstance(outcome, placefix.Unchanged if needed else placefix.Changed)
    (found,) = placefix.check_source(text, path=tmp_path / "run.py")
    assert found.note == ("not fixed: line 6 still needs CUDA" if needed else "")
    # a file that leaves placement to a framework needs CUDA as much
    write(tmp_path, {"kernels.py": f"import torch_xla\n{KERNELS}"})
    (found,) = placefix.check_source(text, path=tmp_path / "run.py")
    assert found.note == ("not fixed: line 6 still needs CUDA" if needed else "")


CHOSEN = """import os

import torch
from kernels import {first}, {second}


def run(x):
    table = {{"a": {first}, "b": {second}}}
    function = table[os.environ["KIND"]]
    return function(torch.relu(x).cuda())
"""


@pytest.mark.parametrize(("first", "second", "needed"), [("summed", "moved", True), ("summed", "halved", False)])
def test_functions_of_a_dictionary_that_need_cuda(tmp_path: Path, first: str, second: str, needed: bool) -> None:
    """No new device is defined if each of them needs CUDA, whichever is called."""
    text = CHOSEN.format(first=first, second=second)
    write(tmp_path, {"run.py": text, "kernels.py": KERNELS, "nccl.py": NCCL})
    outcome = placefix.fix_source(text, path=tmp_path / "run.py")
    assert isinstance(outcome, placefix.Unchanged if needed else placefix.Changed)


HELPED = """import torch
from torch import nn
from helpers import place

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2)
place(net, device)
x, y = place(torch.randn(8, 4), device), place(torch.randint(0, 2, (8,)), device)
weight = torch.ones(2)
nn.functional.cross_entropy(net(x), y, weight=weight).backward()
"""
# What the helper does, and what is found: a file that only calls helpers places with them.
HELPERS = {
    "moves": ("    return thing.to(where)\n", ["PF302"]),
    "moves under another name": ("    target = where\n    return thing.to(target)\n", ["PF302"]),
    "moves modules and tensors": (
        "    if isinstance(thing, torch.nn.Module):\n        return thing.to(where)\n    return thing.to(where, non_blocking=True)\n",
        ["PF302"],
    ),
    "moves nothing": ("    return thing\n", []),
    "moves to the CPU": ("    return thing.to('cpu')\n", []),
    "moves something else": ("    torch.ones(1).to(where)\n    return thing\n", []),
}


@pytest.mark.parametrize("case", HELPERS)
def test_a_helper_of_another_file_moves_to_a_device_of_this_one(tmp_path: Path, case: str) -> None:
    body, expected = HELPERS[case]
    helpers = f"import torch\n\n\ndef place(thing, where):\n{body}"
    assert findings(tmp_path, {"train.py": HELPED, "helpers.py": helpers}) == expected


def test_the_device_given_to_a_helper_of_another_file_is_written_here(tmp_path: Path) -> None:
    write(tmp_path, {"train.py": HELPED, "helpers.py": "def place(thing, where):\n    return thing.to(where)\n"})
    placefix.fix_paths([tmp_path], isolated=True)
    assert "weight = torch.ones(2, device=device)\n" in (tmp_path / "train.py").read_text()


BUILDER = """import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Base:
    def __init__(self):
        self.net = self.build()

    def build(self):
        return nn.Linear(3, 2).to(device)

    def check(self):
        x = torch.ones(4, 3)
        return self.net(x)


if __name__ == "__main__":
    Base()
"""
HEIR = "from torch import nn\nfrom base import Base\n\n\nclass Child(Base):\n    def {method}(self):\n        return nn.Linear(3, 2)\n"


@pytest.mark.parametrize(("method", "expected"), [("build", []), ("evaluate", ["PF302"])])
def test_a_builder_that_another_file_overrides(tmp_path: Path, method: str, expected: list[str]) -> None:
    """A class of another file that builds its module otherwise inherits the method that uses it."""
    files = {"pyproject.toml": "", "base.py": BUILDER, "child.py": HEIR.format(method=method)}
    assert findings(tmp_path, files, "base.py") == expected


MADE = """import torch
import torch.nn as nn
from loops import run

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2)
net.to(device)
x = torch.randn(8, 4)
y = torch.randint(0, 2, (8,)).to(device)
weight = torch.ones(2).to(device)
criterion = nn.CrossEntropyLoss(weight=weight)
run(net, criterion, x, y)
"""
RUN = """

def run(net, criterion, x, y):
    for _ in range(3):
        loss = criterion(net(x), y)
        loss.backward()
"""
MOVED = MADE.replace("8, 4)", "8, 4).to(device)")
# What this file makes on the CPU, and the code of another one uses with something on a device: main.py, loops.py, the findings.
FAILS_THERE: dict[str, tuple[str, str, list[str]]] = {
    "a tensor": (MADE, RUN, ["PF302"]),
    "a tensor, in an operation": (MADE, RUN.replace("net(x)", "net(x.relu() + 1)"), ["PF302"]),
    "a tensor, through two functions": (MADE, RUN.replace("def run", "def inner") + "\n\ndef run(*given):\n    pass\n\n\ndef run(net, criterion, x, y):\n    inner(net, criterion, x, y)\n", []),
    "a tensor, through a helper": (MADE, RUN.replace("def run", "def inner") + "\n\ndef run(net, criterion, x, y):\n    inner(net, criterion, x, y)\n", ["PF302"]),
    "the target": (MOVED.replace("(8,)).to(device)", "(8,))"), RUN, ["PF302"]),
    "the weights of a criterion": (MOVED.replace("ones(2).to(device)", "ones(2)"), RUN, ["PF307"]),
    "a module": (MOVED.replace("net.to(device)\n", ""), RUN, ["PF112"]),
    "all is there": (MOVED, RUN, []),
    "it is moved there": (MADE, RUN.replace("net(x)", "net(x.to(y.device))"), []),
    "it is moved there first": (MADE, RUN.replace("    for", "    x = x.to(y.device)\n    for"), []),
    "only the module is there": (MADE, RUN.replace("criterion(net(x), y)", "net(y)"), []),
    "the module is moved there": (MOVED.replace("net.to(device)\n", ""), RUN.replace("    for", "    net.to(y.device)\n    for"), []),
    "everything is on the CPU": (MADE.replace("net.to(device)\n", "").replace(".to(device)", ""), RUN, []),
}  # fmt: skip


@pytest.mark.parametrize("case", FAILS_THERE)
def test_a_value_of_this_file_fails_in_another(tmp_path: Path, case: str) -> None:
    main, loops, expected = FAILS_THERE[case]
    assert findings(tmp_path, {"pyproject.toml": "", "train.py": main, "loops.py": loops}) == expected


def test_a_value_that_the_host_reads_is_moved_at_the_call(tmp_path: Path) -> None:
    """The other file needs it on the device, and this one on the CPU."""
    text = MADE + "print(x.numpy())\n"
    write(tmp_path, {"pyproject.toml": "", "train.py": text, "loops.py": RUN})
    fixed = placefix.fix_source(text, path=tmp_path / "train.py", options=Options(unsafe_fixes=True))
    assert isinstance(fixed, placefix.Changed)
    assert "run(net, criterion, x.to(device), y)" in fixed.text


BASES = {
    "parts.py": """from torch import nn


class Base(nn.Module):
    def forward(self, x):
        return self.run(x)


class Part(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, x):
        return self.inner(x)


class Plain:
    pass
""",
    "net.py": """from torch import nn
from parts import Base, Part, Plain


class Net(Base):
    def __init__(self, width):
        super().__init__()
        self.heads = [nn.Linear(width, width)]

    def run(self, x):
        return self.heads[0](x)


class Parts(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.parts = [Part(width) for _ in range(3)]
        self.others = [Plain() for _ in range(3)]

    def forward(self, x):
        for part, other in zip(self.parts, self.others):
            x = part(x)
        return x


class NoModule(Plain):
    def __init__(self, width):
        super().__init__()
        self.layers = [nn.Linear(width, width)]

    def forward(self, x):
        return self.layers[0](x)
""",
}


def test_a_container_in_a_module_by_classes_of_another_file(tmp_path: Path) -> None:
    """The base class, or the class of the elements, is in a file that is read only for this: net.py trains nothing."""
    (tmp_path / ".git").mkdir()
    for name, text in BASES.items():
        (tmp_path / name).write_text(text)
    (result,) = placefix.check_paths([tmp_path / "net.py"], options=Options(select=("PF306",)), isolated=True)
    assert result.source is not None
    found = [result.source.segment(finding.span) for finding in result.remaining]
    assert found == ["[nn.Linear(width, width)]", "[Part(width) for _ in range(3)]"]


TENSORS_OF_MODULES = {
    "parts.py": """from torch import nn


class Base(nn.Module):
    def forward(self, x):
        return self.run(x)


class Placed(nn.Module):
    def __init__(self, width, device):
        super().__init__()
        self.inner = nn.Linear(width, width).to(device)


class Plain:
    pass
""",
    "net.py": """import torch
from missing import Missing
from parts import Base, Placed, Plain


class Made(Base):
    def run(self, x):
        return x + torch.arange(x.size(1))


class Kept(Base):
    def __init__(self, width):
        super().__init__()
        self.mask = torch.tril(torch.ones(width, width))

    def forward(self, x):
        return x * self.mask


class PlacesItself(Placed):
    def forward(self, x):
        return self.inner(x) + torch.arange(x.size(1))


class NoModule(Plain):
    def __init__(self, width):
        self.mask = torch.tril(torch.ones(width, width))

    def forward(self, x):
        return x * self.mask + torch.arange(x.size(1))


class Unknown(Missing):
    def forward(self, x):
        return x + torch.arange(x.size(1))
""",
}


def test_tensors_in_a_module_by_a_class_of_another_file(tmp_path: Path) -> None:
    """The base class is in a file that is read only for this: net.py trains nothing."""
    (tmp_path / ".git").mkdir()
    for name, text in TENSORS_OF_MODULES.items():
        (tmp_path / name).write_text(text)
    (result,) = placefix.check_paths([tmp_path / "net.py"], options=Options(select=("PF304", "PF305")), isolated=True)
    assert result.source is not None
    found = [(finding.rule.code, result.source.segment(finding.span)) for finding in result.remaining]
    assert found == [
        ("PF304", "torch.arange(x.size(1))"),
        ("PF305", "self.mask = torch.tril(torch.ones(width, width))"),
    ]


GUARDED_FIRST_GPU = """import torch


def states(values):
    if torch.cuda.is_available():
        values = torch.from_numpy(values).to("cuda:0")
    else:
        values = torch.from_numpy(values)
    return values
"""


@pytest.mark.parametrize(("server", "safe"), [("torch.cuda.set_device(gpu)", False), ("print(gpu)", True)])
def test_a_guard_of_the_first_gpu_is_unsafe_where_another_file_selects_one(
    tmp_path: Path, server: str, *, safe: bool
) -> None:
    serves = f"import torch\nfrom main import states\n\n\ndef serve(gpu):\n    {server}\n    return states\n"
    write(tmp_path, {"main.py": GUARDED_FIRST_GPU, "server.py": serves, "pyproject.toml": ""})
    outcome = placefix.fix_source(GUARDED_FIRST_GPU, path=tmp_path / "main.py")
    assert isinstance(outcome, placefix.Changed) is safe


# Files that take all names of kit.py, and the name of the device that its repair may bind there.
STARS: dict[str, tuple[dict[str, str], str]] = {
    "its own device": ({"main.py": 'device = "cpu"\nfrom kit import *\nprint(device)\n'}, "DEVICE"),
    "two devices": ({"main.py": "device = DEVICE = 3\nfrom kit import *\n"}, "device_"),
    "through a third file": (
        {"all.py": "from kit import *\n", "main.py": 'device = "cpu"\nfrom all import *\nprint(device)\n'},
        "DEVICE",
    ),
    "of a package": ({"pack/__init__.py": 'device = "cpu"\nfrom ..kit import *\n'}, "DEVICE"),
    "no device": ({"main.py": "from kit import *\nprint(devices)\n"}, "device"),
    "a star of another file": (
        {"main.py": 'device = "cpu"\nfrom kit2 import *\nimport kit\n', "kit2.py": ""},
        "device",
    ),
    "one name": ({"main.py": 'device = "cpu"\nfrom kit import scale\n'}, "device"),
}
KIT = "import torch\n\nscale = torch.ones(3).cuda()\n"


@pytest.mark.parametrize("who", STARS)
def test_a_new_device_does_not_reach_another_file(tmp_path: Path, who: str) -> None:
    files, name = STARS[who]
    write(tmp_path, {"kit.py": KIT, **files})
    placefix.fix_paths([tmp_path], isolated=True)
    assert f"\n{name} = torch.device(" in (tmp_path / "kit.py").read_text()


def test_listed_names_are_all_that_a_star_import_takes(tmp_path: Path) -> None:
    files = {"kit.py": f'__all__ = ["scale"]\n{KIT}', "main.py": 'device = "cpu"\nfrom kit import *\n'}
    write(tmp_path, files)
    placefix.fix_paths([tmp_path], isolated=True)
    assert "\ndevice = torch.device(" in (tmp_path / "kit.py").read_text()
