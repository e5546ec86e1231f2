"""The memory functions of `torch._C`: figures of the allocator, memory pools, the recorded history, raw allocations.

Memory of a simulated device is host memory. Its figures count the tensors that Python can reach, which is less than
a real allocator holds: tensors that only autograd keeps are missing.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from placefix.simulate import device_tags
from placefix.simulate.simulated_hardware import DEFAULT_MEMORY

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.simulate.torch_c_bindings import SimulatedMachine

_ALIGNMENT = 512  # of the caching allocator, in bytes
_SEGMENT = 2**21  # the allocator reserves memory in blocks of so many bytes


def out_of_memory_error(error: RuntimeError, index: int) -> RuntimeError:
    """The error for a tensor of cuda:index that the host could not allocate; another error is returned unchanged."""
    if "can't allocate memory" not in str(error):
        return error
    return torch.OutOfMemoryError(f"CUDA out of memory on a simulated device ({index}): {error}")


def _round_up(size: int, unit: int) -> int:
    return (size + unit - 1) // unit * unit


class DeviceMemory:
    """The memory of each device: its size, the allocated bytes, and the peak, in bytes."""

    def __init__(self) -> None:
        self.size = DEFAULT_MEMORY
        self.is_limited = False  # whether an allocation beyond the size raises
        self._peak: dict[int, int] = {}
        self._unseen: dict[int, int] = {}  # bytes requested since the last count
        self.fractions: dict[int, float] = {}  # as set by the script, by device

    def limit(self, size: int) -> None:
        """Give each device so many bytes; 0: the default size, which does not limit."""
        self.size, self.is_limited = size or DEFAULT_MEMORY, size > 0

    def allocated(self, index: int) -> int:
        """The bytes of all tensors of a device that Python can reach."""
        storages = {}
        for thing in gc.get_objects():
            kind = type(thing)
            if (kind is Tensor or issubclass(kind, Tensor)) and thing.layout is torch.strided:
                with contextlib.suppress(Exception):
                    # A gradient has no Python object before it is read.
                    for tensor in (thing, thing.grad if thing.is_leaf and thing.requires_grad else None):
                        if tensor is not None and device_tags.device_of(tensor) == index:
                            storage = tensor.untyped_storage()
                            storages[storage._cdata] = storage.nbytes()
        total = sum(_round_up(size, _ALIGNMENT) for size in storages.values())
        self._peak[index] = max(total, self._peak.get(index, 0))
        self._unseen[index] = 0
        return total

    def request(self, index: int, size: int) -> None:
        """Raise torch.OutOfMemoryError if `size` more bytes do not fit on the device, and memory is limited."""
        if not self.is_limited:
            return
        self._unseen[index] = self._unseen.get(index, 0) + size
        if self._unseen[index] <= self.size // 8 and size <= self.size:
            return  # tensors are counted only now and then: the search takes milliseconds
        used = self.allocated(index)
        if used + size > self.size:
            gib = 2**30
            raise torch.OutOfMemoryError(
                f"CUDA out of memory. Tried to allocate {size / gib:.2f} GiB. GPU {index} has a total capacity of "
                f"{self.size / gib:.2f} GiB of which {max(0, self.size - used) / gib:.2f} GiB is free. Of the allocated "
                f"memory {used / gib:.2f} GiB is allocated by PyTorch (a simulated device counts what Python can reach)."
            )

    def reset_peak(self, index: int) -> None:
        """torch._C._cuda_resetPeakMemoryStats."""
        self._peak[index] = 0
        self.allocated(index)

    def stats(self, index: int) -> dict[str, Any]:
        """torch._C._cuda_memoryStats."""
        now = self.allocated(index)
        peak = self._peak[index]

        def figures(current: int, peak: int) -> dict[str, dict[str, int]]:
            """One statistic of the allocator, the same for each pool."""
            row = {"current": current, "peak": peak, "allocated": peak, "freed": peak - current}
            return {pool: dict(row) for pool in ("all", "large_pool", "small_pool")}

        reserved = figures(_round_up(now, _SEGMENT), _round_up(peak, _SEGMENT))
        stats: dict[str, Any] = {f"{name}_bytes": figures(now, peak) for name in ("allocated", "active", "requested")}
        stats["reserved_bytes"] = reserved
        for name in ("allocation", "segment", "active", "inactive_split", "inactive_split_bytes"):
            stats[name] = figures(0, 0)
        for name in ("num_alloc_retries", "num_ooms", "num_device_alloc", "num_device_free", "num_sync_all_streams"):
            stats[name] = 0
        stats["max_split_size"] = -1
        for name in ("oversize_allocations", "oversize_segments"):
            stats[name] = {"current": 0, "peak": 0, "allocated": 0, "freed": 0}
        return stats

    def info(self, index: int) -> tuple[int, int]:
        """cudaMemGetInfo: free and total bytes."""
        return max(0, self.size - _round_up(self.allocated(index), _SEGMENT)), self.size


class _MemPool:
    """torch._C._MemPool: an identity; all memory comes from the host."""

    _next = 0

    def __init__(self, allocator: Any = None, is_user_created: bool = True, *_: Any, **__: Any) -> None:
        _MemPool._next += 1
        self._id = (0, _MemPool._next) if is_user_created else (_MemPool._next, 0)
        self._allocator = allocator

    @property
    def id(self) -> tuple[int, int]:
        """The identity of the pool."""
        return self._id

    @property
    def allocator(self) -> Any:
        """The allocator that was given."""
        return self._allocator

    def use_count(self) -> int:
        """The number of references."""
        return 1


class _AllocatorState:
    """torch._C._cuda_CUDAAllocator_AllocatorState: a checkpoint of the allocator."""


class _RawMemory:
    """Raw allocations, by address."""

    def __init__(self, memory: DeviceMemory) -> None:
        self._memory = memory
        self._buffers: dict[int, Any] = {}

    def allocate(self, size: int, stream: int = 0) -> int:
        """torch._C._cuda_cudaCachingAllocator_raw_alloc: the address of `size` bytes."""
        self._memory.request(torch.cuda.current_device(), size)
        buffer = ctypes.create_string_buffer(max(1, size))
        address = ctypes.addressof(buffer)
        self._buffers[address] = buffer
        return address

    def free(self, address: int) -> None:
        """torch._C._cuda_cudaCachingAllocator_raw_delete."""
        self._buffers.pop(address, None)


def memory_bindings(machine: SimulatedMachine) -> dict[str, Any]:
    """The functions and classes to put into torch._C, by name."""
    nothing = lambda *a, **k: None  # noqa: E731
    memory = machine.memory
    raw = _RawMemory(memory)
    is_enabled = [True]

    def snapshot(*_: Any, **__: Any) -> dict[str, Any]:
        """torch._C._cuda_memorySnapshot: nothing is recorded."""
        return {"segments": [], "device_traces": [], "allocator_settings": {}, "external_annotations": []}

    def on_started(run: Callable[..., Any]) -> Callable[..., Any]:
        """A function that starts CUDA first."""

        def started(*arguments: Any) -> Any:
            """Initialise CUDA, then call the function."""
            torch.cuda._lazy_init()
            return run(*arguments)

        return started

    return {
        "_cuda_emptyCache": nothing,
        "_cuda_setMemoryFraction": lambda fraction, index: memory.fractions.__setitem__(index, fraction),
        "_cuda_getMemoryFraction": lambda index: memory.fractions.get(index, 1.0),
        "_cuda_memoryStats": memory.stats,
        "_cuda_hostMemoryStats": dict,
        "_cuda_resetPeakMemoryStats": memory.reset_peak,
        "_cuda_resetAccumulatedMemoryStats": nothing,
        "_cuda_resetPeakHostMemoryStats": nothing,
        "_cuda_resetAccumulatedHostMemoryStats": nothing,
        "_cuda_memorySnapshot": snapshot,
        "_cuda_record_memory_history": nothing,
        "_cuda_record_memory_history_legacy": nothing,
        "_cuda_isHistoryEnabled": lambda: False,
        "_cuda_attach_out_of_memory_observer": nothing,
        "_cuda_getAllocatorBackend": lambda: "native",
        "_cuda_cudaCachingAllocator_raw_alloc": raw.allocate,
        "_cuda_cudaCachingAllocator_raw_delete": raw.free,
        "_cuda_cudaCachingAllocator_enable": lambda value: is_enabled.__setitem__(0, bool(value)),
        "_cuda_cudaCachingAllocator_is_enabled": lambda: is_enabled[0],
        "_MemPool": _MemPool,
        "_cuda_beginAllocateToPool": nothing,
        "_cuda_beginAllocateCurrentThreadToPool": nothing,
        "_cuda_beginAllocateCurrentStreamToPool": nothing,
        "_cuda_endAllocateToPool": nothing,
        "_cuda_endAllocateCurrentStreamToPool": nothing,
        "_cuda_releasePool": nothing,
        "_cuda_CUDAAllocator_AllocatorState": _AllocatorState,
        "_set_cached_tensors_enabled": nothing,
        "_accelerator_isAllocatorInitialized": machine.started,
        "_accelerator_emptyCache": nothing,
        "_accelerator_emptyHostCache": nothing,
        "_accelerator_getDeviceStats": on_started(memory.stats),
        "_accelerator_resetAccumulatedStats": nothing,
        "_accelerator_resetPeakStats": on_started(memory.reset_peak),
        "_accelerator_getMemoryInfo": on_started(memory.info),
    }
