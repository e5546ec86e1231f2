"""Report attributes of a module that are read of its wrapper.

Why:
    `nn.DataParallel(model)` and `DistributedDataParallel(model)` are modules with one submodule, `module`. They have the attributes of
    `nn.Module`, but not those that the class of the wrapped module adds: `model.fc` raises "'DataParallel' object has no attribute 'fc'".

Severity:
    An error if the object is wrapped on every path to the line. A warning if it is wrapped on some paths only, such as with two or more
    GPUs. Nothing is reported if code around the line finds out whether there is a wrapper, or catches the failure, or if the file gives
    the wrapper an attribute of that name.

Fix safety:
    The fix writes `.module` before the attribute. It is safe, because the line raised whenever it ran. A *method* of a module under
    DistributedDataParallel has no fix: its gradients would not be averaged between the processes.

Example:
    model = nn.DataParallel(model)
    optimizer = optim.SGD(model.fc.parameters(), lr=0.1)  # model.module.fc.parameters()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF113, messages
from placefix.rules.common import report
from placefix.rules.ordering.wrapper_attributes import WrapperAttributes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report reads of attributes that a wrapper does not have."""
    if context.tree.framework:
        return
    for found in context.get(WrapperAttributes).missing():
        name, attr = found.names
        text = messages.PF113.format(name=name, what=found.what, attr=attr)
        yield report(PF113, found, text, messages.PF113_FIX)
