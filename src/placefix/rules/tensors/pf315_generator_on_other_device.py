"""Report a generator of random numbers that draws on another device than its own.

Why:
    A `torch.Generator` belongs to one device. `torch.randn(3, device="cuda", generator=torch.Generator())` raises "Expected a 'cuda' device
    type for generator but found 'cpu'". `DataLoader`, `random_split` and the samplers draw on the CPU, whatever device the data has.

Severity:
    An error on machines with a GPU; without one the generator is on the CPU, or cannot be made. Reported if both devices are known.
    Not reported for loaders and samplers under `torch.set_default_device`, which changes where they draw.

Fix safety:
    There is no fix: the same seed gives other numbers on another device, so it matters which of the two moves.

Example:
    generator = torch.Generator(device=device)  # without a device
    loader = DataLoader(data, shuffle=True, generator=generator)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.rules import PF315, messages
from placefix.rules.common import outside_frameworks, report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report generators that draw on another device."""
    return outside_frameworks(context, _reported)


def _reported(context: AnalysisContext) -> Iterator[Diagnostic]:
    seen = set()
    for event in context.get(Flow).index.of_kind("generator"):
        expr, own = event.arg_node, event.obj.place
        if expr is None or expr in seen or own is None or event.place is None:
            continue
        seen.add(expr)
        device = own.device or event.place.device
        template = messages.PF315_GPU if own.device is not None else messages.PF315_CPU
        text = template.format(generator=context.text(expr), device=device.text if device is not None else "")
        yield report(PF315, Finding(context.span(expr)), text)._replace(note=messages.PF315_NOTE)
