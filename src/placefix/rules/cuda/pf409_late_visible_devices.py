"""Report CUDA_VISIBLE_DEVICES that is set after CUDA has been initialised.

Why:
    CUDA reads the variable once, when the first tensor or module goes to a GPU, or when `torch.cuda.current_device()` or a similar
    function is called. A later value has no effect: `"cuda:0"` stays the GPU that it was. `import torch`, `torch.cuda.is_available()`
    and `torch.cuda.device_count()` do not initialise CUDA.

Severity:
    A warning: the program runs, on another GPU than it names. Reported if `os.environ["CUDA_VISIBLE_DEVICES"]` is set in the same
    function as the first use, after it on every path, and if the file starts no other processes, which would inherit the variable.

Fix safety:
    There is no fix: the line may need values that are computed above it.

Example:
    torch.cuda.set_device(0)
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # above the line before
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF409, messages
from placefix.rules.common import report
from placefix.rules.cuda.late_visibility import LateVisibility

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report writes of CUDA_VISIBLE_DEVICES that CUDA does not read."""
    for found in context.get(LateVisibility).found():
        text = messages.PF409.format(row=found.row)
        yield report(PF409, found.finding, text)._replace(note=messages.PF409_NOTE)
