"""What a repository says of the receiver of a `.cuda()`, of a function that is told where, and of the current GPU."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

import placefix
from placefix import process_pool, runner
from placefix.byte_patterns import last_word
from placefix.cache import FileSystemAnswers
from placefix.config import Configs
from placefix.discover import discover

if TYPE_CHECKING:
    from pathlib import Path

EMBEDDER = """import torch
from torch import nn


class Embedder:
    def __init__(self):
        self.model = nn.Linear(3, 3)

    def cuda(self):
        self.model.cuda()

    def train(self):
        self.model.train()

    def __call__(self, x):
        return self.model(x)
"""
WITH_TO = (
    EMBEDDER.replace("self.model.cuda()\n", "self.model.cuda()\n        return self\n")
    + """
    def to(self, device):
        self.model.to(device)
        return self
"""
)
TASK = """import torch


def run(net, x):
    net.cuda()
    net.train()
    return net(x)
"""
MAIN = "import torch\nfrom task import run\nfrom embedder import Embedder\n\nprint(run(Embedder(), torch.ones(1, 3)))\n"


def fixed(root: Path, files: dict[str, str], name: str) -> str:
    """The text of `name` after a plain `apply` of the repository."""
    root.mkdir(exist_ok=True)
    for path, text in {"setup.py": "", **files}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    results = placefix.fix_paths([root], isolated=True)
    assert not [result.error for result in results if result.error]
    return (root / name).read_text()


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(EMBEDDER, id="it answers all that is asked"),
        pytest.param(EMBEDDER.replace("class Embedder:", "class Embedder(Base):"), id="of a base that is not seen"),
        pytest.param(EMBEDDER.replace("def train", "def __getattr__"), id="it answers whatever is asked"),
        pytest.param(
            EMBEDDER.replace("class Embedder:", "class Embedder(nn.Module):").replace("__call__", "forward"),
            id="a module whose own move does more",
        ),
        pytest.param(WITH_TO.replace("        return self\n", ""), id="its own to gives nothing"),
        pytest.param(WITH_TO.replace("to(device)\n", "to(device[:4])\n"), id="its own to wants a word"),
    ],
)
def test_a_receiver_that_a_class_of_another_file_may_be(tmp_path: Path, other: str) -> None:
    after = fixed(tmp_path / "repository", {"task.py": TASK, "embedder.py": other, "main.py": MAIN}, "task.py")
    assert after == TASK


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(EMBEDDER.replace("def cuda", "def place"), id="nothing is called like that"),
        pytest.param(EMBEDDER.replace("def train", "def fit"), id="it does not answer"),
        pytest.param(WITH_TO, id="it can be moved by both"),
        pytest.param(
            EMBEDDER.replace("def cuda", "def _apply").replace("class Embedder:", "class Embedder(nn.Module):"),
            id="of all moves",
        ),
    ],
)
def test_a_receiver_that_no_class_of_the_repository_is(tmp_path: Path, other: str) -> None:
    after = fixed(tmp_path / "repository", {"task.py": TASK, "embedder.py": other, "main.py": MAIN}, "task.py")
    assert "net.to(device)" in after


def notebook(code: str, *, whole: bool = False) -> str:
    """A notebook with one cell, whose source is its lines, or the whole in one string."""
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    source = code if whole else code.splitlines(keepends=True)
    return json.dumps({"cells": [{**cell, "source": source}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.mark.parametrize("whole", [False, True])
def test_a_receiver_that_a_class_may_be_which_a_notebook_brings(tmp_path: Path, whole: bool) -> None:
    """The two meet in the notebook alone: nothing else imports either."""
    main = notebook("%matplotlib inline\n" + MAIN, whole=whole)
    files = {"task.py": TASK, "embedder.py": EMBEDDER, "main.ipynb": main}
    assert fixed(tmp_path / "imports", files, "task.py") == TASK
    defines = notebook("!nvidia-smi\n" + EMBEDDER + "\nfrom task import Task\n", whole=whole)
    assert fixed(tmp_path / "defines", {"task.py": TASK, "main.ipynb": defines}, "task.py") == TASK
    other = {"task.py": TASK, "embedder.py": EMBEDDER, "main.ipynb": notebook("print('embedder')\n", whole=whole)}
    assert "net.to(device)" in fixed(tmp_path / "nothing", other, "task.py")
    assert "net.to(device)" in fixed(tmp_path / "no notebook", {**other, "main.ipynb": "import embedder"}, "task.py")


def test_a_move_whose_result_is_used_is_of_no_class_that_gives_nothing(tmp_path: Path) -> None:
    task = TASK.replace("    net.cuda()", "    net = net.cuda()")
    assert "net = net.to(device)" in fixed(
        tmp_path / "one", {"task.py": task, "embedder.py": EMBEDDER, "main.py": MAIN}, "task.py"
    )
    giving = EMBEDDER.replace("self.model.cuda()\n", "self.model.cuda()\n        return self\n")
    assert fixed(tmp_path / "two", {"task.py": task, "embedder.py": giving, "main.py": MAIN}, "task.py") == task


# Code that treats an object as torch's, beside `Embedder`, which may be one: what is asked, and whether that is enough to tell.
GIVES_ITSELF = EMBEDDER.replace("self.model.cuda()\n", "self.model.cuda()\n        return self\n")
DERIVED = "from embedder import Embedder\n\n\nclass Wide(Embedder{bases}):\n    def {name}(self, other):\n        return other\n"
OF_THE_RESULT = TASK.replace(
    "    net.cuda()\n    net.train()\n    return net(x)", "    net, n = net\n    return net.cuda().type_as(x)"
)


@pytest.mark.parametrize(
    ("files", "proven"),
    [
        pytest.param({"embedder.py": GIVES_ITSELF}, True, id="the class has no such method"),
        pytest.param({"embedder.py": GIVES_ITSELF.replace("def train(self)", "def type_as(self, x)")}, False, id="it has"),
        pytest.param({"embedder.py": GIVES_ITSELF.replace("return self\n", "return self.model\n")}, False, id="it gives another object"),
        pytest.param({"embedder.py": GIVES_ITSELF, "more.py": DERIVED.format(bases="", name="fit")}, True, id="nor has one that derives from it"),
        pytest.param({"embedder.py": GIVES_ITSELF, "more.py": DERIVED.format(bases="", name="type_as")}, False, id="one that derives has it"),
        pytest.param({"embedder.py": GIVES_ITSELF, "more.py": DERIVED.format(bases=", Base", name="fit")}, False, id="one that derives may have it"),
        pytest.param(
            {"embedder.py": GIVES_ITSELF, "more.py": DERIVED.format(bases="", name="fit"),
             "most.py": DERIVED.format(bases="", name="type_as").replace("embedder", "more").replace("Embedder", "Wide").replace("class Wide", "class Most")},
            False, id="one that derives from that has it",
        ),
    ],
)  # fmt: skip
def test_the_result_of_a_move_is_asked_for_what_the_class_does_not_have(
    tmp_path: Path, files: dict[str, str], proven: bool
) -> None:
    after = fixed(tmp_path / "repository", {"task.py": OF_THE_RESULT, "main.py": MAIN, **files}, "task.py")
    assert ("net.to(x.device).type_as(x)" in after) is proven


NETS = """from torch import nn

try:
    from extra import Mixed

    class Net(Mixed, nn.Module):
        pass

except ImportError:

    class Net(nn.Module):
        pass


class Small(Net):
    pass
"""
MAKES = """import torch
from nets import Small


def run(x):
    net = Small()
    net.cuda()
    net.train()
    return net(x)
"""


@pytest.mark.parametrize(
    ("nets", "proven"),
    [
        pytest.param(NETS, True, id="a class whose base is defined in two ways"),
        pytest.param("from embedder import Embedder\n" + NETS.replace("(Net)", "(Net, Embedder)"), False, id="it derives from the other"),
        pytest.param("from embedder import Embedder\n" + NETS.replace("(nn.Module)", "(Embedder)"), False, id="its base does"),
        pytest.param(NETS.replace("(Net)", "(base())"), False, id="its base is what a function gives"),
        pytest.param(NETS.replace("(Net)", "(Net, metaclass=Meta)"), False, id="it has a metaclass"),
        pytest.param(NETS.replace("Small(Net):\n    pass", "Small(Net):\n    def __new__(cls):\n        return made()"), False, id="it makes what it likes"),
        pytest.param(NETS.replace("class Small", "@registered\nclass Small"), False, id="it is decorated"),
        pytest.param(NETS + "\n\nSmall = registered(Small)\n", False, id="its name is bound again"),
    ],
)  # fmt: skip
def test_what_a_class_of_the_repository_makes_is_no_other_class(tmp_path: Path, nets: str, proven: bool) -> None:
    files = {"task.py": MAKES, "nets.py": nets, "embedder.py": EMBEDDER, "main.py": MAIN}
    after = fixed(tmp_path / "repository", files, "task.py")
    assert ("net.to(device)" in after) is proven


@pytest.mark.parametrize(
    ("other", "proven"),
    [
        pytest.param("import torch\n\n\nclass Fake(torch.Tensor):\n    def cuda(self):\n        return self\n", True, id="a tensor has no train"),
        pytest.param("import torch\n\n\nclass Fake(torch.Tensor):\n    def cuda(self):\n        return self\n\n    def train(self):\n        pass\n\n    def __call__(self, x):\n        pass\n", False, id="it has one of its own"),
        pytest.param("import torch\n\n\nclass Fake(torch.Tensor, Base):\n    def cuda(self):\n        return self\n", False, id="its other base may have"),
        pytest.param(EMBEDDER.replace("    def cuda", "    @property\n    def cuda"), True, id="a property is not called"),
        pytest.param(EMBEDDER.replace("    def cuda", "    @abstractmethod\n    def cuda"), False, id="another decorator"),
    ],
)  # fmt: skip
def test_a_class_that_cannot_be_what_is_moved(tmp_path: Path, other: str, proven: bool) -> None:
    files = {"task.py": TASK, "embedder.py": other, "main.py": MAIN}
    assert ("net.to(device)" in fixed(tmp_path / "repository", files, "task.py")) is proven


def test_a_script_that_shares_nothing_has_its_classes_for_itself(tmp_path: Path) -> None:
    alone = EMBEDDER + "\n\nprint(Embedder()(torch.ones(1, 3)))\n"
    assert "net.to(device)" in fixed(tmp_path / "repository", {"task.py": TASK, "alone.py": alone}, "task.py")


def test_a_class_that_another_file_derives_from_answers_more(tmp_path: Path) -> None:
    small = EMBEDDER.replace("def train", "def fit")
    more = "from embedder import Embedder\n\n\nclass Wide(Embedder):\n    def train(self):\n        pass\n"
    assert fixed(tmp_path / "repository", {"task.py": TASK, "embedder.py": small, "more.py": more}, "task.py") == TASK


@pytest.mark.parametrize(
    "text", [TASK, TASK.replace("def run(net, x):", "from nets import Net\n\n\ndef run(x):\n    net = Net()")]
)
def test_alone_manners_are_no_proof(text: str) -> None:
    """Without its repository the class of what is told `.train()` is not seen."""
    assert isinstance(placefix.fix_source(text), placefix.Unchanged)
    assert isinstance(placefix.fix_source(text, options=placefix.Options(unsafe_fixes=True)), placefix.Changed)
    proven = text.replace("net.train()", "net.zero_grad()")
    assert isinstance(placefix.fix_source(proven), placefix.Changed)


BUILD = """import torch


def build(x, device="cuda"):
    return {gives}
"""
USES = """import torch
from build import build

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(build(torch.ones(2), device="cuda"))
"""


@pytest.mark.parametrize(
    ("gives", "taken"),
    [
        ("x.to(device)", True),
        ("torch.zeros(2, device=device) + x.to(torch.device(device))", True),
        ("x.to(device) if device is not None else x", True),
        ("x.to(device) if device == 'cuda' else x", False),
        ("x.to(device) if 'cuda' in device else x", False),
        ("x.to(device.split(':')[0])", False),
        ("x.to('%s' % device)", False),
        ("other(x, device)", False),
    ],
)
def test_a_function_of_another_file_that_is_given_a_device(tmp_path: Path, gives: str, taken: bool) -> None:
    files = {"build.py": BUILD.format(gives=gives), "uses.py": USES}
    after = fixed(tmp_path / "repository", files, "uses.py")
    assert after == (USES.replace('device="cuda")', "device=device)") if taken else USES)


def test_what_the_repository_holds_is_what_a_cached_result_rests_on(tmp_path: Path) -> None:
    """A class that comes into another file later makes another result."""
    root = tmp_path / "repository"
    fixed(root, {"task.py": "", "embedder.py": EMBEDDER.replace("def cuda", "def place"), "main.py": MAIN}, "task.py")
    (root / "task.py").write_text(TASK)

    def kinds() -> list[str]:
        means = process_pool.PoolOptions(jobs=1, cache=str(tmp_path / "cache"))
        targets = discover([str(root)], Configs(isolated=True))
        results = process_pool.results(targets, runner.Repositories([str(root)]), means, fixing=False)
        return [
            d.fix.applicability.value
            for r in results
            if r.path.endswith("task.py")
            for d in r.remaining
            if d.fix is not None
        ]

    assert kinds() == kinds() == ["safe"]
    (root / "embedder.py").write_text(EMBEDDER)
    assert kinds() == kinds() == ["unsafe"]


def test_an_answer_about_a_folder_changes_with_what_its_files_hold(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    question = ("holding ^def f", str(tmp_path))
    first = FileSystemAnswers(runner.Repositories().files).digest([question])
    (tmp_path / "b.py").write_text("def f(): pass\n")
    assert FileSystemAnswers(runner.Repositories().files).digest([question]) != first


def test_the_last_word_of_a_pattern_is_in_every_match() -> None:
    for pattern in (r"\bname\b", r"^class[ \t]+\bname\b", r"\([^:]*\bname\b"):
        assert last_word(pattern) == b"name", pattern
    for pattern in (r"a|\bname\b", r"\w+name\b", r"\bname", r"\bname\b?", r"\\bname\b", r"\bna.me\b"):
        assert last_word(pattern) == b"", pattern


def test_only_the_parts_that_are_asked_about_are_searched(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("import a, b\nc = 1\n")
    (tmp_path / "two.py").write_text("a = 1\nfrom x import (\n    c,\n)\n")
    imports = r"^[ \t]*(?:from|import)\b[^\n(]*(?:\([^)]*)?"
    files = runner.Repositories().files
    names = {word: files.holding(str(tmp_path), rf"\b{word}\b", imports) for word in ("a", "c", "d")}
    assert {word: [os.path.basename(path) for path in paths] for word, paths in names.items()} == {
        "a": ["one.py"],
        "c": ["two.py"],
        "d": [],
    }
    question = (f"holding \\bc\\b within {imports}", str(tmp_path))
    first = FileSystemAnswers(runner.Repositories().files).digest([question])
    (tmp_path / "one.py").write_text("import c\n")
    assert FileSystemAnswers(runner.Repositories().files).digest([question]) != first


LOSS = """import torch

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


def weighted(x):
    w = torch.ones(3).cuda()
    return (x * w).sum()
"""
RUN = """import os

import torch

from loss import weighted

if __name__ == "__main__":
    {chooses}
    print(weighted(torch.zeros(3).cuda()))
"""


def goes(text: str) -> bool:
    """Whether the tensor that `weighted` makes goes to the device at hand."""
    return "torch.ones(3).to(device)" in text or "torch.ones(3, device=device)" in text


CHOOSES = {
    'torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))': True,
    "torch.cuda.set_device(0)": False,
    "torch.cuda.device(1).__enter__()": True,
    "torch.cuda.synchronize()": False,
}


@pytest.mark.parametrize("chooses", CHOOSES)
def test_a_device_with_an_index_is_not_the_current_gpu_where_another_file_chooses_that(
    tmp_path: Path, chooses: str
) -> None:
    files = {"loss.py": LOSS, "run.py": RUN.format(chooses=chooses)}
    assert goes(fixed(tmp_path / "call", files, "loss.py")) is not CHOOSES[chooses]
    guarded = "    w = torch.ones(3)\n    if torch.cuda.is_available():\n        w = w.cuda()\n"
    files = {"loss.py": LOSS.replace("    w = torch.ones(3).cuda()\n", guarded), "run.py": RUN.format(chooses=chooses)}
    assert goes(fixed(tmp_path / "guard", files, "loss.py")) is not CHOOSES[chooses]
    files = {"loss.py": LOSS, "run.ipynb": notebook(RUN.format(chooses=chooses))}
    assert goes(fixed(tmp_path / "notebook", files, "loss.py")) is not CHOOSES[chooses]


@pytest.mark.parametrize("chooses", CHOOSES)
def test_the_first_gpu_is_not_the_current_one_where_another_file_chooses_that(tmp_path: Path, chooses: str) -> None:
    text = LOSS.replace('"cuda:0" if', '"cuda" if').replace(".cuda()", '.to("cuda:0")')
    files = {"loss.py": text, "run.py": RUN.format(chooses=chooses)}
    assert goes(fixed(tmp_path / "repository", files, "loss.py")) is not CHOOSES[chooses]


@pytest.mark.parametrize("chooses", CHOOSES)
def test_a_device_without_an_index_is_the_current_gpu(tmp_path: Path, chooses: str) -> None:
    files = {"loss.py": LOSS.replace("cuda:0", "cuda"), "run.py": RUN.format(chooses=chooses)}
    assert goes(fixed(tmp_path / "repository", files, "loss.py"))


def test_a_script_that_shares_nothing_chooses_for_itself(tmp_path: Path) -> None:
    alone = "import os\n\nimport torch\n\ntorch.cuda.set_device(int(os.environ['LOCAL_RANK']))\n"
    assert goes(fixed(tmp_path / "repository", {"loss.py": LOSS, "alone.py": alone}, "loss.py"))


MODEL = """import argparse

import torch
from torch import nn


def build():
    return nn.Linear(3, 1).cuda()


def feed(net):
    return net(torch.ones(1, 3).cuda())


if __name__ == "__main__":
    argparse.ArgumentParser().parse_args()
    print(feed(build()))
"""
VISIBLE = {
    "import os\n\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\nfrom model import build\n": False,
    "import os\n\nfrom model import build\n\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\n": True,
    "import os\n\nfrom model import build\n\n\ndef main(gpu):\n    os.environ['CUDA_VISIBLE_DEVICES'] = gpu\n": True,
    "import os\n\nfrom model import build\n\nprint(os.environ['CUDA_VISIBLE_DEVICES'])\n": False,
    "import os\n\n\ndef main(gpu):\n    os.environ['CUDA_VISIBLE_DEVICES'] = gpu\n": False,
    "from multiprocessing import Process\nfrom model import build\n\n\ndef main():\n    Process(target=lambda: build().cuda()).start()\n": True,
    "from torch.multiprocessing import spawn\nfrom model import build\n\n\ndef main():\n    spawn(lambda: build().cuda())\n": False,
}


@pytest.mark.parametrize("other", VISIBLE)
def test_a_script_that_is_imported_asks_nothing_before_the_gpus_are_chosen(tmp_path: Path, other: str) -> None:
    after = fixed(tmp_path / "repository", {"model.py": MODEL, "train.py": other}, "model.py")
    head = after[: after.index("def build")]
    assert ("is_available" in head) is not VISIBLE[other]
    assert after.count("is_available") == (2 if VISIBLE[other] else 1)
    assert ".cuda()" not in after


@pytest.mark.parametrize("other", VISIBLE)
def test_a_definition_of_the_module_level_asks_only_where_nothing_is_chosen_later(tmp_path: Path, other: str) -> None:
    text = 'import torch\nfrom torch import nn\n\ndevice = torch.device("cuda")\n\n\ndef build():\n    return nn.Linear(3, 1).to(device)\n'
    after = fixed(tmp_path / "repository", {"model.py": text, "train.py": other}, "model.py")
    assert (after == text) is VISIBLE[other]


@pytest.mark.parametrize(
    "made", ["copy.deepcopy(Embedder())", "copy.copy(Embedder())", "first or Embedder()", "Embedder()"]
)
def test_a_receiver_whose_parameters_are_trained_is_what_it_is(tmp_path: Path, made: str) -> None:
    embedder = EMBEDDER + "\n    def parameters(self):\n        return self.model.parameters()\n"
    start = "import copy\nimport torch\nfrom embedder import Embedder\n\nfirst = None\n\n\ndef run(x):\n"
    body = f"    net = {made}\n    net.cuda()\n    torch.optim.SGD(net.parameters(), lr=0.1)\n    return net(x)\n\n\nrun(torch.ones(3))\n"
    assert "net.cuda()" in fixed(tmp_path / "own", {"main.py": start + body, "embedder.py": embedder}, "main.py")


def test_a_copied_module_is_a_module_beside_a_class_of_that_kind(tmp_path: Path) -> None:
    text = (
        "import copy\nimport torch\nfrom torch import nn\nfrom embedder import Embedder\n\n\ndef run(x):\n"
        "    net = copy.deepcopy(nn.Linear(3, 3))\n    net.cuda()\n    torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "    return net(x.cuda())\n\n\nrun(torch.ones(3))\n"
    )
    assert "net.to(device)" in fixed(tmp_path / "torch", {"main.py": text, "embedder.py": EMBEDDER}, "main.py")


SHADOWING = """import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def process(store_cuda=False):
    x = torch.ones(2, 3).cuda()
    net = nn.Linear(3, 3)
    if store_cuda:
        net.cuda()
    return x, net
"""


def test_a_device_of_a_function_does_not_take_the_name_that_other_fixes_write(tmp_path: Path) -> None:
    """Each fix was right alone; written together, the local device was read by the fix that means the module's."""
    after = fixed(tmp_path / "both", {"main.py": SHADOWING}, "main.py")
    assert "    torch_device = torch.device" in after
    assert "net.to(torch_device)" in after
    assert "x = torch.ones(2, 3, device=device)" in after
    alone = SHADOWING.replace("(2, 3).cuda()", "(2, 3)")
    assert "    device = torch.device" in fixed(tmp_path / "one", {"main.py": alone}, "main.py")
