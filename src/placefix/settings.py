"""The user's settings that change the analysis or the text of a fix."""

from __future__ import annotations

from typing import NamedTuple


class Settings(NamedTuple):
    """Plain values; `config` reads them from files and the command line.

    target_torch: the oldest torch (major, minor) the fixed code must run on.
    device_idiom: "cuda" (torch.device("cuda" if … else "cpu")), "accelerator", or "auto": the second for code that never ran without
        CUDA, the first elsewhere.
    device_name: the name given to an inserted device definition.
    add_placement: whether scripts that place nothing are to be placed.
    line_length: how long a line may be that a fix writes, in columns; 0: as long as the file's own are.
    severity: the least severity, a value of `diagnostic.Severity`, of the findings that are reported and fixed.
    promises: codes of rules whose fixes the user judges: "none" applies none of them, "safe" takes unsafe ones for safe,
        "unsafe" safe ones for unsafe.
    """

    target_torch: tuple[int, int] = (1, 13)
    device_idiom: str = "cuda"
    device_name: str = "device"
    add_placement: bool = False
    line_length: int = 0
    severity: str = "style"
    promises: tuple[tuple[str, str], ...] = ()
