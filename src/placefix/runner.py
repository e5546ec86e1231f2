"""Many files: read, dismiss, check or fix, write. One FileResult per file, in order.

Nothing that goes wrong with one file stops the others: it becomes the file's outcome.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from placefix import engine, files
from placefix.diagnostic import Applicability, Severity
from placefix.discover import Target
from placefix.engine import Changed, Failed, Skipped, Unchanged
from placefix.notebook_code import code_of_notebook
from placefix.prefilter.placements import runs_models
from placefix.rule_findings import triggered_at
from placefix.source import Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from placefix.changed_lines import ChangedLines
    from placefix.diagnostic import Diagnostic, Rule
    from placefix.discover import Missing
    from placefix.engine import FixSelector, Outcome
    from placefix.facts.program.file_questions import Question
    from placefix.facts.program.repository import Home, Project


_LOOK_EVERY = 16  # files: a process of a pool gets 32 at a time
_COLLECT_ABOVE = 300_000  # objects more than when it was collected last: some 50 MB


class RunError(Exception):
    """A run cannot start or continue with its options; the message is one line."""


class FileResult(NamedTuple):
    """The result for one file.

    source: the file as it was read; None if it was not decoded, as when no rule can matter to it.
    written: whether the new text was written to the file.
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
        """The findings of the configured severity that no applied fix has removed; their positions are in `current`."""
        return tuple(d for d in self._unfixed if d.severity.reaches(self._severity))

    @property
    def hidden(self) -> tuple[Diagnostic, ...]:
        """The findings below the configured severity, notes aside."""
        return tuple(
            d for d in self._unfixed if d.severity is not Severity.NOTE and not d.severity.reaches(self._severity)
        )

    @property
    def _unfixed(self) -> tuple[Diagnostic, ...]:
        return self.outcome.remaining if isinstance(self.outcome, Changed | Unchanged) else ()

    @property
    def _severity(self) -> str:
        return self.target.config.settings.severity if isinstance(self.target, Target) else Severity.STYLE.value

    @property
    def faults(self) -> tuple[Diagnostic, ...]:
        """Those of `remaining` that are no mere notes."""
        return tuple(d for d in self.remaining if d.severity is not Severity.NOTE)

    @property
    def applied(self) -> tuple[Diagnostic, ...]:
        """The findings that were repaired, or would be."""
        return self.outcome.applied if isinstance(self.outcome, Changed) else ()

    @property
    def fixable(self) -> tuple[Diagnostic, ...]:
        """Those of `remaining` that `apply` repairs under the file's configuration."""
        return tuple(filter(self.is_fixable, self.remaining))

    def is_fixable(self, diagnostic: Diagnostic) -> bool:
        """Whether `apply` repairs a finding of `remaining` under the file's configuration."""
        if diagnostic.fix is None:
            return False
        unsafe = isinstance(self.target, Target) and self.target.config.unsafe_fixes
        applicability = diagnostic.fix.applicability
        return applicability is Applicability.SAFE or (unsafe and applicability is Applicability.UNSAFE)

    @property
    def current(self) -> Source | None:
        """The file as the outcome leaves it."""
        if self.source is None or not isinstance(self.outcome, Changed):
            return self.source
        return self.source.with_text(self.outcome.text)

    @property
    def problems(self) -> tuple[str, ...]:
        """Why parts of the file were not analysed, in one line each: cells of a notebook."""
        return () if self.source is None else self.source.problems

    def before_after(self) -> tuple[bytes, bytes]:
        """The bytes of the file before and after; the same where nothing changes."""
        if self.source is None:
            return b"", b""
        before = self.source.encode(self.source.text)
        return before, self.source.encode(self.outcome.text) if isinstance(self.outcome, Changed) else before


class Repositories:
    """The files that a run may import from, as they are at its start: neither the
    order of the files nor writing some of them makes a difference.

    paths: the paths of the run; a folder among them is the root of files that have no other root.
    """

    def __init__(self, paths: Iterable[str | os.PathLike[str]] = ()) -> None:
        self.folders = tuple(os.path.abspath(path) for path in paths if os.path.isdir(path))
        self.files = files.Snapshot()
        self._project: Project | None = None

    def home(self, path: str) -> Home:
        """The place of the file at the absolute `path`."""
        if self._project is None:
            from placefix.facts.program.repository import Project

            self._project = Project(self.files, self.folders)
        return self._project.home(path)

    def consulted(self) -> tuple[Question, ...]:
        """The questions about other files since the last `home`, sorted."""
        return tuple(sorted(self._project.consulted())) if self._project is not None else ()

    def keep(self, path: str, data: bytes) -> None:
        """Keep the content that the file at the absolute `path` had when the run began."""
        self.files.keep(path, data)


def check(targets: Iterable[Target | Missing], paths: Iterable[str | os.PathLike[str]] = ()) -> Iterator[FileResult]:
    """The findings of each file: outcomes are Unchanged, Skipped or Failed. `paths`: where the targets were found."""
    return results(targets, Repositories(paths), fixing=False)


def fix(
    targets: Iterable[Target | Missing], paths: Iterable[str | os.PathLike[str]] = (), *, write: bool
) -> Iterator[FileResult]:
    """The repair of each file; with `write`, written in place. `paths`: where the targets were found."""
    repositories = Repositories(paths)
    fixed = results(targets, repositories, fixing=True)
    return write_results(fixed, repositories) if write else fixed


def results(targets: Iterable[Target | Missing], repositories: Repositories, *, fixing: bool) -> Iterator[FileResult]:
    """The findings of each file, or its repair: one after the other in this process; nothing is written."""
    for target in collect_garbage(targets):
        yield result_of(target, repositories, fixing=fixing)[0]


def write_results(
    fixed: Iterable[FileResult], repositories: Repositories, note: Callable[[str, bytes, bytes], None] | None = None
) -> Iterator[FileResult]:
    """The results, each after its new text was written. `note` is called before that: absolute path, old and new bytes."""
    for result in fixed:
        if isinstance(result.outcome, Changed):
            before, after = result.before_after()
            repositories.keep(result.absolute, before)
            if note is not None:
                note(result.absolute, before, after)
            yield _write_result(result)
        else:
            yield result


def collect_garbage(targets: Iterable[Target | Missing]) -> Iterator[Target | Missing]:
    """The targets; where the program has switched the garbage collector off, it runs when there may be garbage."""
    from gc import collect, get_count, isenabled

    for number, target in enumerate(targets, 1):
        if number % _LOOK_EVERY == 0 and not isenabled() and get_count()[0] > _COLLECT_ABOVE:
            collect()
        yield target


def check_bytes(target: Target, data: bytes, repositories: Repositories | None = None) -> FileResult:
    """The findings of one file's bytes; without `repositories` it is judged alone."""

    def run(source: Source, rules: tuple[Rule, ...]) -> Outcome:
        """Check the file with the triggered rules."""
        live = (
            not is_notebook(target.path) and not target.config.fragment
        )  # triggered by a notebook's bytes, a rule need not be by its code
        return Unchanged(
            engine.check(
                source,
                target.config.settings,
                rules,
                home(),
                live=live,
                beside=every,
                lines=_changed_lines_of(target, source),
            )
        )

    every, home = _rules_of(target, repositories), _home_of(target, repositories)
    # A rule that nothing in the file triggers has nothing to find.
    return _run_guarded(target, data, run, lambda: _triggered_rules(target, every, data, home))


def fix_bytes(
    target: Target, data: bytes, repositories: Repositories | None = None, choice: FixSelector | None = None
) -> FileResult:
    """The repair of one file's bytes; nothing is written. Without `repositories` it is judged alone; `choice` applies some of
    the fixes only."""

    def run(source: Source, rules: tuple[Rule, ...]) -> Outcome:
        """Fix the file with the triggered rules; Failed if its encoding does not round-trip."""
        if source.encode(source.text) != data:
            return Failed(f"the encoding {source.encoding} does not give back the same bytes")
        settings, unsafe = target.config.settings, target.config.unsafe_fixes
        lines = _changed_lines_of(target, source)
        live = None if is_notebook(target.path) or target.config.fragment else triggered()
        outcome = engine.fix(source, settings, rules, unsafe=unsafe, home=home(), live=live, lines=lines, choice=choice)
        if isinstance(outcome, Changed):
            source.encode(outcome.text)  # if this cannot be, it is known before anything is shown or written
        return outcome

    every, home = _rules_of(target, repositories), _home_of(target, repositories)
    triggered = cache(lambda: _triggered_rules(target, every, data, home))
    # One fix can make room for the next: all rules go in as soon as one of them is triggered.
    return _run_guarded(target, data, run, lambda: every if triggered() else ())


def _rules_of(target: Target, repositories: Repositories | None) -> tuple[Rule, ...]:
    """The rules to run on a file. If it is analysed alone, some findings are missing and a suppression may seem unused: PF001 is left out."""
    rules = target.config.rules_for(target.absolute)
    return rules if repositories is not None else engine.rules_for_single_file(rules)


def _home_of(target: Target, repositories: Repositories | None) -> Callable[[], Home | None]:
    """A function that gives the file's place in its repository, the same at each call; None without `repositories`."""
    return cache(lambda: repositories.home(target.absolute) if repositories is not None else None)


def _changed_lines_of(target: Target, source: Source) -> ChangedLines | None:
    """The lines of the file that the run is about; None for all of them."""
    if target.rows is None:
        return None
    from placefix.changed_lines import ChangedLines

    return ChangedLines(source, target.rows)


def is_notebook(path: str) -> bool:
    """Whether the name is one of a notebook."""
    return path.endswith(".ipynb")


def _triggered_rules(
    target: Target, rules: tuple[Rule, ...], data: bytes, home: Callable[[], Home | None]
) -> tuple[Rule, ...]:
    """The rules that the file's bytes can matter to; of a notebook, whose lines are strings there, all or none; of what may be
    pasted code all. home: as in `triggered_at`."""
    if target.config.fragment:
        return rules
    if is_notebook(target.path):
        text = data.replace(b'\\"', b'"')
        if any(all(word in text for word in words) for rule in rules for words in rule.triggers):
            return rules
        return rules if runs_models(data) and triggered_at(code_of_notebook(data), rules, home) else ()
    return triggered_at(data, rules, home)


def result_of(target: Target | Missing, repositories: Repositories, *, fixing: bool) -> tuple[FileResult, bytes | None]:
    """The findings of a file, or its repair; and its bytes, None where they cannot be read."""
    if not isinstance(target, Target):
        return FileResult(target, Skipped(target.reason)), None
    try:
        data = files.read(target.path)
    except files.FileError as error:
        return FileResult(target, Skipped(str(error))), None
    return (fix_bytes if fixing else check_bytes)(target, data, repositories), data


def decode_target(target: Target, data: bytes) -> Source:
    """The text of a file. Raises SourceError."""
    if not is_notebook(target.path):
        source = Source.from_bytes(data, target.path)
        return _fragment_of(source) if target.config.fragment else source
    from placefix.notebook import Notebook

    has_recovery = any(rule.recover_syntax is not None for rule in target.config.rules_for(target.absolute))
    return Notebook.from_bytes(data, target.path, legacy=has_recovery)


def _fragment_of(source: Source) -> Source:
    """A text that Python cannot read, as pasted code; the text itself where Python can, or where it lacks nothing but `async`. Raises
    engine.ParseError."""
    from placefix.fragment import Fragment
    from placefix.python2_syntax import find_python2_syntax

    try:
        engine.parse(source)
    except engine.ParseError:
        if find_python2_syntax(source.text) is None:
            return Fragment.of(source)
    return source


def _run_guarded(
    target: Target,
    data: bytes,
    run: Callable[[Source, tuple[Rule, ...]], Outcome],
    triggered: Callable[[], tuple[Rule, ...]],
) -> FileResult:
    """Run one file's analysis, by the rules that are triggered, with every way it can end turned into an outcome."""
    source = None
    try:
        rules = triggered()
        if not rules and not target.named:
            return FileResult(target, Unchanged())
        source = decode_target(target, data)
        source.limit = target.config.settings.line_length
        if rules:
            outcome = run(source, rules)
        else:  # named outright: whoever names a file hears that it cannot be parsed
            engine.parse(source)
            outcome = Unchanged()
    except engine.ParseError as error:
        outcome = error.skipped()
    except SourceError as error:
        outcome = Skipped(str(error))
    except Exception as error:  # a bug of placefix: this file is not changed, the others go on
        if os.environ.get("PLACEFIX_TRACEBACK"):
            raise
        outcome = Failed(engine.internal_error(error))
    return FileResult(target, outcome, source)


def _write_result(result: FileResult) -> FileResult:
    """The result once its new text is in the file, or the reason why it is not."""
    try:
        before, after = result.before_after()
        files.replace(result.path, before, after)
    except files.FileError as error:
        return FileResult(result.target, Failed(str(error)), result.source)
    return FileResult(result.target, result.outcome, result.source, written=True)
