"""``--executor dask=ADDRESS`` on a real scheduler with two workers of their own working directories."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from fakes import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytest.importorskip("distributed")

pytestmark = pytest.mark.proof  # a cluster is started

LONG = "# " + "x" * 80_000 + "\n"  # so that the tree is worth handing out
TEXT = "import torch\n\nmodel = torch.nn.Linear(2, 1)\nmodel.cuda()\n" + LONG


class Cluster:
    """A scheduler and two workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self.workers: list[subprocess.Popen[bytes]] = []
        command = [
            sys.executable,
            "-m",
            "distributed.cli.dask_scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
        ]
        self.scheduler = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE)
        assert self.scheduler.stderr is not None
        self.address = ""
        for line in self.scheduler.stderr:
            found = re.search(rb"Scheduler at:\s+(tcp://\S+)", line)
            if found:
                self.address = found[1].decode()
                break
        for name in ("one", "two"):
            home = folder / name
            home.mkdir()
            worker = [
                sys.executable,
                "-m",
                "distributed.cli.dask_worker",
                self.address,
                "--nworkers",
                "1",
                "--nthreads",
                "1",
                "--no-dashboard",
                "--no-nanny",
            ]
            self.workers.append(subprocess.Popen(worker, cwd=home, stderr=subprocess.DEVNULL))

    def wait(self) -> None:
        from distributed import Client

        with Client(self.address, timeout=300) as client:
            client.wait_for_workers(2, timeout=300)

    def kill_one_at_work(self, start: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
        """Kill the first worker once it has been given something of what `start` starts, and before it has done it."""
        from distributed import Client

        with Client(self.address, timeout=300) as client:
            place = next(place for place, pid in client.run(os.getpid).items() if pid == self.workers[0].pid)
            self.workers[0].send_signal(signal.SIGSTOP)
            run = start()
            deadline = time.monotonic() + 300
            while not client.processing()[place]:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            self.workers[0].kill()
        return run

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.communicate()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    found = Cluster(folder)
    try:
        found.wait()
        yield found
    finally:
        found.close()


def plant(root: Path, count: int) -> None:
    for number in range(count):
        folder = root / f"d{number % 5}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"f{number:03}.py").write_text(TEXT if number % 3 else "model.cuda(\n" + LONG)


def placefix(root: Path, *words: str) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "placefix",
        "check",
        "--isolated",
        "--no-cache",
        "--output-format",
        "concise",
        *words,
        ".",
    ]
    return subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def result(process: subprocess.Popen[bytes]) -> tuple[int, bytes, bytes]:
    """The exit code, the report, and the errors: not how far it had come after ten seconds."""
    output, error = process.communicate(timeout=600)
    return process.returncode, output, said(error)


def test_the_same_report_also_where_a_worker_is_killed(tmp_path: Path, cluster: Cluster) -> None:
    root = tmp_path / "repo"
    plant(root, 90)
    wanted = result(placefix(root, "-j", "1"))
    assert wanted[0] == 2 and wanted[1].count(b"PF401") == 60

    assert result(placefix(root, "--executor", f"dask={cluster.address}")) == wanted

    broken = cluster.kill_one_at_work(lambda: placefix(root, "--executor", f"dask={cluster.address}"))
    assert result(broken) == wanted


def test_no_scheduler(tmp_path: Path) -> None:
    plant(tmp_path, 90)
    done = placefix(tmp_path, "--executor", "dask=tcp://127.0.0.1:9")
    output, error = done.communicate(timeout=600)
    assert (
        done.returncode == 2
        and b"no dask scheduler at tcp://127.0.0.1:9" in error
        and b"Traceback" not in error
        and not output
    )
