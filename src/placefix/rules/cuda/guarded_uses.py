"""Uses of CUDA under a test that stays, in a block whose other lines place things on a device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts.context import FileAnalysis
from placefix.rules.cuda.device_rewrite import DeviceRewrite
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.nearby_device import NearbyDevice
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from placefix.diagnostic import Span
    from placefix.facts.devices.cuda_uses import SiteForm
    from placefix.facts.finding import Finding


class GuardedUses(FileAnalysis):
    """Answers for one file."""

    def beside_device(self, spoken: Collection[int], *forms: SiteForm) -> Iterator[tuple[Finding, Span]]:
        """Uses of CUDA under a test that has no finding itself (its start is not among `spoken`), where other lines of the same
        block place values on a device; each with the span of the test."""
        for site in self.context.get(Cuda).sites:
            guard = site.guard
            if (
                guard is None
                or site.form not in forms
                or site.extra is not None
                or self.context.get(Intents).required(site)
            ):
                continue
            span = self.context.span(guard.node)
            if span.start in spoken or guard.stmt is site.stmt:
                continue
            choice = self.context.get(NearbyDevice).choice(site) or (
                self.context.get(NearbyDevice).in_the_other_arm(site) if guard.test is None else None
            )
            if choice is not None:
                found = self.context.get(DeviceRewrite).move(site, choice)
                if found.edits:
                    yield found, span
