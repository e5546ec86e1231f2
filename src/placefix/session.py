"""One run of `check` or `apply`: results into reports, counts into a summary and an exit code."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from placefix import report, runner
from placefix.config import ConfigError
from placefix.diagnostic import Applicability
from placefix.discover import Target, discover
from placefix.engine import Changed, Skipped
from placefix.report.output_stream import count_phrase
from placefix.run_counts import RunCounts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import FrameType

    from placefix.config import Configs
    from placefix.discover import Missing
    from placefix.engine import FixSelector
    from placefix.interactive import Prompter
    from placefix.journal import Journal
    from placefix.report.html import Page
    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult

OK, FOUND, ERROR = 0, 1, 2
SMALL_RUN = 20  # files: up to this many, neither cache nor processes nor a progress bar are worth their start
STDIN = "-"


class ExecutionOptions(NamedTuple):
    """The resources of a run; no result depends on them.

    jobs: processes, 0 for as many as there are CPUs to use. cache: its folder, "" for the platform's, None for none.
    executor: "" for processes of this machine, "dask=ADDRESS" for a dask scheduler. quiet: no summary and no progress.
    allow_dirty: also write files with uncommitted changes. verbose: name the configuration files and the time.
    format_with: the command that formats changed lines, "" for none.
    """

    jobs: int = 0
    cache: str | None = ""
    executor: str = ""
    quiet: bool = False
    allow_dirty: bool = False
    verbose: bool = False
    format_with: str = ""


_DEFAULT = ExecutionOptions()


class Session(RunCounts):
    """One run of a command, from paths to exit code.

    stdin_name: the file name for standard input if that is checked; else None.
    page: the path of the page that the run is reported in as well; None for none.
    base_ref: the commit since which the lines have changed that findings must touch; None for all lines.
    """

    def __init__(
        self,
        paths: Sequence[str],
        configs: Configs,
        out: OutputStream,
        *,
        stdin_name: str | None = None,
        means: ExecutionOptions = _DEFAULT,
        page: str | None = None,
        base_ref: str | None = None,
    ) -> None:
        self._began = time.monotonic()
        self._paths = paths
        self._base_ref = base_ref
        self._configs = configs
        self._out = out
        self._stdin_name = stdin_name
        self._means = means
        self._page = page
        self._html: Page | None = None
        self._journal: Journal | None = None
        self._writes = True  # whether fixed files are written
        super().__init__()

    def check(self, output_format: str, *, statistics: bool = False, preview: bool = False) -> int:
        """`placefix check`: report the findings; with `statistics` their number by rule, with `preview` also those of later
        rounds. Returns the exit code."""
        with self._handled_interrupts():
            results: Iterable[FileResult] = (
                self._results_of_stdin(fix=False) if self._stdin_name else self._results(fix=False)
            )
            if preview:
                from placefix.preview import add_preview_notes

                around = self._repositories_of_stdin() if self._stdin_name else runner.Repositories(self._paths)
                results = (add_preview_notes(result, around) for result in results)
                self.previewed = True
            results = self._count_results(results, stop=True)
            self._hold_commands(output_format)
            if statistics:
                from placefix.report import statistics as table

                table.render(results, self._out, output_format)
            else:
                report.load(output_format).render(results, self._out)
            self._finish(self.summary_of_check())
        return self._exit_code(FOUND if self.found else OK)

    def show(self, *, settings: bool) -> int:
        """`--show-files`, or `--show-settings` with `settings`: print the files or the settings of the run. Returns the exit code."""
        from placefix.report import run_settings as tables

        with self._handled_interrupts():
            targets: list[Target | Missing] = [self._read_stdin()[0]] if self._stdin_name else self._discover_targets()
            for target in targets:
                if not isinstance(target, Target):
                    self._out.error(target.path, target.reason)
            found = [target for target in targets if isinstance(target, Target)]
            (tables.list_settings if settings else tables.list_files)(found, self._out)
            self._out.close()
        return self._exit_code(OK)

    def add_ignore(self, output_format: str, reason: str) -> int:
        """`placefix check --add-ignore`: write comments that suppress the findings, and report the others. Returns the exit code."""
        from placefix.ignore_comments import add_ignore_comments

        with self._handled_interrupts():
            targets = self._discover_targets()
            repositories = runner.Repositories(self._paths)
            # All results are computed before the first file is written: other files are analysed with its old text.
            held = [
                add_ignore_comments(result, reason)
                for result in self._compute_results(targets, repositories, fix=False)
            ]
            written = runner.write_results(
                self._require_clean_files(iter(held), targets), repositories, self._record_write
            )
            self._hold_commands(output_format)
            report.load(output_format).render(self._count_results(written, stop=False), self._out)
            self._finish(self.summary_of_fixes("Silenced") if self.changed else self.summary_of_check())
        return self._exit_code(FOUND if self.found else OK)

    def apply(self, output_format: str) -> int:
        """`placefix apply`: repair files in place and report the remaining findings. Returns the exit code."""
        if self._stdin_name:
            return self._fix_stdin()
        with self._handled_interrupts():
            # A reader who leaves must not leave half of the files unrepaired: no stop.
            results = self._count_results(self._results(fix=True, write=True), stop=False)
            self._hold_commands(output_format)
            report.load(output_format).render(results, self._out)
            self._finish(self.summary_of_fixes("Fixed"))
        return self._exit_code(OK)

    def interactive(self, read: Callable[[], str]) -> int:
        """`placefix apply --interactive`: apply the fixes that the user accepts, one by one. Returns the exit code.

        read: gives the next line that was typed, "" at the end of the input.
        """
        from placefix.interactive import Prompter

        with self._handled_interrupts():
            targets = self._discover_targets()
            repositories = runner.Repositories(self._paths)
            # All is known before the first question.
            held = list(self._require_clean_files(self._compute_results(targets, repositories, fix=True), targets))
            questions = Prompter(read, self._out)
            if unsafe := sum(
                d.fix is not None and d.fix.applicability is Applicability.UNSAFE for r in held for d in r.remaining
            ):
                self._out.note(
                    f"{count_phrase(unsafe, 'unsafe fix')} not offered: `--unsafe-fixes` adds them, with their premises."
                )
            chosen = self._format_results(self._choose_fixes(held, repositories, questions), repositories)
            for _ in self._count_results(runner.write_results(chosen, repositories, self._record_write), stop=False):
                pass
            self._finish(("Stopped. " if questions.stopped else "") + self.summary_of_fixes("Fixed"))
        return self._exit_code(OK)

    @staticmethod
    def _choose_fixes(
        held: Iterable[FileResult], repositories: runner.Repositories, questions: Prompter
    ) -> Iterator[FileResult]:
        """The results with the accepted fixes; each file is offered when its result is requested."""
        for result in held:
            if not (isinstance(result.outcome, Changed) and isinstance(result.target, Target)):
                yield result
            elif not questions.stopped:
                data, _ = result.before_after()
                answers: list[str] = []
                while True:
                    choice = questions.about(result.target, answers)
                    fixed = runner.fix_bytes(result.target, data, repositories, choice)
                    if not choice.went_back:
                        break
                questions.rules = choice.rules
                yield fixed

    def diff(self) -> int:
        """`placefix apply --diff`: print the changes that `apply` would make. Returns the exit code."""
        from placefix.report import diff

        self._writes = False
        with self._handled_interrupts():
            results = self._results_of_stdin(fix=True) if self._stdin_name else self._results(fix=True)
            self._out.hold_commands()  # `git apply` and `patch` skip the two lines around the diff
            for result in self._count_results(results, stop=True):
                diff.write_diff(result, self._out)
            self._finish(self.summary_of_fixes("Would fix"))
        return self._exit_code(FOUND if self.changed else OK)

    def split(self, by: str, folder: str, *, force: bool) -> int:
        """`placefix apply --diff --split-by`: write the changes that `apply` would make as a series of patches. Returns the exit code.

        by: as in `split_patches`. force: replace the patches of an earlier run.
        """
        from placefix.patch_series import split_patches
        from placefix.patch_series.output_folder import require_empty_folder, write_series

        self._writes = False
        with self._handled_interrupts():
            require_empty_folder(folder, force=force)
            targets = self._discover_targets()
            repositories = runner.Repositories(self._paths)

            def again(result: FileResult, choice: FixSelector) -> FileResult:
                """The file fixed again with the fixes that `choice` selects."""
                assert isinstance(result.target, Target)
                return runner.fix_bytes(result.target, result.before_after()[0], repositories, choice)

            results = list(self._count_results(self._compute_results(targets, repositories, fix=True), stop=False))
            series = split_patches(by, results, self._paths, again)
            for path in write_series(series, folder) if series else ():
                self._out.line(path)
            told = f" in {count_phrase(len(series), 'piece')}" if series else ""
            self._finish(self.summary_of_fixes("Would fix").replace(".", f"{told}.", 1))
        return self._exit_code(FOUND if self.changed else OK)

    def inventory(self, output_format: str) -> int:
        """`placefix inventory`: report the uses of CUDA in the files. Returns the exit code."""
        from placefix import cuda_inventory
        from placefix.report import inventory_tables as tables

        with self._handled_interrupts():
            results = (
                self._results_of_stdin(fix=False)
                if self._stdin_name
                else runner.check(self._discover_targets(), self._paths)
            )
            found = []
            for file in cuda_inventory.usages_of_results(results):
                self.files += 1
                if file.error:
                    self._out.error(file.path, file.error)
                else:
                    found.append(file)
            if output_format != "json":
                self._out.hold_commands()
            tables.render(output_format, found, self._out)
            ties = sum(len(file.usages) for file in found)
            tied = sum(bool(file.usages) for file in found)
            text = (
                f"{count_phrase(ties, 'use')} of CUDA in {count_phrase(tied, 'file')} of {self.files}."
                if ties
                else f"Nothing ties {count_phrase(len(found), 'file')} to CUDA."
            )
            self._finish(text)
        return self._exit_code(OK)

    def _fix_stdin(self) -> int:
        """`placefix apply -`: standard input, repaired, on standard output."""
        with self._handled_interrupts():
            target, data = self._read_stdin()
            result = runner.fix_bytes(target, data, self._repositories_of_stdin())
            for _ in self._count_results([result], stop=True):
                pass
            # A filter that fails hands its input on: an editor that pipes a buffer through must not lose it.
            self._out.bytes(result.before_after()[1] if isinstance(result.outcome, Changed) else data)
            self._finish(self.summary_of_fixes("Fixed"))
        return self._exit_code(OK)

    def _results(self, *, fix: bool, write: bool = False) -> Iterator[FileResult]:
        """The results of the run's files, the fixed text written with `write`."""
        targets = self._discover_targets()
        repositories = runner.Repositories(self._paths)
        results = self._compute_results(targets, repositories, fix)
        if fix:
            results = self._format_results(results, repositories)
        return (
            runner.write_results(self._require_clean_files(results, targets), repositories, self._record_write)
            if write
            else results
        )

    def _format_results(self, results: Iterator[FileResult], repositories: runner.Repositories) -> Iterator[FileResult]:
        if not self._means.format_with:
            return results
        from placefix.formatting import CodeFormatter

        formatter = CodeFormatter(self._means.format_with, self._out.note)
        return (formatter.formatted(result, repositories) for result in results)

    def _require_clean_files(
        self, results: Iterator[FileResult], targets: list[Target | Missing]
    ) -> Iterator[FileResult]:
        """The results, once it is clear that they may be written: all of those in git work trees, or none.

        Files named outright may have changes: an editor and pre-commit name them, and they always have.
        """
        for result in results:
            if isinstance(result.outcome, Changed) and not self._means.allow_dirty and self._in_git(targets):
                from placefix.git import require_clean

                held = [result, *results]
                require_clean(r.absolute for r in held if isinstance(r.outcome, Changed) and _is_discovered(r.target))
                yield from held
                return
            yield result

    @staticmethod
    def _in_git(targets: list[Target | Missing]) -> bool:
        folders = {
            os.path.dirname(os.path.realpath(t.absolute)) for t in targets if isinstance(t, Target) and not t.named
        }
        if not folders:
            return False
        from placefix.git import work_tree_root

        return any(map(work_tree_root, folders))

    def _record_write(self, path: str, before: bytes, after: bytes) -> None:
        """Record a write in the journal before it happens, for `undo`."""
        from placefix import journal

        if self._journal is None:
            self._journal = journal.Journal(journal.default_folder(), journal.journal_home(os.getcwd()))
        try:
            if self.undoable:
                self._journal.note(path, before, after)
        except OSError as error:
            self.undoable = False
            self._out.note(f"warning: `placefix undo` will not take this back: no journal can be kept: {error}")

    def _compute_results(
        self, targets: list[Target | Missing], repositories: runner.Repositories, fix: bool
    ) -> Iterator[FileResult]:
        means = self._means
        if len(targets) <= SMALL_RUN and not means.executor:
            return runner.results(targets, repositories, fixing=fix)
        from placefix import process_pool
        from placefix.report.progress import Progress

        cache = means.cache
        if cache == "":
            from placefix.cache import default_folder

            cache = default_folder()
        seen = None if means.quiet else Progress(self._out).seen
        given = process_pool.PoolOptions(means.jobs, cache or "", means.executor, seen)
        return process_pool.results(targets, repositories, given, fixing=fix)

    def _discover_targets(self) -> list[Target | Missing]:
        targets = discover(self._paths, self._configs)
        if self._base_ref is not None:
            from placefix.git import changed_since

            targets = changed_since(self._base_ref, targets, self._paths)
        if self._means.verbose:
            found = [target for target in targets if isinstance(target, Target)]
            for file, count in Counter(target.config.file for target in found).items():
                self._out.note(f"{file or 'no configuration file'}: {count_phrase(count, 'file')}")
        return targets

    def _results_of_stdin(self, *, fix: bool) -> list[FileResult]:
        return [(runner.fix_bytes if fix else runner.check_bytes)(*self._read_stdin(), self._repositories_of_stdin())]

    def _repositories_of_stdin(self) -> runner.Repositories | None:
        """The files around standard input, where it has the name of a file."""
        return runner.Repositories() if self._stdin_name != STDIN else None

    def _read_stdin(self) -> tuple[Target, bytes]:
        name = self._stdin_name or STDIN
        absolute = os.path.abspath(name)
        config = self._configs.at(os.path.dirname(absolute))._replace(fragment=True)
        return Target(name, absolute, config, named=True), sys.stdin.buffer.read()

    def _count_results(self, results: Iterable[FileResult], *, stop: bool) -> Iterator[FileResult]:
        """The results that are no errors, counted; errors are reported here. With `stop`, the end
        comes when nobody reads any more."""
        for result in results:
            self.files += 1
            if result.error:
                self._report_failure(result)
                continue
            for problem in result.problems:
                self._out.error(result.path, problem)
                self.failed += 1
            self.add(result)
            if self._page is not None:
                self._html_page().add(result, self._out)
            yield result
            if stop and self._out.broken and self._page is None:
                return

    def _report_failure(self, result: FileResult) -> None:
        """Report a file that could not be dealt with; of a syntax error the line is shown."""
        self.failed += 1
        outcome, source = result.outcome, result.source
        place = (outcome.row, outcome.column) if isinstance(outcome, Skipped) else (0, 0)
        self._out.error(result.path, result.error, place)
        if source is not None and 0 < place[0] <= len(source.line_starts):
            from placefix.report.text import underlined_excerpt

            for parts in underlined_excerpt(source.line(place[0]), *place):
                self._out.note("".join(part if isinstance(part, str) else part.text for part in parts))

    def _hold_commands(self, output_format: str) -> None:
        """Keep GitHub Actions from obeying code that a report for people shows."""
        if output_format in report.TEXTS:
            self._out.hold_commands()

    def _finish(self, text: str) -> None:
        """End the run's outputs, and print the summary."""
        self._out.close()
        if self._page is not None:
            self._out.save(self._page, self._html_page().text(self._paths, self._out).encode())
        if not (self._means.quiet or self._out.broken):
            if not self.files and not self._stdin_name and self._base_ref is None:
                text = f"warning: no Python file and no notebook in {', '.join(map(os.fspath, self._paths))}"
            took = f" {self.files} read in {time.monotonic() - self._began:.2f} s." if self._means.verbose else ""
            self._out.note(text + self._error_count() + took)

    def _html_page(self) -> Page:
        """The page that the run is reported in."""
        if self._html is None:
            from placefix.report.html import Page

            self._html = Page(written=self._writes)
        return self._html

    def _error_count(self) -> str:
        return f" {count_phrase(self._out.errors, 'error')}." if self._out.errors else ""

    def _exit_code(self, otherwise: int) -> int:
        return ERROR if self._out.errors else otherwise

    @contextmanager
    def _handled_interrupts(self) -> Iterator[None]:
        """Handles the ways in which a run can end early. A bad configuration ends it before the first file.
        After Ctrl-C and SIGTERM each file is old or new, and the summary names the new ones."""
        previous = signal.signal(signal.SIGTERM, _raise_terminated)
        try:
            yield
        except (ConfigError, runner.RunError) as error:
            self._out.error("", str(error))
            raise SystemExit(ERROR) from None
        except (KeyboardInterrupt, _TerminatedError) as interrupt:
            written = ", ".join(self.written) or "no file"
            self._out.note(f"Interrupted: {written} written, every other file is as it was.")
            raise SystemExit(
                128 + (signal.SIGTERM if isinstance(interrupt, _TerminatedError) else signal.SIGINT)
            ) from None
        finally:
            self._out.release_commands()
            signal.signal(signal.SIGTERM, previous)


class _TerminatedError(BaseException):
    """SIGTERM, as an exception so that temporary files are cleaned up."""


def _raise_terminated(number: int, frame: FrameType | None) -> NoReturn:
    raise _TerminatedError


def _is_discovered(target: Target | Missing) -> bool:
    return isinstance(target, Target) and not target.named
