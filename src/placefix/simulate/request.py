"""The request to the runner, as a value that travels between processes. Imports no torch."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field

ENVIRONMENT = "PLACEFIX_SIMULATE"
# Of the process that forks: large pages, of which there are few to copy, make a fork four times as fast.
ALLOCATION = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}


@dataclass(frozen=True)
class Request:
    """One run of one script."""

    script: str  # an absolute path, the script's __file__
    arguments: list[str] = field(default_factory=list)
    folder: str = field(default_factory=os.getcwd)  # the working directory
    source: str | None = None  # the file with the text to run in its place
    devices: int = 1  # 0: a machine without an accelerator
    steps: int | None = None  # stop after so many optimizer steps
    timeout: float = 300.0  # seconds
    memory: int = 0  # bytes of each device; 0: not limited
    processes: int = 0  # started with the environment of torchrun; 0: the script runs without a launcher
    module: str = ""  # run as `python -m`; `script` is its file
    launcher: str = ""  # a program, or "-m" and a module, that starts the script; `arguments` are those of the launcher
    stream: bool = False  # send the output while the script runs
    stub_data: bool = False
    shared_numbers: bool = False  # the devices draw from the CPU's generator
    plain_optimizers: bool = False  # not all parameters at once
    trace: bool = False  # note where tensors are made and moved
    quiet: bool = True  # no traceback on standard error
    threads: int = 1
    report: str = ""
    copy_limit: int = 0  # bytes of the copy of the working directory to run in; 0: in the directory itself
    copied_from: str = ""  # the working directory that `folder` is a copy of
    line_names: list[str] = field(default_factory=list)  # of a notebook: "cell 3, line 2" for each line of its program
    skipped_lines: list[int] = field(default_factory=list)  # of a notebook: those in place of shell commands and magics

    def to_json(self) -> str:
        """As text, for an environment variable or a pipe."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Request:
        """The reverse."""
        return cls(**json.loads(text))
