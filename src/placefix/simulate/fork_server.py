"""A process with the simulator in place that forks a child for every script: starting torch costs seconds.

Requests come as lines of JSON on standard input, answers go as lines of JSON to standard output.
"""

from __future__ import annotations

import contextlib
import gc
import glob
import json
import os
import signal
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from placefix.simulate import installation as machines
from placefix.simulate.errors import UnsupportedError
from placefix.simulate.request import ALLOCATION, Request


def main() -> None:
    """Serve until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing else may write there
    for name, value in ALLOCATION.items():
        if os.environ.get(name) == value:  # for this process only
            del os.environ[name]
    force = "--force" in sys.argv
    reason = None if force else machines.why_unsupported()
    machine = None
    if reason is None:
        try:
            machine = machines.install(machines.MAX_DEVICES)
            from placefix.simulate import selftest

            reason = selftest.selftest_failure()
            import torch._dynamo  # the first optimizer imports it

            # Imported once, not in every fork.
            from placefix.simulate import fake_datasets, foreach_off, tensor_origins, worker  # noqa: F401
        except (UnsupportedError, ImportError, OSError) as error:
            reason = f"the simulator does not work on this torch: {error}"
    print(json.dumps({"ready": reason is None, "reason": reason}), file=answers, flush=True)
    if reason is not None:
        return
    gc.collect()
    # torch creates its pool of threads again in a fork, at its first use. Two devices use it first at once, from the
    # threads of autograd, and of these one finds none and dies ("Invalid thread pool!").
    os.register_at_fork(after_in_child=lambda: torch.set_num_threads(torch.get_num_threads()))
    gc.freeze()  # not looked through again in every fork, nor copied
    for line in sys.stdin:
        print(json.dumps(serve(machine, Request.from_json(line))), file=answers, flush=True)


def serve(machine: Any, request: Request) -> dict[str, Any]:
    """Run one script in a fork and return its report."""
    with tempfile.TemporaryDirectory(prefix="placefix-") as folder:
        request = replace(request, report=str(Path(folder) / "report.json"))
        outputs = [str(Path(folder) / name) for name in ("out", "err")]
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            status = 70
            try:
                os.setpgid(0, 0)
                for number, path in enumerate(outputs, 1):
                    target = os.open(path, os.O_WRONLY | os.O_CREAT)
                    os.dup2(target, number)
                nothing = os.open(os.devnull, os.O_RDONLY)
                os.dup2(nothing, 0)
                sys.stdout = os.fdopen(os.dup(1), "w", encoding="utf-8")
                sys.stderr = os.fdopen(os.dup(2), "w", encoding="utf-8")
                machine.installed = request.devices
                machine.shared_numbers = request.shared_numbers
                from placefix.simulate.worker import run_script

                run_script(request)
            finally:
                os._exit(status)
        code = _wait(child, began + request.timeout)
        report: dict[str, Any] = {"status": "died"}
        written = Path(request.report)
        if written.exists():
            report = json.loads(written.read_text(encoding="utf-8"))
        elif code is None:
            report = {"status": "timeout"}
        else:
            report["signal"] = max(0, -code)
        report["children"] = [
            json.loads(Path(name).read_text(encoding="utf-8")) for name in sorted(glob.glob(request.report + ".*"))
        ]
        report["out"], report["err"] = (
            Path(name).read_text(encoding="utf-8", errors="replace") if Path(name).exists() else "" for name in outputs
        )
        report["seconds"] = time.monotonic() - began
        return report


def _wait(child: int, end: float) -> int | None:
    status = None
    while time.monotonic() < end:
        done, code = os.waitpid(child, os.WNOHANG)
        if done:
            status = os.waitstatus_to_exitcode(code)
            break
        time.sleep(0.005)
    # Whatever the script has started and left running, workers and ranks, ends with it.
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    if status is None:
        with contextlib.suppress(OSError):
            os.waitpid(child, 0)
    return status


if __name__ == "__main__":
    main()
