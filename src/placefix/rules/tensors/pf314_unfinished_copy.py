"""Wait for a copy to the CPU before reading it.

Why:
    `x.to("cpu", non_blocking=True)` starts a copy into pinned memory and returns at once. The CPU must wait, for instance with
    `torch.cuda.synchronize()`, before it reads the values; else it reads whatever the memory holds. Nothing fails. PyTorch's
    [tutorial](https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html) and
    [issue 140296](https://github.com/pytorch/pytorch/issues/140296) describe it. Copies to the GPU need no wait: the work on the GPU follows in order.

Severity:
    A warning: whether the copy has finished is a matter of time. Reported if the same function reads the values, and nothing before the read
    may synchronise. Every call of code that is not known may do so. `copy_` is reported for pinned memory only: a copy into other memory waits.

Fix safety:
    Safe by default: `non_blocking=True` becomes `False`, which waits for this copy. The values are those of a finished copy in all cases. For
    several copies, one `torch.cuda.synchronize()` after them may be faster.

Example:
    y = x.to("cpu", non_blocking=True)  ->  y = x.to("cpu", non_blocking=False)
    print(y.sum())                          print(y.sum())
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF314, messages
from placefix.rules.common import report
from placefix.rules.tensors.unfinished_copies import UnfinishedCopies

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report copies to the CPU that are read before a synchronisation."""
    for found in context.get(UnfinishedCopies).found():
        row = context.source.row_name(found.row)
        yield report(PF314, found.finding, messages.PF314.format(row=row), messages.PF314_FIX)
