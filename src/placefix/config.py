"""The configuration of a run: configuration files, options, and the rules they select.

The configuration of a file is the nearest `placefix.toml`, or `pyproject.toml` with a
`[tool.placefix]` table, at or above its folder. Patterns in it are .gitignore patterns,
relative to the folder of the file that holds them.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from placefix import line_length, torch_requirement
from placefix.config_keys import KEYS
from placefix.gitignore import IgnorePatterns, relative_to
from placefix.rule_selection import codes, did_you_mean, prefix_length, select, sort_rules
from placefix.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from placefix.diagnostic import Rule

_Found = TypeVar("_Found")
_LARGEST = 10_000_000  # bytes of a configuration file

# torch.accelerator exists since 2.6; its current_accelerator(check_available=True), without which
# there is no way to write a device that is right on every machine, since 2.7.
_ACCELERATOR_SINCE = (2, 7)


# The keys whose values are added to those of an extended file, rather than put in their place.
_ADDED = ("extend-select", "unfixable", "extend-safe-fixes", "extend-unsafe-fixes")

# The rule that `add-placement` adds to those that are selected.
ADDS_PLACEMENT = "PF501"


class ConfigError(ValueError):
    """A configuration file cannot be used; the message is one line naming the file and the key."""


class Options(NamedTuple):
    """The settings of the command line (or the caller), which override those of the file. None: not given.

    select: replaces the file's select, extend-select and ignore; fixable: the file's. The other lists are added to the file's.
    exclude patterns are relative to the working directory, outside of it to the folder that is searched. force_exclude: leave out excluded files even if they are named.
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
    extend_select: tuple[str, ...] = ()
    fixable: tuple[str, ...] | None = None
    unfixable: tuple[str, ...] = ()
    fragment: bool = False


class Config(NamedTuple):
    """Everything that is decided for one folder. file: the configuration file, "" for none. sets_torch: whether it, or
    an option, sets the oldest torch. fragment: whether what Python cannot read is read as pasted code."""

    rules: tuple[Rule, ...]
    settings: Settings
    unsafe_fixes: bool = False
    excludes: tuple[IgnorePatterns, ...] = ()
    per_file_ignores: tuple[tuple[IgnorePatterns, tuple[str, ...]], ...] = ()
    force_exclude: bool = False
    file: str = ""
    sets_torch: bool = False
    fragment: bool = False

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
        self._declared: dict[object, dict[str, Any]] = {}
        self._completed: dict[tuple[object, ...], Config] = {}

    def at(self, folder: str) -> Config:
        """The configuration for files in the absolute `folder`.

        If it does not set them, the line length and the oldest torch are those of the project's other files.
        """
        config = self._own(folder)
        known = config.settings
        length = (
            0 if known.line_length or self._isolated else self._nearest(line_length.configured_line_length, folder) or 0
        )
        torch = None if config.sets_torch or self._isolated else self._nearest(torch_requirement.declared, folder)
        if torch is not None and known.device_idiom == "accelerator":
            torch = max(torch, known.target_torch)
        if not length and torch is None:
            return config
        key = id(config), length, torch
        if key not in self._completed:
            settings = known._replace(line_length=length or known.line_length, target_torch=torch or known.target_torch)
            self._completed[key] = config._replace(settings=settings)
        return self._completed[key]

    def _nearest(self, declared: Callable[[str], _Found | None], folder: str) -> _Found | None:
        """The declaration of the nearest folder, at or above a folder of the same work tree; None if none has one."""
        known: dict[str, Any] = self._declared.setdefault(declared, {})
        passed: list[str] = []
        while folder not in known:
            passed.append(folder)
            found, parent = declared(folder), os.path.dirname(folder)
            if found is not None or parent == folder or line_length.is_project_root(folder):
                known[folder] = found
            else:
                folder = parent
        known.update(dict.fromkeys(passed, known[folder]))
        answer: _Found | None = known[folder]
        return answer

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
        return _build(_table_of(file), os.path.dirname(os.path.abspath(file)), file, self._options)


def _table_of(file: str) -> dict[str, Any]:
    """The table of a configuration file that is named."""
    table = _read(file)
    if table is None:
        raise ConfigError(f"{file}: {'a folder, not a file' if os.path.isdir(file) else 'no such file'}")
    if os.path.basename(file) != "pyproject.toml":
        return table
    inner = _tool_table(table, file)
    if inner is None:
        raise ConfigError(f"{file}: has no [tool.placefix] table")
    return inner


def _table_in(folder: str) -> tuple[str, dict[str, Any]] | None:
    """The configuration file of this very folder and its table, if there is one."""
    own = os.path.join(folder, "placefix.toml")
    if (table := _read(own)) is not None:
        return own, table
    shared = os.path.join(folder, "pyproject.toml")
    # A file of a project that does not mention placefix is not read further, and its errors are not reported.
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
        if error.errno == errno.ENAMETOOLONG:  # nor can there be one; reading the folder below reports the error itself
            return None
        if isinstance(error, PermissionError) and not os.access(os.path.dirname(file) or ".", os.X_OK):
            return None  # nothing in such a folder can be read: its files report the error themselves
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


def _values(table: Mapping[str, Any], root: str, file: str, passed: tuple[str, ...] = ()) -> dict[str, Any]:
    """The checked values of a table, over those of the file that it extends. passed: the files that lead here."""
    values: dict[str, Any] = {}
    for key, value in table.items():
        parse = KEYS.get(key)
        if parse is None:
            meant = did_you_mean(key, {known: f'"{known}"' for known in KEYS})
            raise ConfigError(f"{file}: {key}: unknown key{meant or f' (known: {chr(44).join(KEYS)})'}")
        try:
            values[key] = parse(value)
        except ValueError as error:
            raise ConfigError(f"{file}: {key}: {error}") from None
    if "exclude" in values:
        values["exclude"] = IgnorePatterns(root, values["exclude"])
    if "per-file-ignores" in values:
        values["per-file-ignores"] = tuple(
            (IgnorePatterns(root, (pattern,)), ignored) for pattern, ignored in values["per-file-ignores"].items()
        )
    if "extend" not in values:
        return values
    base = os.path.normpath(os.path.join(root, os.path.expanduser(values.pop("extend"))))
    if base in (*passed, os.path.abspath(file)):
        raise ConfigError(f"{file}: extend: {base} extends this file itself")
    try:
        extended = _values(_table_of(base), os.path.dirname(base), base, (*passed, os.path.abspath(file)))
    except ConfigError as error:
        raise ConfigError(f"{file}: extend: {error}") from None
    for key in _ADDED:
        if key in extended and key in values:
            values[key] = (*extended[key], *values[key])
    return extended | values


def _build(table: Mapping[str, Any], root: str, file: str, options: Options) -> Config:
    """The Config of a table with the options laid over it; the table is all checked even so."""
    values = _values(table, root, file)
    for key, option in (("exclude", options.exclude), ("fixable", options.fixable), ("unfixable", options.unfixable)):
        _override(key, option or None, ())
    ignore = codes(options.ignore)
    more = codes(options.extend_select)
    if options.select is None:
        ignore = (*values.get("ignore", ()), *ignore)
        more = (*values.get("extend-select", ()), *more)
        # `select = []` in a file selects nothing
        rules = () if values.get("select") == () else select(values.get("select", ()), ignore)
    else:
        rules = select(options.select, ignore)
    if values.get("add-placement", False) if options.add_placement is None else options.add_placement:
        more = (*more, *(() if ADDS_PLACEMENT.startswith(ignore or ("-",)) else (ADDS_PLACEMENT,)))
    if more:
        rules = sort_rules((*rules, *select(more, ignore)))

    default = Settings()
    idiom = _override("device-idiom", options.device_idiom, values.get("device-idiom", default.device_idiom))
    oldest = _ACCELERATOR_SINCE if idiom == "accelerator" else default.target_torch
    target = _override("target-torch", options.target_torch, values.get("target-torch", oldest))
    if idiom == "accelerator" and target < _ACCELERATOR_SINCE:
        problem = f'device-idiom "accelerator" needs target-torch 2.7 or later, not {target[0]}.{target[1]}'
        raise ConfigError(f"{file}: {problem}") if file else ValueError(problem)
    unsafe = values.get("unsafe-fixes", False) if options.unsafe_fixes is None else options.unsafe_fixes
    excludes = (values.get("exclude", IgnorePatterns(root, ())), IgnorePatterns(os.getcwd(), options.exclude))
    return Config(
        rules=rules,
        settings=Settings(
            target_torch=target,
            device_idiom=idiom,
            device_name=_override("device-name", options.device_name, values.get("device-name", default.device_name)),
            add_placement=any(rule.code == ADDS_PLACEMENT for rule in rules),
            line_length=values.get("line-length", default.line_length),
            severity=_override("severity", options.severity, values.get("severity", default.severity)),
            promises=_promises(rules, values, options),
        ),
        unsafe_fixes=unsafe,
        excludes=tuple(patterns for patterns in excludes if patterns.lines),
        force_exclude=options.force_exclude,
        per_file_ignores=values.get("per-file-ignores", ()),
        file=file,
        sets_torch=options.target_torch is not None or "target-torch" in values,
        fragment=options.fragment,
    )


def _promises(rules: tuple[Rule, ...], values: Mapping[str, Any], options: Options) -> tuple[tuple[str, str], ...]:
    """The fixability that the user configures for rules: `Settings.promises`. The longer prefix wins; on a tie the more careful list."""
    fixable = values.get("fixable") if options.fixable is None else codes(options.fixable)
    unfixable = (*values.get("unfixable", ()), *codes(options.unfixable))
    found = []
    for code in (rule.code for rule in rules):
        wanted = prefix_length(code, fixable) if fixable is not None else 1
        safe, unsafe = (prefix_length(code, values.get(f"extend-{kind}-fixes", ())) for kind in ("safe", "unsafe"))
        if not wanted or (unfixable and prefix_length(code, unfixable) >= wanted):
            found.append((code, "none"))
        elif safe or unsafe:
            found.append((code, "safe" if safe > unsafe else "unsafe"))
    return tuple(found)


def _override(key: str, override: object, otherwise: Any) -> Any:
    """The parsed override, or `otherwise` if there is none."""
    if override is None:
        return otherwise
    try:
        return KEYS[key](override)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None
