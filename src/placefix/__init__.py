"""placefix: repairs device placement in PyTorch scripts.

The functions here are the command line's `check` and `apply` as values: nothing is
printed, and nothing is raised for one bad file among many. Positions are `Span`s, 0-based
code points into `Source.text`; `Source.location` turns them into rows and columns.
"""

from __future__ import annotations

# Not from typing: `python -m placefix` comes here before it has taken the working directory off its search for modules.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable
    from typing import Any

    from placefix.config import ConfigError, Configs, Options
    from placefix.diagnostic import Applicability, Diagnostic, Fix, Severity, Span
    from placefix.discover import Missing, Target
    from placefix.engine import Changed, Failed, Outcome, ParseError, Skipped, Unchanged
    from placefix.facts.program.repository import Home
    from placefix.notebook import Notebook
    from placefix.runner import FileResult, RunError
    from placefix.source import Source, SourceError

__version__ = "0.2.0"

__all__ = [
    "Applicability",
    "Changed",
    "ConfigError",
    "Diagnostic",
    "Failed",
    "FileResult",
    "Fix",
    "Notebook",
    "Options",
    "Outcome",
    "ParseError",
    "RunError",
    "Severity",
    "Skipped",
    "Source",
    "SourceError",
    "Span",
    "Unchanged",
    "__version__",
    "add_ignores",
    "check_paths",
    "check_source",
    "fix_paths",
    "fix_source",
]

# The module of each public name; loaded at the first use, so that `import placefix` is free.
_HOMES = {
    "runner": ("FileResult", "RunError"),
    "config": ("ConfigError", "Options"),
    "diagnostic": ("Applicability", "Diagnostic", "Fix", "Severity", "Span"),
    "jupyter.magics": ("load_ipython_extension",),
    "engine": ("Changed", "Failed", "Outcome", "ParseError", "Skipped", "Unchanged"),
    "notebook": ("Notebook",),
    "source": ("Source", "SourceError"),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(f"placefix.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def check_source(
    source: str | bytes | Source,
    *,
    name: str = "<string>",
    path: str | os.PathLike[str] | None = None,
    options: Options | None = None,
) -> tuple[Diagnostic, ...]:
    """The findings in one program, suppressed ones left out.

    source: its text, its bytes (decoded as Python does), or a Source, such as a Notebook.
    name: the file's name in messages. Nothing is read from it, nor from a configuration file.
        Where it or `path` ends in .ipynb, text and bytes are a notebook's; positions are in the program
        of its cells (`Notebook.text`), and `Notebook.location` and `cell` map them to the cells.
    path: the path of the program, to look up its imports in the files around it; without it, nothing is read, and
        unused suppressions (PF001) are not reported: they may suppress findings that need other files.

    Raises SourceError (bytes that do not decode) and ParseError (not Python 3), ValueErrors
    with a message of one line, and ValueError for a bad option.
    """
    from placefix import config, engine

    settled = config.settle(options or config.Options())
    rules = settled.rules if path is not None else engine.rules_for_single_file(settled.rules)
    found = engine.check(_source(source, name, path), settled.settings, rules, _home(path))
    return tuple(finding for finding in found if finding.severity.reaches(settled.settings.severity))


def fix_source(
    source: str | bytes | Source,
    *,
    name: str = "<string>",
    path: str | os.PathLike[str] | None = None,
    options: Options | None = None,
) -> Outcome:
    """The repair of one program: Changed (with the new text), Unchanged, Skipped or Failed.

    source, name, path: as in `check_source`. A program that does not decode or parse is Skipped.
    Of a notebook given as text or bytes the new text is the file's, of a Notebook the program's.
    Raises ValueError for a bad option only.
    """
    from placefix import config, engine
    from placefix.source import Source, SourceError

    settled = config.settle(options or config.Options())
    try:
        program = _source(source, name, path)
        rules = settled.rules if path is not None else engine.rules_for_single_file(settled.rules)
        outcome = engine.fix(program, settled.settings, rules, unsafe=settled.unsafe_fixes, home=_home(path))
        if isinstance(outcome, engine.Changed | engine.Unchanged):
            left = (d for d in outcome.remaining if d.severity.reaches(settled.settings.severity))
            outcome = outcome._replace(remaining=tuple(left))
        if isinstance(outcome, engine.Changed) and isinstance(source, str | bytes) and type(program) is not Source:
            return outcome._replace(text=program.encode(outcome.text).decode())
        if isinstance(outcome, engine.Changed) and isinstance(source, str) and source.startswith("\ufeff"):
            return outcome._replace(text="\ufeff" + outcome.text)  # text in, the same kind of text out
        return outcome
    except engine.ParseError as error:
        return error.skipped()
    except SourceError as error:
        return engine.Skipped(str(error))


def check_paths(
    paths: Iterable[str | os.PathLike[str]],
    *,
    options: Options | None = None,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
    base_ref: str | None = None,
) -> list[FileResult]:
    """The findings in files and folders, as `placefix check` has them: one FileResult per file.

    options: override the configuration files, as the command line's options do.
    config: the one configuration file to use. isolated: use none.
    base_ref: only files that have changed in their git work tree since this commit, and findings on lines that have.

    A path that is missing and a file that cannot be read, decoded or parsed is a FileResult
    with an `error`. Raises ConfigError, a ValueError, for a bad configuration file, and
    ValueError for a bad option; RunError where git cannot answer for `base_ref`.
    """
    from placefix import runner
    from placefix.config import Configs

    paths = _listed(paths)
    configs = Configs(options, file=_path(config), isolated=isolated)
    return list(runner.check(_targets(paths, configs, base_ref), paths))


def fix_paths(
    paths: Iterable[str | os.PathLike[str]],
    *,
    options: Options | None = None,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
    write: bool = True,
    base_ref: str | None = None,
) -> list[FileResult]:
    """The repair of files and folders, as `placefix apply` does it: one FileResult per file.

    options, config, isolated, base_ref: as in `check_paths`. write: False changes no file
    (`placefix apply --diff`). A file is replaced in one step or not at all; `written` tells
    which. Raises as `check_paths` does, and then nothing has been written.
    """
    from placefix import runner
    from placefix.config import Configs

    paths = _listed(paths)
    configs = Configs(options, file=_path(config), isolated=isolated)
    return list(runner.fix(_targets(paths, configs, base_ref), paths, write=write))


def add_ignores(
    paths: Iterable[str | os.PathLike[str]],
    *,
    reason: str = "",
    options: Options | None = None,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
    write: bool = True,
    base_ref: str | None = None,
) -> list[FileResult]:
    """Suppress the findings in files and folders by comments, as `placefix check --add-ignore` does: one FileResult per file.

    reason: one line, for every new comment. Otherwise as `fix_paths`: `applied` are the findings that are silenced.
    """
    from placefix import runner
    from placefix.config import Configs
    from placefix.ignore_comments import add_ignore_comments

    paths = _listed(paths)
    configs = Configs(options, file=_path(config), isolated=isolated)
    repositories = runner.Repositories(paths)
    found = runner.results(_targets(paths, configs, base_ref), repositories, fixing=False)
    held = [add_ignore_comments(result, reason) for result in found]
    return list(runner.write_results(held, repositories)) if write else held


def _listed(paths: Iterable[str | os.PathLike[str]]) -> list[str | os.PathLike[str]]:
    """The paths; a single one would be taken letter by letter, and "./src" for the folders "." and "/"."""
    if isinstance(paths, str | bytes):
        raise TypeError(f"paths is a list of paths, not one path: [{paths!r}]")
    return list(paths)


def _targets(paths: list[str | os.PathLike[str]], configs: Configs, base_ref: str | None) -> list[Target | Missing]:
    from placefix.discover import discover

    targets = discover(paths, configs)
    if base_ref is None:
        return targets
    from placefix.git import changed_since

    return changed_since(base_ref, targets, paths)


def _source(source: str | bytes | Source, name: str, path: str | os.PathLike[str] | None) -> Source:
    from placefix.source import Source

    if isinstance(source, str | bytes) and (
        name.endswith(".ipynb") or (path is not None and str(path).endswith(".ipynb"))
    ):
        from placefix.notebook import Notebook

        return Notebook.from_bytes(source.encode() if isinstance(source, str) else source, name)
    if isinstance(source, bytes):
        return Source.from_bytes(source, name)
    # A text that kept its byte order mark: Python's parser takes none in a str.
    return Source(source.removeprefix("\ufeff"), name) if isinstance(source, str) else source


def _home(path: str | os.PathLike[str] | None) -> Home | None:
    import os

    from placefix.runner import Repositories

    return None if path is None else Repositories().home(os.path.abspath(path))


def _path(path: str | os.PathLike[str] | None) -> str | None:
    import os

    return None if path is None else os.fspath(path)
