"""What a text shows before it is parsed is what the parser finds: a glance that is wrong would be a finding that is missed."""

from __future__ import annotations

import ast
import io
import tokenize
import tracemalloc
import warnings
from pathlib import Path

import pytest

from placefix.diagnostic import triggered
from placefix.glance import Glance
from placefix.rules import RULES
from placefix.source import Source, SourceError

ROOT = Path(__file__).parent.parent
FILES = [
    *sorted((ROOT / "tests" / "cases").rglob("*.py")),
    *sorted((ROOT / "corpus" / "scripts").glob("*.py")),
    *sorted((ROOT / "src").rglob("*.py")),
]


def parsed(file: Path) -> tuple[Glance, ast.Module, Source] | None:
    """A file's glance, tree and text; None where it is not read by one of them."""
    try:
        source = Source.from_bytes(file.read_bytes())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source.text)
    except (SourceError, SyntaxError, ValueError):
        return None
    glance = Glance(source.text.encode("ascii", "replace"))
    return None if glance.code is None else (glance, tree, source)


def test_most_files_are_read() -> None:
    """The tests below cannot pass by reading none."""
    assert sum(parsed(file) is not None for file in FILES) > 0.95 * len(FILES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_what_is_blanked_are_strings_and_comments(file: Path) -> None:
    found = parsed(file)
    if found is None:
        return
    glance, _, source = found
    code = (glance.code or b"").decode()
    assert len(code) == len(source.text)
    starts = [0, *(i + 1 for i, c in enumerate(source.text) if c == "\n")]
    left = list(source.text.encode("ascii", "replace").decode())
    for token in tokenize.generate_tokens(io.StringIO(source.text, newline="").readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT) or "STRING" in tokenize.tok_name[token.type]:
            begin, end = starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1]
            plain = token.type == tokenize.COMMENT or not set("fFtT") & set(
                token.string[:3].partition(token.string.strip("rRbBuUfFtT")[:1])[0]
            )
            assert not plain or not code[begin + 3 : end].strip(" _"), (file, token)
            left[begin:end] = code[begin:end]
    assert "".join(left) == code


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_blocks_are_those_of_the_tree(file: Path) -> None:
    found = parsed(file)
    if found is None:
        return
    glance, tree, source = found

    def visit(node: ast.AST, around: list[str]) -> None:
        for child in ast.iter_child_nodes(node):
            inner = around
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inner = [child.name, *around]
            if isinstance(child, ast.stmt) and not getattr(
                child, "decorator_list", None
            ):  # which begins above its block
                assert [b.name.decode() for b in glance.around(source.span(child).start)] == inner, (file, child.lineno)
            visit(child, inner)

    visit(tree, [])


_CLASS = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n"


@pytest.mark.parametrize(
    "text",
    [
        _CLASS + "    def forward(self, x):\n        return x + torch.zeros(3)\n",
        _CLASS + "\tdef forward(self, x):\n\t\treturn x + torch.zeros(3)\n",
        (_CLASS + "    def forward(self, x):\n        return x + torch.zeros(3)\n").replace("\n", "\r\n"),
        (_CLASS + "    def forward(self, x):\n        return x + torch.zeros(3)\n").replace("\n", "\r"),
        "\ufeff" + _CLASS.partition("\n\n\n")[2] + "    def forward(self, x):\n        return x + torch.zeros(3)\n",
        _CLASS + "    def forward(self, x): return x + torch.zeros(3)\n",
        _CLASS + "    def forward(self, x):\n        y = (x +\ntorch.zeros(3))\n        return y\n",
        _CLASS + "    def forward(self, x):\n        y = x + \\\ntorch.zeros(3)\n        return y\n",
        _CLASS + "    def forward(self, x):\n        def inner():\n            return 1\n        return x + torch.zeros(3)\n",
        _CLASS + "    def forward(self, x):\n        def inner(a=(\n1)):\n            return f'(' + '(' # (\n        return x + torch.zeros(3)\n",
        _CLASS + "    def forward(self, x):\n        class Inner(nn.Module):\n            def __init__(self):\n                self.to('cpu')\n        return x + torch.zeros(3)\n",
        _CLASS + "    def forward(self, x):\n        '''\ndef other():\n'''\n        return x + torch.zeros(3)\n",
        _CLASS + "    def forward(self, x):\n        f'''\ndef other({x}):\n'''\n        return x + torch.zeros(3)\n",
        _CLASS + "    def forward(self, x):\n        return f'{x + torch.zeros(3)}'\n",
        _CLASS + "    def forward(self, x):\n        return f\"{x['a'] + torch.zeros(3)}\"\n",
        _CLASS + "    def forward(self, x):\n        return f'{x:{torch.zeros(3) + x}}'\n",
        _CLASS + "    def forward(self, x):\n        return x + torch.zeros(3, # device=x.device\n        )\n",
        _CLASS + "    def forward(self, x):\n        return x + torch.zeros(f(device=1))\n",
        _CLASS + "    def forward(self, x):\n        return x + torch.zeros((a, b(device=1)), names='device=')\n",
        _CLASS + "    def forward(self, x):\n        return x + torch.zeros(3).to(x.dtype)\n",
        _CLASS + "    def forward(self, x):\n        return x + torch.zeros(3).add(x).to(x.device)\n",
        _CLASS + "    def forward(self, x):\n        return [x + y for y in torch.zeros(3)]\n",
        _CLASS + "    def forward(self, x):\n        return [y.item() for y in torch.zeros(3) + x]\n",
        _CLASS + "    if True:\n        @torch.no_grad()\n        def forward(self, x):\n            return x + torch.zeros(3)\n",
        _CLASS + "    async def other(self, x):\n        return 1\n    def forward(self, x):\n        return (lambda: x + torch.zeros(3))()\n",
        _CLASS + "    def forward(self, x):\n        return helper(x)\n\ndef helper(x):\n    return x + deeper()\n\ndef deeper():\n    return torch.zeros(3)\n",
        _CLASS + "    def forward(self, x):\n        self.reset_parameters()\n    def reset_parameters(self):\n        self.w + torch.zeros(3)\n",
        "import torch as th\nfrom torch import nn\nclass Net(nn.Module):\n    def forward(self, x):\n        return x + th.zeros(3)\n",
        "from torch import nn, zeros\nclass Net(nn.Module):\n    def forward(self, x):\n        return x + zeros(3)\n",
        "from torch import nn, zeros as z, ones\nclass Net(nn.Module):\n    def forward(self, x):\n        return x + z(3)\n",
        "class Mixin:\n    def make(self):\n        return torch.zeros(3)\nclass Net(Mixin, nn.Module):\n    def forward(self, x):\n        return x + self.make()\n",
        "class Net[T](nn.Module):\n    def forward(self, x):\n        return x + torch.zeros(3)\n",
        "class Naïve(nn.Module):\n    def forward(self, x):\n        return x + torch.zeros(3)\n",
        "class Base(nn.Module):\n    def forward(self, x):\n        return self.make(x)\nclass Net(Base):\n    def make(self, x):\n        return x + torch.zeros(3)\n",
        "class Net(nn.Module):\n    class Inner:\n        def __init__(self):\n            self.x.to(d)\n    def forward(self, x):\n        return x + torch.zeros(3)\n",
        "class Net(nn.Module):\n    def __init__(self):\n        print('x.to(d)', f'x.to(d)')  # x.to(d)\n    def forward(self, x):\n        return x + torch.zeros(3)\n",
        _CLASS.replace("class Net", "@dataclass\nclass Net") + "    def forward(self, x):\n        return x + torch.zeros(3)\n",
        "# -*- coding: shift_jis -*-\nclass Net(nn.Module):\n    def forward(self, x):\n        return x + torch.zeros(3)\n",
    ],
)  # fmt: skip
def test_a_module_that_creates(text: str) -> None:
    assert Glance(text.encode()).creates()


@pytest.mark.parametrize(
    "text",
    [
        _CLASS + "    def forward(self, x):\n        '''>>> torch.zeros(3)'''  # torch.zeros(3)\n        return x\n",
        _CLASS + "    def forward(self, x):\n        return x + torch.zeros((a, b), device=x.device)\n",
        _CLASS + "    def forward(self, x):\n        return x + torch.zeros(3).unsqueeze(0).to(x.device)\n",
        _CLASS
        + "    def forward(self, x):\n        return [y.item() for y in torch.linspace(0, 1, sum(x)).split(x)]\n",
        _CLASS
        + "    def __init__(self):\n        self.w = nn.Parameter(torch.zeros(3))\n    def forward(self, x):\n        return x\n",
        _CLASS + "    def forward(self, x):\n        return x\n\nx = torch.zeros(3)\n",
        _CLASS + "    def forward(self, x):\n        return x\n\ndef main():\n    x = torch.zeros(3)\n",
        "class Data:\n    def forward(self, x):\n        return x + torch.zeros(3)\n",
        "class Hook(Callback):\n    def on_batch(self, x):\n        return x + torch.zeros(3)\n",
    ],
)
def test_a_module_that_creates_nothing(text: str) -> None:
    """A file is not parsed for the sake of these."""
    assert not Glance(text.encode()).creates()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("        self.t = torch.zeros(3)\n", True),
        ("        t = torch.zeros(3)\n        self.t = t * 2\n", True),
        ("        self.register_buffer('b', torch.zeros(3)); self.t = torch.ones(3)\n", True),
        ("        self.w = nn.Parameter(\n            torch.zeros(3), requires_grad=True)\n", False),
        ("        self.w = nn.Parameter(2 * (1 + torch.zeros(3)))\n", False),
        ("        self.register_buffer('b', torch.zeros(3).expand((1, -1)))\n", False),
        ("        self.t = torch.zeros(3)\n        self.net = Net().to(d)\n", False),
    ],
)
def test_a_module_that_keeps(text: str, kept: bool) -> None:
    text = f"{_CLASS}    def __init__(self):\n        super().__init__()\n{text}    def forward(self, x):\n        return x\n"
    assert Glance(text.encode()).keeps() is kept
    assert Glance(text.replace("\n", "\r\n").encode()).keeps() is kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("        self.layers = [nn.Linear(2, 2)]\n", True),
        ("        self.layers={'a': nn.Linear(2, 2)}\n", True),
        ("        layers = [nn.Linear(2, 2)]\n        self.layers = layers\n", True),
        ("        layers = []\n        for i in range(3):\n            layers.append(nn.Linear(2, 2))\n        self.a, self.layers = 1, layers\n        self.layers = layers[:2]\n", True),
        ("        layers = [nn.Linear(2, 2)]\n        self.layers = nn.Sequential(*layers)\n", False),
        ("        self.layers = []\n        self.layers.append(\n            nn.Linear(2, 2))\n", True),
        ("        self.layers = []\n    def add(self):\n        self.layers.append(nn.Linear(2, 2))\n", False),
        ("        self.layers = other\n        layers = nn.Sequential(nn.Linear(2, 2))\n", False),
    ],
)  # fmt: skip
def test_a_container_that_is_kept(text: str, kept: bool) -> None:
    assert Glance(f"{_CLASS}    def __init__(self):\n{text}".encode()).keeps_container() is kept


def test_what_is_parsed_for_one_rule_is_not_looked_at_for_another() -> None:
    text = _CLASS + "    def forward(self, x):\n        return x\n\nx = torch.zeros(3)\n"
    assert not triggered(RULES, text.encode())
    assert {"PF112", "PF304"} <= {rule.code for rule in triggered(RULES, f"{text}x.to(device)\n".encode())}


def test_a_text_without_end_is_not_read_to_its_end_again_and_again() -> None:
    """A bracket that is never closed: no line below is the first behind the block."""
    text = (
        _CLASS
        + "    def other(self, x):\n        return (x\n"
        + "x = 1\n" * 100_000
        + "    def forward(self, x):\n        return torch.zeros(3)\n"
    )
    assert Glance(text.encode()).may("creates")
    with pytest.raises(ValueError, match=r"^$"):
        Glance(text.encode()).creates()


def test_data_does_not_fill_the_memory() -> None:
    text = (
        _CLASS
        + "    def forward(self, x):\n        return torch.tensor(["
        + "(1, (2, 3)), " * 50_000
        + "], device=x.device)\n"
    )
    tracemalloc.start()
    glance = Glance(text.encode())
    found = glance.creates()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * len(text)
    assert found  # it is more than is looked through


_MODULE = (
    _CLASS
    + "    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(2, 2)\n\n    def forward(self, x):\n        return self.fc(x)\n\n"
)
_WHOLE = _MODULE + "class Whole(nn.Module):\n    def __init__(self):\n"
_BASED = "from library import Base\nfrom torch import nn\n\n\nclass Net(Base):\n    def __init__(self):\n        super().__init__()\n"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (_MODULE, False),
        (_MODULE + "net = Net()\n", True),
        (_MODULE + "def build():\n    return Net()\n", True),
        (_MODULE + "KINDS = {'net': Net}\n", True),
        (_MODULE + "kind = Net\n", True),
        (_MODULE + "def run(net: Net, kind=Net) -> Net:\n    return isinstance(net, Net)\n", False),
        (_MODULE + "def run(net: Net): return Net()\n", True),
        (_MODULE + "class Other(Net):\n    def __init__(self):\n        super(Net, self).__init__()\n", False),
        (_WHOLE + "        self.net = Net()\n", False),
        (_WHOLE + "        self.nets = nn.ModuleList([\n            Net() for _ in range(3)\n        ])\n", False),
        (_WHOLE + "        self.nets = [Net()]\n", True),
        (_WHOLE + "        self.nets = (\n            Net(), Net()\n        )\n", True),
        (_WHOLE + "        self.net = Net() if one else nn.Sequential(Net())\n", False),
        (_WHOLE + "        self.y = run(Net())\n", True),
        (_WHOLE + "        self.part.net = Net()\n", True),
        (_WHOLE + "        self.net: Net = Net()\n        self.to(device)\n", True),
        (_MODULE + "class Whole:\n    def __init__(self):\n        self.net = Net()\n", True),
        (_MODULE + "class Whole(Dataset):\n    def __init__(self):\n        self.net = Net()\n", True),
        (_MODULE + "class Whole(Plain):\n    def __init__(self):\n        self.net = Net()\n\n\nclass Plain:\n    pass\n", True),
        (_BASED + "        self.fc = nn.Linear(2, 2)\n        self.norm = nn.BatchNorm1d(2)\n", False),
        (_BASED + "        fc = nn.Linear(2, 2)\n        self.fc = fc\n", True),
        (_BASED + "        layers = []\n        layers.append(nn.Linear(2, 2))\n", False),
        (_BASED + "        layers = Layers()\n        layers.append(nn.Linear(2, 2))\n\nclass Layers:\n    def append(self, x):\n        x(y.cuda())\n", True),
        (_BASED + "        self.y = nn.Linear(2, 2)(x)\n", True),
        (_BASED + "        self.y = nn.Sequential(\n            nn.Linear(2, 2)\n        ).forward(x)\n", True),
        (_BASED + "        ys.append(nn.Linear(2, 2)(x))\n", True),
        (_BASED + "        y = nn.Softmax(-1)(x)\n        self.fc = nn.Linear(2, 2)\n", False),
        (_BASED + "        self.LayerNorm = other\n        y = self.LayerNorm(x)\n", False),
        (_BASED + "        self.fc = nn.Linear(2, 2)\n\n    def run(self, x):\n        place(self)\n        return self(x)\n", True),
        (_BASED + "        self.fc = nn.Linear(2, 2)\n\n    def run(self, x):\n        return self(x)\n", False),
        ("import torchvision\nnet = torchvision.models.resnet18()\n", True),
        ("from torchvision import models\nnet = models.resnet18()\n", True),
        ("from timm import create_model\nnet = create_model('x')\n", True),
        ("import transformers\nnet = transformers.AutoModel.from_pretrained('x')\n", True),
        ("x = 'nn.Linear(2, 2)'  # nn.Linear(2, 2)\n", False),
        ("import accelerate\nfrom torch import nn\nnet = nn.Linear(2, 2)\n", False),
        ('"""\nimport accelerate\n"""\nfrom torch import nn\nnet = nn.Linear(2, 2)\n', True),
        ("from helpers import build\nnet = build()\noptimizer = SGD(net.parameters())\n", True),
    ],
)  # fmt: skip
def test_a_module_that_may_be_left(text: str, left: bool) -> None:
    assert Glance(text.encode()).may("leaves_module") is left
    assert Glance(text.replace("\n", "\r\n").encode()).may("leaves_module") is left


@pytest.mark.parametrize(
    ("text", "discarded"),
    [
        ("x.to(device)\n", True),
        ("x.to(device), y.to(device)\n", True),
        ("(x.to(device), y.to(device))\n", True),
        ("x.float().to(device)\n", True),
        ("batch['x'].to(device)\n", True),
        ("f(x, [1, 2])[0].cuda()\n", True),
        ("(\n    x\n    .to(device)\n)\n", True),
        ("f(\n    x,\n).to(device)\n", True),
        ("f(a,\n    b).to(device)\n", True),
        ("x \\\n    .to(device)\n", True),
        ("if x: x.cuda()\n", True),
        ("y = 1; x.cuda()\n", True),
        ("x.to(device).float()\n", True),
        ("x = x.to(device)\n", False),
        ("return x.to(device)\n", False),
        ("f(x.to(device))\n", False),
        ("f(\n    x.to(device),\n    y.to(device)\n)\n", False),
        ("y = f(\n    x,\n).to(device)\n", False),
        ("y = \\\n    x.to(device)\n", False),
        ("y = (\n    x\n    .to(device)\n)\n", False),
        ("self.to(device)\n", False),
        ("print('x')  # x.to(device)\n", False),
    ],
)
def test_a_move_that_may_be_thrown_away(text: str, discarded: bool) -> None:
    for before, indent in (("", ""), ("y = f(\n    x\n)\n", ""), ("def f(x):\n    ", "    ")):
        inside = before + text.replace("\n", f"\n{indent}").rstrip(" ")
        assert Glance(inside.encode()).may("discards") is discarded
        assert Glance(inside.replace("\n", "\r\n").encode()).may("discards") is discarded


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("x = torch.zeros(3)\n", True),
        ("x = torch.zeros(3).to(device)\n", False),
        ("x = torch.zeros(3, device=device)\n", False),
        ("def f(x, y, device):\n    x = x.to(device)\n    return x + y\n", False),
        ("def f(x, y, device):\n    x = x.view(-1).to(device)\n    y = y.view(-1)\n    return x + y\n", True),
        ("def f(x, y, device):\n    x = x.view(-1)\n    x = x.to(device)\n    y = y.view(-1)\n    return x + y\n", True),
        ("def f(z, device):\n    x, y = z\n    x = x.cuda()\n    return x + y\n", True),
        ("def f(z, device):\n    (\n        y,\n        x,\n    ) = z\n    x = x.cuda()\n", True),
        ("def f(x: T, y: T = None, labels: T = None):\n    labels = labels.to(device)\n    return f(\n        x,\n        labels=labels,\n    )\n", False),
        ("def f(z, device):\n    for i, (y, x) in z:\n        x: Tensor = x.to(self.device)\n", True),
        ("def f(x, y, device):\n    x, y = x.cuda(), y.cuda()\n", True),
        ("def f(z, device):\n    x = g(\n        z[0],\n    ).to(my_device)  # moved\n    y = g(z[1])\n", True),
        ("def f(z, device):\n    x = g(\n        z,\n    ).to(my_device)\n", False),
        ("x, y = z\nx = x.to(device)\n", True),
        ("def f(x, y, device):\n    self.x = x.to(device)\n    x = g(x.to(device))\n    x = y + x.to(device)\n    return x.to(device)\n", False),
        ("p = nn.Parameter(torch.zeros(3))\n", False),
        ("p = nn.Parameter(2 * torch.zeros(3))\n", True),
        ("self.register_buffer('m', torch.tril(torch.ones(3, 3)))\n", False),
        ("import torch as th\nx = th.zeros(3)\ny = np.zeros(3)\n", True),
        ("import torch as th\ny = np.zeros(3)\n", False),
        ("make = torch.zeros\nx = make(3)\n", True),
        ("make = torch.ones if one else torch.zeros\nx = make(3)\n", True),
        ("def f(x: torch.FloatTensor) -> Optional[torch.LongTensor]:\n    return x\n", False),
        ("x = y.type(torch.FloatTensor)\n", True),
        ("t = transforms.Compose([transforms.ToTensor()])\n", True),
        ("t = AutoTokenizer.from_pretrained('x')\nx = t('a', return_tensors='pt')\n", True),
        ("def f(x, return_tensors=None):\n    return x\n", False),
        ("from helpers import make\nx = make()\ny.backward()\nz.backward(x)\n", True),
    ],
)  # fmt: skip
def test_a_tensor_that_may_be_made(text: str, made: bool) -> None:
    text = text if text.startswith("import torch") else f"import torch\n{text}"
    assert Glance(text.encode()).may("makes_tensor") is made


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("weighs", "f = nn.CrossEntropyLoss()\n", False),
        ("weighs", "f = nn.CrossEntropyLoss(reduction='none', ignore_index=-100)\n", False),
        ("weighs", "f = nn.CrossEntropyLoss(weight=w)\n", True),
        ("weighs", "f = nn.CrossEntropyLoss(w, reduction='none')\n", True),
        ("weighs", "f = nn.BCEWithLogitsLoss(\n    pos_weight=w,\n)\n", True),
        ("weighs", "class MyLoss(nn.Module):\n    pass\n", False),
        ("reads_memory", "y = x.numpy()\n", True),
        ("reads_memory", "y = x.cpu().numpy()\n", False),
        ("reads_memory", "y = np.array(x)\n", True),
        ("reads_memory", "y = np.array([1, 2])\n", False),
        ("reads_memory", "y = np.asarray(x.cpu())\n", False),
        ("reads_memory", "a.append(x)\ny = np.mean(a)\n", True),
        ("goes_over_batches", "from torch.utils.data import DataLoader as DL\nfor x in DL(data):\n    pass\n", True),
        ("goes_over_batches", "for x in self.loaders['train']:\n    pass\n", True),
        ("goes_over_batches", "for i, x in enumerate(\n    train_loader\n):\n    pass\n", True),
        ("goes_over_batches", "def load(loader):\n    return loader.data\n", False),
        ("optimizes", "optimizer = torch.optim.SGD(groups, 0.1)\n", True),
        ("optimizes", "optimizer = Lion(net.parameters(recurse=True))\n", True),
        ("optimizes", "def parameters(x):\n    return x.data\n", True),
        ("optimizes", "x = net.weight\n", False),
    ],
)  # fmt: skip
def test_what_else_may_be(question: str, text: str, answer: bool) -> None:
    assert Glance(text.encode()).may(question) is answer
