"""The functions that a CUDA build of torch has in `torch._C` and a CPU build has not.

They are put there before `torch.cuda` is imported, so that all of its Python is the real one: lazy
initialisation, the rules for forked processes, seeds that wait for it, streams, memory figures.
"""

from __future__ import annotations

import os
import threading
import time
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch._C import Stream as _Stream

from placefix.simulate import cuda_memory, device_tags
from placefix.simulate.background_copies import BackgroundCopies
from placefix.simulate.simulated_hardware import COMPUTE_CAPABILITY, CUDA_VERSION_NUMBER, NAME, device_uuid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.simulate.guard import DeviceGuard

_EXPLANATION = (
    "\nSearch for `{symbol}' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more "
    "information.\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace "
    "below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\nCompile with "
    "`TORCH_USE_CUDA_DSA` to enable device-side assertions.\n"
)


def invalid_ordinal() -> Exception:
    """The error of the CUDA runtime for a device that does not exist."""
    kind = getattr(torch._C, "AcceleratorError", None)  # not before 2.8
    text = _EXPLANATION.format(symbol="cudaErrorInvalidDevice")
    if kind is None:
        kind, text = RuntimeError, "\n" + text.split("more information.\n")[1]
    error: Exception = kind("CUDA error: invalid device ordinal" + text)
    return error


class SimulatedMachine:
    """The simulated machine: the number of devices, the current one, and the state of CUDA."""

    def __init__(self, guard: DeviceGuard, devices: int) -> None:
        self.guard = guard
        self.installed = devices
        self.pid_of_start: int | None = None
        self.memory = cuda_memory.DeviceMemory()
        self.copies = BackgroundCopies()
        guard.synchronize = self.copies.finish
        self._visible: int | None = None
        self.sync_debug_mode = 0  # 1: a synchronizing operation warns, 2: it raises
        self.keep: tuple[Any, ...] = ()  # registrations, which end with their objects

    # Devices.

    def count(self) -> int:
        """How many devices can be seen: CUDA_VISIBLE_DEVICES is read when CUDA starts, as by the driver."""
        if self._visible is not None:
            return self._visible
        text = os.environ.get("CUDA_VISIBLE_DEVICES")
        visible = self.installed
        if text is not None:
            visible = 0
            for entry in text.split(","):
                if not entry.strip().isdigit() or int(entry) >= self.installed:
                    break
                visible += 1
        return visible

    def start(self) -> None:
        """Initialise CUDA in this process."""
        if self.count() == 0:
            raise RuntimeError("No CUDA GPUs are available")
        self._visible = self.count()
        self.pid_of_start = os.getpid()
        from placefix.simulate.generators import CudaGenerator

        follows = torch.default_generator if self.shared_numbers else None
        torch.cuda.default_generators = tuple(CudaGenerator.make(i, follows) for i in range(self._visible))
        torch.cuda._get_device_properties = self.properties
        # The driver keeps a device's context for its first user; kernels check this on every factory.
        for generator in torch.cuda.default_generators:
            if follows is None:
                generator.manual_seed(67280421310721)  # c10::detail::default_rng_seed_val

    shared_numbers = False

    def started(self) -> bool:
        """Whether CUDA was initialised in this process or one that it was forked from."""
        return self.pid_of_start is not None

    def bad_fork(self) -> bool:
        """Whether this process was forked from one in which CUDA had started."""
        return self.pid_of_start is not None and self.pid_of_start != os.getpid()

    def index(self, device: Any) -> int:
        """The index of a device: the current one's if it has none. Raises the CUDA error if there is no such device."""
        torch.cuda._lazy_init()
        index = torch.device(device).index if device is not None else None
        if index is None:
            return self.guard.current()
        if index >= self.count():
            raise invalid_ordinal()
        return int(index)

    def set_device(self, index: int) -> None:
        """torch._C._cuda_setDevice."""
        torch.cuda._lazy_init()
        if index >= self.count():
            raise invalid_ordinal()
        self.guard.exchange(index)

    def exchange_device(self, index: int) -> int:
        """torch._C._cuda_exchangeDevice."""
        if index < 0:
            return -1
        torch.cuda._lazy_init()
        if index >= self.count():
            raise invalid_ordinal()
        return self.guard.exchange(index)

    def properties(self, index: int) -> Any:
        """torch.cuda.get_device_properties."""
        return DeviceProperties(index, self.memory.size)

    def note_synchronization(self) -> None:
        """c10::cuda::warn_or_error_on_sync, of an operation that waits for the device."""
        if self.sync_debug_mode == 1:
            warnings.warn("called a synchronizing CUDA operation", UserWarning, stacklevel=3)
        elif self.sync_debug_mode == 2:
            raise RuntimeError("called a synchronizing CUDA operation")

    # Streams: all work is done when a call returns, so they only remember who they are.

    def new_stream(self) -> int:
        """A stream that nobody else has."""
        return self.guard.new_stream()

    def current_stream(self, index: int) -> tuple[int, int, int]:
        """torch._C._cuda_getCurrentStream."""
        return self.guard.streams[index], index, device_tags.CUDA_TYPE

    def set_stream(self, stream_id: int, device_index: int, device_type: int) -> None:
        """torch._C._cuda_setStream; the stream's device becomes the current one."""
        self.guard.streams[device_index] = stream_id
        self.guard.exchange(device_index)


class DeviceProperties:
    """The result of `torch.cuda.get_device_properties`."""

    def __init__(self, index: int, memory: int) -> None:
        self.name = NAME
        self.major, self.minor = COMPUTE_CAPABILITY
        self.total_memory = memory
        self.multi_processor_count = 64
        self.is_integrated = self.is_multi_gpu_board = 0
        self.max_threads_per_multi_processor = 2048
        self.max_threads_per_block = 1024
        self.warp_size = 32
        self.regs_per_multiprocessor = 65536
        self.shared_memory_per_block = 49152
        self.shared_memory_per_block_optin = 232448
        self.shared_memory_per_multiprocessor = 233472
        self.L2_cache_size = 50 * 2**20
        self.gcnArchName = ""
        self.uuid = device_uuid(index)
        self.pci_bus_id, self.pci_device_id, self.pci_domain_id = index, 0, 0

    def __repr__(self) -> str:
        return (
            f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
            f"total_memory={self.total_memory // 2**20}MB, multi_processor_count={self.multi_processor_count})"
        )


def _event_error(text: str) -> Exception:
    """An error of CUDAEvent::elapsed_time: its type depends on the version of torch, and is read in the header."""
    headers = Path(torch.__file__).parent / "include"
    for name in ("c10/cuda/CUDAEvent.h", "ATen/cuda/CUDAEvent.h"):
        if (headers / name).exists() and "TORCH_CHECK_VALUE" in (headers / name).read_text(encoding="utf-8"):
            return ValueError(text)
    return RuntimeError(text)


def _stream_class(machine: SimulatedMachine) -> type:
    """The base class of torch.cuda.Stream."""

    class _CudaStreamBase(_Stream):
        def __new__(
            cls, priority: int = 0, stream_id: int | None = None, device_index: int | None = None,
            device_type: int | None = None, stream_ptr: int | None = None,
        ) -> Any:  # fmt: skip
            torch.cuda._lazy_init()
            index = machine.guard.current() if device_index is None else device_index
            given = stream_ptr if stream_id is None else stream_id  # of an ExternalStream: the number is the pointer
            number = machine.new_stream() if given is None else given
            self = super().__new__(cls, stream_id=number, device_index=index, device_type=device_tags.CUDA_TYPE)
            self._priority = priority
            return self

        priority = property(lambda self: self._priority)
        cuda_stream = property(lambda self: self.stream_id)

        @staticmethod
        def priority_range() -> tuple[int, int]:
            """The least and the greatest priority."""
            return 0, -5

        def query(self) -> bool:
            """Whether the work on the stream is done: always."""
            machine.copies.finish()
            return True

        def synchronize(self) -> None:
            """Initialise CUDA, and wait for the copies in the background."""
            torch.cuda._lazy_init()
            machine.copies.finish()

        def __eq__(self, other: object) -> bool:
            return isinstance(other, _Stream) and (self.stream_id, self.device_index) == (
                other.stream_id,
                other.device_index,
            )

        def __hash__(self) -> int:
            return hash((self.stream_id, self.device_index))

    return _CudaStreamBase


def _event_class(machine: SimulatedMachine) -> type:
    """The base class of torch.cuda.Event."""

    class _CudaEventBase:
        def __new__(
            cls, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False, **_: Any
        ) -> Any:
            self = super().__new__(cls)
            self.__dict__.update(enable_timing=enable_timing, recorded=None, index=-1, cuda_event=id(self))
            return self

        recorded: float | None
        index: int  # of the device that it was recorded on first
        enable_timing: bool

        @property
        def device(self) -> torch.device | None:
            """The device that the event was recorded on; None before."""
            return None if self.recorded is None else torch.device("cuda", self.index)

        def record(self, stream: Any = None) -> None:
            """Take the time. Raises RuntimeError on a stream of another device than before."""
            index = machine.guard.current() if stream is None else stream.device_index
            if self.recorded is not None and index != self.index:
                raise RuntimeError(f"Event device {self.index} does not match recording stream's device {index}.")
            self.index = index
            self.recorded = time.perf_counter()

        def wait(self, stream: Any = None) -> None:
            """Nothing to wait for."""

        def query(self) -> bool:
            """Whether the recorded work is done: always."""
            machine.copies.finish()
            return True

        def synchronize(self) -> None:
            """Wait for the copies in the background."""
            machine.copies.finish()

        def elapsed_time(self, other: _CudaEventBase) -> float:
            """Milliseconds between two recorded events. Raises torch's error without timing or record."""
            if not (self.enable_timing and other.enable_timing):
                raise _event_error("Both events must be created with argument 'enable_timing=True'.")
            if self.recorded is None or other.recorded is None:
                raise _event_error("Both events must be recorded before calculating elapsed time.")
            return (other.recorded - self.recorded) * 1e3

        def ipc_handle(self) -> bytes:
            """Raises RuntimeError: there is no memory that processes share."""
            raise RuntimeError("events cannot be shared between processes on a simulated device")

    return _CudaEventBase


class _CUDAGraph:
    def __new__(cls, *_: Any, **__: Any) -> Any:
        # A replay runs kernels without Python, and these are written in Python.
        raise NotImplementedError("CUDA graphs cannot be captured on a simulated device")


def _cudart(machine: SimulatedMachine) -> Any:
    error = SimpleNamespace(success=0)
    return SimpleNamespace(
        cudaError=error,
        cudaGetErrorString=lambda code: "no error" if code == 0 else f"error {code}",
        cudaMemGetInfo=machine.memory.info,
        cudaProfilerStart=lambda: 0,
        cudaProfilerStop=lambda: 0,
        cudaHostRegister=lambda *a: 0,
        cudaHostUnregister=lambda *a: 0,
    )


def _nvtx() -> Any:
    """torch._C._nvtx: ranges for NVIDIA's profilers, which nobody reads here. The depth of nested ranges is kept, because push and pop return it."""
    depth = threading.local()

    def push(_: str) -> int:
        """The depth of the new range, from 0."""
        depth.value = getattr(depth, "value", 0) + 1
        return depth.value - 1

    def pop() -> int:
        """The depth of the range that ended, from 0; -1 without a range."""
        depth.value = max(getattr(depth, "value", 0), 0) - 1
        return depth.value

    nothing = lambda *a: None  # noqa: E731
    return SimpleNamespace(
        rangePushA=push,
        rangePop=pop,
        rangeStartA=lambda _: 0,
        rangeEnd=nothing,
        markA=nothing,
        deviceRangeStart=lambda *a: 0,
        deviceRangeEnd=nothing,
    )


def _copy_to(tensor: Tensor, index: int) -> Tensor:
    device = torch.device("cpu") if index < 0 else torch.device("cuda", index)
    return tensor if tensor.device == device else tensor.to(device)


def broadcast(tensor: Tensor, devices: Sequence[int]) -> list[Tensor]:
    """torch._C._broadcast: the tensor itself on its device, copies on the others."""
    return [_copy_to(tensor, index) for index in devices]


def broadcast_coalesced(tensors: Sequence[Tensor], devices: Sequence[int], _: int = 0) -> list[list[Tensor]]:
    """torch._C._broadcast_coalesced."""
    first = torch.device("cuda", devices[0])
    if any(tensor.device != first for tensor in tensors):
        raise RuntimeError("all tensors must be on devices[0]: " + str(devices[0]))
    return [list(tensors), *([_copy_to(tensor, index) for tensor in tensors] for index in devices[1:])]


def broadcast_out(tensor: Tensor, outs: Sequence[Tensor]) -> list[Tensor]:
    """torch._C._broadcast_out."""
    return [out.copy_(tensor) for out in outs]


def scatter(
    tensor: Tensor, devices: Sequence[int], chunk_sizes: Sequence[int] | None = None, dim: int = 0, streams: Any = None
) -> list[Tensor]:
    """torch._C._scatter: chunks go to their devices; the tensor may be anywhere."""
    parts = tensor.split(list(chunk_sizes), dim) if chunk_sizes else tensor.chunk(len(devices), dim)
    return [_copy_to(part, index) for part, index in zip(parts, devices, strict=False)]


def scatter_out(tensor: Tensor, outs: Sequence[Tensor], dim: int = 0, streams: Any = None) -> list[Tensor]:
    """torch._C._scatter_out."""
    parts = tensor.split([out.size(dim) for out in outs], dim)
    return [out.copy_(part) for out, part in zip(outs, parts, strict=True)]


def gather(tensors: Sequence[Tensor], dim: int, destination: int | None = None) -> Tensor:
    """torch._C._gather: concatenate on one device (no index: the current one; -1: the CPU)."""
    if any(tensor.device.type != "cuda" for tensor in tensors):
        raise RuntimeError("Gather expects all inputs to have the same device type as CUDA")
    index = torch.cuda.current_device() if destination is None else destination
    return torch.cat([_copy_to(tensor, index) for tensor in tensors], dim)


def gather_out(tensors: Sequence[Tensor], out: Tensor, dim: int = 0) -> Tensor:
    """torch._C._gather_out."""
    return out.copy_(torch.cat([_copy_to(tensor, device_tags.device_of(out)) for tensor in tensors], dim))


def install_bindings(machine: SimulatedMachine) -> None:
    """Put everything into torch._C."""
    nothing = lambda *a, **k: None  # noqa: E731
    mine = {
        "_cuda_init": machine.start,
        "_cuda_getDeviceCount": machine.count,
        "_cuda_isInBadFork": machine.bad_fork,
        "_cuda_getDevice": machine.guard.current,
        "_cuda_setDevice": machine.set_device,
        "_cuda_exchangeDevice": machine.exchange_device,
        "_cuda_maybeExchangeDevice": machine.exchange_device,
        "_cuda_synchronize": machine.copies.finish,
        "_cuda_sleep": nothing,
        "_cuda_ipc_collect": nothing,
        "_cuda_getArchFlags": lambda: "sm_{}{}".format(*COMPUTE_CAPABILITY),
        "_cuda_canDeviceAccessPeer": lambda *a: True,
        "_cuda_getCurrentStream": machine.current_stream,
        "_cuda_getDefaultStream": lambda index: (0, index, device_tags.CUDA_TYPE),
        "_cuda_setStream": machine.set_stream,
        "_cuda_getCurrentRawStream": lambda index: machine.current_stream(index)[0],
        "_cuda_getCurrentBlasHandle": lambda: 0,
        "_cuda_isCurrentStreamCapturing": lambda: False,
        "_cuda_set_sync_debug_mode": lambda mode: setattr(machine, "sync_debug_mode", mode),
        "_cuda_get_sync_debug_mode": lambda: machine.sync_debug_mode,
        "_cuda_getDriverVersion": lambda: CUDA_VERSION_NUMBER,
        "_cuda_getCompiledVersion": lambda: CUDA_VERSION_NUMBER,
        "_CudaDeviceProperties": DeviceProperties,
        "_CudaStreamBase": _stream_class(machine),
        "_CudaEventBase": _event_class(machine),
        "_CUDAGraph": _CUDAGraph,
        "_graph_pool_handle": lambda: (0, 0),
        "_cudart": _cudart(machine),
        "_has_cuda": True,
        "_broadcast": broadcast,
        "_broadcast_coalesced": broadcast_coalesced,
        "_broadcast_out": broadcast_out,
        "_scatter": scatter,
        "_scatter_out": scatter_out,
        "_gather": gather,
        "_gather_out": gather_out,
        "_nvtx": _nvtx(),
        **cuda_memory.memory_bindings(machine),
    }
    for name, value in mine.items():
        setattr(torch._C, name, value)
