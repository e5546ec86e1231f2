"""PF001: suppressions that silence nothing, and all that must not make one of those that do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import placefix
from fakes import git

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "import torch\n"
USED = "x = torch.ones(1).cuda()  # placefix: ignore[PF401]\n"
IDLE = "y = 1  # placefix: ignore[PF401]\n"


def found(path: Path, **options: object) -> list[str]:
    """The codes of the findings in a file or folder."""
    chosen = placefix.Options(**options)  # type: ignore[arg-type]
    results = placefix.check_paths([path], options=chosen)
    assert not any(result.error for result in results)
    return [d.code for result in results for d in result.remaining]


def fixed(path: Path, text: str, **options: object) -> str:
    path.write_bytes(text.encode())
    placefix.fix_paths([path], options=placefix.Options(**options))  # type: ignore[arg-type]
    return path.read_bytes().decode()


def test_by_default(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(HEAD + USED + IDLE)
    assert found(tmp_path) == ["PF001"]
    assert found(tmp_path, ignore=("PF001",)) == []


@pytest.mark.parametrize("comment", ["noqa: PF401", "NOQA: PF401", "NOQA:pf401", "PLACEFIX: ignore[PF401]"])
def test_any_case(tmp_path: Path, comment: str) -> None:
    (tmp_path / "a.py").write_text(f"{HEAD}y = 1  # {comment}\n")
    assert found(tmp_path) == ["PF001"]


@pytest.mark.parametrize("select", [("PF401",), ("PF001",), ("PF001", "PF2"), ("PF1", "PF0")])
def test_rules_that_were_not_asked(tmp_path: Path, select: tuple[str, ...]) -> None:
    (tmp_path / "a.py").write_text(HEAD + USED + IDLE)
    assert found(tmp_path, select=select) == []


def test_rules_that_were_asked(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(HEAD + USED + IDLE)
    assert found(tmp_path, select=("PF001", "PF401")) == ["PF001"]


def test_rules_that_are_ignored_for_the_file(tmp_path: Path) -> None:
    (tmp_path / "placefix.toml").write_text('[per-file-ignores]\n"a.py" = ["PF401"]\n')
    (tmp_path / "a.py").write_text(HEAD + USED + IDLE)
    (tmp_path / "b.py").write_text(HEAD + USED + IDLE)
    assert found(tmp_path) == ["PF001"]


def test_a_rule_that_is_asked_for_by_name(tmp_path: Path) -> None:
    """What PF501 might say of a script keeps what might silence it."""
    script = "model = torch.nn.Linear(2, 2)  # placefix: ignore\nmodel(torch.ones(2)).sum().backward()\n"
    (tmp_path / "a.py").write_text(HEAD + script)
    assert found(tmp_path) == []
    assert found(tmp_path, add_placement=True) == []
    (tmp_path / "a.py").write_text(HEAD + script.replace(".backward()", ".item()"))
    assert found(tmp_path) == ["PF001"]


def test_what_rests_on_another_file(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "places.py").write_text(
        'import torch\n\ndevice = torch.device("cuda" if torch.cuda.is_available() else "cpu")\n'
    )
    text = (
        "import torch\nfrom places import device\n\nmodel = torch.nn.Linear(2, 2).to(device)\n"
        "x = torch.ones(2)  # placefix: ignore[PF302]\nprint(model(x))\n"
    )
    (tmp_path / "a.py").write_text(text)
    assert found(tmp_path) == []
    (tmp_path / "a.py").write_text(text.replace("  # placefix: ignore[PF302]", ""))
    assert found(tmp_path) == ["PF302"]
    assert placefix.check_source(text) == ()  # whose place is not known
    assert placefix.fix_source(text) == placefix.Unchanged()


def test_a_text_whose_place_is_not_known() -> None:
    assert placefix.check_source(HEAD + IDLE) == ()
    assert [d.code for d in placefix.check_source(HEAD + IDLE, path="somewhere/a.py")] == ["PF001"]


def test_what_comes_to_light_by_another_fix_is_still_silenced(tmp_path: Path) -> None:
    """PF401 finds the call of the second line only when the name of the argument is mended."""
    text = HEAD + "x = torch.ones(1)\nx.cuda(async=True)\ny = x.cuda()  # placefix: ignore[PF401]\n"
    after = fixed(tmp_path / "a.py", text)
    assert "async" not in after and "y = x.cuda()  # placefix: ignore[PF401]\n" in after


def test_lines_of_a_base(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(HEAD + USED + IDLE)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    (tmp_path / "a.py").write_text(HEAD + USED.replace("x =", "z =") + IDLE + IDLE.replace("y =", "w ="))
    [result] = placefix.check_paths([tmp_path], base_ref="HEAD")
    assert result.current is not None
    assert [(d.code, result.current.location(d.span.start).row) for d in result.remaining] == [("PF001", 4)]


FIXES = {
    "trailing": ("y = 1  # placefix: ignore[PF401]\n", "y = 1\n"),
    "no final newline": ("y = 1 # placefix: ignore[PF401]", "y = 1"),
    "carriage returns": ("y = 1  # placefix: ignore[PF401]\r\nz = 1\r\n", "y = 1\r\nz = 1\r\n"),
    "own line": ("if a:\n    # placefix: ignore[PF401] why\n    y = 1\n", "if a:\n    y = 1\n"),
    "own line, carriage returns": ("# placefix: ignore[PF401]\r\ny = 1\r\n", "y = 1\r\n"),
    "own line, tabs": ("if a:\n\t# placefix: ignore[PF401]\n\ty = 1\n", "if a:\n\ty = 1\n"),
    "own line, the last": ("y = 1\n# placefix: ignore[PF401]\n", "y = 1\n"),
    "own line, the last, no final newline": ("y = 1\n# placefix: ignore[PF401]", "y = 1"),
    "own line, the last, no final newline, carriage returns": ("y = 1\r\n# placefix: ignore[PF401]", "y = 1"),
    "nothing else": ("# placefix: file-ignore[PF401]", ""),
    "wide characters": ("y = '日本'  # placefix: ignore[PF401] größer\n", "y = '日本'\n"),
    "form feed": ("\f\ny = 1  # placefix: ignore[PF401]\n", "\f\ny = 1\n"),
    "behind a comment": ("y = 1  # what for  # placefix: ignore[PF401] why\n", "y = 1  # what for\n"),
    "before a comment": ("y = 1  # placefix: ignore[PF401] why # type: ignore\n", "y = 1  # type: ignore\n"),
    "with the number of an issue": ("y = 1  # placefix: ignore[PF401] see #12\n", "y = 1\n"),
    "noqa with words behind": ("y = 1  # noqa: PF401 read on\n", "y = 1  # read on\n"),
    "noqa, first": ("y = 1  # noqa: PF401,E501\n", "y = 1  # noqa: E501\n"),
    "noqa, last": ("y = 1  # noqa:E501,PF401\n", "y = 1  # noqa:E501\n"),
    "two in one comment": ("y = 1  # noqa: PF401 # placefix: ignore[PF402]\n", "y = 1\n"),
    "in a statement of several lines": ("y = (\n    # placefix: ignore[PF401]\n    1\n)\n", "y = (\n    1\n)\n"),
}


@pytest.mark.parametrize("case", FIXES)
def test_fix(tmp_path: Path, case: str) -> None:
    before, after = FIXES[case]
    assert fixed(tmp_path / "a.py", before) == after
    assert fixed(tmp_path / "a.py", after) == after


def test_codes_of_no_rule(tmp_path: Path) -> None:
    text = "y = 1  # placefix: ignore[PF999, PF401]\n"
    (tmp_path / "a.py").write_text(text)
    [result] = placefix.check_paths([tmp_path])
    assert [d.message for d in result.remaining] == [
        "the comment for PF401 suppresses nothing",
        "no rule has the code PF999: the comment suppresses nothing",
    ]
    assert fixed(tmp_path / "a.py", text) == "y = 1  # placefix: ignore[PF999]\n"
    assert fixed(tmp_path / "a.py", text, unsafe_fixes=True) == "y = 1\n"


def notebook(*cells: str) -> str:
    made = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": text} for text in cells
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_notebooks(tmp_path: Path) -> None:
    cells = ["%time\n# placefix: ignore[PF401]", "y = 1  # placefix: ignore[PF401]"]
    after = fixed(tmp_path / "a.ipynb", notebook(*cells))
    assert [cell["source"] for cell in json.loads(after)["cells"]] == ["%time", "y = 1"]
    broken = notebook(*cells, "y = = 1")
    assert fixed(tmp_path / "b.ipynb", broken) == broken


def test_a_file_that_cannot_be_read_has_none(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE + "y = = 1\n")
    [result] = placefix.check_paths([tmp_path])
    assert result.error and not result.remaining
