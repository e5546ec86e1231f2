"""Classes and functions that are picked by a computed name: small repositories, each with what must be found in it and what must not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import placefix

if TYPE_CHECKING:
    from pathlib import Path

TRAIN = """
import sys
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randint(0, 2, (8,))))
net = {make}
net.to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    loss = nn.functional.cross_entropy(net(x), y.to(device))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
NN = "import torch.nn as nn\n"


def net(
    name: str, decorator: str = "", forward: str = "self.fc(x)", base: str = "nn.Module", init: str = "pass"
) -> str:
    head = f"\n\n{decorator}\n" if decorator else "\n\n"
    return (
        f"{head}class {name}({base}):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(4, 2)\n        {init}\n\n"
        f"    def forward(self, x):\n        return {forward}\n"
    )


def train(imports: str, make: str) -> str:
    return imports + "\n" + TRAIN.format(make=make)


def unplaced(imports: str, make: str) -> str:
    """The batch is moved, and the module is not."""
    return train(imports, make).replace("net.to(device)\n", "").replace("net(x)", "net(x.to(device))")


REGISTER = """

NETS = {}


def register(name):
    def add(cls):
        NETS[name] = cls
        return cls
    return add


def find(name):
    return NETS[name]


def build(name):
    return find(name)()
"""
ENTRY_POINTS = """

ENTRIES = {}


def register_net(function):
    ENTRIES[function.__name__] = function
    return function


def create(name, **options):
    function = ENTRIES[name]
    return function(**options)
"""
REGISTRY = """
class Registry:
    def __init__(self, name):
        self.name = name
        self.items = {}

    def register(self, name=None):
        def add(thing):
            self.items[name or thing.__name__] = thing
            return thing

        return add

    def get(self, name):
        return self.items[name]

    def build(self, name, **options):
        return self.get(name)(**options)


NETS = Registry("nets")


def build_from(settings, registry):
    made = registry.get(settings.pop("type"))
    return made(**settings)
"""
TWO = net("Net", "@register('net')") + net("Wide", "@register('wide')")
UNPLACED = unplaced("from registry import NETS\nimport nets", "NETS.build(sys.argv[1])")
USES = train("from registry import NETS\nimport nets", "NETS.build(sys.argv[1])")

# One finding, whose fix is unsafe.
FOUND: dict[str, dict[str, str]] = {
    "a decorator, in one file": {"train.py": NN + REGISTER + TWO + train("", "NETS[sys.argv[1]]()")},
    "a decorator, by get": {"train.py": NN + REGISTER + TWO + train("", "NETS.get(sys.argv[1])()")},
    "a literal name": {"train.py": NN + REGISTER + TWO + train("", "NETS['net']()")},
    "a decorator, in another file": {"train.py": train("from nets import NETS", "NETS[sys.argv[1]]()"), "nets.py": NN + REGISTER + TWO},
    "a builder": {"train.py": train("from nets import build", "build(sys.argv[1])"), "nets.py": NN + REGISTER + TWO},
    "a decorator in a third file": {
        "train.py": train("import nets\nfrom registry import build", "build(sys.argv[1])"), "registry.py": REGISTER,
        "nets.py": NN + "from registry import register\n" + TWO,
    },
    "a decorator through a package": {
        "train.py": train("from nets import build", "build(sys.argv[1])"), "nets/__init__.py": "from .registry import build, register\nfrom .two import *\n",
        "nets/registry.py": REGISTER, "nets/two.py": NN + "from nets import register\n" + TWO,
    },
    "statements": {
        "train.py": train("from nets import NETS", "NETS[sys.argv[1]]()"),
        "nets.py": NN + net("Net") + net("Wide") + "\n\nNETS = {}\nNETS['net'] = Net\nNETS['wide'] = Wide\n",
    },
    "an update": {
        "train.py": train("from nets import NETS", "NETS[sys.argv[1]]()"),
        "nets.py": NN + net("Net") + net("Wide") + "\n\nNETS = dict()\nNETS.update({'net': Net, 'wide': Wide})\n",
    },
    "functions": {
        "train.py": train("from registry import create\nimport nets", "create(sys.argv[1])"), "registry.py": ENTRY_POINTS,
        "nets.py": NN + "from registry import register_net\n" + net("Net") + "\n\n@register_net\ndef small():\n    return Net()\n\n\n@register_net\ndef large():\n    made = Net()\n    return made\n",
    },
    "functions in a dict": {
        "train.py": train("from nets import NETS", "NETS[sys.argv[1]]()"),
        "nets.py": NN + net("Net") + "\n\ndef small():\n    return Net()\n\n\nNETS = {'net': Net, 'small': small}\n",
    },
    "a dict that another file adds to": {
        "train.py": train("from registry import NETS\nimport nets", "NETS[sys.argv[1]]()"), "registry.py": NN + net("Net") + "\n\nNETS = {'net': Net}\n",
        "nets.py": NN + "from registry import NETS\n" + net("Wide") + "\n\nNETS['wide'] = Wide\n",
    },
    "an object": {
        "train.py": train("from registry import NETS\nimport nets", "NETS.get(sys.argv[1])()"), "registry.py": REGISTRY,
        "nets.py": NN + "from registry import NETS\n" + net("Net", "@NETS.register('net')") + net("Wide", "@NETS.register()"),
    },
    "an object that builds": {"train.py": USES, "registry.py": REGISTRY, "nets.py": NN + "from registry import NETS\n" + net("Net", "@NETS.register()")},
    "an object of the file": {"train.py": NN + REGISTRY + net("Net", "@NETS.register()") + train("", "NETS.build(sys.argv[1])")},
    "an object with a call": {"train.py": USES, "registry.py": REGISTRY, "nets.py": NN + "from registry import NETS\n" + net("Net") + "\n\nNETS.register('net')(Net)\n"},
    "an object with functions": {
        "train.py": USES, "registry.py": REGISTRY, "nets.py": NN + "from registry import NETS\n" + net("Net") + "\n\n@NETS.register()\ndef small():\n    return Net()\n",
    },
    "a function that gets the registry": {
        "train.py": train("from registry import NETS, build_from\nimport nets", "build_from({'type': sys.argv[1]}, NETS)"), "registry.py": REGISTRY,
        "nets.py": NN + "from registry import NETS\n" + net("Net", "@NETS.register()"),
    },
    "a member of a module": {"train.py": train("import nets", "getattr(nets, sys.argv[1])()"), "nets.py": NN + net("Net") + net("Wide")},
    "a member of a package": {
        "train.py": train("import nets", "nets.__dict__[sys.argv[1]]()"), "nets/__init__.py": "from .small import *\n",
        "nets/small.py": "__all__ = ['small']\n" + NN + net("Net") + "\n\ndef small():\n    return Net()\n\n\ndef helper(x):\n    return x\n",
    },
    "a global of its name": {"train.py": NN + net("Net") + net("Wide") + "\n\ndef count():\n    return 3\n" + train("", "globals()[sys.argv[1]]()")},
    "a global of its name, imported": {"train.py": train("from nets import Net\nfrom nets import Wide", "globals()[sys.argv[1]]()"), "nets.py": NN + net("Net") + net("Wide")},
    "a global of its name, by a star": {"train.py": train("from nets import *", "globals()[sys.argv[1]]()"), "nets.py": NN + net("Net") + net("Wide")},
    "an expression of its name": {"train.py": NN + net("Net") + net("Wide") + train("", "eval(sys.argv[1])()")},
    "a registry of mmengine": {
        "train.py": train("from registry import NETS\nimport nets", "NETS.build({'type': sys.argv[1]})"), "registry.py": "from mmengine.registry import Registry\n\nNETS = Registry('nets')\n",
        "nets.py": NN + "from registry import NETS\n" + net("Net", "@NETS.register_module()") + net("Wide", "@NETS.register_module('wide')"),
    },
    "a registry of mmcv, by a function": {
        "train.py": train("from mmcv.utils import build_from_cfg\nfrom registry import NETS\nimport nets", "build_from_cfg({'type': sys.argv[1]}, NETS)"),
        "registry.py": "from mmcv.utils import Registry\n\nNETS = Registry('nets')\n", "nets.py": NN + "from registry import NETS\n" + net("Net", "@NETS.register_module()"),
    },
    "a module that is imported by its name": {
        "train.py": train("import importlib", "getattr(importlib.import_module('nets'), sys.argv[1])()"), "nets.py": "import torch.nn as nn\n__all__ = ['Net', 'Wide']\n" + net("Net") + net("Wide"),
    },
    "a registry of fvcore": {
        "train.py": train("from registry import NETS\nimport nets", "NETS.get(sys.argv[1])()"), "registry.py": "from fvcore.common.registry import Registry\n\nNETS = Registry('nets')\n",
        "nets.py": NN + "from registry import NETS\n" + net("Net", "@NETS.register()"),
    },
}  # fmt: skip

# Nothing is known, or it is fine.
QUIET: dict[str, dict[str, str]] = {
    "a module that is imported by a computed name": {
        "train.py": unplaced("import importlib", "getattr(importlib.import_module(sys.argv[2]), sys.argv[1])()"), "nets.py": NN + net("Net"),
    },
    "a module that is imported by its name, with a class that places itself": {
        "train.py": unplaced("import importlib", "getattr(importlib.import_module('nets'), sys.argv[1])()"),
        "nets.py": NN + net("Net") + net("Other", init="self.cuda()"),
    },
    "a module that is imported relative to a package": {
        "train.py": unplaced("import importlib", "getattr(importlib.import_module('.nets', sys.argv[2]), sys.argv[1])()"), "nets.py": NN + net("Net"),
    },
    "one places itself": {"train.py": NN + REGISTER + TWO + net("Other", "@register('other')", init="self.cuda()") + unplaced("", "NETS[sys.argv[1]]()")},
    "one moves its inputs": {
        "train.py": NN + REGISTER + TWO + net("Other", "@register('other')", "self.fc(x.to(self.fc.weight.device))") + train("", "NETS[sys.argv[1]]()"),
    },
    "one is no module": {"train.py": NN + REGISTER + TWO + "\n\n@register('other')\nclass Other:\n    pass\n" + train("", "NETS[sys.argv[1]]()")},
    "one has a base that is not known": {
        "train.py": NN + "from elsewhere import Base\n" + REGISTER + TWO + net("Other", "@register('other')", base="Base, nn.Module") + train("", "NETS[sys.argv[1]]()"),
    },
    "one is not known": {
        "train.py": train("from nets import NETS", "NETS[sys.argv[1]]()"),
        "nets.py": NN + "from elsewhere import Other\n" + net("Net") + "\n\nNETS = {}\nNETS['net'] = Net\nNETS['other'] = Other\n",
    },
    "one is a function that places": {
        "train.py": unplaced("from registry import create\nimport nets", "create(sys.argv[1])"), "registry.py": ENTRY_POINTS,
        "nets.py": NN + "from registry import register_net\n" + net("Net") + "\n\n@register_net\ndef small():\n    return Net()\n\n\n@register_net\ndef large():\n    return Net().cuda()\n",
    },
    "one is decorated by code that is not known": {
        "train.py": train("from registry import create\nimport nets", "create(sys.argv[1])"), "registry.py": ENTRY_POINTS,
        "nets.py": NN + "from elsewhere import placed\nfrom registry import register_net\n" + net("Net") + "\n\n@register_net\n@placed\ndef small():\n    return Net()\n",
    },
    "a third file has another": {
        "train.py": unplaced("import nets, more\nfrom registry import build", "build(sys.argv[1])"), "registry.py": REGISTER,
        "nets.py": NN + "from registry import register\n" + TWO, "more.py": NN + "from registry import register\n" + net("Other", "@register('other')", init="self.cuda()"),
    },
    "a registry that is bound twice": {"train.py": NN + REGISTER + TWO + "\n\nNETS = other(NETS)\n" + train("", "NETS[sys.argv[1]]()")},
    "a decorator that makes something else": {
        "train.py": train("from registry import create\nimport nets", "create(sys.argv[1])"),
        "registry.py": ENTRY_POINTS.replace("return function\n", "return lambda: function().cuda()\n", 1).replace("= function\n", "= lambda: function().cuda()\n", 1),
        "nets.py": NN + "from registry import register_net\n" + net("Net") + "\n\n@register_net\ndef small():\n    return Net()\n",
    },
    "an object that places": {
        "train.py": UNPLACED, "registry.py": REGISTRY.replace("(**options)\n", "(**options).cuda()\n", 1), "nets.py": NN + "from registry import NETS\n" + net("Net", "@NETS.register()"),
    },
    "members that differ": {"train.py": train("import nets", "getattr(nets, sys.argv[1])()"), "nets.py": NN + net("Net") + "\n\ndef count():\n    return 3\n"},
    "a member that places": {"train.py": unplaced("import nets", "getattr(nets, sys.argv[1])()"), "nets.py": NN + net("Net") + "\n\ndef placed():\n    return Net().cuda()\n"},
    "a module that is not in the repository": {"train.py": train("import elsewhere", "getattr(elsewhere, sys.argv[1])()")},
    "another registry of the name": {
        "train.py": train("from registry import NETS\nimport nets", "NETS[sys.argv[1]]()"), "registry.py": "NETS = {}\n",
        "nets.py": NN + "from others import NETS\n" + net("Net") + "\n\nNETS['net'] = Net\n", "others.py": "NETS = {}\n",
    },
    "an item that is no class": {"train.py": NN + REGISTER + TWO + train("", "NETS[sys.argv[1]]")},
    "a global that places itself": {"train.py": NN + net("Net") + net("Wide", init="self.cuda()") + unplaced("", "globals()[sys.argv[1]]()")},
    "a global that moves its inputs": {"train.py": NN + net("Net") + net("Wide", forward="self.fc(x.to(self.fc.weight.device))") + train("", "globals()[sys.argv[1]]()")},
    "globals that are not known": {"train.py": train("from elsewhere import *", "globals()[sys.argv[1]]()")},
    "an expression that is not known": {"train.py": train("from elsewhere import Net", "eval(sys.argv[1])()")},
    "a registry of another library": {
        "train.py": train("from registry import NETS\nimport nets", "NETS.build({'type': sys.argv[1]})"), "registry.py": "from elsewhere import Registry\n\nNETS = Registry('nets')\n",
        "nets.py": NN + "from registry import NETS\n" + net("Net", "@NETS.register_module()"),
    },
    "a registry of mmengine with one that places itself": {
        "train.py": unplaced("from registry import NETS\nimport nets", "NETS.build({'type': sys.argv[1]})"), "registry.py": "from mmengine.registry import Registry\n\nNETS = Registry('nets')\n",
        "nets.py": NN + "from registry import NETS\n" + net("Net", "@NETS.register_module()") + net("Wide", "@NETS.register_module('wide')", init="self.cuda()"),
    },
    "a default that is not known": {"train.py": NN + REGISTER + TWO + train("from elsewhere import Other", "NETS.get(sys.argv[1], Other)()")},
}  # fmt: skip


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in {"pyproject.toml": "", **files}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def found(root: Path, files: dict[str, str]) -> list[tuple[str, bool]]:
    """Codes of the findings in train.py (without PF4), and whether the fix is safe."""
    write(root, files)
    results = placefix.check_paths([root], options=placefix.Options(ignore=("PF4",)), isolated=True)
    row = next(r for r in results if r.path == str(root / "train.py"))
    assert not row.error, row.error
    return [(d.code, d.fix is not None and d.fix.applicability.name == "SAFE") for d in row.remaining]


@pytest.mark.parametrize("case", FOUND)
def test_a_batch_meets_a_module_that_is_picked(tmp_path: Path, case: str) -> None:
    assert found(tmp_path, FOUND[case]) == [("PF301", False)]


def test_one_of_two_that_the_file_picks_itself(tmp_path: Path) -> None:
    """No premise: the other one is seen, too."""
    small = "\n\ndef small():\n    return Net()\n"
    text = NN + net("Net") + small + train("", "(Net if len(sys.argv) > 1 else small)()")
    assert found(tmp_path, {"train.py": text}) == [("PF301", True)]


def test_a_module_that_is_picked_stays_on_the_cpu(tmp_path: Path) -> None:
    files = {"train.py": unplaced("from nets import NETS", "NETS[sys.argv[1]]()"), "nets.py": NN + REGISTER + TWO}
    assert found(tmp_path, files) == [("PF112", False)]


def test_a_guarded_move_of_one_that_is_picked_has_the_premise(tmp_path: Path) -> None:
    """Whether it is on the CPU already rests on the class."""
    head = "import torch\nfrom nets import NETS\n\n\ndef make(name, cuda=True):\n    net = NETS[name]()\n    net.eval()\n    if cuda:\n        net.cuda()\n    return net\n\n\nif __name__ == '__main__':\n    make('net')\n"
    write(tmp_path, {"train.py": head, "nets.py": NN + REGISTER + TWO})
    (one,) = placefix.check_source(head, path=tmp_path / "train.py")
    assert one.code == "PF403"
    assert one.fix is not None
    assert [key for key, _ in one.fix.premises] == ["one-of-classes"]


@pytest.mark.parametrize("case", QUIET)
def test_silent_where_the_candidates_disagree(tmp_path: Path, case: str) -> None:
    assert found(tmp_path, QUIET[case]) == []
