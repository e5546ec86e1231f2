"""`check --add-ignore`: comments that silence what is found, and nothing else."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import placefix
from fakes import git, run

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "import torch\n"


def silenced(path: Path, text: str, reason: str = "") -> str:
    """A file after its findings are silenced. Nothing is found in it any more but suppressions that silenced nothing before, and
    it means the same."""
    path.write_bytes(text.encode())
    [result] = placefix.add_ignores([path], isolated=True, reason=reason)
    assert not result.error, result.error
    after = path.read_bytes().decode()
    assert {d.code for d in placefix.check_paths([path], isolated=True)[0].remaining} <= {"PF001"}
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(text))
    placefix.add_ignores([path], isolated=True, reason=reason)
    assert path.read_bytes().decode() == after
    return after


# What stands behind HEAD, and what becomes of it.
PLACES = {
    "at the end of the line": (
        "x = torch.ones(1).cuda()\n",
        "x = torch.ones(1).cuda()  # placefix: ignore[PF401]\n",
    ),
    "behind a comment": (
        "x = torch.ones(1).cuda()  # why\n",
        "x = torch.ones(1).cuda()  # why  # placefix: ignore[PF401]\n",
    ),
    "into a list": (
        "x = torch.ones(1).cuda()  # placefix: ignore[PF301] because\n",
        "x = torch.ones(1).cuda()  # placefix: ignore[PF301, PF401] because\n",
    ),
    "into an empty list": (
        "x = torch.ones(1).cuda()  # placefix: ignore[] because\n",
        "x = torch.ones(1).cuda()  # placefix: ignore[PF401] because\n",
    ),
    "into a list above": (
        "# placefix: ignore[PF301]\nx = torch.ones(1).cuda()\n",
        "# placefix: ignore[PF301, PF401]\nx = torch.ones(1).cuda()\n",
    ),
    "beside another tool's": (
        "x = torch.ones(1).cuda()  # noqa: E501\n",
        "x = torch.ones(1).cuda()  # noqa: E501  # placefix: ignore[PF401]\n",
    ),
    "two on a line": (
        "x = torch.ones(1).cuda(); y = torch.ones(1).cuda()\n",
        "x = torch.ones(1).cuda(); y = torch.ones(1).cuda()  # placefix: ignore[PF401]\n",
    ),
    "no final newline": (
        "x = torch.ones(1).cuda()",
        "x = torch.ones(1).cuda()  # placefix: ignore[PF401]",
    ),
    "carriage returns": (
        "x = torch.ones(1).cuda()\r\ny = 1\r\n",
        "x = torch.ones(1).cuda()  # placefix: ignore[PF401]\r\ny = 1\r\n",
    ),
    "tabs and white space at the end": (
        "if x:\n\tx = torch.ones(1).cuda() \t\n",
        "if x:\n\tx = torch.ones(1).cuda()  # placefix: ignore[PF401]\n",
    ),
    "in brackets": (
        "x = f(\n    torch.ones(1).cuda(),\n    2,\n)\n",
        "x = f(\n    torch.ones(1).cuda(),  # placefix: ignore[PF401]\n    2,\n)\n",
    ),
    "behind a backslash": (
        "if x:\n    x = 1 + \\\n        torch.ones(1).cuda()\n",
        "if x:\n    x = 1 + \\\n        torch.ones(1).cuda()  # placefix: ignore[PF401]\n",
    ),
    "before a backslash": (
        "if x:\n    x = torch.ones(1).cuda() + \\\n        1\n",
        "if x:\n    # placefix: ignore[PF401]\n    x = torch.ones(1).cuda() + \\\n        1\n",
    ),
    "before a backslash, carriage returns": (
        "if x:\r\n\tx = torch.ones(1).cuda() + \\\r\n\t\t1\r\n",
        "if x:\r\n\t# placefix: ignore[PF401]\r\n\tx = torch.ones(1).cuda() + \\\r\n\t\t1\r\n",
    ),
    "before a string of several lines": (
        'x = f(torch.ones(1).cuda(), """\n# no comment\n""")\n',
        '# placefix: ignore[PF401]\nx = f(torch.ones(1).cuda(), """\n# no comment\n""")\n',
    ),
    "in the header of a compound statement": (
        "with f(torch.ones(1).cuda()):\n    pass\n",
        "with f(torch.ones(1).cuda()):  # placefix: ignore[PF401]\n    pass\n",
    ),
    "below a comment of its own": (
        "# what for\nx = torch.ones(1).cuda()\n",
        "# what for\nx = torch.ones(1).cuda()  # placefix: ignore[PF401]\n",
    ),
    "wide characters": (
        "s = '日本'; x = torch.ones(1).cuda()\n",
        "s = '日本'; x = torch.ones(1).cuda()  # placefix: ignore[PF401]\n",
    ),
    "a list of another line": (
        "y = 1  # placefix: ignore[PF401, PF001]\nx = torch.ones(1).cuda()\n",
        "y = 1  # placefix: ignore[PF401, PF001]\nx = torch.ones(1).cuda()  # placefix: ignore[PF401]\n",
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_places(tmp_path: Path, place: str) -> None:
    before, after = PLACES[place]
    assert silenced(tmp_path / "a.py", HEAD + before) == HEAD + after


def test_a_reason(tmp_path: Path) -> None:
    text = HEAD + "x = torch.ones(1).cuda()\n"
    assert silenced(tmp_path / "a.py", text, "see #12").endswith(".cuda()  # placefix: ignore[PF401] see #12\n")


def test_codes_of_one_statement_go_together(tmp_path: Path) -> None:
    text = (
        "import torch\n\ndevice = torch.device('cuda')\nmodel = torch.nn.Linear(2, 2).to(device)\n"
        "for x in torch.utils.data.DataLoader(torch.ones(2, 2)):\n    model(x)\n    torch.ones(1).cuda().to('cuda')\n"
    )
    path = tmp_path / "a.py"
    path.write_text(text)
    codes = {d.code for d in placefix.check_paths([path], isolated=True)[0].remaining}
    assert len(codes) > 2
    after = silenced(path, text)
    assert all(code in after for code in codes)
    assert all(line.count("placefix:") <= 1 for line in after.splitlines())


def test_every_case_of_a_real_script(tmp_path: Path) -> None:
    """Whatever is found in the scripts of the corpus can be silenced, and only comments are written."""
    from pathlib import Path

    scripts = sorted((Path(__file__).parent.parent / "corpus" / "scripts").glob("*.py"))[::4]
    for script in scripts:
        data = script.read_bytes()
        (tmp_path / script.name).write_bytes(data)
        before = {d.code for result in placefix.check_paths([tmp_path / script.name]) for d in result.remaining}
        [result] = placefix.add_ignores([tmp_path / script.name])
        assert not result.error or not before, (script.name, result.error)
        left = placefix.check_paths([tmp_path / script.name])
        assert {d.code for result in left for d in result.faults} <= {"PF001", "PF400"}, script.name


def test_a_file_that_cannot_be_parsed_stays(tmp_path: Path) -> None:
    texts = {"broken.py": "x.cuda()\ny = = 1\n", "legacy.py": "x = x.cuda(async=True)\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    placefix.add_ignores([tmp_path])
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == texts


def test_notebooks(tmp_path: Path) -> None:
    cells = ["%time\nimport torch\n", "x = torch.ones(1).cuda()", "x = torch.ones(1).cuda() + \\\n    1\nprint(x)"]
    made = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": text} for text in cells
    ]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    placefix.add_ignores([path], isolated=True)
    assert [cell["source"] for cell in json.loads(path.read_text())["cells"]] == [
        cells[0],
        cells[1] + "  # placefix: ignore[PF401]",
        "# placefix: ignore[PF401]\n" + cells[2],
    ]
    assert not placefix.check_paths([path], isolated=True)[0].remaining


def test_a_reason_that_the_encoding_does_not_have(tmp_path: Path) -> None:
    data = b"# coding: latin-1\nimport torch\nx = torch.ones(1).cuda()  # \xe4\n"
    (tmp_path / "a.py").write_bytes(data)
    [result] = placefix.add_ignores([tmp_path], reason="日本")
    assert "cannot be written in iso-8859-1" in result.error and (tmp_path / "a.py").read_bytes() == data


# The command line, with fake rules

OLD = "a.cuda()\nx = 1\nkept.cuda()\n"
NEW = "a.cuda()  # placefix: ignore[PF901] later\nx = 1\nkept.cuda()  # placefix: ignore[PF901] later\n"


def test_command(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(OLD)
    done = run("check", "--add-ignore=later", "a.py", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        b"",
        b"Silenced 2 problems in 1 file: a.py. Take back with `placefix undo`.\n",
    )
    assert (tmp_path / "a.py").read_text() == NEW
    done = run("check", "--add-ignore=later", "a.py", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"Nothing found in 1 file.\n")
    assert run("undo", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.py").read_text() == OLD


def test_what_follows_is_a_path(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(OLD)
    (tmp_path / "--add-ignore").write_text("")
    assert run("check", "--add-ignore", "a.py", "--", "--add-ignore", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.py").read_text() == NEW.replace(" later", "")


def test_uncommitted_changes(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text(OLD)
    assert run("check", "--add-ignore", cwd=tmp_path).returncode == 2
    assert (tmp_path / "a.py").read_text() == OLD
    assert run("check", "--add-ignore=later", "--allow-dirty", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.py").read_text() == NEW


def test_changed_lines_only(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text(OLD)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    (tmp_path / "a.py").write_text(OLD + "b.cuda()\n")
    git(tmp_path, "commit", "-qam", "second")
    assert run("check", "--add-ignore", "--base-ref", "HEAD~", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.py").read_text() == OLD + "b.cuda()  # placefix: ignore[PF901]\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--add-ignore", "-"],
        ["--add-ignore", "--statistics"],
        ["--add-ignore=a\nb"],
        ["--allow-dirty"],
        ["--add-ignore", "absent.py"],
    ],
)
def test_what_cannot_be(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "a.py").write_text(OLD)
    assert run("check", *arguments, cwd=tmp_path).returncode == 2
    assert (tmp_path / "a.py").read_text() == OLD


def test_what_remains_is_reported(tmp_path: Path) -> None:
    """Suppressions that silence nothing are not silenced in their turn."""
    (tmp_path / "a.py").write_text(HEAD + "torch.ones(1).cuda() + \\\n    1\ny = 1  # placefix: ignore[PF401]\n")
    command = [sys.executable, "-m", "placefix", "check", "--add-ignore", "--output-format", "concise", "a.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        1,
        "Silenced 1 problem in 1 file: a.py. 1 remains: 1 style. Take back with `placefix undo`.\n",
    )
    assert done.stdout.startswith("a.py:5:8: style PF001 ")
    after = (tmp_path / "a.py").read_text()
    assert (
        after
        == HEAD + "# placefix: ignore[PF401]\ntorch.ones(1).cuda() + \\\n    1\ny = 1  # placefix: ignore[PF401]\n"
    )


def test_many_files(tmp_path: Path) -> None:
    for number in range(25):
        (tmp_path / f"m{number:02}.py").write_text(OLD)
    assert run("check", "--add-ignore=later", "--jobs", "2", cwd=tmp_path).returncode == 0
    assert {path.read_text() for path in tmp_path.glob("*.py")} == {NEW}
    assert run("undo", cwd=tmp_path).returncode == 0
    assert {path.read_text() for path in tmp_path.glob("*.py")} == {OLD}
