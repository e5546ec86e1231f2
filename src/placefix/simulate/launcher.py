"""Start a script once for each rank, as torchrun does."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from placefix.simulate.request import Request


def launch_processes(request: Request) -> None:
    """Run the script once for each rank, with the environment that torchrun gives; raises RankFailedError if one fails."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, *(["-m", request.module] if request.module else [request.script]), *request.arguments]
    ranks = []
    for rank in range(request.processes):
        places = {"RANK": rank, "LOCAL_RANK": rank, "GROUP_RANK": 0, "ROLE_RANK": rank, "WORLD_SIZE": request.processes,
                  "LOCAL_WORLD_SIZE": request.processes, "ROLE_WORLD_SIZE": request.processes, "MASTER_PORT": port}  # fmt: skip
        environment = os.environ | {name: str(value) for name, value in places.items()} | {"MASTER_ADDR": "127.0.0.1"}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for source, target in ((process.stdout, sys.stdout), (process.stderr, sys.stderr)):
            threading.Thread(target=_copy_lines, args=(source, target, f"[{rank}] ")).start()
        ranks.append(process)
    codes = [process.poll() for process in ranks]
    while None in codes and not any(codes):
        time.sleep(0.02)
        codes = [process.poll() for process in ranks]
    time.sleep(0.5 if None in codes else 0)  # the others may fail for the same reason, and say so
    for process in ranks:
        process.kill()
        process.wait()
    failed = {rank: code for rank, code in enumerate(codes) if code}
    if failed:
        raise RankFailedError(", ".join(f"rank {rank} ended with exit code {code}" for rank, code in failed.items()))


class RankFailedError(RuntimeError):
    """A process of `--nproc` failed; its own report has the reason."""


def _copy_lines(source: Any, target: Any, prefix: str) -> None:
    """Copy lines with a prefix until the source ends."""
    for line in source:
        target.write(f"{prefix}{line}")
        target.flush()
