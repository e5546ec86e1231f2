"""The line that each rank executes, and whether ranks wait for each other in vain. Imports no torch."""

from __future__ import annotations

import json
import linecache
import os
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from placefix.simulate.failures import script_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.simulate.request import Request

_INTERVAL = 0.25  # seconds between two positions of a rank
_LOOKS = 20  # in which no rank may have made progress
# A backward pass of DistributedDataParallel waits for the other ranks as well.
_WAITING_CODE = ("/torch/distributed/", "/torch/nn/parallel/distributed.py", "/torch/autograd/graph.py")


class PositionWriter:
    """Writes the position of this process to a file beside the report, until the process ends. Make one.

    counts: figures that are written with it, as the caller keeps them.
    """

    def __init__(self, request: Request, rank: int, ranks: int, counts: dict[str, int]) -> None:
        self._request, self._counts = request, counts
        self._fixed: dict[str, Any] = {"rank": rank, "ranks": ranks, "pid": os.getpid()}
        self._path = _folder(request.report) / f"position.{os.getpid()}"
        self._main = threading.main_thread().ident
        self._lock = threading.Lock()
        threading.Thread(target=self._write_forever, name="placefix positions", daemon=True).start()

    def _write_forever(self) -> None:
        self._fixed["thread"] = threading.get_native_id()
        with suppress(OSError):  # the run is over
            while True:
                self.write()
                time.sleep(_INTERVAL)

    def write(self) -> None:
        """Write the position of the main thread. Raises OSError if the folder is gone."""
        frame = sys._current_frames().get(self._main or 0)
        place = script_frame(frame, self._request)
        if place is not None:
            place["source"] = linecache.getline(place["file"], place["line"]).strip()
        now = {"where": place, "waits": _waits(frame, place), "at": time.monotonic()}
        unfinished = self._path.with_name(f"unfinished_{self._path.name}")
        with self._lock:
            unfinished.write_text(json.dumps(self._fixed | self._counts | now), encoding="utf-8")
            unfinished.replace(self._path)


def _waits(frame: Any, place: dict[str, Any] | None) -> bool:
    """Whether torch's code for several processes, or a backward pass, runs below the user's line. frame: the innermost."""
    while frame is not None:
        name = frame.f_code.co_filename
        if place is not None and name == place["file"]:
            return False
        if any(part in name for part in _WAITING_CODE):
            return True
        frame = frame.f_back
    return False


def _folder(report: str) -> Path:
    """The folder of the positions of a run, by the path of its report."""
    return Path(report).parent


class DeadlockWatch:
    """Finds out that all ranks of a run wait for each other, or for one that has ended."""

    def __init__(self, report: str) -> None:
        self.is_deadlocked = False
        self._folder = _folder(report)
        self._next = time.monotonic()
        self._looks: deque[bool] = deque(maxlen=_LOOKS)  # whether a thread ran, in the last looks, in which all waited

    def poll(self) -> bool:
        """Whether no rank can go on: all others wait or have ended, and for some seconds hardly a thread of theirs ran. Call it often."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _INTERVAL
            positions = self.positions()
            if _all_wait(positions, now):
                self._looks.append(any(_runs(position) for position in positions))
            else:
                self._looks.clear()
            # The thread of torch's store wakes now and then, also where nothing comes.
            self.is_deadlocked = len(self._looks) == _LOOKS and sum(self._looks) <= 0.3 * _LOOKS
        return self.is_deadlocked

    def positions(self) -> list[dict[str, Any]]:
        """The last position of each rank, by rank; one that has ended has the key "ended"."""
        found = [json.loads(path.read_text(encoding="utf-8")) for path in self._folder.glob("position.*")]
        # A process that a rank starts inherits its environment, and does not join the group.
        found.sort(key=lambda position: (position["rank"], position["joined"], -position["pid"]))
        by_rank = {int(position["rank"]): position for position in found}
        for position in by_rank.values():
            if not _threads_of(position["pid"]):
                position["ended"] = True
        return list(by_rank.values())


def _all_wait(positions: Sequence[dict[str, Any]], now: float) -> bool:
    """Whether every rank has a position, and each waits or has ended, at least one of them the former."""
    alive = [position for position in positions if "ended" not in position]
    return (
        bool(alive)
        and len({position["rank"] for position in positions}) == positions[0]["ranks"] > 1
        and all(position["waits"] and now - position["at"] < 8 * _INTERVAL for position in alive)
    )


def _runs(position: dict[str, Any]) -> bool:
    """Whether a thread of a rank, other than the one that writes the positions, runs or waits for a disk."""
    states = _threads_of(position["pid"])
    return any(state in "RD" for thread, state in states.items() if thread != position.get("thread"))


def _threads_of(process: int) -> dict[int, str]:
    """The state of each thread of a process, as in proc(5), by its number; none if the process has ended."""
    states = {}
    for path in Path(f"/proc/{process}/task").glob("*/stat"):
        try:
            text = path.read_text(encoding="ascii", errors="replace")
        except OSError:  # it has just ended
            continue
        state = text.rpartition(")")[2].split()[0]
        if state not in "ZX":
            states[int(path.parent.name)] = state
    return states
