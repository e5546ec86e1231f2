"""Patches of torch's Python code: generators, storages, legacy types, pinned memory and others."""

from __future__ import annotations

import os
import pickletools
import re
import weakref
import zipfile
from typing import TYPE_CHECKING, Any

import torch

from placefix.simulate import device_tags
from placefix.simulate.generators import CudaGenerator, Generator
from placefix.simulate.simulated_hardware import CUDA_VERSION

if TYPE_CHECKING:
    from placefix.simulate.torch_c_bindings import SimulatedMachine

_LEGACY = {
    "FloatTensor": torch.float32, "DoubleTensor": torch.float64, "HalfTensor": torch.float16,
    "BFloat16Tensor": torch.bfloat16, "LongTensor": torch.int64, "IntTensor": torch.int32,
    "ShortTensor": torch.int16, "CharTensor": torch.int8, "ByteTensor": torch.uint8, "BoolTensor": torch.bool,
}  # fmt: skip


def apply_patches(machine: SimulatedMachine) -> None:
    """Apply all of them."""
    torch.cuda._device_count_nvml = lambda: -1  # the driver of a real card is not queried
    torch.version.cuda = CUDA_VERSION
    _generators(machine)
    _storages(machine)
    _legacy_types()
    _pinned(machine)
    _subclasses()
    _scripted()
    _libraries()
    _profilers()
    _shared_tensors(machine)


def _generators(machine: SimulatedMachine) -> None:
    Generator.make = lambda device: CudaGenerator.make(machine.index(device))
    torch.Generator = Generator


def _storages(machine: SimulatedMachine) -> None:
    # A storage reports the CPU in C++; its device for Python is an attribute of the object,
    # which lives as long as the storage.
    plain = torch.UntypedStorage
    new, of_tensor = plain.__new__, torch.Tensor.untyped_storage

    def made(cls: Any, *arguments: Any, **options: Any) -> Any:
        """Replaces UntypedStorage.__new__: a storage on a device is one of the CPU with the index in `simulated`."""
        device = options.get("device")
        if device is None or torch.device(device).type != "cuda":
            return new(cls, *arguments, **options)
        index = machine.index(device)
        storage = new(cls, *arguments, **(options | {"device": "cpu"}))
        storage.simulated = index
        return storage

    def untyped_storage(self: Any) -> Any:
        """Replaces Tensor.untyped_storage: the storage reports the device of the tensor."""
        storage = of_tensor(self)
        if self.is_cuda:
            storage.simulated = self.device.index
        return storage

    device = plain.device

    def device_of(self: Any) -> torch.device:
        """The device of a storage."""
        index = getattr(self, "simulated", None)
        return device.__get__(self) if index is None else torch.device("cuda", index)

    plain.__new__ = made
    torch.Tensor.untyped_storage = untyped_storage
    plain.device = property(device_of)
    plain.is_cuda = property(lambda self: device_of(self).type == "cuda")
    is_shared = plain.is_shared
    plain.is_shared = lambda self: device_of(self).type == "cuda" or is_shared(self)
    plain.get_device = lambda self: device_of(self).index if device_of(self).type == "cuda" else -1


class _LegacyType(type):
    dtype: torch.dtype
    is_cuda = True

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, torch.Tensor) and value.is_cuda and value.dtype == cls.dtype

    def __call__(cls, *arguments: Any, **options: Any) -> Any:
        device = options.pop("device", "cuda")
        if torch.device(device).type != "cuda":
            raise RuntimeError(f"legacy constructor expects device type: cuda but device type: {device} was passed")
        if len(arguments) == 1 and not isinstance(arguments[0], (int, torch.Size)):
            value = arguments[0]
            if isinstance(value, torch.Tensor):
                if not isinstance(value, cls):
                    raise TypeError(f"expected {cls.__module__}.{cls.__name__} (got {value.type()})")
                return value.detach()
            return torch.tensor(value, dtype=cls.dtype, device=device)
        return torch.empty(*arguments, dtype=cls.dtype, device=device)


def _legacy_types() -> None:
    types = {}
    for name, dtype in _LEGACY.items():
        kind = _LegacyType(name, (), {"dtype": dtype, "__module__": "torch.cuda", "layout": torch.strided})
        setattr(torch.cuda, name, kind)
        types[kind] = f"torch.cuda.{name}"
    convert = torch.Tensor.type

    def tensor_type(self: Any, dtype: Any = None, non_blocking: bool = False, **options: Any) -> Any:
        """Replaces Tensor.type: knows the legacy types of torch.cuda."""
        if isinstance(dtype, _LegacyType) or (isinstance(dtype, str) and dtype.startswith("torch.cuda.")):
            kind = dtype if isinstance(dtype, _LegacyType) else getattr(torch.cuda, dtype.rpartition(".")[2])
            device = self.device if self.is_cuda else torch.device("cuda")
            return self.to(device=device, dtype=kind.dtype, non_blocking=non_blocking)
        return convert(self, dtype, non_blocking=non_blocking, **options) if dtype is not None else convert(self)

    torch.Tensor.type = tensor_type
    default = torch.set_default_tensor_type

    def set_default_tensor_type(kind: Any) -> None:
        """Replaces torch.set_default_tensor_type: knows the legacy types of torch.cuda."""
        if isinstance(kind, str) and kind.startswith("torch.cuda."):
            kind = getattr(torch.cuda, kind.rpartition(".")[2])
        if isinstance(kind, _LegacyType):
            torch.set_default_dtype(kind.dtype)
            torch.set_default_device("cuda")
        else:
            if torch.get_default_device().type == "cuda":
                torch.set_default_device(None)
            default(kind)

    torch.set_default_tensor_type = set_default_tensor_type


def _pinned(machine: SimulatedMachine) -> None:
    pin = torch.Tensor.pin_memory
    known = machine.guard.pinned

    def pin_memory(self: Any, device: Any = None) -> Any:
        """Replaces Tensor.pin_memory: notes the address, because the memory is not really pinned."""
        torch.cuda._lazy_init()
        already = self.is_pinned()
        result = pin(self)
        if not already and not machine.guard.notes_pinned_memory:
            address = result.untyped_storage().data_ptr()
            known.add(address)
            weakref.finalize(result.untyped_storage(), known.discard, address)
        return result

    torch.Tensor.pin_memory = pin_memory


def _subclasses() -> None:
    # A kernel in Python returns a tensor that Python knows already, and torch would make another object for it.
    plain = torch.Tensor.as_subclass

    def as_subclass(self: Any, cls: Any) -> Any:
        """Replaces Tensor.as_subclass for tensors on a device."""
        if not self.is_cuda:
            return plain(self, cls)
        with torch._C.DisableTorchFunctionSubclass():
            result = torch.ops.aten.alias.default(self)
        result.__class__ = cls
        return result

    torch.Tensor.as_subclass = as_subclass


def _scripted() -> None:
    # The reader of TorchScript's archives is C++, which reads the device of the storages.
    load = torch.jit.load

    def load_script(file: Any, map_location: Any = None, *arguments: Any, **options: Any) -> Any:
        """Replaces torch.jit.load: loads on the CPU, then moves to `map_location`, or to the device of the archive."""
        devices = {map_location}
        if map_location is None:
            start = None if isinstance(file, (str, os.PathLike)) else file.tell()
            devices = _archived_devices(file)
            if start is not None:
                file.seek(start)
        if len(devices) > 1:
            raise NotImplementedError("torch.jit.load of an archive with several devices on a simulated device")
        module = load(file, "cpu", *arguments, **options)
        return module.to(*devices) if devices else module

    torch.jit.load = load_script


def _archived_devices(file: Any) -> set[Any]:
    """The devices of the tensors in an archive of TorchScript."""
    found = set()
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            if name.rpartition("/")[2] in ("data.pkl", "constants.pkl"):
                # A storage is written as ("storage", its type, its file, its device, its size).
                operations = [(code.name, value) for code, value, _ in pickletools.genops(archive.read(name))]
                values = [value for code, value in operations if isinstance(value, str)]
                found |= {value for value in values if re.fullmatch(r"cpu|cuda(:\d+)?", value)}
    return found


def _libraries() -> None:
    # cuDNN is reported as available, and never chosen: its kernels are missing.
    torch.backends.cudnn.is_acceptable = lambda tensor: False
    torch.backends.cudnn.is_available = lambda: True
    torch.backends.cudnn.version = lambda: 91002
    # There is no compiler for the simulated device; compiled modules keep their wrapper and run eagerly.
    compiled = torch.compile

    def compile(model: Any = None, **options: Any) -> Any:
        """Replaces torch.compile: the wrapper is kept, and the module runs eagerly."""
        torch.compiler.set_stance("force_eager")  # here, because it imports the whole compiler
        if model is None:
            return lambda model: compile(model, **options)
        return compiled(model, backend="eager", fullgraph=False, dynamic=options.get("dynamic"))

    torch.compile = compile


def _profilers() -> None:
    # The recorder of NVTX ranges is not in a CPU build.
    def enter(self: Any) -> Any:
        """Replaces emit_nvtx.__enter__: nothing is recorded."""
        if self.enabled and self.entered:
            raise RuntimeError("NVTX annotation context manager is not reentrant")
        self.entered = True
        if self.enabled:
            torch.cuda.synchronize()
        return self

    torch.autograd.profiler.emit_nvtx.__enter__ = enter
    torch.autograd.profiler.emit_nvtx.__exit__ = lambda self, *error: False


def _shared_tensors(machine: SimulatedMachine) -> None:
    # Between processes a tensor of a device goes as one of the CPU, in shared memory, and is labelled there again.
    from multiprocessing.reduction import ForkingPickler

    from torch.multiprocessing import reductions

    reduce_host = reductions.reduce_tensor

    def reduce_tensor(tensor: Any) -> Any:
        """Replaces torch.multiprocessing.reductions.reduce_tensor."""
        if not tensor.is_cuda or tensor.layout is not torch.strided:
            return reduce_host(tensor)
        if tensor.requires_grad and not tensor.is_leaf:
            return reduce_host(tensor)  # raises
        alias = device_tags.host_alias(tensor.detach())
        storage = alias.untyped_storage()  # one object for the alias and the tensor
        storage.simulated = None
        rebuild, arguments = reduce_host(alias)
        storage.simulated = tensor.device.index
        return _rebuild_on_device, (rebuild, arguments, type(tensor), tensor.device.index, tensor.requires_grad)

    reduce_host_storage = reductions.reduce_storage

    def reduce_storage(storage: Any) -> Any:
        """Replaces torch.multiprocessing.reductions.reduce_storage: shares the host memory of a device's storage."""
        index = getattr(storage, "simulated", None)
        storage.simulated = None
        try:
            return reduce_host_storage(storage)
        finally:
            storage.simulated = index

    reductions.reduce_tensor = reduce_tensor
    reductions.reduce_storage = reduce_storage
    ForkingPickler.register(torch.UntypedStorage, reduce_storage)
    for kind in {*torch._tensor_classes, torch.Tensor, torch.nn.Parameter}:
        ForkingPickler.register(kind, reduce_tensor)


def _rebuild_on_device(rebuild: Any, arguments: Any, kind: type, index: int, requires_grad: bool) -> Any:
    """A tensor that another process has sent."""
    torch.cuda._lazy_init()
    tensor = device_tags.tag(rebuild(*arguments), index)
    if issubclass(kind, torch.nn.Parameter):
        return kind(tensor, requires_grad=requires_grad)
    return tensor.requires_grad_(requires_grad) if requires_grad else tensor
