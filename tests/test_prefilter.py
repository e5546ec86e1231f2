"""The prefilter agrees with the parser: a wrong answer of the prefilter would be a missed finding."""

from __future__ import annotations

import ast
import io
import tokenize
import tracemalloc
import warnings
from pathlib import Path

import pytest

from each import check_each
from placefix.byte_patterns import in_bytes, matches, matching_parts
from placefix.diagnostic import triggered_rules
from placefix.facts.program import outside_callers, registrations, repository
from placefix.facts.program.class_hierarchy import CLASS_HEADER
from placefix.prefilter.scanner import CodeScanner
from placefix.rules import RULES
from placefix.source import Source, SourceError

ROOT = Path(__file__).parent.parent
FOLDERS = [
    *sorted(p for p in (ROOT / "tests" / "cases").iterdir() if p.is_dir()),
    ROOT / "corpus" / "scripts",
    ROOT / "src",
]


def parsed(file: Path) -> tuple[CodeScanner, ast.Module, Source] | None:
    """The scanner, tree and text of a file; None where it is not read by one of them."""
    try:
        source = Source.from_bytes(file.read_bytes())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source.text)
    except (SourceError, SyntaxError, ValueError):
        return None
    scanner = CodeScanner(source.text.encode("ascii", "replace"))
    return None if scanner.code is None else (scanner, tree, source)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_files(folder: Path) -> None:
    unread = []

    def agrees(file: Path) -> None:
        found = parsed(file)
        if found is None:
            unread.append(file)
            return
        blanks_strings_and_comments(file, *found)
        has_the_blocks_of_the_tree(file, *found)

    check_each(agrees, sorted(folder.rglob("*.py")))
    assert len(unread) <= 2, "it cannot pass by reading none"


def blanks_strings_and_comments(file: Path, scanner: CodeScanner, tree: ast.Module, source: Source) -> None:
    code = (scanner.code or b"").decode()
    assert len(code) == len(source.text)
    starts = [0, *(i + 1 for i, c in enumerate(source.text) if c == "\n")]
    left = list(source.text.encode("ascii", "replace").decode())
    opened: list[int] = []  # from 3.12 on an f-string is many tokens, with strings among them
    for token in tokenize.generate_tokens(io.StringIO(source.text, newline="").readline):
        kind = tokenize.tok_name[token.type]
        if kind.endswith("STRING_START"):
            opened.append(starts[token.start[0] - 1] + token.start[1])
        elif kind.endswith("STRING_END"):
            begin, end = opened.pop(), starts[token.end[0] - 1] + token.end[1]
            left[begin:end] = code[begin:end]
        elif token.type in (tokenize.STRING, tokenize.COMMENT) and not opened:
            begin, end = starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1]
            plain = token.type == tokenize.COMMENT or not set("fFtT") & set(
                token.string[:3].partition(token.string.strip("rRbBuUfFtT")[:1])[0]
            )
            assert not plain or not code[begin + 3 : end].strip(" _"), (file, token)
            left[begin:end] = code[begin:end]
    assert "".join(left) == code


def has_the_blocks_of_the_tree(file: Path, scanner: CodeScanner, tree: ast.Module, source: Source) -> None:
    def visit(node: ast.AST, around: list[str]) -> None:
        for child in ast.iter_child_nodes(node):
            inner = around
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inner = [child.name, *around]
            if isinstance(child, ast.stmt) and not getattr(
                child, "decorator_list", None
            ):  # which begins above its block
                assert [b.name.decode() for b in scanner.around(source.span(child).start)] == inner, (
                    file,
                    child.lineno,
                )
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
    assert CodeScanner(text.encode()).creates()


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
    assert not CodeScanner(text.encode()).creates()


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
    assert CodeScanner(text.encode()).keeps() is kept
    assert CodeScanner(text.replace("\n", "\r\n").encode()).keeps() is kept


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
    assert CodeScanner(f"{_CLASS}    def __init__(self):\n{text}".encode()).keeps_container() is kept


def test_what_is_parsed_for_one_rule_is_not_looked_at_for_another() -> None:
    text = _CLASS + "    def forward(self, x):\n        return x\n\nx = torch.zeros(3)\n"
    assert not triggered_rules(RULES, text.encode())
    assert {"PF112", "PF304"} <= {rule.code for rule in triggered_rules(RULES, f"{text}x.to(device)\n".encode())}


def test_a_text_without_end_is_not_read_to_its_end_again_and_again() -> None:
    """A bracket that is never closed: no line below is the first behind the block."""
    text = (
        _CLASS
        + "    def other(self, x):\n        return (x\n"
        + "x = 1\n" * 100_000
        + "    def forward(self, x):\n        return torch.zeros(3)\n"
    )
    assert CodeScanner(text.encode()).may_match("creates")
    with pytest.raises(ValueError, match=r"^$"):
        CodeScanner(text.encode()).creates()


def test_data_does_not_fill_the_memory() -> None:
    text = (
        _CLASS
        + "    def forward(self, x):\n        return torch.tensor(["
        + "(1, (2, 3)), " * 50_000
        + "], device=x.device)\n"
    )
    tracemalloc.start()
    scanner = CodeScanner(text.encode())
    found = scanner.creates()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * len(text)
    assert found  # it is more than is looked through


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("    def forward(self, x):\n        return nn.Linear(2, 2)(x)\n", True),
        (
            "    def forward(self, x):\n        def inner():\n            pass\n        return nn.Linear(2, 2)(x)\n",
            True,
        ),
        ("    def forward(self, x):\n        return nn.ReLU()(x)\n", False),
        ("    def forward(self, x):\n        return x\n\n    def head(self):\n        return nn.Linear(2, 2)\n", False),
    ],
)
def test_a_layer_that_forward_makes(text: str, made: bool) -> None:
    assert CodeScanner((_CLASS + text).encode()).may_match("makes_layers") is made


LINES = [
    b"class A(Base):\n    pass\nclass B(\n    Base, Other\n): pass\n",
    b"import a\nfrom b import (\n    c,\n)\n\n\timport d\r\nx = 1\n",
    b"@REG.register\nREG[1] = 2\n  REG[3]\nREG\nREG.add(x)",
    b"\n\n    class C:\n    if __name__\nif __name__ == '__main__':\n",
    b"",
]


@pytest.mark.parametrize(
    "pattern",
    [
        CLASS_HEADER,
        repository._IMPORT_STATEMENT,
        registrations._DOTTED_NAME,
        outside_callers._SCRIPT[0],
        r"def[ \t]+\w+",
    ],
)
@pytest.mark.parametrize("data", LINES)
def test_searching_from_line_ends_finds_the_matches_of_the_pattern(pattern: str, data: bytes) -> None:
    found = [match[0] for match in in_bytes(pattern).finditer(data)]
    assert matching_parts(pattern, data) == found
    assert matches(pattern, data) == bool(found)
