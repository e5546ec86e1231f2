"""Many files: read, dismiss, check or fix, write. One FileResult per file, in order.

Nothing that goes wrong with one file stops the others: it becomes the file's outcome.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from placefix import engine, files
from placefix.diagnostic import Applicability, triggered
from placefix.discover import Target
from placefix.engine import Changed, Failed, Skipped, Unchanged
from placefix.lazy import NamedTuple
from placefix.source import Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from placefix.diagnostic import Diagnostic, Rule
    from placefix.discover import Missing
    from placefix.engine import Outcome
    from placefix.facts.project import Home, Project


_COLLECT_EVERY = 200


class FileResult(NamedTuple):
    """What became of one file.

    source: the file as it was read; None if it was not decoded, as when no rule can matter to it.
    written: whether the new text stands in the file.
    """

    target: Target | Missing
    outcome: Outcome
    source: Source | None = None
    written: bool = False

    @property
    def path(self) -> str:
        """The file's path as it was named or found."""
        return self.target.path

    @property
    def absolute(self) -> str:
        """The file's absolute path; empty for one that was never reached."""
        return self.target.absolute if isinstance(self.target, Target) else ""

    @property
    def error(self) -> str:
        """Why the file could not be dealt with, in one line; empty if it could."""
        if isinstance(self.outcome, Skipped):
            return self.outcome.reason
        return self.outcome.error if isinstance(self.outcome, Failed) else ""

    @property
    def remaining(self) -> tuple[Diagnostic, ...]:
        """The findings that no applied fix has removed; their positions are in `current`."""
        return self.outcome.remaining if isinstance(self.outcome, Changed | Unchanged) else ()

    @property
    def fixable(self) -> tuple[Diagnostic, ...]:
        """Those of `remaining` that `apply` repairs under the file's configuration."""
        unsafe = isinstance(self.target, Target) and self.target.config.unsafe_fixes
        applied = (Applicability.SAFE, Applicability.UNSAFE) if unsafe else (Applicability.SAFE,)
        return tuple(d for d in self.remaining if d.fix is not None and d.fix.applicability in applied)

    @property
    def current(self) -> Source | None:
        """The file as the outcome leaves it."""
        if self.source is None or not isinstance(self.outcome, Changed):
            return self.source
        return Source(self.outcome.text, self.source.name, self.source.encoding, self.source.bom)

    def before_after(self) -> tuple[bytes, bytes]:
        """The bytes of the file before and after; the same where nothing changes."""
        if self.source is None:
            return b"", b""
        before = self.source.encode(self.source.text)
        return before, self.source.encode(self.outcome.text) if isinstance(self.outcome, Changed) else before


class Repositories:
    """What the files of one run import from each other, as it stands when the run begins: neither the
    order of the files nor what is written to them on the way makes a difference.

    paths: what was searched; a folder among them is the root of what has no other.
    """

    def __init__(self, paths: Iterable[str | os.PathLike[str]] = ()) -> None:
        self._paths = paths
        self._files = files.Snapshot()
        self._project: Project | None = None

    def home(self, path: str) -> Home:
        """The place of the file at the absolute `path`."""
        if self._project is None:
            from placefix.facts.project import Project

            folders = [os.path.abspath(path) for path in self._paths]
            self._project = Project(self._files, tuple(f for f in folders if self._files.is_folder(f)))
        return self._project.home(path)

    def forget(self) -> None:
        """Drop what can be read again."""
        if self._project is not None:
            self._project.forget()

    def keep(self, path: str, data: bytes) -> None:
        """Remember what the file at the absolute `path` held when the run began."""
        self._files.keep(path, data)


def check(targets: Iterable[Target | Missing], paths: Iterable[str | os.PathLike[str]] = ()) -> Iterator[FileResult]:
    """The findings of each file: outcomes are Unchanged, Skipped or Failed. `paths`: where the targets were found."""
    repositories = Repositories(paths)
    for target in _collecting(targets, repositories):
        yield _read(target, check_bytes, repositories)


def fix(
    targets: Iterable[Target | Missing], paths: Iterable[str | os.PathLike[str]] = (), *, write: bool
) -> Iterator[FileResult]:
    """The repair of each file; with `write`, written in place. `paths`: where the targets were found."""
    repositories = Repositories(paths)
    for target in _collecting(targets, repositories):
        result = _read(target, fix_bytes, repositories)
        if write and isinstance(result.outcome, Changed):
            repositories.keep(result.absolute, result.before_after()[0])
            result = _written(result)
        yield result


def _collecting(targets: Iterable[Target | Missing], repositories: Repositories) -> Iterator[Target | Missing]:
    """The targets; where the program has switched the garbage collector off, it runs once in a while."""
    from gc import collect, isenabled

    for number, target in enumerate(targets, 1):
        if number % _COLLECT_EVERY == 0 and not isenabled():
            repositories.forget()  # the collector would walk over all of it
            collect()
        yield target


def check_bytes(target: Target, data: bytes, repositories: Repositories | None = None) -> FileResult:
    """The findings of one file's bytes; without `repositories` it is judged alone."""

    def run(source: Source, rules: tuple[Rule, ...]) -> Outcome:
        home = repositories.home(target.absolute) if repositories is not None else None
        return Unchanged(engine.check(source, target.config.settings, rules, home, live=True))

    # A rule that nothing in the file triggers has nothing to find.
    return _guarded(target, data, run, lambda rules: triggered(rules, data))


def fix_bytes(target: Target, data: bytes, repositories: Repositories | None = None) -> FileResult:
    """The repair of one file's bytes; nothing is written. Without `repositories` it is judged alone."""

    def run(source: Source, rules: tuple[Rule, ...]) -> Outcome:
        if source.encode(source.text) != data:
            return Failed(f"the encoding {source.encoding} does not give back the same bytes")
        home = repositories.home(target.absolute) if repositories is not None else None
        outcome = engine.fix(source, target.config.settings, rules, unsafe=target.config.unsafe_fixes, home=home)
        if isinstance(outcome, Changed):
            source.encode(outcome.text)  # if this cannot be, it is known before anything is shown or written
        return outcome

    # One fix can make room for the next: all rules go in as soon as one of them is triggered.
    return _guarded(target, data, run, lambda rules: rules if triggered(rules, data) else ())


def _read(
    target: Target | Missing, work: Callable[[Target, bytes, Repositories], FileResult], repositories: Repositories
) -> FileResult:
    if not isinstance(target, Target):
        return FileResult(target, Skipped(target.reason))
    try:
        data = files.read(target.path)
    except files.FileError as error:
        return FileResult(target, Skipped(str(error)))
    return work(target, data, repositories)


def _guarded(
    target: Target,
    data: bytes,
    run: Callable[[Source, tuple[Rule, ...]], Outcome],
    relevant: Callable[[tuple[Rule, ...]], tuple[Rule, ...]],
) -> FileResult:
    """Run one file's analysis with every way it can end turned into an outcome."""
    rules = relevant(target.config.rules_for(target.absolute))
    if not rules and not target.named:
        return FileResult(target, Unchanged())
    source = None
    try:
        source = Source.from_bytes(data, target.path)
        if rules:
            outcome = run(source, rules)
        else:  # named outright: whoever names a file hears that it cannot be parsed
            engine.parse(source)
            outcome = Unchanged()
    except (SourceError, engine.ParseError) as error:
        outcome = Skipped(str(error))
    except Exception as error:  # a bug of ours: this file stays as it is, the others go on
        if os.environ.get("PLACEFIX_TRACEBACK"):
            raise
        outcome = Failed(internal_error(error))
    return FileResult(target, outcome, source)


def internal_error(error: Exception) -> str:
    """A bug of ours as a reason of one line."""
    return f"placefix failed, please report it: {type(error).__name__}: {' '.join(str(error).split())}"


def _written(result: FileResult) -> FileResult:
    """The result once its new text is in the file, or the reason why it is not."""
    try:
        before, after = result.before_after()
        files.replace(result.path, before, after)
    except files.FileError as error:
        return FileResult(result.target, Failed(str(error)), result.source)
    return FileResult(result.target, result.outcome, result.source, written=True)
