"""Ask whether there is CUDA before a call that raises without it.

Why:
    `torch.cuda.synchronize()`, `set_device(…)`, `reset_peak_memory_stats()` and the questions about a
    GPU raise on a machine without CUDA; `manual_seed`, `empty_cache` and `max_memory_allocated` do
    nothing there and stay as they are. `with torch.cuda.device(0):` raises, too.

Fix safety:
    Safe: a call that stands alone, or is only printed, is guarded by `torch.cuda.is_available()`; on
    a CUDA machine nothing changes. With `device-idiom = "accelerator"` and a `target-torch` that has
    it, the function of torch.accelerator is called instead, which raises without an accelerator and
    is guarded too: unsafe, because other machines than those with CUDA then do it as well.
    The block of `with torch.cuda.device(0):` is entered all the same: without CUDA the number is -1, with
    which it does nothing.
    No fix where the program uses the answer. Silent in files that speak NCCL or spread over GPUs.

Example:
    torch.cuda.synchronize()
    ->
    if torch.cuda.is_available():
        torch.cuda.synchronize()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF406
from placefix.rules.common import respelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    for found in facts.cuda_only.uses():
        diagnostic = respelled(PF406, found, f"{found.what} raises on a machine without CUDA")
        if diagnostic.fix is not None:
            diagnostic = diagnostic._replace(fix=diagnostic.fix._replace(message=f"ask `{found.device}` first"))
        yield diagnostic
