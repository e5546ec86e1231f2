"""The errors of torch that are about devices, as rows: only these are called device errors.

A test looks for each row in the torch that is installed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

#: The place of a text in an installed torch: a library below torch/lib, or a Python file below torch/.
CPU_LIBRARY, PYTHON_LIBRARY = "lib/libtorch_cpu.so", "lib/libtorch_python.so"
#: The text is in CUDA builds only; the path is that of torch's source.
CUDA_BUILD = "CUDA build: "


class DeviceMessage(NamedTuple):
    """A part of a message of torch that only a mistake with devices causes, and the file that has it."""

    text: str
    source: str


DEVICE_MESSAGES = (
    DeviceMessage("same device", CPU_LIBRARY),  # some fifty messages
    DeviceMessage("expected device", CPU_LIBRARY),
    DeviceMessage("to be on device", CPU_LIBRARY),
    DeviceMessage("indices should be either on", CPU_LIBRARY),
    DeviceMessage("Input type (", CPU_LIBRARY),
    DeviceMessage("CPU int64 tensor", CPU_LIBRARY),
    DeviceMessage("device type for generator", CPU_LIBRARY),
    DeviceMessage("generator device but found", CPU_LIBRARY),
    DeviceMessage("No backend type associated with device type", CPU_LIBRARY),
    DeviceMessage("cannot pin '", CPU_LIBRARY),
    DeviceMessage("Only dense CPU tensors can be pinned", CPU_LIBRARY),
    DeviceMessage("device type tensor to numpy", PYTHON_LIBRARY),
    DeviceMessage("legacy constructor expects device type", PYTHON_LIBRARY),
    DeviceMessage("Device index must not be negative", PYTHON_LIBRARY),
    DeviceMessage("Torch not compiled with CUDA enabled", "cuda/__init__.py"),
    DeviceMessage("Cannot re-initialize CUDA in forked subprocess", "cuda/__init__.py"),
    DeviceMessage("Invalid device id", "cuda/__init__.py"),
    DeviceMessage("module must have its parameters and buffers on device", "nn/parallel/data_parallel.py"),
    DeviceMessage("device_ids and output_device arguments only work with", "nn/parallel/distributed.py"),
    DeviceMessage("the same type of devices, but", "nn/parallel/distributed.py"),
    DeviceMessage("SyncBatchNorm layers only work with GPU modules", "nn/parallel/distributed.py"),
    DeviceMessage("SyncBatchNorm expected input tensor to be on", "nn/modules/batchnorm.py"),
    DeviceMessage("Attempting to deserialize object on", "serialization.py"),
    DeviceMessage("No CUDA GPUs are available", CPU_LIBRARY),
    DeviceMessage("invalid device ordinal", CUDA_BUILD + "the CUDA runtime, cudaErrorInvalidDevice"),
    DeviceMessage("CUDA out of memory", CUDA_BUILD + "c10/cuda/CUDACachingAllocator.cpp"),
    DeviceMessage("all tensors must be on devices[0]", CUDA_BUILD + "torch/csrc/cuda/comm.cpp"),
    DeviceMessage("Gather expects all inputs to", CUDA_BUILD + "torch/csrc/cuda/comm.cpp"),
    DeviceMessage('_cuda" not implemented for', CUDA_BUILD + "aten/src/ATen/native/cuda/Blas.cpp"),
    DeviceMessage("Tensors must be CUDA and dense", CUDA_BUILD + "torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp"),
)

_NESTED_TRACEBACK = re.compile(r"Traceback \(most recent call last\)|Traceback of TorchScript")
_ERROR_LINE = re.compile(r"^(?:[\w.]*\.)?(\w*(?:Error|Exception)): (.*)", re.MULTILINE)


def root_cause(kind: str, text: str) -> tuple[str, str]:
    """The type and the first line of the error that an error reports in its body.

    DataLoader workers, replicas of DataParallel, processes of mp.spawn and TorchScript put a traceback into their
    message: ("ProcessRaisedException", "-- Process 0 terminated …\\nTraceback …\\nRuntimeError: a") → ("RuntimeError", "a").
    Without a traceback: the type and the first line themselves.
    """
    if _NESTED_TRACEBACK.search(text):
        found = list(_ERROR_LINE.finditer(text))
        if found:
            return found[-1][1], found[-1][2].strip()
    lines = text.strip().splitlines()
    return kind, lines[0] if lines else ""


def is_device_error(text: str) -> bool:
    """Whether a message is one of torch about devices."""
    return any(row.text in text for row in DEVICE_MESSAGES)
