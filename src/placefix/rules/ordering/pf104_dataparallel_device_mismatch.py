"""Report a module that is on another GPU than the one DataParallel replicates it from.

Why:
    DataParallel looks for the module on device_ids[0], which without device_ids is cuda:0. A module
    on another GPU makes its first forward raise "module must have its parameters and
    buffers on device cuda:0 (device_ids[0]) but found one of them on device: cuda:1".

Severity:
    An error: two literal numbers show that the forward raises.

Fix safety:
    There is no fix. Only the author knows whether the module belongs on the first GPU of `device_ids`, or `device_ids` has to begin with the
    module's GPU.

    Reported only if two literal numbers show the error. With one device id the constructor moves the module, and nothing is reported.

Example:
    model = nn.DataParallel(Net().to("cuda:1"))  # and device_ids=[1, 2], or .to("cuda")?
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts import reasons
from placefix.rules import PF104, messages
from placefix.rules.common import not_fixed
from placefix.rules.ordering.wrapper_violations import Wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report wraps by DataParallel of modules on another device than the first of `device_ids`."""
    if context.tree.framework:
        return
    for found in context.get(Wrapped).elsewhere():
        message = messages.PF104.format(held=found.held, first=found.first)
        note = not_fixed(reasons.HELD_ON_ANOTHER_GPU(held=found.held, first=found.first))
        yield PF104.diagnostic(context.span(found.wrap.node), message, note=note)
