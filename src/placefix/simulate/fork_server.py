"""A process with the simulator in place that forks a child for every script: starting torch costs seconds.

Requests come as lines of JSON on standard input, answers go as lines of JSON to standard output.
"""

from __future__ import annotations

import codecs
import contextlib
import ctypes
import faulthandler
import gc
import glob
import json
import mmap
import os
import shutil
import signal
import struct
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from placefix.simulate import installation as machines
from placefix.simulate.errors import UnsupportedError
from placefix.simulate.folder_copy import FolderCopy, FolderTooLargeError, describe_changes
from placefix.simulate.rank_positions import DeadlockWatch
from placefix.simulate.request import ALLOCATION, Request
from placefix.simulate.simulated_hardware import MAX_DEVICES

if TYPE_CHECKING:
    from collections.abc import Callable

_stop_request = threading.Event()  # SIGTERM has come


def main() -> None:
    """Serve until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing else may write there
    for name, value in ALLOCATION.items():
        if os.environ.get(name) == value:  # for this process only
            del os.environ[name]
    _set_process_options()
    force = "--force" in sys.argv
    reason = None if force else machines.why_unsupported()
    machine = None
    if reason is None:
        try:
            machine = machines.install(MAX_DEVICES)
            from placefix.simulate import selftest

            reason = selftest.selftest_failure()
            import torch._dynamo  # the first optimizer imports it

            # Imported once, not in every fork.
            from placefix.simulate import fake_datasets, foreach_off, tensor_origins, worker  # noqa: F401
        except (UnsupportedError, ImportError, OSError) as error:
            reason = f"the simulator does not work on this torch: {error}"
    ready = {"ready": reason is None, "reason": reason, "untried": None if reason else machines.untried_version()}
    print(json.dumps(ready), file=answers, flush=True)
    if reason is not None:
        return
    gc.collect()
    # torch creates its pool of threads again in a fork, at its first use. Two devices use it first at once, from the
    # threads of autograd, and of these one finds none and dies ("Invalid thread pool!").
    os.register_at_fork(after_in_child=lambda: torch.set_num_threads(torch.get_num_threads()))
    gc.freeze()  # not looked through again in every fork, nor copied

    def send(message: dict[str, Any]) -> None:
        """Write one message, a line of JSON, to the client."""
        print(json.dumps(message), file=answers, flush=True)

    # While scripts run the handler raises nothing: it may come while the processes of one are being ended.
    signal.signal(signal.SIGTERM, lambda *_: _stop_request.set())
    with contextlib.suppress(BrokenPipeError):
        for line in sys.stdin:
            send(serve(machine, Request.from_json(line), send))


def serve(machine: Any, request: Request, send: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Run one script in a fork and return its report, or {"refused": the reason}. send: gets events while it runs, if the request asks for them."""
    with tempfile.TemporaryDirectory(prefix="placefix-") as folder:
        request = replace(request, report=str(Path(folder) / "report.json"))
        if not request.copy_limit:
            return _run(machine, request, send)
        root = Path(folder).resolve() / "copy"
        root.mkdir()
        try:
            copy = FolderCopy(os.path.realpath(request.folder), str(root), request.copy_limit)
        except FolderTooLargeError as error:
            return {"refused": str(error)}
        except OSError as error:
            return {"refused": f"the working directory cannot be copied for the run: {error}"}
        in_copy = replace(
            request,
            folder=copy.path_of(copy.folder),
            script=copy.path_of(request.script),
            copied_from=copy.folder,
        )
        if request.launcher:  # it may have the absolute path of the script
            in_copy = replace(in_copy, arguments=[copy.path_of(argument) for argument in request.arguments])
        if request.source and not request.script.endswith(".ipynb") and in_copy.script != request.script:
            # Processes that the script starts read it as well.
            Path(in_copy.script).unlink()
            shutil.copyfile(request.source, in_copy.script)
            in_copy = replace(in_copy, source=None)
        report = _run(machine, in_copy, lambda event: send(copy.original_paths(event)))
        changed = copy.changed_files()
        if changed:
            return {"refused": describe_changes(changed, request.copy_limit)}
        return copy.original_paths(report)


def _run(machine: Any, request: Request, send: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Run one script in a fork and return its report."""
    folder = Path(request.report).parent
    outputs = [folder / name for name in ("out", "err")]
    for path in outputs:
        path.touch()
    began = time.monotonic()
    steps = mmap.mmap(-1, 8)  # shared with the fork
    child = os.fork()
    if child == 0:
        status = 70
        try:
            _run_in_fork(machine, request, outputs, steps)
        finally:
            os._exit(status)
    watch = _OutputWatch(outputs, steps, send) if request.stream else None
    ranks = DeadlockWatch(request.report)
    try:
        code = _wait(child, began + request.timeout, watch, ranks)
    finally:
        positions = ranks.positions()
        _end_processes(child)
    report: dict[str, Any] = {"status": "died"}
    written = Path(request.report)
    if written.exists():
        report = json.loads(written.read_text(encoding="utf-8"))
    elif ranks.is_deadlocked:
        report["status"] = "deadlock"
    elif code is None:
        report = {"status": "timeout", "steps": struct.unpack("q", steps[:8])[0]}
    else:
        report["signal"] = max(0, -code)
    report["children"] = [
        json.loads(Path(name).read_text(encoding="utf-8")) for name in sorted(glob.glob(request.report + ".*"))
    ]
    report["positions"] = positions
    report["out"], report["err"] = (path.read_text(encoding="utf-8", errors="replace") for path in outputs)
    report["seconds"] = time.monotonic() - began
    return report


def _run_in_fork(machine: Any, request: Request, outputs: list[Path], steps: Any) -> None:
    """Run the script in this process, a new fork. Does not return."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.setpgid(0, 0)
    for number, path in enumerate(outputs, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_APPEND), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdout = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    sys.stderr = os.fdopen(os.dup(2), "w", encoding="utf-8", buffering=1)
    faulthandler.enable(2)  # a crash of the simulator names its operator
    machine.installed = request.devices
    machine.shared_numbers = request.shared_numbers
    machine.memory.limit(request.memory)
    from placefix.simulate.worker import run_script

    run_script(request, steps)


class _OutputWatch:
    """Sends new output of the script, and the number of its optimizer steps, as events."""

    def __init__(self, outputs: list[Path], steps: Any, send: Callable[[dict[str, Any]], None]) -> None:
        self._steps, self._send = steps, send
        self._files = [path.open("rb") for path in outputs]
        self._decoders = [codecs.getincrementaldecoder("utf-8")("replace") for _ in outputs]
        self._told = 0

    def poll(self) -> None:
        """Send the events since the last call."""
        for number, (file, decoder) in enumerate(zip(self._files, self._decoders, strict=True), 1):
            data = file.read()
            if data:
                self._send({"event": "output", "stream": number, "text": decoder.decode(data)})
        steps = struct.unpack("q", self._steps[:8])[0]
        if steps != self._told:
            self._told = steps
            self._send({"event": "steps", "steps": steps})

    def close(self) -> None:
        """Send the rest, and close the files."""
        self.poll()
        for file in self._files:
            file.close()


def _wait(child: int, end: float, watch: _OutputWatch | None, ranks: DeadlockWatch) -> int | None:
    """The exit code of a child, None if it still runs at `end` (of time.monotonic), or its processes wait for each other."""
    status = None
    last = 0.0
    parent = os.getppid()
    try:
        while (now := time.monotonic()) < end:
            done, code = os.waitpid(child, os.WNOHANG)
            if done:
                status = os.waitstatus_to_exitcode(code)
                break
            if _stop_request.is_set() or os.getppid() != parent:
                sys.exit(143)  # the client ends, or was killed
            if ranks.poll():
                break
            if watch is not None and now - last > 0.1:
                watch.poll()
                last = now
            time.sleep(0.005)
    finally:
        if watch is not None:
            watch.close()
    return status


def _end_processes(child: int) -> None:
    """Kill whatever a script has started and left running: workers and ranks, also those with a session of their own."""
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    # Orphans become children of this process (PR_SET_CHILD_SUBREAPER).
    while left := _children():
        for number in left:
            with contextlib.suppress(OSError):
                os.kill(number, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(-1, 0)


def _children() -> list[int]:
    """The children of this process."""
    found = []
    for path in glob.glob("/proc/self/task/*/children"):
        with contextlib.suppress(OSError):
            found += [int(word) for word in Path(path).read_text(encoding="ascii").split()]
    return found


def _set_process_options() -> None:
    """Adopt the orphans of scripts, and leave Ctrl-C to the client, which ends this process by SIGTERM."""
    set_child_subreaper = 36  # prctl(2)
    ctypes.CDLL(None).prctl(set_child_subreaper, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


if __name__ == "__main__":
    main()
