"""Python's parser without its warnings about the program, such as those about invalid escapes."""

from __future__ import annotations

import ast
import warnings


def parse_quietly(text: str) -> ast.Module:
    """The syntax tree of a program. Raises the exceptions of `ast.parse`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)
