"""Say with a device what a CUDA guard says.

Why:
    `if use_cuda: x = x.cuda()` repeats one decision at every tensor; a device holds it once.
    Guards get forgotten: files that mix guarded and unguarded calls fail on the CPU.

Fix safety:
    Safe: the device is CUDA under the very test of the guard (the script's flag, not availability
    alone), it is defined after the flag is known, and nothing sets the flag in between. The
    guard goes where its body only places and the other arm is missing, empty, or the same
    without `.cuda()`; the last `elif` of a chain becomes its `else`. A guard that also seeds, sets
    cudnn or wraps keeps that: its first and last moves stand beside it, in the same order (a module
    that is filled and then moved may be moved first), and others in it are respelled. One that asks
    for something else as well keeps that question. A flag that is a local and was made for such
    guards alone goes with the last of them.
    A flag may also count GPUs (`n_gpu > 0`) or name a device (`args.device == "gpu"`).
    Unsafe where a parameter is moved under a flag that a caller may leave out, and may have been placed; and what
    a function moves under a flag that is named for it (`to_cuda(x, use_cuda)`).
    Unsafe when nothing shows that what is moved is a tensor or a module: without CUDA the
    guard kept it from being moved at all; or that it is there without CUDA. Or when something else would be asked, or a list be
    made, where it was not.
    What moves under a question where something else lies (`if x.is_cuda: y = y.cuda()`) goes to that
    one's device, `y.to(x.device)`. Safe where the two meet in an operation: on different GPUs the
    program would have raised. Unsafe where nothing shows that; the guard goes only where `y` was made
    on the CPU.
    Unsafe where an arm is one of several that ask for a device by its name: its moves go to that device. Unsafe where a move
    begins a chain (`x = x.cuda().half()`): it stands in front of the guard, the rest in it.
    No new device, and so no fix with one, in a function that still needs CUDA when all is done (PF401).
    No fix when the other arm raises, prints or differs otherwise. A guard that asks for more than CUDA runs
    without CUDA and stays: a note says why.
    A move under a test that may ask anything goes to the device that the lines beside it name, as an unsafe fix.

Example:
    if use_cuda:
        x = x.cuda()
    ->
    x = x.to(device)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF403
from placefix.rules.common import kept, respelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    spoken = set()
    for guarded in facts.unguard.guards():
        found = guarded.finding
        spoken.add(found.span.start)
        if guarded.collapses or found.why_not:
            text = f"{found.what} only decides where things are placed, which a device says once"
            if found.why_not:
                text = f"{found.what} decides where things are placed, which a device says once"
            yield respelled(PF403, found, text)
        else:
            yield respelled(PF403, found, f"{found.what} holds moves spelled for CUDA only")
    for found, guard in facts.beside.guarded(spoken, "cuda", "to"):
        spoken.add(guard.start)
        yield respelled(PF403, found, f"{found.what} is for CUDA alone, the lines beside it go to a device")
    for found in facts.kept.guards(spoken):
        yield kept(PF403, found, f"{found.what} lets this run without CUDA, and uses no other accelerator")
