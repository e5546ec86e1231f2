"""Test for CUDA before a call that raises without it.

Why:
    `torch.cuda.synchronize()`, `set_device(…)`, `reset_peak_memory_stats()` and the queries of a
    GPU raise on a machine without CUDA; `manual_seed`, `empty_cache` and `max_memory_allocated` do
    nothing there and stay as they are. `with torch.cuda.device(0):` and `tensor.pin_memory()` raise, too.
    The same functions of torch.mps, torch.xpu, torch.npu and torch.hpu raise on machines without these accelerators.

Fix safety:
    Safe by default: on a CUDA machine nothing changes.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | a call that is a statement, or is only printed | safe, `if torch.cuda.is_available():`, or the file's own name for that | without CUDA it raised |
    | `with torch.cuda.device(0):` | safe, the number is -1 without CUDA | with -1 it does nothing, and the block runs |
    | `x = y.pin_memory()`, or `y.pin_memory()` of a name, where something else shows that `y` is a tensor | safe, it is pinned where there is CUDA | pinning changes no value |
    | the same below a test, or in a method that is named for it | not reported | whether memory is pinned is a setting |
    | `device-idiom = "accelerator"`, and `target-torch` has the function in torch.accelerator | unsafe | machines with another accelerator call it then as well |
    | the same functions of torch.mps, torch.xpu, torch.npu, torch.hpu | safe, the test is for that accelerator | without it the call raised |
    | a call that is all that an `if` without another arm runs | safe, the test of the `if` gets `and torch.cuda.is_available()` | without CUDA it raised |
    | a function that a script calls, if another one that it calls fails without CUDA and has no fix | unsafe | the script would still fail |
    | a function that needs CUDA anyway: for a library for GPUs, a stream, an assertion; an object whose constructor does | no fix | the test would only change the error |
    | a private function that is called only below a way out without CUDA | not reported | it never runs without CUDA |
    | the program uses the result, or prints it together with other values | no fix | there is no result without CUDA |
    | files that use NCCL or several GPUs | not reported | they need CUDA |

Example:
    torch.cuda.synchronize()
    ->
    if torch.cuda.is_available():
        torch.cuda.synchronize()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF406, messages
from placefix.rules.common import respelled
from placefix.rules.cuda.cuda_only_functions import CudaOnly
from placefix.rules.cuda.other_accelerators import each

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report calls of functions that raise without CUDA."""
    for one in each(context):
        for found in one.get(CudaOnly).uses():
            message = messages.PF406.format(what=found.what, accelerator=one.accelerator.title)
            yield respelled(PF406, found, message, messages.PF406_FIX)
