"""Run many torch scripts, each in a fork of one process that has imported torch.

stdin: a JSON list of paths. stdout: a JSON object, path to {status, output, error}.
Importing torch costs seconds, part of them in the first optimizer; a fork costs nothing.
"""

from __future__ import annotations

import json
import os
import runpy
import socket
import sys
import tempfile
import time
import traceback
import warnings

import torch
import torch.distributed

SECONDS = 600  # of the clock: a script that hangs takes no time of the processor


def run(path: str) -> dict[str, object]:
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.dup2(output.fileno(), 1)
                os.dup2(errors.fileno(), 2)
                sys.stdout = os.fdopen(os.dup(1), "w", encoding="utf-8")
                sys.stderr = os.fdopen(os.dup(2), "w", encoding="utf-8")
                sys.argv = [path]
                with socket.socket() as free:  # another test may run the same script at the same time
                    free.bind(("127.0.0.1", 0))
                    os.environ["MASTER_PORT"] = str(free.getsockname()[1])
                warnings.simplefilter("ignore")
                torch.set_num_threads(1)
                _keep_process_groups()
                runpy.run_path(path, run_name="__main__")
                status = 0
            except SystemExit as stop:
                status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(status)
        status = _wait(child)
        output.seek(0)
        errors.seek(0)
        last = errors.read().decode("utf-8", "replace").strip().splitlines()[-1:]
        error = "".join(last) or (f"ended with status {status}" if status else "")
        return {"status": status, "output": output.read().decode("utf-8", "replace"), "error": error}


def _keep_process_groups() -> None:
    """Keep every default process group until the process ends.

    Torch 2.13 can wait for ever where a script drops the last reference: the destructor of a gloo group joins its threads
    with the GIL held, and one of them may wait for the GIL (seen in 4 of 180 runs of a script that ends with DDP).
    """
    init = torch.distributed.init_process_group
    kept = []

    def init_and_keep(*args: object, **options: object) -> None:
        init(*args, **options)
        kept.append(torch.distributed.group.WORLD)

    torch.distributed.init_process_group = init_and_keep


def _wait(child: int) -> int:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return -9


if __name__ == "__main__":
    # The first optimizer imports torch._dynamo: once, here, and not in every child.
    torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1).step()
    json.dump({path: run(path) for path in json.load(sys.stdin)}, sys.stdout)
