"""Outputs, one module each; a new format is a module with `render` and a line in FORMATS.

A report prints the results and decides nothing about findings or files.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult

# The values of --output-format → the module that writes the format, loaded when it is used.
FORMATS = {
    "full": "placefix.report.text",
    "concise": "placefix.report.concise",
    "json": "placefix.report.json",
    "json-lines": "placefix.report.jsonlines",
    "sarif": "placefix.report.sarif",
    "github": "placefix.report.github",
    "gitlab": "placefix.report.gitlab",
    "junit": "placefix.report.junit",
    "rdjson": "placefix.report.rdjson",
    "azure": "placefix.report.azure",
    "pylint": "placefix.report.pylint",
    "grouped": "placefix.report.grouped",
}
# The formats for people, which show code.
TEXTS = frozenset(("full", "concise"))


class Format(Protocol):
    """The interface of a module named in FORMATS."""

    def render(self, results: Iterable[FileResult], out: OutputStream) -> None:
        """Write the `remaining` findings of each result to `out`, as the results come."""


def load(name: str) -> Format:
    """The module that writes the format `name`. Raises KeyError for a name not in FORMATS."""
    return cast("Format", import_module(FORMATS[name]))
