"""How long a project's lines may be: the files of its other tools, and none that could do harm."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from placefix import line_length
from placefix.config import Configs

if TYPE_CHECKING:
    from pathlib import Path

SAID = {
    "ruff": ({"pyproject.toml": "[tool.ruff]\nline-length = 110\n"}, 110),
    "ruff by its default": ({"pyproject.toml": "[tool.ruff.lint]\nselect = ['E']\n"}, 88),
    "ruff's own file": ({"ruff.toml": "line-length = 90\n", "pyproject.toml": "[tool.ruff]\nline-length = 110\n"}, 90),
    "ruff's hidden file": ({".ruff.toml": "line-length = 91\n", "ruff.toml": "line-length = 92\n"}, 91),
    "black": ({"pyproject.toml": "[tool.black]\nline-length = 100\n"}, 100),
    "black by its default": ({"pyproject.toml": "[tool.black]\n"}, 88),
    "flake8": ({".flake8": "[flake8]\nmax-line-length = 120 ; wide\n"}, 120),
    "flake8 over black's default": (
        {"pyproject.toml": "[tool.black]\n", "tox.ini": "[flake8]\nmax-line-length=99"},
        99,
    ),
    "pycodestyle": ({"setup.cfg": "[metadata]\nname = a%b\n[pycodestyle]\nmax_line_length = 101\n"}, 101),
    "editors": (
        {".editorconfig": "root = true\n[*]\nmax_line_length = 80\n[*.{py,pyi}]\nmax_line_length = 105\n"},
        105,
    ),
    "editors, of something else": ({".editorconfig": "[*.md]\nmax_line_length = 80\n"}, None),
    "editors, as long as it gets": ({".editorconfig": "[*.py]\nmax_line_length = off\n"}, line_length.UNLIMITED),
    "ruff that extends another file": ({"ruff.toml": "extend = '../ruff.toml'\n"}, None),
    "nothing": ({"pyproject.toml": "[project]\nname = 'a'\n", "setup.cfg": "[isort]\nline_length = 79\n"}, None),
    "no TOML": ({"pyproject.toml": "[tool.ruff\nline-length = 110\n"}, None),
    "no INI": ({"setup.cfg": "]\x00[\nmax-line-length = 110\n"}, None),
    "no number": (
        {"ruff.toml": "line-length = 'wide'\nextend = 1\n", ".flake8": "[flake8]\nmax-line-length = x\n"},
        None,
    ),
    "no length": ({"ruff.toml": "line-length = 3\nextend = ''\n"}, None),
    "a table that is none": ({"pyproject.toml": "tool = 3\n"}, None),
}


@pytest.mark.parametrize("said", SAID)
def test_what_a_folder_says(said: str, tmp_path: Path) -> None:
    files, length = SAID[said]
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert line_length.configured_line_length(str(tmp_path)) == length


def test_what_is_no_file_says_nothing(tmp_path: Path) -> None:
    assert line_length.configured_line_length(str(tmp_path / "none")) is None
    (tmp_path / "pyproject.toml").mkdir()
    (tmp_path / "ruff.toml").symlink_to(tmp_path / "ruff.toml")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / ".flake8")  # to open it as usual would wait for ever
    (tmp_path / "setup.cfg").write_text("[flake8]\nmax-line-length = 100\n" + "#" * (1 << 20))
    (tmp_path / "tox.ini").write_bytes(b"\xff[flake8]\nmax-line-length = 100\n")
    assert line_length.configured_line_length(str(tmp_path)) is None


def test_the_nearest_file_counts_and_the_own_key_more(tmp_path: Path) -> None:
    (tmp_path / "ruff.toml").write_text("line-length = 130\n")
    project = tmp_path / "project"
    (project / "inner" / "most").mkdir(parents=True)
    (project / ".git").mkdir()
    assert (
        Configs().at(str(project / "inner")).settings.line_length == 0
    )  # what is above a work tree is of another project
    (project / ".flake8").write_text("[flake8]\nmax-line-length = 100\n")
    (project / "inner" / ".editorconfig").write_text("[*]\nmax_line_length = 90\n")
    configs = Configs()
    assert configs.at(str(project)).settings.line_length == 100
    assert configs.at(str(project / "inner" / "most")).settings.line_length == 90
    assert configs.at(str(project / "inner")) is configs.at(str(project / "inner" / "most"))
    assert Configs(isolated=True).at(str(project)).settings.line_length == 0
    (project / "inner" / "placefix.toml").write_text("line-length = 70\n")
    assert Configs().at(str(project / "inner" / "most")).settings.line_length == 70
