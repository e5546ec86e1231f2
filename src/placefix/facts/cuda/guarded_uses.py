"""Uses of CUDA under a test that stays, in a block whose other lines place things on a device."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from placefix.diagnostic import Span
    from placefix.facts import Facts
    from placefix.facts.cuda.findings import Finding


class GuardedUses:
    """Answers for one file."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def beside_device(self, spoken: Collection[int], *forms: str) -> Iterator[tuple[Finding, Span]]:
        """Uses of CUDA under a test that is left to itself (where it starts is not among `spoken`), where other lines of the same
        block place things on a device; and where the test stands."""
        for site in self.facts.cuda.sites:
            guard = site.guard
            if guard is None or site.form not in forms or site.extra is not None or self.facts.intents.required(site):
                continue
            span = self.facts.span(guard.node)
            if span.start in spoken or guard.stmt is site.stmt:
                continue
            choice = self.facts.nearby_device.choice(site) or (
                self.facts.nearby_device.in_the_other_arm(site) if guard.test is None else None
            )
            if choice is not None:
                found = (
                    self.facts.respell.call(site, choice)
                    if site.form == "cuda"
                    else self.facts.respell.literal(site, choice)
                )
                if found.edits:
                    yield found, span
