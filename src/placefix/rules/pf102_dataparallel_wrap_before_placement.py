"""Place a module on its device before wrapping it in DataParallel.

Why:
    `DataParallel(model)` followed by `.to(device)` works: the wrapper looks at its
    parameters at forward time and placing the wrapper places the module. The canonical
    order construct, place, wrap, optimise says the same thing plainly, and it is the one
    that stays right when DataParallel becomes DistributedDataParallel.

Severity:
    Always style: the old order works.

Fix safety:
    Safe: the parameters are the same objects in both orders, and neither the wrap nor the
    placement draws random numbers. The placement moves above the wrap (with the pure
    definition of its device where that is needed) only if nothing in between depends on it.
    Unsafe when the device hangs on a flag that may say CPU while GPUs are visible: there
    DataParallel itself would move the module to the GPU.

Example:
    model = nn.DataParallel(model)  ->  model.to(device)
    model.to(device)                    model = nn.DataParallel(model)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF102
from placefix.rules.common import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    for wrap in facts.misplaced_wraps("dp"):
        if wrap.elsewhere:
            continue
        premise = (
            "the device hangs on a flag: with the flag off and one GPU visible DataParallel itself moves the module there"
            if wrap.cpu_by_flag
            else ""
        )
        message = (
            "the module is placed after DataParallel wrapped it; this works, the canonical order is place, then wrap"
        )
        yield PF102.diagnostic(
            wrap.span,
            message,
            **remedy(facts.reorder.place_before_wrap(wrap.wrap), "place the module before the wrap", premise),
        )
