"""The settings of the files in an editor: configuration files, and the options that the editor sends."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from placefix.config import ConfigError, Configs, Options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.config import Config

_CONFIGURATIONS = ("placefix.toml", "pyproject.toml")


class EditorSettings:
    """The configuration of each file: configuration files, read again when they change, overridden by the editor's settings."""

    def __init__(self) -> None:
        self._options = Options()
        self._file: str | None = None
        self._isolated = False
        self._configs: dict[str, tuple[object, Config | str]] = {}

    def take(self, options: object) -> str:
        """Options with the keys of the configuration file, `config` (a file) and `isolated`; why they cannot be taken, or nothing."""
        self._configs.clear()
        self._options, self._file, self._isolated = Options(), None, False
        if options is None:
            return ""
        given = dict(options) if isinstance(options, dict) else {}
        values = {key.replace("-", "_"): value for key, value in given.items()}
        file, isolated = values.pop("config", None), values.pop("isolated", False)
        unknown = [key for key in values if key not in Options._fields]
        lists = {
            key: values[key]
            for key in ("select", "extend_select", "ignore", "fixable", "unfixable", "exclude")
            if values.get(key) is not None
        }
        if not isinstance(options, dict) or unknown:
            return f"unknown option {unknown[0]!r}" if unknown else "the options must be an object"
        if any(
            not isinstance(value, list) or not all(isinstance(item, str) for item in value) for value in lists.values()
        ):
            return f"{', '.join(lists)}: must be lists of strings"
        taken = Options(**{**values, **{key: tuple(value) for key, value in lists.items()}})
        try:
            Configs(taken, file=file, isolated=bool(isolated))
        except (ValueError, TypeError) as error:
            return str(error)
        self._options, self._file, self._isolated = taken, file, bool(isolated)
        return ""

    def forget(self) -> None:
        """Read all files again that configurations rest on: those that others extend, requirements and lock files too."""
        self._configs.clear()

    def config(self, path: str) -> Config | str:
        """The configuration of the file at an absolute path, or why there is none."""
        folder = os.path.dirname(path)
        stamp = self._stamp(folder)
        known = self._configs.get(folder)
        if known is None or known[0] != stamp:
            found: Config | str
            try:
                found = Configs(self._options, file=self._file, isolated=self._isolated).at(folder)
            except (ConfigError, ValueError) as error:
                found = str(error)
            known = self._configs[folder] = (stamp, found)
        return known[1]

    def _stamp(self, folder: str) -> object:
        """A value that changes with any configuration file that applies to the folder."""
        if self._isolated:
            return None
        return tuple(_file_state(file) for file in ([self._file] if self._file else _candidate_files(folder)))


def _candidate_files(folder: str) -> Iterator[str]:
    while True:
        yield from (os.path.join(folder, name) for name in _CONFIGURATIONS)
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _file_state(file: str) -> tuple[str, int, int, int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return file, found.st_mtime_ns, found.st_size, found.st_ino
