"""The answers to what the choice of a device asks about uses of CUDA."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts.devices.cuda_uses import CudaUses
from placefix.rules.cuda.intents import Intents
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.respell import Respell
from placefix.rules.cuda.sites import Cuda
from placefix.rules.cuda.unguard import Unguard

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
