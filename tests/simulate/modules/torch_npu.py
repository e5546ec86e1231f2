"""Stands for the package, on a machine without an NPU."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, NoReturn

import torch

__version__ = "2.1"


def _move(*arguments: Any, **options: Any) -> NoReturn:
    raise RuntimeError("Cannot access accelerator device when none is available.")


npu: Any = ModuleType("torch.npu")
npu.is_available = lambda: False
sys.modules["torch.npu"] = torch.npu = npu  # type: ignore[attr-defined]
torch.Tensor.npu = torch.nn.Module.npu = _move  # type: ignore[attr-defined]
