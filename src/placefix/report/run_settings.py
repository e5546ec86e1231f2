"""`--show-files` and `--show-settings`: the files of a run, and the settings of each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from placefix.report.output_stream import StyledText, count_phrase

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.config import Config
    from placefix.discover import Target
    from placefix.report.output_stream import OutputStream


def list_files(targets: Iterable[Target], out: OutputStream) -> None:
    """The paths, a line each."""
    for target in targets:
        out.line(target.path)


def list_settings(targets: Iterable[Target], out: OutputStream) -> None:
    """The settings of each configuration among the files, as TOML below a comment with the configuration file."""
    by_config: dict[int, tuple[Config, list[Target]]] = {}
    for target in targets:
        by_config.setdefault(id(target.config), (target.config, []))[1].append(target)
    for config, found in by_config.values():
        more = f" and {count_phrase(len(found) - 1, 'more file')}" if len(found) > 1 else ""
        out.line(StyledText(f"# {config.file or 'no configuration file'}: {found[0].path}{more}", "header"))
        for key, value in _values(config).items():
            out.line(f"{key} = {json.dumps(value, ensure_ascii=False)}")
        out.line()


def _values(config: Config) -> dict[str, object]:
    """The settings, by the keys of the configuration; `select` has the code of each selected rule."""
    known = config.settings
    judged = {
        kind: [code for code, promise in known.promises if promise == kind] for kind in ("none", "safe", "unsafe")
    }
    values: dict[str, object] = {
        "select": [rule.code for rule in config.rules],
        "unfixable": judged["none"],
        "extend-safe-fixes": judged["safe"],
        "extend-unsafe-fixes": judged["unsafe"],
        "exclude": [line for patterns in config.excludes for line in patterns.lines],
        "target-torch": f"{known.target_torch[0]}.{known.target_torch[1]}",
        "device-idiom": known.device_idiom,
        "device-name": known.device_name,
        "severity": known.severity,
        "unsafe-fixes": config.unsafe_fixes,
        "add-placement": known.add_placement,
    }
    if known.line_length:
        values["line-length"] = known.line_length
    ignored = {line: list(codes) for patterns, codes in config.per_file_ignores for line in patterns.lines}
    return values | {f"per-file-ignores.{json.dumps(line)}": codes for line, codes in ignored.items()}
