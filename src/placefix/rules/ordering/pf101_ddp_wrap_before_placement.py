"""Place a module on its device before wrapping it in DistributedDataParallel.

Why:
    DDP registers gradient hooks on the parameters it is given. With `device_ids` and a
    module on the CPU its constructor raises a ValueError; on NCCL a CPU module raises a
    RuntimeError. On gloo without `device_ids` nothing is raised: moving the module
    afterwards resets the hooks, gradients are no longer averaged and the ranks drift
    apart in silence.

Severity:
    An error: the constructor raises, NCCL refuses the module, or the processes drift apart. A warning if the file does not
    show that the module is on the CPU when it is wrapped: the code that made it may have placed it.

Fix safety:
    Safe by default: the old order never ran. The placement moves above the wrap.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | `device_ids` is a list that is not empty | safe | the constructor raises for a module on the CPU |
    | NCCL is the only backend of the file | safe | NCCL refuses a module on the CPU |
    | any other backend, such as gloo | unsafe | the old order ran, without averaging gradients; the fix changes the numbers on purpose |
    | the module, the device or the current CUDA device may change in between | no fix | the placement would not be the same |

Example:
    model = DDP(Net(), device_ids=[rank])  ->  model = DDP(Net().to(device), device_ids=[rank])
    model.to(device)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Severity
from placefix.facts import premises
from placefix.rules import PF101, messages
from placefix.rules.common import remedy
from placefix.rules.ordering.reorder import Reorder
from placefix.rules.ordering.wraps import Wraps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report wraps by DDP before the placement of their module."""
    for wrap in context.get(Wraps).misplaced("ddp"):
        message = messages.PF101_WITH_IDS if wrap.has_device_ids else messages.PF101
        premise = None if wrap.has_device_ids or context.get(Wraps).only_nccl else premises.NUMBERS_CHANGE
        if not wrap.on_host:
            message += messages.PF101_NOT_SEEN
        yield PF101.diagnostic(
            wrap.span,
            message,
            severity=Severity.ERROR if wrap.on_host else Severity.WARNING,
            **remedy(context.get(Reorder).place_before_wrap(wrap.wrap), messages.PF101_FIX, premise),
        )
