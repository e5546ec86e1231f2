"""Notebooks: cells as one program, and files in which nothing but sources changes."""

from __future__ import annotations

import ast
import itertools
import json
import random
import re
import subprocess
from typing import TYPE_CHECKING, Any

import nbformat
import pytest

import placefix
from command import run
from placefix import engine
from placefix.config import Configs
from placefix.diagnostic import Insert, Span
from placefix.discover import discover
from placefix.engine import Changed, Skipped, Unchanged
from placefix.notebook import Notebook
from placefix.runner import check as check_files
from placefix.source import SourceError
from test_cases import FILES, Case, chosen, read

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEAD = "import torch\nfrom torch import nn\n\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')"


def document(*cells: str, **more: Any) -> dict[str, Any]:
    """A notebook of code cells; one that starts with `#md ` is Markdown."""
    found = []
    for number, text in enumerate(cells):
        lines = text.splitlines(keepends=True)
        if text.startswith("#md "):
            found.append({"cell_type": "markdown", "id": f"c{number}", "metadata": {}, "source": lines})
        else:
            found.append(
                {
                    "cell_type": "code",
                    "execution_count": None,
                    "id": f"c{number}",
                    "metadata": {},
                    "outputs": [],
                    "source": lines,
                }
            )
    made = {"cells": found, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}
    nbformat.validate(nbformat.from_dict(json.loads(json.dumps(made))))
    return made


def notebook(*cells: str, **more: Any) -> bytes:
    return (json.dumps(document(*cells, **more), indent=1, ensure_ascii=False) + "\n").encode()


def sources(data: bytes) -> list[str]:
    """The cells' sources, as nbformat reads a notebook that it finds valid."""
    read = nbformat.reads(data.decode("utf-8-sig"), as_version=4)
    nbformat.validate(read)
    return [cell.source for cell in read.cells]


def fixed(*cells: str, unsafe: bool = False, **more: Any) -> list[str]:
    """The sources after the fixes; nothing but sources has changed, and a second run changes nothing."""
    data = notebook(*cells, **more)
    options = placefix.Options(unsafe_fixes=unsafe)
    outcome = placefix.fix_source(data, name="n.ipynb", options=options)
    if isinstance(outcome, Unchanged):
        return list(cells)
    assert isinstance(outcome, Changed), outcome
    assert without_sources(outcome.text.encode()) == without_sources(data)
    assert isinstance(placefix.fix_source(outcome.text, name="n.ipynb", options=options), Unchanged)
    return sources(outcome.text.encode())


def without_sources(data: bytes) -> Any:
    read = json.loads(data)
    for cell in read["cells"]:
        del cell["source"]
    return read


def codes(*cells: str) -> list[tuple[str, int | None, int, int]]:
    """Code, cell, row and column of each finding."""
    data = notebook(*cells)
    program = Notebook.from_bytes(data, "n.ipynb")
    found = placefix.check_source(program)
    return [(d.code, program.cell(d.span.start), *program.location(d.span.start)) for d in found]


# One program


def test_a_definition_serves_later_cells() -> None:
    cells = (HEAD, "#md text", "net = nn.Linear(3, 1)", "net = nn.DataParallel(net)\nnet.to(device);")
    assert codes(*cells) == [("PF102", 4, 1, 7)]
    assert fixed(*cells)[-1] == "net.to(device);\nnet = nn.DataParallel(net)"


@pytest.mark.parametrize(
    "cells",
    [
        ("DEVICE = 'cuda'", "import torch\nmodel = torch.nn.Linear(2, 2).to(DEVICE)"),
        ("def f(x):\n    return x.cuda() if x else None\nf([])", "import torch\nf(torch.ones(2))"),
    ],
)
def test_torch_is_not_read_above_the_cell_that_imports_it(cells: tuple[str, ...]) -> None:
    outcome = placefix.fix_source(notebook(*cells), name="n.ipynb")
    assert isinstance(outcome, Unchanged), outcome
    assert "`torch` may not be bound there" in outcome.remaining[0].note


def test_a_function_may_read_what_a_later_cell_binds() -> None:
    cells = ("import os", "def f(x):\n    return x.cuda()", "import torch\ny = f(torch.ones(2).cuda())")
    assert "return x.to(device)" in fixed(*cells)[1]


def test_a_name_reused_in_a_later_cell_is_a_new_binding() -> None:
    first = "model = nn.Linear(3, 1).to(device)\nopt = torch.optim.SGD(model.parameters(), lr=0.1)"
    assert (
        codes(
            HEAD, first, "model = nn.Linear(3, 2)\nmodel.to(device)\nopt = torch.optim.SGD(model.parameters(), lr=0.1)"
        )
        == []
    )


OPTIMIZER = "model = nn.Linear(3, 1)\nopt = torch.optim.SGD(model.parameters(), lr=0.1)"


STEP = "loss = model(torch.ones(1, 3)).sum()\nloss.backward()\nopt.step()"


def test_an_optimizer_goes_to_the_cell_of_the_placement() -> None:
    cells = fixed(HEAD, OPTIMIZER, "#md between", "model.to(device)", "opt.zero_grad()")
    assert cells[1:] == [
        "model = nn.Linear(3, 1)",
        "#md between",
        "model.to(device)\nopt = torch.optim.SGD(model.parameters(), lr=0.1)",
        "opt.zero_grad()",
    ]


def test_an_optimizer_that_may_not_move_is_reported() -> None:
    cells = (HEAD, OPTIMIZER, STEP, "model.to(device)")
    assert fixed(*cells) == list(cells)
    assert [code for code, *_ in codes(*cells)] == ["PF201"]


TRAINS = STEP.replace("(1, 3)", "(1, 3, device=device)")


@pytest.mark.parametrize(
    "training",
    [
        "model.to(device)\n" + TRAINS,
        "model.to(device)\nfor _ in range(3):\n    " + TRAINS.replace("\n", "\n    "),
        "def train():\n    " + TRAINS.replace("\n", "\n    ") + "\nmodel.to(device)\ntrain()",
        "model.to(device)\nopt.zero_grad()",
    ],
)
def test_an_optimizer_stays_out_of_the_cell_that_trains(training: str) -> None:
    """To run that again would make a new one: the placement moves to the optimizer."""
    cells = fixed(HEAD, OPTIMIZER, training)
    assert cells[1].splitlines() == [OPTIMIZER.splitlines()[0], "model.to(device)", OPTIMIZER.splitlines()[1]]
    assert cells[2] == training.replace("model.to(device)\n", "")


def test_an_optimizer_that_only_fits_into_the_cell_that_trains_is_reported() -> None:
    training = "average = AveragedModel(model)\nmodel.to(device)\n" + TRAINS
    cells = (HEAD + "\nfrom torch.optim.swa_utils import AveragedModel", OPTIMIZER, training)
    assert fixed(*cells) == list(cells)
    assert [code for code, *_ in codes(*cells)] == ["PF201"]


def test_an_optimizer_moves_within_the_cell_that_trains() -> None:
    """There it was built anew before."""
    cells = fixed(HEAD, "model = nn.Linear(3, 1)", OPTIMIZER.splitlines()[1] + "\nmodel.to(device)\n" + TRAINS)
    assert cells[2] == "model.to(device)\n" + OPTIMIZER.splitlines()[1] + "\n" + TRAINS


def counted(*runs: int | None) -> bytes:
    made = document(HEAD, OPTIMIZER, "model.to(device)")
    for cell, count in zip(made["cells"], runs, strict=True):
        cell["execution_count"] = count
    return json.dumps(made).encode()


@pytest.mark.parametrize("runs", [(1, 2, 3), (1, None, 7), (None, None, None)])
def test_cells_run_in_order_let_statements_cross(runs: tuple[int | None, ...]) -> None:
    assert isinstance(placefix.fix_source(counted(*runs), name="n.ipynb"), Changed)


@pytest.mark.parametrize("runs", [(1, 3, 2), (5, None, 4), (2, 2, 3)])
def test_cells_run_in_another_order_make_it_unsafe(runs: tuple[int | None, ...]) -> None:
    data = counted(*runs)
    assert isinstance(placefix.fix_source(data, name="n.ipynb"), Unchanged)
    [found] = placefix.check_source(data, name="n.ipynb")
    assert found.fix is not None
    assert (found.fix.applicability.value, found.fix.premise) == (
        "unsafe",
        "the cells are run from the first to the last, which they were not the last time",
    )
    assert isinstance(placefix.fix_source(data, name="n.ipynb", options=placefix.Options(unsafe_fixes=True)), Changed)


def failed(run: int | None, later: int | None, *, tags: tuple[str, ...] = (), ename: str = "RuntimeError") -> str:
    made = document(HEAD, "net = nn.Linear(3, 1)\nnet = nn.DataParallel(net)\nnet.to(device)", "x = 1")
    made["cells"][1]["execution_count"], made["cells"][2]["execution_count"] = run, later
    made["cells"][1]["metadata"]["tags"] = list(tags)
    if run is not None:
        made["cells"][1]["outputs"] = [{"output_type": "error", "ename": ename, "evalue": "", "traceback": []}]
    return json.dumps(made)


@pytest.mark.parametrize("data", [failed(1, 2), failed(None, None, tags=("raises-exception",))])
def test_an_error_that_may_be_shown_on_purpose(data: str) -> None:
    assert isinstance(placefix.fix_source(data, name="n.ipynb"), Unchanged)
    [found] = placefix.check_source(data, name="n.ipynb")
    assert found.fix is not None
    assert found.fix.premise == "the error that the cell ended in was not there to be shown"


@pytest.mark.parametrize(
    "data", [failed(1, None), failed(2, 1), failed(1, 2, ename="KeyboardInterrupt"), failed(None, None, tags=("x",))]
)
def test_an_error_that_ended_the_work_is_repaired(data: str) -> None:
    assert isinstance(placefix.fix_source(data, name="n.ipynb"), Changed)


def test_a_function_reads_what_is_imported_above_its_call() -> None:
    cells = fixed("from torch import nn", "def f(x):\n    return x.cuda()", "import torch\nf(torch.ones(2))")
    assert cells[1] == (
        'def f(x):\n    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")\n    return x.to(device)'
    )


def test_an_order_of_execution_says_nothing_of_one_cell() -> None:
    made = document(HEAD, "net = nn.Linear(3, 1)\nnet = nn.DataParallel(net)\nnet.to(device)")
    made["cells"][0]["execution_count"], made["cells"][1]["execution_count"] = 9, 4
    assert isinstance(placefix.fix_source(json.dumps(made), name="n.ipynb"), Changed)


def test_a_definition_goes_into_the_cell_of_the_imports() -> None:
    cells = fixed(
        "%%bash\nls",
        "%%time\nimport torch\nfrom torch import nn",
        "#md x",
        "nn.Linear(3, 1).cuda()(torch.ones(3).cuda())",
    )
    assert cells[0] == "%%bash\nls"
    assert (
        cells[1]
        == '%%time\nimport torch\nfrom torch import nn\n\ndevice = torch.device("cuda" if torch.cuda.is_available() else "cpu")'
    )
    assert cells[3] == "nn.Linear(3, 1).to(device)(torch.ones(3, device=device))"


def test_new_strings_have_the_quotes_of_all_cells() -> None:
    cells = fixed("import torch\n", "net = torch.nn.Linear(2, 2).cuda()\n", "print('a', 'b', \"c\")\n")
    assert cells[0].endswith("device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n")


def test_a_module_whose_guard_goes_is_not_shown() -> None:
    device = "device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n"
    head = f"import torch\n{device}net = torch.nn.Linear(2, 2)\n"
    guard = "if torch.cuda.is_available():\n    net.cuda()\n"
    assert fixed(head, guard, "print('a')\n")[1] == "net = net.to(device)\n"
    assert fixed(head, guard + "print('a')\n")[1] == "net.to(device)\nprint('a')\n"
    unknown = head.replace("torch.nn.Linear(2, 2)", "make()").replace(
        "import torch", "import torch\nfrom nets import make"
    )
    assert fixed(unknown, guard, unsafe=True)[1] == "net.to(device);\n"


def test_messages_name_the_cell() -> None:
    found = placefix.check_source(notebook(HEAD, OPTIMIZER, STEP, "model.to(device)"), name="n.ipynb")
    assert ["cell 3, line " in d.note for d in found if d.code == "PF201"] == [True], found


def test_what_a_cell_shows_is_not_thrown_away() -> None:
    """Its last value, unless a semicolon hides it; where something below needs a name moved, that was meant."""
    head = "import torch\ndevice = torch.device('cpu')"
    made = "x = torch.ones(2)\n"
    shown = [
        "torch.ones(2).to(device)",
        made + "x.to(device)  # shown\n\n# so it is",
        made + "!ls\nx.to(device)",
    ]
    hidden = [
        made + "x.to(device);",
        made + "x.to(device)\nprint(1)",
        made + "if device:\n    x.to(device)",
    ]
    shown.append(made + "x.to(device)")
    assert [codes(head, cell) for cell in shown] == [[], [], [], []]
    assert [code for cell in hidden for code, *_ in codes(head, cell)] == ["PF303"] * 3
    fails = "net = torch.nn.Linear(2, 2).to(device)\nnet(x)"  # a cell below needs it moved
    there = "import torch\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')"
    assert [code for code, *_ in codes(there, shown[-1], fails)] == ["PF303"]
    assert [d.code for d in placefix.check_source(f"{head}\n{shown[-1]}\n")] == ["PF303"]


def test_suppressions() -> None:
    wrap = "net = nn.Linear(3, 1)\nnet = nn.DataParallel(net){}\nnet.to(device)"
    assert [code for code, *_ in codes(HEAD, wrap.format(""))] == ["PF102"]
    assert codes(HEAD, wrap.format("  # placefix: ignore[PF102]")) == []
    assert codes("# placefix: file-ignore[PF102]", HEAD, wrap.format("")) == []
    below = "net = nn.DataParallel(net)\nnet.to(device)"
    assert codes(HEAD + "\nnet = nn.Linear(3, 1)", "# placefix: ignore\n" + below) == []
    assert [cell for _, cell, *_ in codes(HEAD + "\nnet = nn.Linear(3, 1)\n# placefix: ignore", below)] == [2]


def test_old_keywords_are_mended_in_place() -> None:
    cells = fixed(HEAD, "%matplotlib inline\nx = torch.ones(3).to(device, async=True)", "!ls")
    assert cells[1:] == ["%matplotlib inline\nx = torch.ones(3).to(device, non_blocking=True)", "!ls"]


# What IPython adds

LINES = {
    "magic": ("%matplotlib inline\nx = 1", '("M")\nx = 1'),
    "in a block": ("for i in y:\n    !ls {i}\n    x = 1\n", 'for i in y:\n    ("M")\n    x = 1\n'),
    "alone in a block": ("if y:\n    %pip install x\n", 'if y:\n    ("M")\n'),
    "goes on": ("!pip install \\\n  a \\\n  b\nx = 1", '("M"\n\n)\nx = 1'),
    "at the end": ("x = 1\n!ls", 'x = 1\n("M")'),
    "continuation": ("print('a'\n% b)\n%time c", "print('a'\n% b)\nget_ipython(\"M\", time, c)"),
    "binds": ("%time x, y = f(z.a)", 'x = y = get_ipython("M", time, x, y, f, z)'),
    "shell result": ("files = !ls", 'files = get_ipython("M", files, ls)'),
    "anything": ("y = 1\n%run other.py\nx = 1", 'y = 1\na = y = get_ipython("M")\nx = 1'),
    "question": ("foo?\n?foo\nfoo.bar??\nx = 1", '("M")\n("M")\n("M")\nx = 1'),
    "question of an item": ("x[0].y?\nx = 1", '("M")\nx = 1'),
    "all of a cell": ("%md\nSome *text*, it's not Python\n", '("M")\n'),
    "one line of a cell": ("%sql select 1\nx = 1", 'get_ipython("M", sql, select)\nx = 1'),
    "automagic": ("pip install torch\nx = 1", '("M")\nx = 1'),
    "cell magic": ("%%time\nx = 1\n", "# %% M\nx = 1\n"),
    "blank lines above": ("\n%%time\nx = 1\n", "# %% M\n# %% M\nx = 1\n"),
    "two cell magics": ("%%time\n%%capture out\nx = 1\n!ls", '# %% M\n# %% M\nx = 1\n("M")'),
    "shell cell": ("%%bash\nfor x in y; do\n", '("M")\n'),
    "unknown cell magic": ("%%mystery -n 3\nmodel.x = 1\n", 'get_ipython("M", mystery, n, model)\n'),
    "not a name": ("%%timeit\nx = f(a=b.c)\n", 'x = a = get_ipython("M", timeit, x, f, a, b)\n'),
    "modulo": ("x = (1\n  %y)\n", "x = (1\n  %y)\n"),
    "string": ("x = '''\n!ls\n%time\n'''\n", "x = '''\n!ls\n%time\n'''\n"),
    "semicolon": ("model.to(device);\nplot(x);", "model.to(device);\nplot(x);"),
    "await": ("await f()", "await f()"),
    "indented": ("  x = 1\n  y = 2\n", "x = 1\ny = 2\n"),
    "carriage returns": ("%time x\r\ny = 1\r\n", 'get_ipython("M", time, x)\r\ny = 1\r\n'),
    "empty": ("", ""),
}


@pytest.mark.parametrize("name", LINES)
def test_lines_of_ipython(name: str) -> None:
    text, python = LINES[name]
    data = notebook("a = 1", text)
    program = Notebook.from_bytes(data)
    ast.parse(program.text)
    shown = program.text[program._parts[1].start :]
    for nth in range(9):
        shown = shown.replace(f"_ipynb2_{nth}", "M")
    assert shown.removesuffix("\n" if program._parts[1].cell.ended else "") == python
    assert program.encode(program.text) == data
    assert program.problems == ()
    assert shown.count("\n") >= text.count("\n") or program._parts[1].cell.whole


def test_lines_of_ipython_stay() -> None:
    cells = fixed(
        "%matplotlib inline\nimport torch\nfrom torch import nn",
        "%%time\nnet = nn.Linear(3, 1)\n!nvidia-smi\nnet = nn.DataParallel(net)\nnet.cuda();\n%time y = net(x)\nnet?",
    )
    assert (
        cells[1]
        == "%%time\nnet = nn.Linear(3, 1)\n!nvidia-smi\nnet.to(device);\nnet = nn.DataParallel(net)\n%time y = net(x)\nnet?"
    )


def test_nothing_moves_across_what_is_unknown() -> None:
    for line in ("%time model(x)", "%run train.py", "%%mystery\nmodel"):
        cells = (HEAD, OPTIMIZER, line, "model.to(device)")
        assert fixed(*cells)[1] == OPTIMIZER, line


def test_a_name_of_ours_in_the_notebook() -> None:
    data = notebook("_ipynb1 = '# %% _ipynb1'\n_ipynb_ = 2", "!ls")
    program = Notebook.from_bytes(data)
    assert "# %% _ipynb__1\n" in program.text
    assert program.encode(program.text) == data


def test_edits_of_what_is_fixed_are_refused() -> None:
    from placefix import writer
    from placefix.diagnostic import Delete, Fix

    program = Notebook.from_bytes(notebook("%%time\nx = 1\n!ls\ny = 1", "%%bash\nls"))
    tree = ast.parse(program.text)
    spans = [program.span(statement) for statement in tree.body]

    def refused(edit: Any) -> bool:
        return bool(writer.apply(program, tree, [Fix((edit,), "")]).refused)

    assert [refused(Insert(span, "z = 1")) for span in spans] == [False, False, False, True]
    assert [refused(Insert(span, "z = 1", "after")) for span in spans] == [False, False, False, True]
    assert [refused(Delete((span,))) for span in spans] == [False, True, False, True]


def test_a_program_that_lost_a_cell_is_not_written() -> None:
    program = Notebook.from_bytes(notebook("a = 1", "!ls\nb = 1"))
    for text in (
        program.text.replace("# %% _ipynb2\n", ""),
        program.text.replace('("_ipynb2_0")', ""),
        "x\n" + program.text,
    ):
        with pytest.raises(SourceError):
            program.encode(text)


# Cells that are not Python


def test_a_broken_cell_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    broken = "print 'model'\nmodel"
    path = tmp_path / "n.ipynb"
    path.write_bytes(notebook(HEAD, broken, "net = nn.Linear(3, 1)\nnet = nn.DataParallel(net)\nnet.to(device)"))
    done = run("check", "n.ipynb", "--output-format", "concise", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.decode().startswith("n.ipynb:cell 3:2:7: style PF102 [*] ")
    assert "error: n.ipynb: cell 2: line 1: cannot be parsed as Python 3" in done.stderr.decode()
    assert run("apply", "n.ipynb", cwd=tmp_path).returncode == 2
    assert sources(path.read_bytes())[1:] == [
        broken,
        "net = nn.Linear(3, 1)\nnet.to(device)\nnet = nn.DataParallel(net)",
    ]


def test_the_line_of_a_broken_cell_is_the_cells() -> None:
    program = Notebook.from_bytes(notebook("x = 1", "!ls\nx = 1\n\ny = = 2\n"))
    assert program.problems == ("cell 2: line 4: cannot be parsed as Python 3: invalid syntax",)


def test_a_line_that_goes_on_into_a_hidden_one() -> None:
    data = notebook("pip install x\\\nprint x = %md ")
    program = Notebook.from_bytes(data)
    assert program.encode(program.text) == data
    assert len(program.problems) == 1


def test_a_broken_cell_may_have_done_anything_to_its_names() -> None:
    assert fixed(HEAD, OPTIMIZER, "print 'x'\nmodel = make(model)", "model.to(device)")[1] == OPTIMIZER


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (
            b'{"metadata": {}, "nbformat": 3, "nbformat_minor": 0, "worksheets": []}',
            "notebook format 3 is not supported",
        ),
        (b'{"cells": [], "metadata": {}}', "not a notebook of format 4"),
        (b'{"cells": {}, "nbformat": 4}', "not a notebook of format 4"),
        (b"[1]", "not a notebook: no JSON object"),
        (
            b'{"cells": [], "metadata": {}, "nbformat": 4}\n<<<<<<< x',
            "not a notebook: line 2: text after the end of the notebook",
        ),
        (
            b'{"cells": [], "metadata": {}, "nbformat": 4} {}',
            "not a notebook: line 1: text after the end of the notebook",
        ),
        (b"", "not a notebook"),
        (b"{", "not a notebook"),
        (b'{"a": 1', "not a notebook"),
        (b'{"cells": [], "nbformat": 4, "cells": []}', "twice"),
        (b'{"cells": [{"cell_type": "code", "source": [1]}], "nbformat": 4}', "cell 1 has no source"),
        (b'{"cells": [{"cell_type": "code"}], "nbformat": 4}', "cell 1 has no source"),
        (b'{"cells": "\xff"}', "cannot be decoded"),
        (b"[" * 100_000, "not a notebook"),
        (b'{"a":' * 100_000, "not a notebook"),
    ],
    ids=range(15),
)
def test_what_is_no_notebook(data: bytes, reason: str) -> None:
    outcome = placefix.fix_source(data, name="n.ipynb")
    assert isinstance(outcome, Skipped)
    assert reason in outcome.reason
    assert "\n" not in outcome.reason


def test_other_languages_are_left_alone() -> None:
    for metadata in (
        {"kernelspec": {"name": "ir", "display_name": "R", "language": "R"}},
        {"language_info": {"name": "julia"}},
    ):
        assert Notebook.from_bytes(notebook("x <- !", metadata=metadata)).text == ""
    assert Notebook.from_bytes(notebook("x = 1", metadata={"language_info": {"name": "python"}})).text


# The cases of the rules, cut into cells


def in_cells(text: str, chance: random.Random) -> list[str]:
    """A program cut into cells between some of its statements; a creation and the move of what it makes stay in one cell, where
    alone they become one statement."""
    lines = text.splitlines(keepends=True)
    borders = []
    for above, statement in itertools.pairwise(ast.parse(text).body):
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
        while lines[first - 2].startswith("#"):
            first -= 1
        made = above.targets[0].id if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name) else None
        is_move = made is not None and re.search(rf"\b{made} = {made}\.", ast.unparse(statement)) is not None
        if first > (above.end_lineno or 0) and chance.random() < 0.5 and not is_move:
            borders.append(first - 1)
    return ["".join(lines[a:b]).rstrip("\n") for a, b in itertools.pairwise([0, *borders, len(lines)])]


def repaired(case: Case, cells: list[str]) -> list[str]:
    program = Notebook.from_bytes(notebook(*cells), "n.ipynb")
    outcome = engine.fix(program, case.settings, chosen(case), unsafe=case.unsafe)
    assert isinstance(outcome, Changed | Unchanged), outcome
    return sources(program.encode(outcome.text)) if isinstance(outcome, Changed) else cells


PARSED = [path for path in FILES if path.parent.name != "PF400"]


def hiding(cell: str) -> str:
    """A cell that does not show its last value: a semicolon follows that, as one stands on the line."""
    body = ast.parse(cell).body
    last = body[-1] if body else None
    if not isinstance(last, ast.Expr) or last.end_lineno is None or last.end_col_offset is None:
        return cell
    lines = cell.encode().splitlines(keepends=True)
    line = lines[last.end_lineno - 1]
    end = last.end_col_offset
    if line[end:].lstrip().startswith((b";", b")")):
        return cell
    lines[last.end_lineno - 1] = line[:end] + b";" + line[end:]
    return b"".join(lines).decode()


def as_in_a_file(cells: list[str], golden: str) -> ast.Module:
    """The program of cells, in which `model = model.to(device)` at the end of a cell, which would show the module otherwise, is
    the expression that `golden`, the text of the file, has in its place."""
    statements = {ast.unparse(node) for node in ast.walk(ast.parse(golden)) if isinstance(node, ast.stmt)}
    program = ast.parse("")
    for cell in cells:
        body = ast.parse(cell).body
        last = body[-1] if body else None
        if (
            isinstance(last, ast.Assign)
            and ast.unparse(last) not in statements
            and ast.unparse(last.value) in statements
        ):
            assert ast.unparse(last).startswith(f"{ast.unparse(last.targets[0])} = {ast.unparse(last.targets[0])}.to(")
            body[-1] = ast.Expr(last.value)
        program.body += body
    return program


# Cut into these cells, the optimizer of the golden text would come into a cell that uses it: `test_an_optimizer_stays_out_of_the_cell_that_trains`.
IN_A_CELL_THAT_TRAINS = {"average_copied_between.py", "below_the_wraps_that_follow.py"}
# Cut into these cells, the device is defined before the fix of a tensor is found: the tensor is created on the device, not moved there.
CREATED_ON_THE_DEVICE = {"counted_devices.py"}
NOT_CUT = IN_A_CELL_THAT_TRAINS | CREATED_ON_THE_DEVICE


@pytest.mark.parametrize("code", sorted({path.parent.name for path in PARSED}))
def test_cases_in_cells(code: str) -> None:
    """What becomes of a program does not depend on where its cells end, and lines of IPython's between them stay."""
    for path in (path for path in PARSED if path.parent.name == code and path.name not in NOT_CUT):
        case = read(path)
        chance = random.Random(path.name)
        cells = list(map(hiding, in_cells(case.source.text, chance)))
        after = repaired(case, cells)
        assert len(after) == len(cells)
        golden = case.fixed if case.fixed is not None else case.source.text
        assert ast.unparse(as_in_a_file(after, golden)) == ast.unparse(ast.parse(golden)), path.name
        own = [f"%matplotlib inline\n{cell}\n!ls {number}" for number, cell in enumerate(cells)]
        for number, cell in enumerate(repaired(case, own)):
            assert cell.startswith("%matplotlib inline"), path.name
            assert f"!ls {number}" in cell.split("\n"), path.name


# The file

WRAP = 'net = nn.Linear(3, 1)  # größe 😀 / "q" \\\\\nnet = nn.DataParallel(net)\n\nnet.to(device)  # é 😀'
MOVED = 'net = nn.Linear(3, 1)  # größe 😀 / "q" \\\\\nnet.to(device)  # é 😀\nnet = nn.DataParallel(net)'

SHAPES: dict[str, Callable[[dict[str, Any]], str]] = {
    "nbformat": lambda made: json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True) + "\n",
    "no final newline": lambda made: json.dumps(made, indent=1, ensure_ascii=False),
    "ascii": lambda made: json.dumps(made, indent=2),
    "one line": json.dumps,
    "compact": lambda made: json.dumps(made, separators=(",", ":"), ensure_ascii=False),
    "tabs": lambda made: json.dumps(made, indent="\t") + "\n\n",
    "other order": lambda made: json.dumps(dict(reversed(made.items())), indent=4),
    "carriage returns": lambda made: json.dumps(made, indent=1).replace("\n", "\r\n"),
    "escapes": lambda made: json.dumps(made, indent=1).replace("/", "\\/").replace("net", "n\\u0065t"),
    "strings": lambda made: json.dumps(strings(made), indent=1, ensure_ascii=False),
    "strings in ascii": lambda made: json.dumps(strings(made)),
    "byte order mark": lambda made: "\ufeff" + json.dumps(made, indent=1),
    "odd lists": lambda made: json.dumps(odd(made), indent=1),
}


def strings(made: dict[str, Any]) -> dict[str, Any]:
    for cell in made["cells"]:
        cell["source"] = "".join(cell["source"])
    return made


def odd(made: dict[str, Any]) -> dict[str, Any]:
    for cell in made["cells"]:
        text = "".join(cell["source"])
        cell["source"] = ["", text[:5], text[5:], ""]
    return made


def outputs(made: dict[str, Any]) -> dict[str, Any]:
    """With outputs and metadata that a dump would write differently."""
    made["metadata"] = {
        "b": {"source": ["model.cuda()"]},
        "a": [1.0, 1e400, 0.10],
        "cells": [{"cell_type": "code", "source": "x"}],
    }
    made["cells"][0]["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": ["é\x1b[0m\n", '"source": ["x"]']}
    ]
    return made


@pytest.mark.parametrize("shape", SHAPES)
def test_only_sources_change(shape: str) -> None:
    made = SHAPES[shape](outputs(document(HEAD, "#md é", WRAP, "x = 'é'")))
    data = made.encode()
    program = Notebook.from_bytes(data)
    assert program.encode(program.text) == data
    outcome = placefix.fix_source(data, name="n.ipynb")
    assert isinstance(outcome, Changed)
    after = outcome.text.encode()
    read = json.loads(after.decode("utf-8-sig"))
    assert ["".join(cell["source"]) for cell in read["cells"]] == [HEAD, "#md é", MOVED, "x = 'é'"]
    # before and behind the source that changed, every byte is as it was
    value = json.JSONDecoder()
    cell = Notebook.from_bytes(data)._cells.document.cells[1]
    start, end = cell.start, cell.end
    raw, new = made.removeprefix("\ufeff"), outcome.text.removeprefix("\ufeff")
    assert new[:start] == raw[:start]
    assert new[value.raw_decode(new, start)[1] :] == raw[end:]
    assert new.isascii() == raw.isascii()


def test_lines_that_stay_are_spelled_as_they_were() -> None:
    made = (
        json.dumps(document(HEAD, WRAP + "\nend = 'größe'"), indent=1)
        .replace("\\u00f6\\u00df", "\\u00F6\\u00DF")
        .replace("end", "\\u0065nd")
    )
    outcome = placefix.fix_source(made, name="n.ipynb")
    assert isinstance(outcome, Changed)
    assert [line for line in outcome.text.split("\n") if line not in made.split("\n")] == []
    assert outcome.text.count("\\u00F6\\u00DF") == 2


def test_a_cell_that_loses_its_last_line_is_empty() -> None:
    data = notebook(
        HEAD, "model = nn.Linear(3, 1)", "opt = torch.optim.SGD(model.parameters(), lr=0.1)", "model.to(device)"
    )
    outcome = placefix.fix_source(data, name="n.ipynb")
    assert isinstance(outcome, Changed)
    assert [cell["source"] for cell in json.loads(outcome.text)["cells"]][2:] == [
        [],
        ["model.to(device)\n", "opt = torch.optim.SGD(model.parameters(), lr=0.1)"],
    ]


TEXTS = (
    "x = 1",
    "",
    "y = '\\\\ \"é\" 😀 /'",
    "\tz",
    "s = '\u2028 \x0b'",
    "# \x7f \u0085",
    "!ls",
    "%%time",
    "if x:\n    pass",
    "print 1",
    "a\r\nb",
    "\n\n",
)


@pytest.mark.parametrize("seed", range(60))
def test_round_trip(seed: int) -> None:
    """Any notebook comes back byte for byte, and a line put into a cell is all that changes."""
    chance = random.Random(seed)
    cells = ["\n".join(chance.choices(TEXTS, k=chance.randrange(5))) for _ in range(chance.randrange(1, 6))]
    shape = chance.choice(list(SHAPES.values()))
    data = shape(document(*cells, "target = 'é'\nlast = 2")).encode()
    program = Notebook.from_bytes(data)
    ast.parse(program.text)
    assert program.encode(program.text) == data
    after = program.encode(program.text.replace("target = 'é'\n", "target = 'é😀'\nnew = \"\\\\\"\n"))
    before = json.loads(data.decode("utf-8-sig"))
    read = json.loads(after.decode("utf-8-sig"))
    assert "".join(read["cells"][-1]["source"]) == "target = 'é😀'\nnew = \"\\\\\"\nlast = 2"
    assert ["".join(cell["source"]) for cell in read["cells"][:-1]] == cells
    assert (
        without_sources(after.removeprefix(b"\xef\xbb\xbf")) == without_sources(data.removeprefix(b"\xef\xbb\xbf"))
        and before.keys() == read.keys()
    )
    again = Notebook.from_bytes(after)
    assert again.encode(again.text) == after
    assert again.text == program.text.replace("target = 'é'\n", "target = 'é😀'\nnew = \"\\\\\"\n")


PIECES = (
    "%time ", "%%time\n", "%%bash\n", "!ls", "\n", "\n", "    ", "if x:", "x = ", "1", "(", ")", "[", "\\\n", "'''", '"', "'", "#c", "?", "foo", "²", "é",
    "\x0c", "\r", "\r\n", "\u2028", "\ud800", "\0", "print ", "async=True", "f(", "%", "!", "%run a", "%md ", "_ipynb1", "# %% _ipynb1", "class ", "def f():",
    "\tpass", "return", "await f()", "lambda", ":", ";", "=", "pip install x", "{", "f'{x!r}'", "None = 1", "\\",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_anything_in_cells(seed: int) -> None:
    """Whatever stands in the cells, the program is Python, its places are places, and the file comes back."""
    chance = random.Random(seed)
    for _ in range(40):
        cells = ["".join(chance.choices(PIECES, k=chance.randrange(14))) for _ in range(chance.randrange(5))]
        made = {"cells": [{"cell_type": "code", "source": cell} for cell in cells], "nbformat": 4}
        data = json.dumps(made).encode()
        program = Notebook.from_bytes(data, legacy=False)
        ast.parse(program.text)
        assert program.encode(program.text) == data
        assert [text for _, text in program.pieces(program.text)] == cells
        assert all(program.keeps(part.head, part.start) for part in program._parts)
        for offset in range(1, len(program.text) + 1):
            cell, row = program.cell(offset), program.location(offset).row
            assert cell is not None
            assert program.row_name(program.line_of(offset)).startswith("cell ")
            assert 0 <= row <= len(cells[cell - 1]) + 2


# The commands


def test_folders_are_searched_for_notebooks(tmp_path: Path) -> None:
    for name in ("a.ipynb", ".ipynb_checkpoints/a.ipynb", "b.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(notebook(HEAD, "net = nn.Linear(3, 1).cuda()") if name.endswith("ipynb") else b"")
    found = list(check_files(discover([tmp_path], Configs(isolated=True)), [tmp_path]))
    assert [(result.path[len(str(tmp_path)) + 1 :], [d.code for d in result.remaining]) for result in found] == [
        ("a.ipynb", ["PF401"]),
        ("b.py", []),
    ]


def test_a_diff_that_git_applies(tmp_path: Path) -> None:
    data = SHAPES["nbformat"](document(HEAD, WRAP)).encode()
    path = tmp_path / "n.ipynb"
    path.write_bytes(data)
    done = run("apply", "--diff", "n.ipynb", cwd=tmp_path)
    assert done.returncode == 1
    assert path.read_bytes() == data
    run("apply", "n.ipynb", cwd=tmp_path)
    after = path.read_bytes()
    assert sources(after)[1] == MOVED
    path.write_bytes(data)
    subprocess.run(["git", "apply", "-p1"], cwd=tmp_path, input=done.stdout, check=True)
    assert path.read_bytes() == after
    assert run("apply", "n.ipynb", cwd=tmp_path).stderr == b"Nothing to fix.\n"


def test_findings_are_shown_cell_by_cell(tmp_path: Path) -> None:
    (tmp_path / "n.ipynb").write_bytes(notebook(HEAD, "%%time\n" + WRAP))
    done = run("check", "n.ipynb", cwd=tmp_path)
    assert done.stdout.decode().startswith("n.ipynb: 1 style\n\nn.ipynb:cell 2:3:7: style PF102 [*] ")
    assert "  3 | net = nn.DataParallel(net)\n" in done.stdout.decode()
    assert "    cell 2\n    @@ -" in done.stdout.decode()
    assert "_ipynb" not in done.stdout.decode()


def test_json_has_the_cell(tmp_path: Path) -> None:
    (tmp_path / "n.ipynb").write_bytes(notebook("#md x", HEAD, WRAP))
    [found] = json.loads(run("check", "n.ipynb", "--output-format", "json", cwd=tmp_path).stdout)
    assert (found["code"], found["cell"], found["location"]) == ("PF102", 3, {"row": 2, "column": 7})
    (tmp_path / "n.ipynb").write_bytes(notebook(HEAD, OPTIMIZER, "#md x", "model.to(device)"))
    [found] = json.loads(run("check", "n.ipynb", "--output-format", "json", cwd=tmp_path).stdout)
    edits = [(edit["cell"], edit["location"]["row"], edit["end_location"]) for edit in found["fix"]["edits"]]
    assert edits == [(2, 2, {"row": 3, "column": 1}), (4, 2, {"row": 2, "column": 1})]


def test_standard_input(tmp_path: Path) -> None:
    data = notebook(HEAD, WRAP)
    done = run("apply", "-", "--stdin-filename", "n.ipynb", cwd=tmp_path, stdin=data)
    assert sources(done.stdout)[1] == MOVED
    assert run("check", "-", "--stdin-filename", "n.ipynb", cwd=tmp_path, stdin=data).stdout.startswith(
        b"n.ipynb: 1 style\n\nn.ipynb:cell 2:2:7:"
    )
    assert run("apply", "-", "--stdin-filename", "n.ipynb", cwd=tmp_path, stdin=done.stdout).stdout == done.stdout


def test_jobs_and_the_cache(tmp_path: Path) -> None:
    """The same findings and problems from one process and two, found out and remembered."""
    work = tmp_path / "work"
    work.mkdir()
    (work / "big.py").write_text("# large\n" * 300_000)
    for number in range(40):
        (work / f"n{number}.ipynb").write_bytes(notebook(HEAD, "print 'x'", f"x{number} = 1\n" + WRAP))
    said = []
    for arguments in (
        ("--jobs", "1", "--no-cache"),
        ("--jobs", "2", "--no-cache"),
        ("--cache-dir", "../c"),
        ("--cache-dir", "../c"),
    ):
        done = run("check", "--output-format", "concise", *arguments, cwd=work)
        said.append((done.returncode, done.stdout, done.stderr))
    assert said[0][1].count(b":cell 3:3:7: style PF102") == 40
    assert said[0][2].count(b"cell 2: line 1: cannot be parsed") == 40
    assert said[1:] == said[:1] * 3


def test_rows_of_the_file() -> None:
    data = SHAPES["nbformat"](document(HEAD, "!ls\n" + WRAP))
    program = Notebook.from_bytes(data.encode())
    [found] = placefix.check_source(program)
    row = program.file_row(found.span.start)
    assert "nn.DataParallel(net)" in data.split("\n")[row - 1]
    one_line = Notebook.from_bytes(json.dumps(document(HEAD, WRAP)).encode())
    assert one_line.file_row(len(one_line.text) - 1) == 1


def test_the_api() -> None:
    data = notebook(HEAD, WRAP)
    assert [d.code for d in placefix.check_source(data.decode(), name="n.ipynb")] == ["PF102"]
    assert [d.code for d in placefix.check_source(data, path="/nowhere/n.ipynb")] == ["PF102"]
    program = placefix.Notebook.from_bytes(data)
    outcome = placefix.fix_source(program)
    assert isinstance(outcome, Changed)
    assert sources(program.encode(outcome.text))[1] == MOVED
    assert program.cell(Span(0, 1).start) == 1
