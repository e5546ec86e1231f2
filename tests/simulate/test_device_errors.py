"""The messages that are called device errors are torch's own."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from placefix.simulate.device_errors import CUDA_BUILD, DEVICE_MESSAGES, DeviceMessage, is_device_error, root_cause

torch = pytest.importorskip("torch")
ROOT = Path(torch.__file__).parent


@cache
def content(name: str) -> bytes:
    """The bytes of a library, or the string constants of a Python file, of which an f-string is one."""
    path = ROOT / name
    if path.suffix != ".py":
        return path.read_bytes()
    texts = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.append(node.value)
        elif isinstance(node, ast.JoinedStr):
            texts.append("".join(p.value if isinstance(p, ast.Constant) else "…" for p in node.values))
    return "\0".join(texts).encode()


@pytest.mark.parametrize("row", DEVICE_MESSAGES, ids=lambda row: row.text)
def test_torch_has_the_message(row: DeviceMessage) -> None:
    if row.source.startswith(CUDA_BUILD):
        assert len(row.source) > len(CUDA_BUILD)
        assert row.text.encode() not in content("lib/libtorch_cpu.so")
    else:
        assert row.text.encode() in content(row.source)


@pytest.mark.parametrize(
    "text",
    [
        "NVTX functions not installed. Are you sure you have a CUDA build?",
        "Could not run 'aten::x' with arguments from the 'CUDA' backend",
        "module 'torch._C' has no attribute '_cuda_x'",
        "mat1 and mat2 shapes cannot be multiplied (4x3 and 2x3)",
        "CUDA graphs cannot be captured on a simulated device",
        "needs two GPUs",
    ],
)
def test_other_messages_are_none(text: str) -> None:
    assert not is_device_error(text)


WORKER = """Caught RuntimeError in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "worker.py", line 1, in f
RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use 'spawn'
"""
SPAWNED = """

-- Process 1 terminated with the following error:
Traceback (most recent call last):
  File "a.py", line 3, in f
    raise ValueError("first: second")
torch.cuda.OutOfMemoryError: CUDA out of memory.
"""


@pytest.mark.parametrize(
    ("kind", "text", "cause"),
    [
        ("RuntimeError", "one\ntwo", ("RuntimeError", "one")),
        ("KeyError", "", ("KeyError", "")),
        ("RuntimeError", "ValueError: a\nb", ("RuntimeError", "ValueError: a")),
        (
            "RuntimeError",
            WORKER,
            (
                "RuntimeError",
                "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use 'spawn'",
            ),
        ),
        ("ProcessRaisedException", SPAWNED, ("OutOfMemoryError", "CUDA out of memory.")),
    ],
)
def test_root_cause(kind: str, text: str, cause: tuple[str, str]) -> None:
    assert root_cause(kind, text) == cause
