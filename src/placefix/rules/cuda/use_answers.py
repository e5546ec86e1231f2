"""The implementation of `CudaUses`: the queries about uses of CUDA that the choice of a device makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts.devices.cuda_uses import CudaUses
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.guard_removal import GuardRemoval
from placefix.rules.cuda.input_devices import InputDevices
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from placefix.facts.devices.cuda_uses import Site


class Uses(CudaUses):
    """Answers for one file."""

    @property
    def sites(self) -> list[Site]:
        """All uses of CUDA in the file."""
        return self.context.get(Cuda).sites

    def is_right(self, site: Site) -> bool:
        """Whether the use is correct unchanged, or must not be rewritten."""
        return bool(self.context.get(Refusals).of(site)) or self.context.get(Intents).required(site)

    def has_tensor(self, site: Site) -> bool:
        """Whether a tensor in scope gives the device of the use."""
        return bool(self.context.get(InputDevices).of_tensor(site))

    def collapses(self, site: Site) -> bool:
        """Whether the guard of a use is removed."""
        return self.context.get(GuardRemoval).collapses(site)
