"""Jupyter: the magics in IPython, and the entry point that jupyter-lsp reads."""

from __future__ import annotations

import sys
from importlib.metadata import entry_points
from typing import TYPE_CHECKING
from unittest.mock import MagicMock

import pytest
from IPython.core.interactiveshell import InteractiveShell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    """A shell with the extension, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "torch", MagicMock())  # the cells are run, and the real one stays in the process
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.history_manager.reset(new_session=True)
    shell.run_line_magic("load_ext", "placefix")
    yield shell
    shell.history_manager.end_session()
    InteractiveShell.clear_instance()


def run(shell: InteractiveShell, *cells: str) -> None:
    """Run cells as a notebook does."""
    for cell in cells:
        shell.run_cell(cell, store_history=True)


def test_a_cell_is_checked_after_those_that_were_run(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    run(shell, "import torch", "x = torch.randn(3)")
    capsys.readouterr()
    run(shell, "%%placefix\ny = x.cuda()")
    shown = capsys.readouterr().out
    assert "notebook.ipynb:cell 3:1:" in shown
    assert "PF401" in shown


def test_a_clean_cell_is_run(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    run(shell, "%%placefix\nz = 6 * 7")
    assert "placefix: nothing found" in capsys.readouterr().out
    assert shell.user_ns["z"] == 42


def test_a_cell_is_repaired_and_not_run(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[str, bool]] = []
    monkeypatch.setattr(shell, "set_next_input", lambda text, replace=False: written.append((text, replace)))
    run(
        shell,
        "import torch",
        'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")',
        "%%placefix --fix\nx = torch.randn(3)\nx = x.cuda()",
    )
    assert written == [("x = torch.randn(3)\nx = x.to(device)", True)]
    assert "x" not in shell.user_ns


def test_cells_that_were_run_are_not_changed(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written: list[str] = []
    monkeypatch.setattr(shell, "set_next_input", lambda text, replace=False: written.append(text))
    run(shell, "import torch\nx = torch.randn(3)\nx = x.cuda()", "%%placefix --fix\ny = x * 2")
    assert written == []
    assert "nothing found" in capsys.readouterr().out


def test_the_notebook_so_far(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    run(shell, "import torch", "x = torch.randn(3)\nx = x.cuda()")
    capsys.readouterr()
    run(shell, "%placefix")
    assert "notebook.ipynb:cell 2:2:" in capsys.readouterr().out


def test_rules_can_be_chosen(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    run(shell, "import torch", "x = torch.randn(3).cuda()")
    capsys.readouterr()
    run(shell, "%placefix --select PF3")
    assert "nothing found" in capsys.readouterr().out
    run(shell, "%placefix --select PF9")
    assert "PF9" in capsys.readouterr().err


def test_jupyter_lsp_finds_the_server() -> None:
    (entry,) = entry_points(group="jupyter_lsp_spec_v1", name="placefix")
    spec = entry.load()(None)["placefix"]
    assert spec["version"] == 2
    assert spec["languages"] == ["python"]
    assert spec["argv"][1:] == ["-m", "placefix", "server"]
