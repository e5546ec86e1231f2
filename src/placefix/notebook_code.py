"""The code of a notebook, for whoever only looks at it: the repository around a file."""

from __future__ import annotations

import re

SUFFIX = ".ipynb"


def code_of_notebook(data: bytes) -> bytes:
    """The source of a notebook's code cells, one after the other; empty where the bytes hold no notebook.

    A line of IPython's is `pass`, so that Python parses the rest.
    """
    import json

    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return b""
    cells = document.get("cells") if isinstance(document, dict) else None
    found = [
        _text(cell.get("source"))
        for cell in (cells if isinstance(cells, list) else ())
        if isinstance(cell, dict) and cell.get("cell_type") == "code"
    ]
    plain = re.sub(r"^([ \t]*)[%!].*$", r"\1pass", "\n".join(found), flags=re.MULTILINE)
    return plain.encode("utf-8", "replace")


def _text(source: object) -> str:
    """The source of a cell: a string, or its lines."""
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""
