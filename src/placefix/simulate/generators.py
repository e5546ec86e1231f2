"""Generators of the simulated devices.

The numbers come from generators on the CPU, since no other can run here: a seed gives other numbers on a simulated
device than on a real one. Simulated as on real devices: every device has a separate generator, and a generator of the
wrong device raises torch's error.
"""

from __future__ import annotations

import contextlib
import weakref
from typing import TYPE_CHECKING, Any

import torch
from torch._C import Generator as _HostGenerator

from placefix.simulate.device_tags import CUDA_TYPE, MEMORY
from placefix.simulate.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# A kernel is given another Python object for the same generator, so they are known by address.
_made: weakref.WeakValueDictionary[int, CudaGenerator] = weakref.WeakValueDictionary()
_place: tuple[int, int] = (0, 0)  # the word of a GeneratorImpl that holds the device, and the shift in it


def discover() -> None:
    """Find the position of a generator's device by trials."""
    global _place  # noqa: PLW0603
    probe = _HostGenerator()
    address = probe._cdata
    found = []
    for word in range(16):
        for shift in (0, 16, 32, 48):
            old = MEMORY[address + word * 8 >> 3]
            if old >> shift & 0xFFFF != 0xFF00:  # the CPU, no index
                continue
            MEMORY[address + word * 8 >> 3] = old & ~(0xFFFF << shift) | (CUDA_TYPE | 3 << 8) << shift
            if probe.device == torch.device("cuda", 3):
                found.append((word * 8, shift))
            MEMORY[address + word * 8 >> 3] = old
    if len(found) != 1:
        raise UnsupportedError(f"no single device field in a generator ({len(found)} candidates)")
    _place = found[0]


class CudaGenerator(_HostGenerator):
    """A generator that reports a CUDA device and draws from `host`, one for the CPU."""

    host: torch._C.Generator
    follows: bool  # the host's generator is somebody else's: seeding goes there

    @classmethod
    def make(cls, index: int, host: torch._C.Generator | None = None) -> CudaGenerator:
        """A new generator for cuda:index."""
        self = cls.__new__(cls)
        self.follows = host is not None
        self.host = host if host is not None else _HostGenerator()
        offset, shift = _place
        word = self._cdata + offset >> 3
        MEMORY[word] = MEMORY[word] & ~(0xFFFF << shift) | (CUDA_TYPE | index << 8) << shift
        _made[self._cdata] = self
        return self

    def manual_seed(self, seed: int) -> CudaGenerator:
        """Seed it, unless it follows the CPU's, which is seeded in its own right."""
        if not self.follows:
            self.host.manual_seed(seed)
        return self

    def seed(self) -> int:
        """Seed it with something that cannot be foreseen."""
        return self.host.initial_seed() if self.follows else self.host.seed()

    def initial_seed(self) -> int:
        """The seed it was given."""
        return self.host.initial_seed()

    def get_state(self) -> torch.Tensor:
        """Its state, as bytes on the CPU."""
        return self.host.get_state()

    def set_state(self, state: torch.Tensor) -> CudaGenerator:
        """Put a state back."""
        if not self.follows:
            self.host.set_state(state)
        return self

    def clone_state(self) -> CudaGenerator:
        """Another one in the same state."""
        other = CudaGenerator.make(self.device.index)
        other.host.set_state(self.host.get_state())
        return other

    graphsafe_get_state = clone_state

    def graphsafe_set_state(self, state: CudaGenerator) -> CudaGenerator:
        """Put the state of another one here."""
        self.host.set_state(state.host.get_state())
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.device.index, self.host.get_state())


def _rebuilt(index: int, state: torch.Tensor) -> CudaGenerator:
    generator = CudaGenerator.make(index)
    generator.host.set_state(state)
    return generator


_Meta: Any = type(_HostGenerator)


class _Kinds(_Meta):
    def __instancecheck__(self, value: object) -> bool:
        return isinstance(value, _HostGenerator)


class Generator(_HostGenerator, metaclass=_Kinds):
    """Replaces `torch.Generator` while the simulator runs."""

    make: Callable[[torch.device], torch._C.Generator]

    def __new__(cls, device: Any = None) -> Any:
        """A generator for a device."""
        place = torch.device("cpu" if device is None else device)
        return cls.make(place) if place.type == "cuda" else _HostGenerator(device=place)


def host_generator(index: int, generator: torch._C.Generator | None) -> torch._C.Generator:
    """The generator to draw from for a tensor on cuda:index."""
    if generator is None:
        return torch.cuda.default_generators[index].host
    mine = _made.get(generator._cdata)
    if mine is not None:
        return mine.host
    # at::check_generator
    raise RuntimeError(f"Expected a 'cuda' device type for generator but found '{generator.device.type}'")


@contextlib.contextmanager
def drawing_from(index: int) -> Iterator[None]:
    """Let operators that know no generator draw from that of cuda:index."""
    host = torch.cuda.default_generators[index].host
    if host is torch.default_generator:
        yield
        return
    before = torch.default_generator.get_state()
    torch.default_generator.set_state(host.get_state())
    try:
        yield
    finally:
        host.set_state(torch.default_generator.get_state())
        torch.default_generator.set_state(before)
