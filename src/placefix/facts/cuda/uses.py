"""The answers to what the choice of a device asks about uses of CUDA."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts.devices.cuda_uses import CudaUses

if TYPE_CHECKING:
    from placefix.facts import Facts
    from placefix.facts.devices.cuda_uses import Site


class Uses(CudaUses):
    """Answers for one file."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    @property
    def sites(self) -> list[Site]:  # type: ignore[override]
        return self.facts.cuda.sites

    def is_right(self, site: Site) -> bool:
        return bool(self.facts.refusals.of(site)) or self.facts.intents.required(site)

    def has_tensor(self, site: Site) -> bool:
        return bool(self.facts.respell.tensor_at_hand(site))

    def collapses(self, site: Site) -> bool:
        return self.facts.unguard.collapses(site)
