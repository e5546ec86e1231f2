"""Read and write the device of a tensor in its memory.

A dense tensor is a `TensorImpl` over a `StorageImpl`. The former has the device in two places: a
device field, and the back end in its set of dispatch keys. Rewriting them turns a tensor in host memory into one
that reports a CUDA device: the dispatcher, autograd, autocast, the optimizers and every check of torch then
treat it as one, and its values stay readable. No layout is hard-coded: DLPack can relabel a
tensor by documented means, slowly, and comparing such tensors with plain ones shows the offsets of the labels. Any
ambiguity raises UnsupportedError.

The storage still reports the CPU, as the CPU kernels need (a view made in
C++ takes its device from the storage) and lets both kinds of tensors share it; the properties that Python reads from a
storage are replaced in patches.py.
"""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import torch
from torch import Tensor

from placefix.simulate.errors import UnsupportedError

CPU_TYPE, CUDA_TYPE = 0, 1  # c10::DeviceType
_KDL_CUDA = 2  # DLDeviceType
_WORDS = 26  # of a TensorImpl


# The whole address space as one array of words: indexing it is the fastest way to read memory from Python.
MEMORY = (ctypes.c_uint64 * (1 << 59)).from_address(0)

_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


class TagLayout(NamedTuple):
    """Where the labels are: byte offsets, bit shifts and masks."""

    device: int  # of the word of the TensorImpl that holds the device
    device_shift: int
    keys: int  # of the word of the TensorImpl that is its set of dispatch keys
    host_keys: int  # the keys in it that only a CPU tensor has
    cuda_keys: int  # and those that only a CUDA tensor has


def retagged_by_dlpack(tensor: Tensor, index: int) -> Tensor:
    """The same memory as a tensor on cuda:index, by way of DLPack: the reference for everything else here."""
    capsule = torch._C._to_dlpack(tensor)
    # DLTensor: {void* data; DLDevice {int32 type; int32 id} device; ...}
    managed = _capsule_pointer(capsule, b"dltensor")
    ctypes.c_int64.from_address(managed + 8).value = _KDL_CUDA | index << 32
    return torch._C._from_dlpack(capsule)


def _code(kind: int, index: int) -> int:
    """A c10::Device as a 16-bit number: the type, then the index, where 255 is none."""
    return kind | (index & 0xFF) << 8


def _words(tensors: list[Tensor]) -> list[list[int]]:
    return [list((ctypes.c_uint64 * _WORDS).from_address(tensor._cdata)) for tensor in tensors]


def discover_layout() -> TagLayout:
    """Find the labels by comparing plain tensors with relabelled ones."""
    shapes = ((3,), (2, 2), (4, 1, 2), ())
    plain = [torch.zeros(shape) for shape in shapes]
    first, third = ([retagged_by_dlpack(torch.zeros(shape), index) for shape in shapes] for index in (0, 3))
    rows = _words(plain), _words(first), _words(third)
    devices, keys = [], []
    for word in range(_WORDS):
        for shift in (0, 16, 32, 48):
            halves = [{row[word] >> shift & 0xFFFF for row in group} for group in rows]
            if halves == [{_code(CPU_TYPE, -1)}, {_code(CUDA_TYPE, 0)}, {_code(CUDA_TYPE, 3)}]:
                devices.append((word * 8, shift))
        host, cuda = ({row[word] for row in group} for group in (rows[0], rows[1] + rows[2]))
        # The lowest bits of a key set are the back ends: CPU is the first, CUDA the second.
        if len(host) == len(cuda) == 1 and min(host) & 3 == 1 and min(cuda) & 3 == 2:
            keys.append((word * 8, min(host) & ~min(cuda), min(cuda) & ~min(host)))
    if len(devices) != 1 or len(keys) != 1:
        raise UnsupportedError(f"no single device field ({len(devices)}) or set of keys ({len(keys)}) in a tensor")
    return TagLayout(*devices[0], *keys[0])


# The layout, set by `install`; module globals because they are read on every operator.
_DEVICE = _SHIFT = _KEYS = _HOST_KEYS = _CUDA_KEYS = _CLEAR = _HOST = 0


def install_layout(layout: TagLayout) -> None:
    """Use this layout from now on."""
    global _DEVICE, _SHIFT, _KEYS, _HOST_KEYS, _CUDA_KEYS, _CLEAR, _HOST  # noqa: PLW0603
    _DEVICE, _SHIFT, _KEYS, _HOST_KEYS, _CUDA_KEYS = layout
    _CLEAR = (1 << 64) - 1 & ~(0xFFFF << _SHIFT)
    _HOST = _code(CPU_TYPE, -1) << _SHIFT


def device_of(tensor: Tensor) -> int:
    """The index of the simulated device a tensor is on, or -1 for the CPU and any other."""
    code = MEMORY[tensor._cdata + _DEVICE >> 3] >> _SHIFT & 0xFFFF
    return code >> 8 if code & 0xFF == CUDA_TYPE else -1


def host_alias(tensor: Tensor) -> Tensor:
    """A tensor on the CPU over the same storage; itself if it is there already."""
    word = tensor._cdata + _DEVICE >> 3
    if MEMORY[word] >> _SHIFT & 0xFF != CUDA_TYPE:
        return tensor
    alias = tensor.data
    address = alias._cdata
    word = address + _DEVICE >> 3
    MEMORY[word] = MEMORY[word] & _CLEAR | _HOST
    word = address + _KEYS >> 3
    # Only the back end: autocast for the CPU, if it is on, must not apply to operations on a device.
    MEMORY[word] = MEMORY[word] & ~_CUDA_KEYS | 1
    return alias


def to_host(tensor: Tensor) -> Tensor:
    """Relabel this tensor object as a CPU tensor; returns it."""
    address = tensor._cdata
    word = address + _DEVICE >> 3
    MEMORY[word] = MEMORY[word] & _CLEAR | _HOST
    word = address + _KEYS >> 3
    MEMORY[word] = MEMORY[word] & ~_CUDA_KEYS | _HOST_KEYS
    return tensor


def resizable_host_alias(tensor: Tensor) -> Tensor:
    """Like `host`, and the result may be given another shape (that of `.data` may not)."""
    return to_host(tensor.detach())


def tag(tensor: Tensor, index: int) -> Tensor:
    """Relabel a tensor that no other code holds as one on cuda:index; returns it."""
    address = tensor._cdata
    word = address + _DEVICE >> 3
    MEMORY[word] = MEMORY[word] & _CLEAR | (CUDA_TYPE | index << 8) << _SHIFT
    word = address + _KEYS >> 3
    MEMORY[word] = MEMORY[word] & ~_HOST_KEYS | _CUDA_KEYS
    return tensor
