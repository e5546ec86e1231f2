"""Runs of a program in forks of one process that has imported placefix: a start costs a third of a second.

A program that is run so calls `serve` where its first argument is `--serve`.
"""

from __future__ import annotations

import atexit
import functools
import gc
import importlib
import json
import os
import pkgutil
import socket
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import placefix

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

READ_AT_START = ("PYTHON", "LANG", "LC_")  # variables for which another value needs another server


def run(
    program: Path, args: Sequence[str], *, cwd: str | os.PathLike[str], env: dict[str, str], stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end; `stdin` is its input and `env` its whole environment."""
    with tempfile.TemporaryFile() as given, ThreadPoolExecutor(2) as readers:
        given.write(stdin)
        given.seek(0)
        (out, out_end), (err, err_end) = os.pipe(), os.pipe()
        server = _server(program, frozenset(item for item in env.items() if item[0].startswith(READ_AT_START)))
        server.start({"args": [*args], "cwd": os.fspath(cwd), "env": env}, [given.fileno(), out_end, err_end])
        os.close(out_end)
        os.close(err_end)
        shown = [readers.submit(_read, end) for end in (out, err)]
        code = server.wait()
        return subprocess.CompletedProcess([str(program), *args], code, *(part.result() for part in shown))


def _read(end: int) -> bytes:
    with open(end, "rb") as stream:
        return stream.read()


class _Server:
    """The process that forks, seen from the tests."""

    def __init__(self, program: Path, settings: frozenset[tuple[str, str]]) -> None:
        others = {key: value for key, value in os.environ.items() if not key.startswith(READ_AT_START)}
        self.socket, theirs = socket.socketpair()
        self.socket.settimeout(600)
        with theirs:
            # It keeps none of the streams of the tests open.
            self.process = subprocess.Popen(
                [sys.executable, str(program), "--serve", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=others | dict(settings),
            )
        atexit.register(self.close)

    def start(self, request: dict[str, object], streams: list[int]) -> None:
        """Begin a run; `streams` are its standard streams."""
        data = json.dumps(request).encode()
        socket.send_fds(self.socket, [len(data).to_bytes(4, "big")], streams)
        self.socket.sendall(data)

    def wait(self) -> int:
        """The exit code of the run."""
        return int.from_bytes(_receive(self.socket, 4), "big", signed=True)

    def close(self) -> None:
        self.socket.close()
        self.process.wait()


@functools.cache
def _server(program: Path, settings: frozenset[tuple[str, str]]) -> _Server:
    return _Server(program, settings)


def _receive(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def serve() -> None:
    """Fork for each request from the socket that the arguments name. Returns in the forks alone, which have the arguments, folder,
    environment and streams of theirs."""
    connection = socket.socket(fileno=int(sys.argv[2]))
    for module in pkgutil.walk_packages(placefix.__path__, "placefix."):
        if not module.name.startswith(
            ("placefix.__main__", "placefix.simulate", "placefix.server", "placefix.jupyter")
        ):
            importlib.import_module(module.name)
    for name in ("libcst.helpers", "libcst.metadata", "importlib.metadata"):
        importlib.import_module(name)
    gc.freeze()
    while True:
        size, streams, _, _ = socket.recv_fds(connection, 4, 3)
        if not size:
            sys.exit()
        request = json.loads(_receive(connection, int.from_bytes(size, "big")))
        child = os.fork()
        if child == 0:
            break
        for stream in streams:
            os.close(stream)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        connection.sendall(code.to_bytes(4, "big", signed=True))
    connection.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv[1:] = request["args"]
