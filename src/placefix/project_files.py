"""Configuration files of a project's other tools: read as data from outside, with a limit; nothing waits for them, and nothing is raised."""

from __future__ import annotations

import os
import stat
from typing import Any


def read_text(path: str, *, largest: int) -> str:
    """The text of a file; "" if it cannot be read, is no regular file or has more than `largest` bytes."""
    try:
        # O_NONBLOCK: a pipe that nobody writes to would keep the run waiting before its kind is known
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > largest:
                return ""
            return stream.read(largest).decode("utf-8", "replace")
    except OSError:
        return ""


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text; none if it is empty or not valid."""
    if not text:
        return {}
    import sys

    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}
