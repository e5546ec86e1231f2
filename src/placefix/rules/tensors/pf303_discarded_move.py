"""Keep the result of a tensor's move.

Why:
    `Tensor.to`, `.cuda` and `.cpu` never change the tensor; they return another one. (A module
    moves itself; the same statement is right for it.) A statement `x.to(device)` does nothing.

Severity:
    An error if a later use refuses the tensor: a module receives it, it meets a tensor that was moved, numpy reads it, or
    a collective gets it (NCCL accepts only tensors on a GPU; files that name gloo are excepted).
    Otherwise a warning: the statement does nothing, but no failure is shown. The last expression of a notebook cell shows the tensor; it is
    reported only if something fails.

Fix safety:
    Safe by default: the result is assigned to the same name.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | the receiver is a tensor, a later use refuses it, and everything that uses it afterwards may run on the device | safe | the following use raises otherwise |
    | no later use is shown to refuse it (a warning) | unsafe | the program may run to its end, and code that takes the tensor may expect it on the CPU |
    | a move to the CPU that numpy follows, and nothing on the device does | safe | numpy raises otherwise |
    | nothing but the code around shows that it is a tensor: the function computes with it, tests its type, calls a placed module with a part of something that it takes apart (a warning), or keeps the same move of another part of the batch | unsafe | it may be an object that `.to` changes in place |
    | any other tensor; a move that changes the type as well | unsafe | the following code may rely on the unchanged tensor |
    | a name of an enclosing scope; an item of a loop; an expression without a name | no fix | an assignment would bind something else |
    | an object that `.to` changes in place (a module, a batch of a special class) | not reported | the statement works |
    | a tensor that the statement makes itself: `torch.zeros(1).cuda()` | not reported | it starts CUDA, or asks whether that works |

Example:
    x.to(device)  ->  x = x.to(device)
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from placefix.rules import PF303, messages
from placefix.rules.common import misplaced, outside_frameworks
from placefix.rules.tensors.discarded_moves import DiscardedMoves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report moves of tensors whose result is discarded; of batches only where no framework makes them, whose batches may move in place."""
    yield from _reported(context, batches=False)
    yield from outside_frameworks(context, partial(_reported, batches=True))


def _reported(context: AnalysisContext, *, batches: bool) -> Iterator[Diagnostic]:
    for found in context.get(DiscardedMoves).misplaced():
        if (found.what == "batch") is batches:
            yield misplaced(PF303, found, messages.PF303, messages.PF303_FIX)
