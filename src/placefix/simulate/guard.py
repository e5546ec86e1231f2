"""Give a CPU build of torch what it looks for before it touches a CUDA tensor: a device guard, and hooks.

libc10 carries `FakeGuardImpl`, a guard of eight devices that only counts, and installs it for CUDA itself
when the guard at hand reports no device; so for a moment it is shown one that does. Then one function of it
is replaced (how many devices there are), and some of `CUDAHooksInterface`, by which libtorch_cpu asks a CUDA
library whether it is there. Which entry of a virtual table is which function is read from the headers in
the wheel. A function is replaced in a copy of the table; the libraries are not written to.
"""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from placefix.simulate.errors import UnsupportedError
from placefix.simulate.labels import CUDA_TYPE

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEVICES = 8  # of FakeGuardImpl
_TABLE_WORDS = 96
_keep: list[Any] = []  # callbacks and tables must outlive the process's last use of them


def virtual_functions(header: Path) -> list[str]:
    """The virtual functions that the classes of a header declare first, in the order of their slots.

    A destructor takes two slots; what is marked override has its slot in the base class.
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


class Guard:
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
        self._slots = {name: place for place, name in enumerate(slots)}
        self._hooks = {name: place for place, name in enumerate(hooks)}
        self._this, table = self._install(c10, count)

        def bound(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
            # PYFUNCTYPE: these return at once, so the interpreter's lock need not be given up.
            function = ctypes.PYFUNCTYPE(result, ctypes.c_void_p, *arguments)(table[self._slots[name]])
            _keep.append(function)
            return function

        self._get = bound("getDevice", ctypes.c_uint16)
        self._set = bound("uncheckedSetDevice", None, ctypes.c_uint16)
        self._install_hooks(cpu, c10, table, count)

    def _install(self, c10: ctypes.CDLL, count: Callable[[], int]) -> tuple[int, Any]:
        # Must exist, or the registry and the function below have been renamed since.
        _symbol(c10, "_ZN3c104impl24DeviceGuardImplRegistrarC1ENS_10DeviceTypeEPKNS0_24DeviceGuardImplInterfaceE")
        registry = (ctypes.c_void_p * 2).in_dll(c10, "_ZN3c104impl26device_guard_impl_registryE")
        if registry[CUDA_TYPE]:
            raise UnsupportedError("this torch has a CUDA device guard of its own: it is no CPU build")
        none = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(lambda this: 0)
        empty_table = (ctypes.c_void_p * _TABLE_WORDS)(*[ctypes.cast(none, ctypes.c_void_p).value] * _TABLE_WORDS)
        stand_in = (ctypes.c_void_p * 1)(ctypes.addressof(empty_table))
        registry[CUDA_TYPE] = ctypes.addressof(stand_in)
        _symbol(c10, "_ZN3c104impl24ensureCUDADeviceGuardSetEv")()
        this = registry[CUDA_TYPE]
        if not this or this == ctypes.addressof(stand_in):
            registry[CUDA_TYPE] = None
            raise UnsupportedError("libc10 did not install its fake device guard")
        table = _copied_table(this, len(self._slots))
        integer = ctypes.CFUNCTYPE(ctypes.c_int8, ctypes.c_void_p)
        slot = self._slots
        original = list(table)
        _replace(table, slot["deviceCount"], integer(lambda this: count()))
        # All streams are the default stream: what hands one out is what returns the current one.
        for name in ("getDefaultStream", "getStreamFromGlobalPool", "getNewStream"):
            table[slot[name]] = original[slot["getStream"]]
        for name in ("synchronizeStream", "synchronizeEvent", "synchronizeDevice"):
            if name in slot:
                table[slot[name]] = original[slot["block"]]  # does nothing
        table[slot["queryStream"]] = original[slot["queryEvent"]]  # returns true
        return this, table

    def _install_hooks(self, cpu: ctypes.CDLL, c10: ctypes.CDLL, guard: Any, count: Callable[[], int]) -> None:
        get = _symbol(cpu, "_ZN2at6detail12getCUDAHooksEv")
        get.restype = ctypes.c_void_p
        table = _copied_table(get(), len(self._hooks))
        slot = self._hooks
        true, nothing = guard[self._slots["queryEvent"]], guard[self._slots["block"]]
        for name in ("isBuilt", "isAvailable", "hasPrimaryContext", "hasCUDA", "hasCUDART"):
            table[slot[name]] = true
        for name in ("init", "deviceSynchronize"):
            table[slot[name]] = nothing
        allocator = ctypes.cast(_symbol(c10, "_ZN3c1015GetCPUAllocatorEv"), ctypes.c_void_p).value
        table[slot["getPinnedMemoryAllocator"]] = table[slot["getCUDADeviceAllocator"]] = allocator
        integer = ctypes.CFUNCTYPE(ctypes.c_int8, ctypes.c_void_p)
        exchange = ctypes.CFUNCTYPE(ctypes.c_int8, ctypes.c_void_p, ctypes.c_int8)
        for name in ("deviceCount", "getNumGPUs"):
            _replace(table, slot[name], integer(lambda this: count()))
        for name in ("current_device", "getCurrentDevice"):
            _replace(table, slot[name], integer(lambda this: self.current()))
        for name in ("setCurrentDevice", "exchangeDevice", "maybeExchangeDevice"):
            _replace(table, slot[name], exchange(lambda this, index: self.exchange(index)))
        pinned = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
        _replace(table, slot["isPinnedPtr"], pinned(lambda this, address: address in self.pinned))

    pinned: set[int]

    def current(self) -> int:
        """The current device of this thread."""
        return int(self._get(self._this)) >> 8

    def exchange(self, index: int) -> int:
        """Make another device the current one, unless it is negative; returns the one before."""
        before = self.current()
        if index >= 0:
            self._set(self._this, CUDA_TYPE | index << 8)
        return before


Guard.pinned = set()


def _copied_table(this: int, functions: int) -> Any:
    """Give an object a virtual table of its own, and return it."""
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
