"""The answers to what the choice of a device asks about uses of CUDA."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts.devices.cuda_uses import CudaUses
from placefix.rules.cuda.device_rewrite import Respell
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.guard_removal import Unguard
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from placefix.facts.devices.cuda_uses import Site


class Uses(CudaUses):
    """Answers for one file."""

    @property
    def sites(self) -> list[Site]:
        return self.context.get(Cuda).sites

    def is_right(self, site: Site) -> bool:
        return bool(self.context.get(Refusals).of(site)) or self.context.get(Intents).required(site)

    def has_tensor(self, site: Site) -> bool:
        return bool(self.context.get(Respell).tensor_at_hand(site))

    def collapses(self, site: Site) -> bool:
        return self.context.get(Unguard).collapses(site)
