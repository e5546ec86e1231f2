"""Pasted code: what Python cannot read as it stands, and a fix that goes back into the text as it was pasted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import nbformat
import pytest

from placefix import engine, fragment
from placefix.cli.application import app
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.source import Source

if TYPE_CHECKING:
    from pathlib import Path

LOOP = """\
for images, labels in train_loader:
    images = images.to(device)
    outputs = model(images)
    loss = criterion(outputs, labels)
    loss.backward()
"""
METHOD = """\
    def forward(self, x):
        h0 = torch.zeros(self.layers, x.size(0), self.size)
        out, _ = self.gru(x, h0)
        return out
"""
CLASSIC = """\
>>> import torch
>>> device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
>>> model = torch.nn.Linear(3, 2).to(device)
>>> x = torch.ones(4, 3)
>>> x.shape
torch.Size([4, 3])
>>> for i in range(2):
...     print(model(x).shape)
...
torch.Size([4, 2])
torch.Size([4, 2])
"""
IPYTHON = """\
In [1]: import torch

In [2]: model = torch.nn.Linear(3, 2).cuda()

In [3]: for i in range(2):
   ...:     print(model(torch.ones(4, 3, device="cuda")).shape)
   ...:
torch.Size([4, 2])

In [4]: 1 + 1
Out[4]: 2
"""


def indented(text: str, margin: str = "        ") -> str:
    return "".join(margin + line if line.strip() else line for line in text.splitlines(keepends=True))


def fixed(text: str) -> str:
    """The text as standard input comes out of `apply --unsafe-fixes`, read as pasted code."""
    source = fragment.Fragment.of(Source(text))
    assert source.encode(source.text).decode() == text, "nothing is lost where nothing is changed"
    outcome = engine.fix(source, Settings(), engine.rules_for_single_file(RULES), unsafe=True)
    assert isinstance(outcome, engine.Changed | engine.Unchanged), outcome
    return source.encode(outcome.text).decode() if isinstance(outcome, engine.Changed) else text


# --- texts that change ---------------------------------------------------------------------------


def test_an_indented_block_keeps_its_indentation() -> None:
    line = "    images = images.to(device)\n"
    assert fixed(indented(LOOP)) == indented(LOOP.replace(line, line + line.replace("images", "labels")))


def test_an_indented_block_with_tabs_and_other_newlines() -> None:
    text = indented(LOOP, "\t").replace("\n", "\r\n")
    assert "\t    labels = labels.to(device)\r\n" in fixed(text)


def test_comments_may_stand_at_the_left_margin() -> None:
    assert "        labels = labels.to(device)" in fixed("# the loop\n" + indented(LOOP, "    "))


def test_prompts_come_back() -> None:
    assert fixed(CLASSIC) == CLASSIC.replace("ones(4, 3)", "ones(4, 3, device=device)", 1)


def test_prompts_in_a_docstring() -> None:
    assert fixed(indented(CLASSIC, "    ")) == indented(fixed(CLASSIC), "    ")


def test_a_new_statement_goes_into_its_cell_of_ipython() -> None:
    after = fixed(IPYTHON)
    new = 'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")'
    assert f"In [2]: {new}\n   ...:\n   ...: model = torch.nn.Linear(3, 2).to(device)\n" in after
    assert "   ...:     print(model(torch.ones(4, 3, device=device)).shape)\n" in after
    assert after.endswith("torch.Size([4, 2])\n\nIn [4]: 1 + 1\nOut[4]: 2\n")


def test_a_new_statement_of_the_plain_prompt() -> None:
    text = ">>> import torch\n>>> net = torch.nn.Linear(3, 2).cuda()\n>>> if True:\n...     net = net.cuda()\n"
    after = fixed(text).splitlines()
    assert '>>> device = torch.device("cuda" if torch.cuda.is_available() else "cpu")' in after
    assert ">>> net = torch.nn.Linear(3, 2).to(device)" in after
    assert "...     net = net.to(device)" in after


@pytest.mark.parametrize("left_out", ["...", "...  # more", "... and so on ...", "…"])
def test_lines_left_out(left_out: str) -> None:
    lines = LOOP.splitlines(keepends=True)
    text = "".join([*lines[:3], left_out + "\n", *lines[3:]])
    assert fixed(text).splitlines()[2:5] == ["    labels = labels.to(device)", "    outputs = model(images)", left_out]


def test_an_indented_method_is_one_of_a_module() -> None:
    assert fixed(METHOD) == METHOD.replace("self.size)", "self.size, device=x.device)")


# --- texts that do not change --------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        indented("for images, labels in train_loader:\n    print(images, labels)\n"),
        indented("from setup import *\n" + LOOP),
        ">>> x.shape\ntorch.Size([4, 3])\n>>> x.cuda\n<method>\n",
        METHOD.replace("self.size)", "self.size, device=x.device)"),
        METHOD.replace("self.gru(x, h0)", "self.mixed(x, h0)"),
        METHOD.replace("forward", "states"),
        "In [1]: x = 1\n\nIn [2]: x\nOut[2]: 1\n",
        "    text = '''\n    a\n'''\n",
    ],
    ids=["no move", "star", "output", "placed", "unknown layer", "no forward", "numbers", "string"],
)
def test_nothing_to_repair(text: str) -> None:
    if "'''" in text:
        with pytest.raises(engine.ParseError):  # the string would change with the indentation
            fixed(text)
    else:
        assert fixed(text) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = = 1\n", "it has no prompts and no common indentation"),
        ("    x = = 1\n", "without its indentation, line 1"),
        (">>> x = (\n1\n", "without its prompts, line 1"),
        ("def f():\n    return 1\n  y = 2\n", "no common indentation"),
    ],
)
def test_a_text_that_is_none_says_why(text: str, reason: str) -> None:
    with pytest.raises(engine.ParseError, match="nor as pasted code") as error:
        fragment.Fragment.of(Source(text))
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


def test_no_edit_touches_what_is_no_code() -> None:
    source = fragment.Fragment.of(Source(CLASSIC))
    at = source.text.index("# %% pasted")
    assert source.keeps(at, at + 4)
    assert not source.keeps(0, 4)


# --- the outcomes that the founding examples should have, on programs of our own ------------------

WRAPPED_FIRST = """\
if torch.cuda.device_count() > 1:
    net = nn.DataParallel(net)
    net.to(device)
"""
STEP = "y = net(x)\nerror = criterion(y, t)\nerror.backward()\n"
RANKS = """\
import torch.distributed as dist
import torch.nn as nn
import torch.utils.data as part

def work(rank, size):
    dist.init_process_group("gloo", rank=rank, world_size=size)
    net = nn.DataParallel(TheirNet().to(rank))
    rows = part.DataLoader(THEIR_ROWS, batch_size=4)
    optimizer = torch.optim.SGD(net.parameters())
    for part, wanted in rows:
        nn.functional.mse_loss(net(part), wanted).backward()
        optimizer.step()

torch.multiprocessing.spawn(work, args=(2,), nprocs=2)
"""
EXAMPLES = {
    "all is moved": ("x = x.to(device)\nt = t.to(device)\n" + STEP, []),
    "labels are left": (
        WRAPPED_FIRST + "x = torch.ones(8, 3)\nt = torch.ones(8, dtype=torch.long)\n" + STEP,
        ["PF102 style unsafe", "PF302 warning unsafe", "PF302 error unsafe"],
    ),
    "each part is moved": (
        WRAPPED_FIRST
        + "xs = torch.ones(8, 3)\nts = torch.ones(8, dtype=torch.long)\nfor i in range(0, 8, 4):\n"
        + indented("x = xs[i:i + 4].to(device)\nt = ts[i:i + 4].to(device)\n" + STEP, "    "),
        ["PF102 style unsafe"],
    ),
    "in a process of several": ("import torch\n" + RANKS, ["PF107 error none", "PF301 warning unsafe"]),
    "never placed": (
        "net = nn.DataParallel(TheirNet())\ndevice = torch.device('cuda:0')\nfor x, t in loader:\n    y = net(x.to(device))\n",
        ["PF103 warning unsafe"],
    ),
    "no device at all": (
        "net = nn.DataParallel(TheirNet())\ny = net(x)  # on all devices\n",
        ["PF103 warning none"],
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_founding_examples(name: str) -> None:
    text, wanted = EXAMPLES[name]
    rules = [rule for rule in RULES if rule.code < "PF4" and not rule.opt_in]
    found = engine.check(Source(text), Settings(), rules)
    assert [f"{d.code} {d.severity.value} {d.fix.applicability.value if d.fix else 'none'}" for d in found] == wanted
    for finding in found:
        if finding.fix is not None:
            assert "nothing here binds" in finding.fix.premise


def test_what_needs_no_assumption_keeps_its_promise() -> None:
    text = (
        "import torch\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n"
        "net = torch.nn.Linear(3, 2).to(device)\nx = torch.ones(4, 3)\nprint(net(x))\nplot(np.zeros(3))\n"
    )
    (finding,) = engine.check(Source(text), Settings(), RULES)
    assert finding.fix is not None
    assert finding.fix.applicability.value == "safe"


# --- places --------------------------------------------------------------------------------------


@pytest.mark.parametrize("imports", ["", "import torch\nfrom torch import nn\n"])
def test_a_text_that_does_not_import_torch_has_no_safe_fix(imports: str) -> None:
    text = imports + (
        "device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\nnet = nn.Linear(2, 2)\nother = nn.Linear(2, 2)\n"
        "net.to(device)\nother.cuda()\nprint(list(other.parameters()))\n"
    )
    (one,) = engine.check(Source(text), Settings(), RULES)
    assert one.code == "PF401"
    assert one.fix is not None
    assert one.fix.applicability.value == ("safe" if imports else "unsafe")


def test_places_are_those_of_the_pasted_text() -> None:
    (found,) = engine.check(fragment.Fragment.of(Source(METHOD)), Settings(), RULES)
    source = fragment.Fragment.of(Source(METHOD))
    assert source.location(found.span.start) == (2, METHOD.splitlines()[1].index("torch.zeros") + 1)
    assert source.shown_line(source.line_of(found.span.start)) == METHOD.splitlines(keepends=True)[1]
    assert "_Fragment" not in found.message
    assert found.fix is not None
    assert "`self.gru` (torch.nn.GRU)" in found.fix.premise
    (other, *_) = engine.check(fragment.Fragment.of(Source(CLASSIC)), Settings(), RULES)
    assert fragment.Fragment.of(Source(CLASSIC)).location(other.span.start) == (4, 9)


# --- the command line ----------------------------------------------------------------------------


def run(*arguments: str, text: str = "") -> tuple[int, str]:
    from typer.testing import CliRunner

    result = CliRunner().invoke(app, [*arguments, "--isolated"], input=text)
    return result.exit_code, result.output


def test_standard_input_is_read_as_pasted_code() -> None:
    code, output = run("check", "-", text=indented(LOOP))
    assert code == 1
    assert "-:1:13: warning PF301" in output
    assert "\n    +            labels = labels.to(device)\n" in output


def test_standard_input_that_is_no_code() -> None:
    code, output = run("check", "-", text="please help\n")
    assert code == 2
    assert "cannot be parsed as Python 3" in output
    assert "nor as pasted code: it has no prompts and no common indentation" in output


def test_edits_in_json_are_those_of_the_pasted_text() -> None:
    _, output = run("check", "-", "--output-format", "json", "--quiet", text=indented(LOOP))
    (finding,) = json.loads(output)
    assert finding["location"] == {"row": 1, "column": 13}
    place = {"row": 3, "column": 1}
    content = "            labels = labels.to(device)\n"
    assert finding["fix"]["edits"] == [{"content": content, "location": place, "end_location": place}]


def test_a_file_is_read_as_pasted_code_on_request(tmp_path: Path) -> None:
    file = tmp_path / "pasted.py"
    file.write_text(indented(LOOP))
    assert run("check", str(file))[0] == 2
    code, output = run("check", "--fragment", str(file))
    assert code == 1
    assert "PF301" in output
    run("apply", "--fragment", "--unsafe-fixes", str(file))
    assert "            labels = labels.to(device)\n" in file.read_text()


def test_a_file_that_python_reads_is_read_as_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "plain.py"
    file.write_text('def f(x):\n    """\n    >>> f(1)\n    """\n    return x.cuda()\n')
    plain, pasted = run("check", str(file)), run("check", "--fragment", str(file))
    assert plain == pasted


# --- notebooks -----------------------------------------------------------------------------------


def test_cells_are_read_as_pasted_code(tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook()
    first = "import torch\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')"
    model = ">>> model = torch.nn.Linear(3, 2).to(device)\n>>> x = torch.ones(4, 3)\n>>> x.shape\ntorch.Size([4, 3])"
    notebook.cells = [nbformat.v4.new_code_cell(c) for c in (first, model, "    y = model(x)", "what is this?")]
    file = tmp_path / "pasted.ipynb"
    nbformat.write(notebook, file)
    _, output = run("apply", str(file))
    after = nbformat.read(file, as_version=4)
    assert after.cells[1].source == model.replace("ones(4, 3)", "ones(4, 3, device=device)", 1), output
    assert [cell.source for cell in after.cells[2:]] == ["    y = model(x)", "what is this?"]
    assert "cell 4" in output
