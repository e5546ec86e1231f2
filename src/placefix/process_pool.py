"""Many files by several processes, and from the cache: the results of `batch`, in the same order, sooner.

Which process looks at a file makes no difference to its result. The processes are an Executor of
concurrent.futures: of this machine, or of a dask cluster that sees the same files.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from placefix import runner, serialization
from placefix.discover import Target
from placefix.engine import Failed

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from concurrent.futures import Executor, Future

    from placefix.cache import Cache, Dependencies
    from placefix.discover import Missing
    from placefix.runner import FileResult, Repositories

_SMALL_TREE = 2_000_000  # bytes: one process reads them before others have started
_CHUNK = 32  # files in one task: neighbours import each other
_STOPS = (signal.SIGINT, signal.SIGTERM)
_AHEAD = 4  # chunks in work or done for each process


class PoolOptions(NamedTuple):
    """The resources of a run; no result depends on them.

    jobs: processes, 0 for as many as there are CPUs to use. cache: its folder, "" for none.
    executor: "" for processes of this machine, "dask=ADDRESS" for a dask scheduler. seen: called with the number of
    files done, of all files, and the path of the last one.
    """

    jobs: int = 0
    cache: str = ""
    executor: str = ""
    seen: Callable[[int, int, str], None] | None = None


class _Chunk(NamedTuple):
    """The task of a process: the files, the folders that the run searches, whether to fix, whether the results go to a cache, and the
    name of the run."""

    targets: tuple[Target | Missing, ...]
    folders: tuple[str, ...]
    fixing: bool
    cached: bool
    run: str


class _Answer(NamedTuple):
    """The result of a process for one file: the outcome as plain data, the bytes if they were decoded, and the dependencies
    of the outcome if the file could be read and a cache keeps them."""

    outcome: Any
    data: bytes | None
    grounds: Dependencies | None


def results(
    targets: Sequence[Target | Missing], repositories: Repositories, means: PoolOptions, *, fixing: bool
) -> Iterator[FileResult]:
    """The results of `runner.results`. If `fixing`, those of other processes come after the last of them is computed: a file
    that is still to be read must not be written. Raises runner.RunError if the executor cannot be used."""
    cache = _cache(repositories, means, fixing)
    known = [_find_cached(target, cache) for target in targets]
    unknown = [target for target, result in zip(targets, known, strict=True) if result is None]
    fresh = _compute_results(unknown, repositories, means, fixing)
    try:
        for number, (target, earlier) in enumerate(zip(targets, known, strict=True), 1):
            if earlier is None:
                result, grounds = next(fresh)
                if cache is not None and grounds is not None and isinstance(target, Target):
                    cache.keep(target, result, grounds)
            else:
                result = earlier
            if means.seen is not None:
                means.seen(number, len(targets), target.path)
            yield result
        next(fresh, None)  # there is none: it ends by itself, and waits for its processes
    finally:
        fresh.close()
        if cache is not None:
            cache.save()


def usable_cpus() -> int:
    """How many CPUs this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _cache(repositories: Repositories, means: PoolOptions, fixing: bool) -> Cache | None:
    if not means.cache:
        return None
    from placefix.cache import Cache

    return Cache(means.cache, fixing=fixing, scanned=repositories.folders, files=repositories.files)


def _find_cached(target: Target | Missing, cache: Cache | None) -> FileResult | None:
    if cache is None or not isinstance(target, Target):
        return None
    from placefix import files

    try:
        return cache.find(target, files.read(target.path))
    except files.FileError:
        return None  # reported when the file is read again


def _compute_results(
    targets: Sequence[Target | Missing], repositories: Repositories, means: PoolOptions, fixing: bool
) -> Generator[tuple[FileResult, Dependencies | None], None, None]:
    """The results that are not in the cache, each with its dependencies."""
    jobs = means.jobs or usable_cpus()
    if not means.executor and (jobs == 1 or not _is_large(targets)):
        # the dependencies are recorded only for a cache
        answers = _DependencyRecorder(repositories) if means.cache else None
        for target in runner.collect_garbage(targets):
            result, data = runner.result_of(target, repositories, fixing=fixing)
            yield result, answers.grounds(data) if answers is not None else None
        return
    chunks = _chunks(targets, repositories, means, fixing)
    with _Pool(jobs, means.executor) as pool:
        found = pool.map(chunks)
        shown = iter(targets)
        for answers_ in list(found) if fixing else found:
            for answer in answers_:
                yield _result_of_answer(next(shown), answer), answer.grounds


def _is_large(targets: Sequence[Target | Missing]) -> bool:
    size = 0
    for target in targets:
        try:
            size += os.stat(target.path).st_size
        except (OSError, ValueError):
            continue
        if size > _SMALL_TREE:
            return True
    return False


def _chunks(
    targets: Sequence[Target | Missing], repositories: Repositories, means: PoolOptions, fixing: bool
) -> list[_Chunk]:
    if means.executor:  # workers have working directories of their own
        targets = [t._replace(path=t.absolute) if isinstance(t, Target) else t for t in targets]
    run = os.urandom(16).hex()
    return [
        _Chunk(tuple(targets[start : start + _CHUNK]), repositories.folders, fixing, bool(means.cache), run)
        for start in range(0, len(targets), _CHUNK)
    ]


def _result_of_answer(target: Target | Missing, answer: _Answer) -> FileResult:
    rules = target.config.rules if isinstance(target, Target) else ()
    source = (
        runner.decode_target(target, answer.data) if isinstance(target, Target) and answer.data is not None else None
    )
    return runner.FileResult(target, serialization.load(answer.outcome, rules), source)


class _DependencyRecorder:
    """Records the dependencies of results, for one run in one process."""

    def __init__(self, repositories: Repositories) -> None:
        from placefix.cache import Dependencies, FileSystemAnswers, digest

        self.repositories = repositories
        self._answers = FileSystemAnswers(repositories.files)
        self._make, self._digest = Dependencies, digest

    def grounds(self, data: bytes | None) -> Dependencies | None:
        """Those of the file looked at last, which held `data`."""
        if data is None:
            return None
        asked = self.repositories.consulted()
        return self._make(self._digest(data), asked, self._answers.digest(asked) if asked else "")


# In the processes


class _ThreadState(threading.local):
    """The state that a thread keeps between chunks of the same run, because neighbouring files import the same files. A worker of a
    cluster outlives the run, after which the files may have changed, and may have several threads."""

    run = ""
    answers: _DependencyRecorder

    def of(self, chunk: _Chunk) -> _DependencyRecorder:
        """The recorder of the chunk's run."""
        if self.run != chunk.run:
            self.answers = _DependencyRecorder(runner.Repositories(chunk.folders))
            self.run = chunk.run
        return self.answers


_thread_state = _ThreadState()


def work(chunk: _Chunk) -> list[_Answer]:
    """The answers for the files of a chunk; runs in the other processes."""
    answers = _thread_state.of(chunk)
    found = []
    for target in runner.collect_garbage(chunk.targets):
        result, data = runner.result_of(target, answers.repositories, fixing=chunk.fixing)
        kept = data if result.source is not None else None
        grounds = answers.grounds(data) if chunk.cached else None
        found.append(_Answer(serialization.dump(result.outcome), kept, grounds))
    return found


def _initialize_worker(parent: int) -> None:
    """Set up a process: it ignores Ctrl-C, which the parent handles, and exits when the parent does."""
    import gc

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)  # see `_signals_blocked`
    gc.disable()  # as `__main__` has it
    threading.Thread(target=_exit_with_parent, args=(parent,), daemon=True).start()


def _exit_with_parent(parent: int) -> None:
    import time

    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Block signals that end a run. A forked process gets none before `_initialize_worker` has installed its handlers: those of the
    parent would print the summary of the run."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Pool:
    """An Executor for chunks, which goes on where a process dies."""

    def __init__(self, jobs: int, executor: str) -> None:
        self._jobs = jobs
        self._start: Callable[[], Executor] = lambda: _local_executor(self._jobs)
        if executor:
            self._start = lambda: _dask_executor(executor)
        self._executor = self._start()
        self._done = False

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        finished = kind is None and self._done
        # Idle processes end at once; unwaited for, the pool's thread may wake them while Python shuts down, and fail aloud.
        self._close(wait=finished)
        if not finished:  # Ctrl-C or a closed output: the pending results are of no use
            from multiprocessing import active_children

            for child in active_children():
                child.terminate()

    def _close(self, *, wait: bool = False) -> None:
        try:
            self._executor.shutdown(wait=wait, cancel_futures=True)
        except TypeError:  # dask's has no such option, and cancels anyway
            self._executor.shutdown(wait=wait)

    def map(self, chunks: Sequence[_Chunk]) -> Iterator[list[_Answer]]:
        """The answers for each chunk, in order."""
        waiting: deque[tuple[_Chunk, Future[list[_Answer]]]] = deque()
        rest = iter(chunks)
        while True:
            while len(waiting) < self._jobs * _AHEAD and (chunk := next(rest, None)) is not None:
                waiting.append((chunk, self._submit(chunk)))
            if not waiting:
                break
            chunk, future = waiting.popleft()
            answers = self._outcome(future)
            if answers is None:
                self._close()
                yield [_run_isolated(target, chunk) for target in chunk.targets]
                self._executor = self._start()
                waiting = deque((c, self._submit(c)) for c, _ in waiting)
            else:
                yield answers
        self._done = True

    def _submit(self, chunk: _Chunk) -> Future[list[_Answer]]:
        with _signals_blocked():  # it starts the processes
            return self._executor.submit(work, chunk)

    @staticmethod
    def _outcome(future: Future[list[_Answer]]) -> list[_Answer] | None:
        """The answers; None if there are none: a process died, of this chunk or of another one."""
        try:
            return future.result()
        except Exception:  # of the executor's types; `_run_isolated` finds the file to blame
            return None


def _run_isolated(target: Target | Missing, chunk: _Chunk) -> _Answer:
    """The answer for one file, computed in a separate process, which the file may crash."""
    from concurrent.futures import BrokenExecutor

    with _local_executor(1) as executor:
        try:
            with _signals_blocked():
                future = executor.submit(work, chunk._replace(targets=(target,)))
            return future.result()[0]
        except BrokenExecutor:
            died = Failed("placefix failed: the process that looked at the file died; please report this")
            return _Answer(serialization.dump(died), None, None)


def _local_executor(jobs: int) -> Executor:
    import multiprocessing
    import sys
    from concurrent.futures import ProcessPoolExecutor

    # A fork costs a tenth of a spawn; on macOS it is not safe.
    fork = sys.platform.startswith("linux")
    context = multiprocessing.get_context("fork" if fork else "spawn")
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_initialize_worker, initargs=(os.getpid(),))


def _dask_executor(executor: str) -> Executor:
    kind, _, address = executor.partition("=")
    if kind != "dask" or not address:
        raise runner.RunError(f"{executor!r} is no executor: dask=ADDRESS is")
    try:
        from distributed import Client
    except ImportError:
        raise runner.RunError("--executor dask=ADDRESS needs distributed: pip install 'placefix[dask]'") from None
    try:
        return Client(address, timeout=10).get_executor()  # type: ignore[no-any-return]
    except OSError as error:
        raise runner.RunError(f"no dask scheduler at {address}: {error}") from None
