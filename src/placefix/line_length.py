"""The line length of a project, from the settings of its other tools: ruff, black, flake8, pycodestyle, .editorconfig.

Their files may be of any kind: one that is no regular file, is very large or cannot be parsed is ignored.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from placefix.project_files import parse_toml, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

# The default of ruff and black, for projects that configure them without a line length.
_DEFAULT = 88
# The length of a project that turns the limit off: longer than any line.
UNLIMITED = 10_000
SHORTEST = 20
_LARGEST_FILE = 1 << 20  # bytes


def configured_line_length(folder: str) -> int | None:
    """The line length, in columns, in the configuration files of this folder; None if they have none. Raises nothing."""
    try:
        there = set(os.listdir(folder))
    except OSError:
        return None
    asked = _ToolConfigurations(folder, there)
    found = next((length for length in asked.lengths() if length is not None), None)
    return found if found is not None else _DEFAULT if asked.formatted else None


def is_project_root(folder: str) -> bool:
    """Whether a folder is the top of a work tree: files above it do not belong to the project."""
    return any(os.path.exists(os.path.join(folder, name)) for name in (".git", ".hg"))


class _ToolConfigurations:
    """The configuration files of one folder. formatted: whether ruff or black is configured there."""

    def __init__(self, folder: str, there: set[str]) -> None:
        self.folder = folder
        self.there = there
        self.formatted = False

    def lengths(self) -> Iterator[int | None]:
        """The line lengths in the files, the one with the highest precedence first."""
        own: dict[str, Any] | None = next(
            (table for name in (".ruff.toml", "ruff.toml") if (table := self._toml(name))), None
        )
        tools = self._toml("pyproject.toml").get("tool")
        tools = tools if isinstance(tools, dict) else {}
        tables: tuple[object, object] = (own if own is not None else tools.get("ruff"), tools.get("black"))
        for given in tables:
            if isinstance(given, dict):
                self.formatted = self.formatted or "extend" not in given
                yield _length(given.get("line-length", given.get("line_length")))
        for name in (".flake8", "setup.cfg", "tox.ini"):
            for section in ("flake8", "pycodestyle", "pep8"):
                options = self._ini(name).get(section, {})
                yield _length(options.get("max-line-length", options.get("max_line_length")))
        found = None
        for pattern, options in self._ini(".editorconfig").items():
            if _matches_python(pattern) and "max_line_length" in options:
                off = options["max_line_length"].strip().lower() == "off"
                found = UNLIMITED if off else _length(options["max_line_length"])  # the last that fits counts
        yield found

    def _toml(self, name: str) -> dict[str, Any]:
        return parse_toml(self._read(name))

    def _ini(self, name: str) -> dict[str, dict[str, str]]:
        text = self._read(name)
        if not text:
            return {}
        import configparser

        parser = configparser.RawConfigParser(strict=False, allow_no_value=True, default_section="")
        try:
            parser.read_string("[ ]\n" + text)
        except (configparser.Error, ValueError):
            return {}
        return {section: {key: value or "" for key, value in parser.items(section)} for section in parser.sections()}

    def _read(self, name: str) -> str:
        """The text of a file; empty where there is none that could be meant."""
        if name not in self.there:
            return ""
        return read_text(os.path.join(self.folder, name), largest=_LARGEST_FILE)


def _length(value: object) -> int | None:
    """A length as one of the tools takes it, as a number or in words; None where it is none."""
    if isinstance(value, str):
        match = re.match(r"\s*(\d{1,5})\s*(?:[#;].*)?$", value)
        value = int(match[1]) if match else None
    return value if isinstance(value, int) and not isinstance(value, bool) and SHORTEST <= value <= UNLIMITED else None


def _matches_python(pattern: str) -> bool:
    """Whether a section of .editorconfig is about all Python files: ``*``, ``*.py``, ``**.{py,pyi}``, ``{*.py,*.c}``."""
    inner = re.fullmatch(r"\{(.*)\}", pattern)
    if inner:
        return any(_matches_python(part.strip()) for part in inner[1].split(","))
    found = re.fullmatch(r"(?:\*\*?/)?\*{1,2}(?:\.(?:py|\{([^{}]*)\}))?", pattern)
    return found is not None and (found[1] is None or "py" in [part.strip() for part in found[1].split(",")])
