"""The names of torch.cuda, and of libraries for GPUs, on a machine without CUDA: data.

The behaviour was measured on a CPU build of torch 2.13; the versions are those in
which torch.accelerator and its kin first had the counterpart.
"""

from __future__ import annotations

from typing import NamedTuple


class CudaApi(NamedTuple):
    """One name. group: "equivalent", "cuda-only", "person" or "portable" (correct on every machine, unchanged).
    without: its behaviour without CUDA. instead: its counterpart; since: the first torch that has it.
    what: a description that replaces the note made from the other fields."""

    group: str
    without: str
    instead: str = ""
    since: tuple[int, int] | None = None
    what: str = ""

    @property
    def note(self) -> str:
        """The description of the name in one line, for the inventory."""
        if self.what:
            return self.what
        does = f"{self.without} without CUDA" if self.without else ""
        if not self.instead:
            return does
        counterpart = f"`{self.instead}`" + (f" from torch {self.since[0]}.{self.since[1]}" if self.since else "")
        return f"{counterpart}; {does}" if does else counterpart


_NOTHING, _RAISES = "does nothing", "raises"
_ACCELERATOR = "torch.accelerator."
PORTABLE = CudaApi("portable", "")


def _is(what: str) -> CudaApi:
    return CudaApi("cuda-only", "", what=what)


_EQUIVALENT = {
    "synchronize": (_RAISES, _ACCELERATOR + "synchronize", (2, 6)),
    "set_device": (_RAISES, _ACCELERATOR + "set_device_index", (2, 6)),
    "current_device": (_RAISES, _ACCELERATOR + "current_device_index", (2, 6)),
    "current_stream": (_RAISES, _ACCELERATOR + "current_stream", (2, 6)),
    "set_stream": (_RAISES, _ACCELERATOR + "set_stream", (2, 6)),
    "device_count": ("answers 0", _ACCELERATOR + "device_count", (2, 6)),
    "device": (_RAISES, _ACCELERATOR + "device_index", (2, 8)),
    "empty_cache": (_NOTHING, _ACCELERATOR + "empty_cache", (2, 9)),
    "memory_stats": ("answers {}", _ACCELERATOR + "memory_stats", (2, 9)),
    "memory_allocated": ("answers 0", _ACCELERATOR + "memory_allocated", (2, 9)),
    "memory_reserved": ("answers 0", _ACCELERATOR + "memory_reserved", (2, 9)),
    "memory_cached": ("answers 0", _ACCELERATOR + "memory_reserved", (2, 9)),
    "max_memory_allocated": ("answers 0", _ACCELERATOR + "max_memory_allocated", (2, 9)),
    "max_memory_reserved": ("answers 0", _ACCELERATOR + "max_memory_reserved", (2, 9)),
    "max_memory_cached": ("answers 0", _ACCELERATOR + "max_memory_reserved", (2, 9)),
    "reset_peak_memory_stats": (_RAISES, _ACCELERATOR + "reset_peak_memory_stats", (2, 9)),
    "reset_max_memory_allocated": (_RAISES, _ACCELERATOR + "reset_peak_memory_stats", (2, 9)),
    "reset_max_memory_cached": (_RAISES, _ACCELERATOR + "reset_peak_memory_stats", (2, 9)),
    "reset_accumulated_memory_stats": (_RAISES, _ACCELERATOR + "reset_accumulated_memory_stats", (2, 9)),
    "mem_get_info": (_RAISES, _ACCELERATOR + "get_memory_info", (2, 10)),
    "manual_seed": (_NOTHING, "torch.manual_seed", None),
    "manual_seed_all": (_NOTHING, "torch.manual_seed", None),
    "amp.autocast": (_NOTHING, "torch.amp.autocast", (1, 12)),
    "amp.GradScaler": ("is disabled", "torch.amp.GradScaler", (2, 3)),
    "amp.custom_fwd": ("", "torch.amp.custom_fwd", (2, 4)),
    "amp.custom_bwd": ("", "torch.amp.custom_bwd", (2, 4)),
}
_PORTABLE = (
    "is_available",
    "is_initialized",
    "is_bf16_supported",
    "is_tf32_supported",
    "get_arch_list",
    "get_rng_state_all",
    "OutOfMemoryError",
)
_CUDA_ONLY = {
    _RAISES: (
        "Event", "ExternalStream", "default_stream", "get_stream_from_external", "graph_pool_handle", "is_current_stream_capturing",
        "get_device_capability", "get_device_name", "get_device_properties", "can_device_access_peer", "memory_summary", "memory_snapshot",
        "initial_seed", "get_rng_state", "set_rng_state", "set_rng_state_all", "ipc_collect", "init", "cudart", "check_error",
        "current_blas_handle", "current_solver_handle", "clock_rate", "power_draw", "temperature", "utilization", "memory_usage", "device_memory_used",
        "set_per_process_memory_fraction", "get_per_process_memory_fraction", "change_current_allocator", "get_allocator_backend", "caching_allocator_alloc",
        "caching_allocator_delete", "set_sync_debug_mode", "get_sync_debug_mode", "Stream", "CUDAGraph", "graph", "make_graphed_callables",
    ),
    _NOTHING: ("seed", "seed_all", "stream", "StreamContext", "list_gpu_processes", "use_mem_pool"),
}  # fmt: skip

# By full name.
NAMES: dict[str, CudaApi] = {
    **{"torch.cuda." + name: CudaApi("equivalent", *row) for name, row in _EQUIVALENT.items()},
    **{"torch.cuda." + name: PORTABLE for name in _PORTABLE},
    **{"torch.cuda." + name: CudaApi("cuda-only", does) for does, names in _CUDA_ONLY.items() for name in names},
    "torch.utils.cpp_extension.CUDAExtension": _is("a custom kernel, built with nvcc"),
}
# The functions that measure a GPU: without one they answer that nothing is used.
MEASUREMENTS = tuple(
    name for name, row in _EQUIVALENT.items() if row[0].startswith("answers") and name != "device_count"
)
# They initialise CUDA, as measured: it reads CUDA_VISIBLE_DEVICES then, and never again. `is_available` and `device_count` do not.
INITIALISE = frozenset(
    "torch.cuda." + name
    for name in (
        "current_device", "set_device", "synchronize", "get_device_name", "get_device_properties", "get_device_capability", "current_stream",
        "default_stream", "mem_get_info", "init", "Stream", "get_rng_state", "reset_peak_memory_stats", "initial_seed", "ipc_collect",
    )
)  # fmt: skip
# By the start of the full name, where the name itself is not above.
FAMILIES: tuple[tuple[str, CudaApi], ...] = (
    ("torch.cuda.nvtx.", CudaApi("cuda-only", _RAISES)),
    ("torch.cuda.profiler.", CudaApi("cuda-only", _RAISES)),
    ("torch.cuda.graphs.", CudaApi("cuda-only", _RAISES)),
    ("torch.cuda.nccl.", CudaApi("cuda-only", _RAISES)),
    ("torch.cuda.comm.", CudaApi("cuda-only", _RAISES)),
    ("torch.cuda.tunable.", CudaApi("cuda-only", _RAISES)),
    ("torch.cuda.memory.", CudaApi("cuda-only", _RAISES)),
)
# Packages whose import alone ties a file to CUDA, with a description.
PACKAGES = {  # the first part of a name, or more
    "cupy": "arrays on the GPU", "pycuda": "custom kernels", "numba.cuda": "custom kernels", "triton": "custom kernels", "pynvml": "questions to Nvidia's driver",
    "tensorrt": "Nvidia's inference engine", "torch_tensorrt": "Nvidia's inference engine", "flash_attn": "custom kernels", "apex": "custom kernels",
    "xformers": "custom kernels", "cudf": "data frames on the GPU", "cuml": "models on the GPU", "nvidia": "Nvidia's libraries",
}  # fmt: skip
# The start of the full names of functions and classes that fail without a GPU: a whole library for GPUs, or the part for GPUs of another.
GPU_ONLY = (
    "faiss.StandardGpuResources", "faiss.GpuIndex", "faiss.index_cpu_to_gpu", "faiss.index_cpu_to_all_gpus",
    "tensorrt.", "torch_tensorrt.", "pycuda.", "cudf.", "cuml.", "cugraph.", "nvidia.dali.", "flash_attn.",
    "cupy.", "cupyx.", "numba.cuda.", "pynvml.nvmlInit",
)  # fmt: skip
_ASKS = ("is_available", "get_array_module")  # they work on every machine
_PROFILES = (
    "torch.cuda.nvtx.",
    "torch.cuda.profiler.",
    "torch.cuda.cudart",
)  # options of programs that also run without them
NCCL = CudaApi("equivalent", _RAISES, "torch.distributed.get_default_backend_for_device", (2, 6))

TENSOR_TYPE = CudaApi("equivalent", "", what="`dtype=` and `device=` say the same")
BY_NUMBER = CudaApi("person", "", what="it names a GPU by a number that the program computes")


def find(name: str) -> CudaApi | None:
    """The row of a full name, by name or by prefix; None if there is none."""
    known = NAMES.get(name)
    if known is None:
        known = next((api for start, api in FAMILIES if name.startswith(start)), None)
    return known


def fails_without(name: str) -> bool:
    """Whether a call of a full name raises without CUDA and has no portable counterpart."""
    if name.startswith(GPU_ONLY):
        return not name.endswith(_ASKS)
    known = find(name) if name.startswith("torch.cuda.") and not name.startswith(_PROFILES) else None
    return known is not None and known.group == "cuda-only" and known.without == _RAISES
