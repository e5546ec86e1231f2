"""Options of the command line, as argparse has them."""

from __future__ import annotations

import ast


def destination(call: ast.Call) -> str:
    """The attribute that ``add_argument(…)`` sets; empty where it is not written out."""
    for keyword in call.keywords:
        if keyword.arg == "dest":
            value = keyword.value
            return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""
    words = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    long = [w for w in words if w.startswith("--")] or words
    return long[0].lstrip("-").replace("-", "_") if long else ""
