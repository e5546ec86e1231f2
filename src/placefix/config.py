"""What the user asked for: configuration files, options, and the rules they select.

The configuration of a file is the nearest `placefix.toml`, or `pyproject.toml` with a
`[tool.placefix]` table, at or above its folder. Patterns in it are .gitignore patterns,
relative to the folder of the file that holds them.
"""

from __future__ import annotations

import errno
import keyword
import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from placefix import line_length
from placefix.lazy import NamedTuple
from placefix.rules import RULES
from placefix.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pathspec

    from placefix.diagnostic import Rule

_LARGEST = 10_000_000  # bytes of a configuration file
IDIOMS = ("cuda", "accelerator")
SEVERITIES = ("error", "warning", "style")

# torch.accelerator exists since 2.6; its current_accelerator(check_available=True), without which
# there is no way to write a device that is right on every machine, since 2.7.
_ACCELERATOR_SINCE = (2, 7)


# The rule that `add-placement` adds to those that are selected.
ADDS_PLACEMENT = "PF501"


class ConfigError(ValueError):
    """A configuration file cannot be used; the message is one line naming the file and the key."""


class Patterns(NamedTuple):
    """.gitignore patterns and the absolute folder they are relative to."""

    root: str
    lines: tuple[str, ...]

    def match(self, path: str, *, folder: bool = False) -> bool:
        """Whether the absolute `path` matches; one outside `root` never does."""
        return self.verdict(path, folder=folder) is True

    def verdict(self, path: str, *, folder: bool = False) -> bool | None:
        """True where the last pattern that speaks of the absolute `path` matches it, False where
        that one is negated, None where none does."""
        relative = relative_to(path, self.root)
        if not relative:
            return None
        return _compiled(self.lines).check_file(relative + "/" if folder else relative).include


def valid_pattern(line: str) -> bool:
    """Whether a line is a .gitignore pattern at all."""
    try:
        _compiled((line,))
    except (ValueError, re.error):  # pathspec lets re's own error for a bad [class] through
        return False
    return True


def relative_to(path: str, root: str) -> str:
    """`path` below the folder `root`, with forward slashes; empty if it is not below it."""
    prefix = root if root.endswith(os.sep) else root + os.sep
    return path[len(prefix) :].replace(os.sep, "/") if path.startswith(prefix) else ""


@lru_cache(maxsize=512)
def _compiled(lines: tuple[str, ...]) -> pathspec.GitIgnoreSpec:
    import pathspec

    return pathspec.GitIgnoreSpec.from_lines(lines)


class Options(NamedTuple):
    """What the command line (or the caller) sets over the file. None: not said.

    select: replaces the file's select and ignore. ignore, exclude: added to the file's.
    exclude patterns are relative to the working directory, outside of it to the folder that is searched. force_exclude: what is excluded is left out though it is named.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    target_torch: str | None = None
    device_idiom: str | None = None
    device_name: str | None = None
    unsafe_fixes: bool | None = None
    force_exclude: bool = False
    add_placement: bool | None = None
    severity: str | None = None


class Config(NamedTuple):
    """Everything that is decided for one folder."""

    rules: tuple[Rule, ...]
    settings: Settings
    unsafe_fixes: bool = False
    excludes: tuple[Patterns, ...] = ()
    per_file_ignores: tuple[tuple[Patterns, tuple[str, ...]], ...] = ()
    force_exclude: bool = False

    def rules_for(self, path: str) -> tuple[Rule, ...]:
        """The rules that apply to the file at the absolute `path`, in their order."""
        if not self.per_file_ignores:
            return self.rules
        dropped = tuple(code for patterns, codes in self.per_file_ignores if patterns.match(path) for code in codes)
        return tuple(rule for rule in self.rules if not rule.code.startswith(dropped))

    def excludes_path(self, path: str, *, folder: bool, searched: str = "") -> bool:
        """Whether discovery leaves the absolute `path` out.

        searched: the absolute folder that was named. Patterns are relative to it where theirs does not hold `path`: the
        working directory, or the folder of a `--config` file, may be anywhere.
        """
        return any(
            (patterns._replace(root=searched) if searched and not relative_to(path, patterns.root) else patterns).match(
                path, folder=folder
            )
            for patterns in self.excludes
        )


def select(select: Sequence[str], ignore: Sequence[str]) -> tuple[Rule, ...]:
    """The rules of the codes or prefixes in `select` less those in `ignore`, in their order.

    An empty `select` means every rule that is not opt-in; an opt-in rule is chosen by its full
    code only. Where both lists name a rule the longer prefix wins, and `ignore` on a tie.
    Raises ValueError for a code or prefix that fits no rule.
    """
    for code in (*select, *ignore):
        if not code or not any(rule.code.startswith(code) for rule in RULES):
            raise ValueError(f"no rule fits {code!r} (`placefix rule --all` lists them)")

    def strength(rule: Rule, codes: Sequence[str]) -> int:
        return max((len(code) for code in codes if rule.code.startswith(code)), default=0)

    def chosen(rule: Rule) -> bool:
        wanted = strength(rule, select) if select else 1
        if rule.opt_in and rule.code not in select:
            return False
        return wanted > 0 and (wanted > strength(rule, ignore))

    return tuple(rule for rule in RULES if chosen(rule))


def settle(options: Options) -> Config:
    """The configuration where there is no configuration file. Raises ValueError for a bad option."""
    return _build({}, os.getcwd(), "", options)


class Configs:
    """Finds the configuration of a folder.

    file: the one configuration for all folders (`--config`). isolated: read no file at all.
    Raises ConfigError where a file cannot be read or holds an unknown key or a bad value, and
    ValueError for a bad override.
    """

    def __init__(self, options: Options | None = None, *, file: str | None = None, isolated: bool = False) -> None:
        self._options = options or Options()
        self._default = settle(self._options)
        self._fixed = self._default if isolated else None
        if file is not None and not isolated:
            self._fixed = self._named(file)
        self._isolated = isolated
        self._by_folder: dict[str, Config] = {}
        self._lengths: dict[str, int] = {}
        self._wide: dict[tuple[int, int], Config] = {}

    def at(self, folder: str) -> Config:
        """The configuration for files in the absolute `folder`. Where it does not say how long lines may be, the project's other tools do."""
        config = self._own(folder)
        if config.settings.line_length or self._isolated:
            return config
        length = self._length(folder)
        if not length:
            return config
        key = id(config), length
        if key not in self._wide:
            self._wide[key] = config._replace(settings=config.settings._replace(line_length=length))
        return self._wide[key]

    def _length(self, folder: str) -> int:
        """How long lines may be by the nearest file of another tool, at or above a folder of the same work tree; 0: nobody says."""
        passed: list[str] = []
        while folder not in self._lengths:
            passed.append(folder)
            found, parent = line_length.declared(folder), os.path.dirname(folder)
            if found is not None or parent == folder or line_length.is_root(folder):
                self._lengths[folder] = found or 0
            else:
                folder = parent
        self._lengths.update(dict.fromkeys(passed, self._lengths[folder]))
        return self._lengths[folder]

    def _own(self, folder: str) -> Config:
        if self._fixed is not None:
            return self._fixed
        passed: list[str] = []
        while True:
            found = self._by_folder.get(folder)
            if found is None and (table := _table_in(folder)) is not None:
                found = _build(table[1], folder, table[0], self._options)
            passed.append(folder)
            parent = os.path.dirname(folder)
            if found is None and parent == folder:
                found = self._default
            if found is not None:
                self._by_folder.update(dict.fromkeys(passed, found))
                return found
            folder = parent

    def _named(self, file: str) -> Config:
        table = _read(file)
        if table is None:
            raise ConfigError(f"{file}: {'a folder, not a file' if os.path.isdir(file) else 'no such file'}")
        if os.path.basename(file) == "pyproject.toml":
            inner = _tool_table(table, file)
            if inner is None:
                raise ConfigError(f"{file}: has no [tool.placefix] table")
            table = inner
        return _build(table, os.path.dirname(os.path.abspath(file)), file, self._options)


def _table_in(folder: str) -> tuple[str, dict[str, Any]] | None:
    """The configuration file of this very folder and its table, if there is one."""
    own = os.path.join(folder, "placefix.toml")
    if (table := _read(own)) is not None:
        return own, table
    shared = os.path.join(folder, "pyproject.toml")
    # A project's file that never says the name is not ours to read, nor to find fault with.
    if (table := _read(shared, only_with=b"placefix")) is not None and (
        inner := _tool_table(table, shared)
    ) is not None:
        return shared, inner
    return None


def _tool_table(table: Mapping[str, Any], file: str) -> dict[str, Any] | None:
    tool = table.get("tool")
    inner = tool.get("placefix") if isinstance(tool, dict) else None
    if inner is not None and not isinstance(inner, dict):
        raise ConfigError(f"{file}: tool.placefix: must be a table")
    return inner


def _read(file: str, *, only_with: bytes = b"") -> dict[str, Any] | None:
    """The TOML of `file`; None if there is no such file or it lacks the bytes `only_with`."""
    try:
        if not os.path.isdir(file) and os.path.exists(file) and not os.path.isfile(file):
            raise ConfigError(f"{file}: cannot be read: not a regular file")
        if os.path.isfile(file) and os.path.getsize(file) > _LARGEST:
            raise ConfigError(f"{file}: cannot be read: larger than {_LARGEST // 1_000_000} MB")
        with open(file, "rb") as stream:
            data = stream.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # nor can there be one; the folder below will say so itself
            return None
        if isinstance(error, PermissionError) and not os.access(os.path.dirname(file) or ".", os.X_OK):
            return None  # nothing in such a folder can be read: its files will say so themselves
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from None
    if only_with not in data:
        return None
    import sys

    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file}: is not valid TOML: {error}") from None


def _build(table: Mapping[str, Any], root: str, file: str, options: Options) -> Config:
    """The Config of a table with the options laid over it; the table is all checked even so."""
    values: dict[str, Any] = {}
    for key, value in table.items():
        parse = _KEYS.get(key)
        if parse is None:
            raise ConfigError(f"{file}: {key}: unknown key (known: {', '.join(_KEYS)})")
        try:
            values[key] = parse(value)
        except ValueError as error:
            raise ConfigError(f"{file}: {key}: {error}") from None

    for key in ("select", "ignore"):
        try:
            select(values.get(key, ()), ())
        except ValueError as error:
            raise ConfigError(f"{file}: {key}: {error}") from None
    _override("exclude", options.exclude or None, ())
    if options.select is None:
        rules = select(values.get("select", ()), (*values.get("ignore", ()), *options.ignore))
        if "select" in values and not values["select"]:
            rules = ()  # `select = []` in a file selects nothing
    else:
        rules = select(options.select, options.ignore)

    wanted = values.get("add-placement", False) if options.add_placement is None else options.add_placement
    rules = tuple(
        r
        for r in RULES
        if r in rules or (wanted and r.code == ADDS_PLACEMENT and not _ignored(r.code, values, options))
    )
    adds = any(rule.code == ADDS_PLACEMENT for rule in rules)

    default = Settings()
    idiom = _override("device-idiom", options.device_idiom, values.get("device-idiom", default.device_idiom))
    oldest = _ACCELERATOR_SINCE if idiom == "accelerator" else default.target_torch
    target = _override("target-torch", options.target_torch, values.get("target-torch", oldest))
    name = _override("device-name", options.device_name, values.get("device-name", default.device_name))
    if idiom == "accelerator" and target < _ACCELERATOR_SINCE:
        problem = f'device-idiom "accelerator" needs target-torch 2.7 or later, not {target[0]}.{target[1]}'
        raise ConfigError(f"{file}: {problem}") if file else ValueError(problem)
    severity = _override("severity", options.severity, values.get("severity", default.severity))
    unsafe = values.get("unsafe-fixes", False) if options.unsafe_fixes is None else options.unsafe_fixes
    excludes = (Patterns(root, values.get("exclude", ())), Patterns(os.getcwd(), options.exclude))
    return Config(
        rules=rules,
        settings=Settings(target, idiom, name, adds, values.get("line-length", default.line_length), severity),
        unsafe_fixes=unsafe,
        excludes=tuple(patterns for patterns in excludes if patterns.lines),
        force_exclude=options.force_exclude,
        per_file_ignores=tuple(
            (Patterns(root, (pattern,)), codes) for pattern, codes in values.get("per-file-ignores", {}).items()
        ),
    )


def _ignored(code: str, values: Mapping[str, Any], options: Options) -> bool:
    return code.startswith((*values.get("ignore", ()), *options.ignore))


def _override(key: str, override: object, otherwise: Any) -> Any:
    """The parsed override, or `otherwise` where nothing was said."""
    if override is None:
        return otherwise
    try:
        return _KEYS[key](override)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ValueError("must be a list of strings")
    return tuple(value)


def _patterns(value: object) -> tuple[str, ...]:
    lines = _strings(value)
    for line in lines:
        if not valid_pattern(line):
            raise ValueError(f"{line!r} is not a .gitignore pattern")
    return lines


def _per_file_ignores(value: object) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise ValueError('must be a table of pattern = ["CODE", …]')
    result = {}
    for pattern, codes in value.items():
        if pattern.startswith("!"):
            raise ValueError(f"{pattern!r}: a pattern cannot be negated here")
        _patterns((pattern,))
        try:
            result[pattern] = _strings(codes)
        except ValueError as error:
            raise ValueError(f"{pattern!r}: {error}") from None
        select((), result[pattern])
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


_KEYS: dict[str, Callable[[object], Any]] = {
    "select": _strings,
    "ignore": _strings,
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
