"""A notebook as a script that can be run. Imports no torch."""

from __future__ import annotations

import ast
import json
import re
from typing import NamedTuple

from placefix.notebook import Notebook

# Magics that run the rest of their line.
_TIMED = re.compile(r"^([ \t]*)%time(?:it)?[ \t]+(?:-\w+(?:[ \t]*\d+)?[ \t]+)*(?=\S)", re.MULTILINE)

# Magics that may bind names. The analysis takes them for assignments; here they do nothing.
_BINDING = re.compile(r"^([ \t]*)%(?:run|reset)\b.*", re.MULTILINE)


class NotebookProgram(NamedTuple):
    """The code cells in order, as one text."""

    text: str
    # For each line from 1, the cell and the line in it, such as "cell 3, line 2".
    names: tuple[str, ...]
    skipped: tuple[int, ...]  # the lines in place of shell commands and magics, which are not run


def notebook_program(data: bytes) -> NotebookProgram:
    """The program of a notebook; shell commands and unknown magics do nothing in it, and bind None.

    Raises SourceError if it is no notebook of format 4.
    """
    document = json.loads(data)
    for cell in document.get("cells", ()):
        if cell.get("cell_type") == "code":
            cell["source"] = _BINDING.sub(r"\1%pass", _TIMED.sub(r"\1", "".join(cell["source"])))
    return program_of(Notebook.from_bytes(json.dumps(document).encode()))


def program_of(notebook: Notebook) -> NotebookProgram:
    """The program of a notebook that has been read."""
    lines = notebook.text.split("\n")
    skipped = []
    for node in ast.walk(ast.parse(notebook.text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            if str(node.value.value).startswith("_ipynb"):
                skipped.append(node.lineno)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "get_ipython"
            and node.args
        ):
            first = node.args[0]
            marked = isinstance(first, ast.Constant) and str(first.value).startswith("_ipynb")
            if marked and node.lineno == node.end_lineno:
                skipped.append(node.lineno)
                line = lines[node.lineno - 1].encode()
                lines[node.lineno - 1] = (line[: node.col_offset] + b"None" + line[node.end_col_offset :]).decode()
    names = tuple(notebook.row_name(number) for number in range(1, len(lines)))
    names = (*names, names[-1] if names else "line 1")
    return NotebookProgram("\n".join(lines), names, tuple(sorted(skipped)))
