"""Place the module that DataParallel wraps.

Why:
    DataParallel does not move its module. With two or more visible GPUs the first forward
    raises "module must have its parameters and buffers on device cuda:0 (device_ids[0])
    but found one of them on device: cpu". With exactly one GPU the constructor happens to
    move the module, and without a GPU the wrapper passes calls through.

Severity:
    An error: the forward raises with two or more GPUs. A warning if the class is bound nowhere in the text: it may place itself. Modules without parameters (most losses) are not reported, nor is a wrap that a
    module makes in its own code: it is placed together with that module.

Fix safety:
    Safe by default: without the placement the first forward raises on two or more GPUs, and on the CPU nothing changes.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | the module is made in this file, is never placed before it is called, and a device is in scope | safe | `.to(device)` is appended to the construction |
    | the device is defined further down, by a statement without side effects | safe | the definition moves up |
    | the module is placed in a branch that excludes the wrap (`if n == 1: net.to(device)`, `if n > 1: net = nn.DataParallel(net)`) | unsafe | the wrap gets the placement of the other branch |
    | the module's class is bound nowhere in the text | unsafe | it may place itself |
    | no device is in scope | no fix | nothing shows which device is intended |

Example:
    model = nn.DataParallel(Net())  ->  model = nn.DataParallel(Net().to(device))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Severity
from placefix.facts import premises
from placefix.facts.finding import fix_of
from placefix.rules import PF103, messages
from placefix.rules.common import remedy
from placefix.rules.ordering.wraps import Wraps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report wraps by DataParallel of modules that are never placed, or in only one arm of a test."""
    for wrap in context.get(Wraps).unplaced():
        root = wrap.event.obj.root()
        doubt = premises.CLASS_MAY_PLACE(cls=root.name) if not root.proven else None
        yield PF103.diagnostic(
            context.span(wrap.event.node),
            f"{messages.PF103}; {doubt.text}" if doubt is not None else messages.PF103,
            severity=Severity.WARNING if doubt is not None else None,
            **remedy(context.get(Wraps).place_argument(wrap), messages.PF103_FIX, root.premises),
        )
    for half in context.get(Wraps).half_placed():
        fix = fix_of((half.edit,), messages.PF103_FIX, (premises.NOT_FIRST_GPU,))
        yield PF103.diagnostic(context.span(half.wrap.node), messages.PF103_ARM, fix=fix)
