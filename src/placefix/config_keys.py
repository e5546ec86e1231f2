"""The keys of the configuration, each with the function that checks a value and raises ValueError with a message of one line."""

from __future__ import annotations

import keyword
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

from placefix import line_length
from placefix.gitignore import is_valid_pattern
from placefix.rule_selection import codes

if TYPE_CHECKING:
    from collections.abc import Callable

IDIOMS = ("cuda", "accelerator", "auto")
SEVERITIES = ("error", "warning", "style")


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ValueError("must be a list of strings")
    return tuple(value)


def _patterns(value: object) -> tuple[str, ...]:
    lines = _strings(value)
    for line in lines:
        if not is_valid_pattern(line):
            raise ValueError(f"{line!r} is not a .gitignore pattern")
    return lines


def _per_file_ignores(value: object) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise ValueError('must be a table of pattern = ["CODE", …]')
    result = {}
    for pattern, words in value.items():
        if pattern.startswith("!"):
            raise ValueError(f"{pattern!r}: a pattern cannot be negated here")
        _patterns((pattern,))
        try:
            listed = _strings(words)
        except ValueError as error:
            raise ValueError(f"{pattern!r}: {error}") from None
        result[pattern] = codes(listed)
    return result


def _target_torch(value: object) -> tuple[int, int]:
    # A TOML float would read 2.10 as 2.1.
    match = re.fullmatch(r"(\d+)\.(\d+)", value) if isinstance(value, str) else None
    if match is None:
        raise ValueError('must be a string of the form "X.Y", as in "2.1"')
    return int(match[1]), int(match[2])


def _device_idiom(value: object) -> str:
    if not isinstance(value, str) or value not in IDIOMS:
        raise ValueError("must be " + " or ".join(f'"{idiom}"' for idiom in IDIOMS))
    return value


def _severity(value: object) -> str:
    if not isinstance(value, str) or value not in SEVERITIES:
        raise ValueError("must be " + " or ".join(f'"{severity}"' for severity in SEVERITIES))
    return value


def _device_name(value: object) -> str:
    if not isinstance(value, str) or not value.isidentifier() or keyword.iskeyword(value):
        raise ValueError("must be a Python name")
    return value


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def _line_length(value: object) -> int:
    if (
        not isinstance(value, int)
        or isinstance(value, bool)
        or not line_length.SHORTEST <= value <= line_length.UNLIMITED
    ):
        raise ValueError(f"must be a number from {line_length.SHORTEST} to {line_length.UNLIMITED}")
    return value


def _codes(value: object) -> tuple[str, ...]:
    return codes(_strings(value))


def _file(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("must be the path of a file")
    return value


def _required_version(value: object) -> str:
    """The specifier that a version, or a specifier, means."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    version = import_module("placefix").__version__  # the top module, which has the version
    if not isinstance(value, str):
        raise ValueError('must be a string such as ">=0.2"')
    specifier = f"=={value}" if value[:1].isdigit() else value
    try:
        fits = SpecifierSet(specifier).contains(version, prereleases=True)
    except InvalidSpecifier:
        raise ValueError('must be a version or a specifier such as ">=0.2"') from None
    if not fits:
        raise ValueError(f"{value!r} is required, and this is placefix {version}")
    return value


KEYS: dict[str, Callable[[object], Any]] = {
    "required-version": _required_version,
    "extend": _file,
    "select": _codes,
    "extend-select": _codes,
    "ignore": _codes,
    "fixable": _codes,
    "unfixable": _codes,
    "extend-safe-fixes": _codes,
    "extend-unsafe-fixes": _codes,
    "per-file-ignores": _per_file_ignores,
    "exclude": _patterns,
    "target-torch": _target_torch,
    "device-idiom": _device_idiom,
    "device-name": _device_name,
    "line-length": _line_length,
    "severity": _severity,
    "unsafe-fixes": _boolean,
    "add-placement": _boolean,
}
