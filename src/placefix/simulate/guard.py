"""The objects that a CPU build of torch lacks before it can touch a CUDA tensor: a device guard, and hooks.

Both are objects with virtual functions. The guard is ours: its table is a copy of that of the CPU's
guard, with the functions replaced that c10's FakeGuardImpl (compiled into some versions, not into others)
replaces. Of `CUDAHooksInterface`, by which libtorch_cpu queries the CUDA library, some functions
are replaced in a copy of its table. The slot of each function is read from the headers in the
wheel. The libraries are not written to.
"""

from __future__ import annotations

import ctypes
import mmap
import platform
import re
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from placefix.simulate.device_tags import CPU_TYPE, CUDA_TYPE
from placefix.simulate.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

# Functions that a callback of ctypes cannot implement, because it returns no structure, or that cost less without one.
# They take `this` first. A c10::Stream is {Device (two bytes); int64_t id} and travels in two registers.
_CODE = {
    "x86_64": {
        "false": "31c0 c3",  # xor eax, eax
        "true": "b801000000 c3",  # mov eax, 1
        "default stream": "0fb7c6 31d2 c3",  # movzx eax, si; xor edx, edx
        # movzx eax, si; mov rcx, STREAMS; mov edx, esi; shr edx, 8; and edx, 7; mov rdx, [rcx + rdx * 8]
        "current stream": "0fb7c6 48b9{streams} 89f2 c1ea08 83e207 488b14d1 c3",
        # movzx eax, si; mov rcx, STREAMS; mov r8d, esi; shr r8d, 8; and r8d, 7; xchg [rcx + r8 * 8], rdx
        "exchange stream": "0fb7c6 48b9{streams} 4189f0 41c1e808 4183e007 4a8714c1 c3",
        # sub rsp, 8; mov rax, NEW_STREAM; call rax; add rsp, 8; mov rdx, rax; shr rdx, 16; movzx eax, ax
        "new stream": "4883ec08 48b8{new_stream} ffd0 4883c408 4889c2 48c1ea10 0fb7c0 c3",
    },
    "aarch64": {
        "false": "00008052 c0035fd6",  # mov w0, 0
        "true": "20008052 c0035fd6",  # mov w0, 1
        "default stream": "203c0012 010080d2 c0035fd6",  # and w0, w1, 0xffff; mov x1, 0
        # The streams of C++ are the default streams here.
        "new stream": "203c0012 010080d2 c0035fd6",
        "current stream": "203c0012 010080d2 c0035fd6",
        "exchange stream": "e00301aa e10302aa c0035fd6",  # mov x0, x1; mov x1, x2
    },
}
_CODE_SIZE = 48  # bytes for each function
_MARK, _MARK_SIZE = 0x70696E6E65640000, 64  # a block of pinned memory begins with a mark; torch aligns data to 64 bytes
_keep: list[Any] = []  # callbacks and tables must outlive the process's last use of them


def virtual_functions(header: Path) -> list[str]:
    """The virtual functions that the classes of a header declare first, in the order of their slots.

    A destructor takes two slots; a function marked override has its slot in the base class.
    """
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
    names = []
    for match in re.finditer(r"\bvirtual\s+([^;{]*?)(~?\w+)\s*\(", text):
        name = match[2]
        names += [name, name + "'"] if name.startswith("~") else [name]
    return names


def _symbol(library: ctypes.CDLL, name: str) -> Any:
    try:
        return getattr(library, name)
    except AttributeError:
        raise UnsupportedError(f"{name} is not in {Path(library._name).name}") from None


class _CurrentDevice(threading.local):
    index = 0


class _PlanCache:
    """The sizes of cuFFT's plan caches, by device. They hold no plans."""

    DEFAULT = 4096  # CUFFT_DEFAULT_CACHE_SIZE

    def __init__(self) -> None:
        self.sizes: dict[int, int] = {}

    def resize(self, index: int, size: int) -> None:
        """Set the largest number of plans of a device."""
        self.sizes[index] = size


class DeviceGuard:
    """The installed guard: the current device of the calling thread, as C++ sees it."""

    def __init__(self, count: Callable[[], int]) -> None:
        root = Path(torch.__file__).parent
        c10 = ctypes.CDLL(str(root / "lib" / "libc10.so"))
        cpu = ctypes.CDLL(str(root / "lib" / "libtorch_cpu.so"))
        headers = root / "include"
        try:
            slots = virtual_functions(headers / "c10/core/impl/DeviceGuardImplInterface.h")
            slots = slots[: slots.index("~DeviceGuardImplInterface")]
            hooks = virtual_functions(headers / "ATen/detail/AcceleratorHooksInterface.h")
            hooks += virtual_functions(headers / "ATen/detail/CUDAHooksInterface.h")
        except (OSError, ValueError) as error:
            raise UnsupportedError(f"the headers are not as expected: {error}") from None
        self._current = _CurrentDevice()
        self.streams = (ctypes.c_int64 * 8)()  # the current stream of each device, of all threads; 0: the default one
        self._last_stream = 0
        make = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint16)
        new_stream = make(lambda this, device: self.new_stream() << 16 | self._resolved(device))
        _keep.append(new_stream)
        self._code = _machine_code(
            streams=ctypes.addressof(self.streams), new_stream=ctypes.cast(new_stream, ctypes.c_void_p).value or 0
        )
        self._install(c10, slots, count)
        self._install_hooks(cpu, c10, hooks, count)

    def _install(self, c10: ctypes.CDLL, slots: list[str], count: Callable[[], int]) -> None:
        # Must exist, or the registry has been renamed since.
        _symbol(c10, "_ZN3c104impl24DeviceGuardImplRegistrarC1ENS_10DeviceTypeEPKNS0_24DeviceGuardImplInterfaceE")
        registry = (ctypes.c_void_p * 2).in_dll(c10, "_ZN3c104impl26device_guard_impl_registryE")
        if registry[CUDA_TYPE]:
            raise UnsupportedError("this torch has a CUDA device guard already: it is no CPU build")
        host = registry[CPU_TYPE]
        if not host:
            raise UnsupportedError("this torch has no device guard for the CPU")
        guard = ctypes.c_uint64(ctypes.c_uint64.from_address(host).value)
        this = ctypes.addressof(guard)
        code, slot = self._code, _places(slots)
        table = _copied_table(this, len(slots))
        # A c10::Device is two bytes, the type and the index.
        get = ctypes.CFUNCTYPE(ctypes.c_uint16, ctypes.c_void_p)
        exchange = ctypes.CFUNCTYPE(ctypes.c_uint16, ctypes.c_void_p, ctypes.c_uint16)
        put = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint16)
        integer = ctypes.CFUNCTYPE(ctypes.c_int8, ctypes.c_void_p)
        _replace(table, slot["getDevice"], get(lambda this: CUDA_TYPE | self._current.index << 8))
        _replace(
            table, slot["exchangeDevice"], exchange(lambda this, device: CUDA_TYPE | self.exchange(_index(device)) << 8)
        )
        for name in ("setDevice", "uncheckedSetDevice"):
            _replace(table, slot[name], put(lambda this, device: self._put(device)))
        _replace(table, slot["deviceCount"], integer(lambda this: count()))
        table[slot["type"]] = code["true"]  # CUDA_TYPE is 1
        # Streams are numbers, and their work is always complete.
        table[slot["getStream"]] = code["current stream"]
        table[slot["getDefaultStream"]] = code["default stream"]
        for name in ("getStreamFromGlobalPool", "getNewStream"):
            table[slot[name]] = code["new stream"]
        table[slot["exchangeStream"]] = code["exchange stream"]
        for name in ("queryEvent", "queryStream"):
            table[slot[name]] = code["true"]
        for name in ("destroyEvent", "block", "recordDataPtrOnStream"):
            table[slot[name]] = code["false"]
        wait = ctypes.CFUNCTYPE(None)  # the arguments are not read
        for name in ("synchronizeStream", "synchronizeEvent", "synchronizeDevice"):
            _replace(table, slot[name], wait(self._wait))
        # An event is its time, in nanoseconds.
        record = ctypes.CFUNCTYPE(
            None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64), ctypes.c_void_p, ctypes.c_int8, ctypes.c_int
        )
        elapsed = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int8)

        def record_event(this: int, event: Any, stream: int, index: int, flag: int) -> None:
            """Replaces DeviceGuardImplInterface::record."""
            event[0] = time.perf_counter_ns()

        _replace(table, slot["record"], record(record_event))
        _replace(table, slot["elapsedTime"], elapsed(lambda this, first, second, index: (second - first) / 1e6))
        _keep.append(guard)
        registry[CUDA_TYPE] = this

    def _wait(self) -> None:
        self.synchronize()

    def _install_hooks(self, cpu: ctypes.CDLL, c10: ctypes.CDLL, slots: list[str], count: Callable[[], int]) -> None:
        get = _symbol(cpu, "_ZN2at6detail12getCUDAHooksEv")
        get.restype = ctypes.c_void_p
        table = _copied_table(get(), len(slots))
        slot = _places(slots)
        for name in ("isBuilt", "isAvailable"):
            if name in slot:  # not before 2.7, which queries hasCUDA
                table[slot[name]] = self._code["true"]
        for name in ("hasPrimaryContext", "hasCUDA", "hasCUDART", "hasCuSOLVER", "hasCuBLASLt", "hasMAGMA"):
            table[slot[name]] = self._code["true"]
        for name in ("init", "deviceSynchronize"):
            table[slot[name]] = self._code["false"]
        get_allocator = _symbol(c10, "_ZN3c1015GetCPUAllocatorEv")
        get_allocator.restype = ctypes.c_void_p
        table[slot["getCUDADeviceAllocator"]] = ctypes.cast(get_allocator, ctypes.c_void_p).value
        pinned_allocator = self._pinned_allocator(get_allocator())
        _replace(
            table,
            slot["getPinnedMemoryAllocator"],
            ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(lambda this: pinned_allocator),
        )
        integer = ctypes.CFUNCTYPE(ctypes.c_int8, ctypes.c_void_p)
        exchange = ctypes.CFUNCTYPE(ctypes.c_int8, ctypes.c_void_p, ctypes.c_int8)
        for name in ("deviceCount", "getNumGPUs"):
            _replace(table, slot[name], integer(lambda this: count()))
        for name in ("current_device", "getCurrentDevice"):
            _replace(table, slot[name], integer(lambda this: self.current()))
        for name in ("setCurrentDevice", "exchangeDevice", "maybeExchangeDevice"):
            _replace(table, slot[name], exchange(lambda this, index: self.exchange(index)))
        plans = _PlanCache()
        read = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int8)
        write = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int8, ctypes.c_int64)
        clear = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int8)
        _replace(
            table, slot["cuFFTGetPlanCacheMaxSize"], read(lambda this, index: plans.sizes.get(index, plans.DEFAULT))
        )
        _replace(table, slot["cuFFTSetPlanCacheMaxSize"], write(lambda this, index, size: plans.resize(index, size)))
        _replace(table, slot["cuFFTGetPlanCacheSize"], read(lambda this, index: 0))
        _replace(table, slot["cuFFTClearPlanCache"], clear(lambda this, index: None))
        pinned = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
        _replace(table, slot["isPinnedPtr"], pinned(lambda this, address: self.is_pinned(address)))

    synchronize: Callable[[], None] = staticmethod(lambda: None)  # finishes the copies in the background

    pinned: set[int]  # addresses
    notes_pinned_memory = False  # whether the allocator adds to `pinned`

    def _pinned_allocator(self, host: int | None) -> int | None:
        """The address of a c10::Allocator like that of the CPU at `host`. It adds the address of each block to `pinned`.

        `allocate` returns a c10::DataPtr of three words and a device: the data, then the deleter and the context in the order of
        the C++ library's tuple. A block begins with a mark, which `free` overwrites: so a freed address is not taken for pinned
        memory, and no Python runs when memory is freed, where an exception may be pending. On aarch64 the place of the
        result travels in a register that ctypes does not set: there only `Tensor.pin_memory` is noted, in patches.py.
        """
        if platform.machine() != "x86_64" or host is None:
            return host
        self.notes_pinned_memory = True
        slots = virtual_functions(Path(torch.__file__).parent / "include" / "c10" / "core" / "Allocator.h")
        this = (ctypes.c_uint64 * 8)(*(ctypes.c_uint64 * 8).from_address(host))
        _keep.append(this)
        table = _copied_table(ctypes.addressof(this), len(slots))
        function = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
        slot = _places(slots)["allocate"]
        plain_allocate = function(table[slot])
        libc = ctypes.CDLL(None)
        libc.aligned_alloc.restype = ctypes.c_void_p
        libc.aligned_alloc.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
        free = ctypes.cast(libc.free, ctypes.c_void_p).value or 0

        def allocate_pinned(result: int, _: int, size: int) -> int:
            """Replaces Allocator::allocate."""
            plain_allocate(result, host, size)
            words = (ctypes.c_uint64 * 3).from_address(result)
            if not words[0] or words[0] not in words[1:]:
                return result
            context = 1 if words[1] == words[0] else 2
            block = libc.aligned_alloc(_MARK_SIZE, (size + 2 * _MARK_SIZE - 1) // _MARK_SIZE * _MARK_SIZE)
            if block:
                ctypes.CFUNCTYPE(None, ctypes.c_void_p)(words[3 - context])(words[context])
                data = block + _MARK_SIZE
                (ctypes.c_uint64 * 2).from_address(block)[:] = [data ^ _MARK] * 2
                ctypes.memset(data, 0, size)  # so that a copy that has not finished looks the same in every run
                words[0], words[context], words[3 - context] = data, block, free
                self.pinned.add(data)
            return result

        _replace(table, slot, function(allocate_pinned))
        return ctypes.addressof(this)

    def is_pinned(self, address: int) -> bool:
        """Whether memory that is in use at this address was allocated as pinned memory."""
        if address not in self.pinned:
            return False
        if not self.notes_pinned_memory:
            return True
        marks = (ctypes.c_uint64 * 2).from_address(address - _MARK_SIZE)
        return marks[0] == marks[1] == address ^ _MARK

    def current(self) -> int:
        """The current device of this thread."""
        return self._current.index

    def exchange(self, index: int) -> int:
        """Make another device the current one, unless it is negative; returns the one before."""
        before = self._current.index
        if index >= 0:
            self._current.index = index
        return before

    def new_stream(self) -> int:
        """The number of a stream that nobody else has."""
        self._last_stream += 1
        return self._last_stream

    def _resolved(self, device: int) -> int:
        """A c10::Device with an index: the current one's if it has none."""
        index = _index(device)
        return CUDA_TYPE | (self.current() if index < 0 else index) << 8

    def _put(self, device: int) -> None:
        self.exchange(_index(device))


def _index(device: int) -> int:
    """The index in a c10::Device, or -1."""
    index = device >> 8 & 0xFF
    return -1 if index == 0xFF else index


DeviceGuard.pinned = set()


def _places(slots: list[str]) -> dict[str, int]:
    """The functions by name. A name that is not there raises UnsupportedError."""

    class Places(dict[str, int]):
        """Slots by function; a missing function raises UnsupportedError."""

        def __missing__(self, name: str) -> int:
            raise UnsupportedError(f"{name} is not among the virtual functions of the headers")

    return Places((name, place) for place, name in enumerate(slots))


def _machine_code(**addresses: int) -> dict[str, int]:
    """Addresses of the functions in `_CODE`, by name. addresses: of the memory and functions that they use."""
    written = _CODE.get(platform.machine())
    if written is None:
        raise UnsupportedError(f"no code for {platform.machine()}")
    try:
        page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    except OSError as error:
        raise UnsupportedError(f"no memory that may be executed: {error}") from None
    _keep.append(page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(page))
    found = {}
    for number, (name, text) in enumerate(written.items()):
        code = bytes.fromhex(
            text.format(**{key: value.to_bytes(8, "little").hex() for key, value in addresses.items()})
        )
        page[number * _CODE_SIZE : number * _CODE_SIZE + len(code)] = code
        found[name] = start + number * _CODE_SIZE
    return found


def _copied_table(this: int, functions: int) -> Any:
    """Give an object a private copy of its virtual table, and return it."""
    pointer = ctypes.c_uint64.from_address(this)
    # Two words come before the first function: the offset to the top and the type's description.
    words = (ctypes.c_uint64 * (functions + 2)).from_address(pointer.value - 16)
    copy = (ctypes.c_uint64 * (functions + 2))(*words)
    _keep.append(copy)
    pointer.value = ctypes.addressof(copy) + 16
    return (ctypes.c_uint64 * functions).from_address(ctypes.addressof(copy) + 16)


def _replace(table: Any, slot: int, callback: Any) -> None:
    _keep.append(callback)
    table[slot] = ctypes.cast(callback, ctypes.c_void_p).value
