"""Place a module on its device before wrapping it in DataParallel.

Why:
    `DataParallel(model)` followed by `.to(device)` works: the wrapper looks at its
    parameters at forward time and placing the wrapper places the module. The canonical
    order (construct, place, wrap, optimise) does the same, and it is still right when
    DataParallel is replaced by DistributedDataParallel.

    One expression, `DataParallel(model).to(device)`, is not reported, and neither is code
    that only runs where there are GPUs, such as a test that is skipped without them: the
    other order would change nothing there.

Severity:
    Always style: the old order works.

Fix safety:
    Safe by default: the parameters are the same objects in both orders, and neither the wrap nor the placement draws random numbers.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | nothing between the wrap and the placement depends on the order | safe | the placement moves above the wrap, with the definition of its device if needed |
    | the device may be the CPU while a GPU is visible, and the module may run without its wrapper: the file calls it, or the function returns the wrapper | unsafe | DataParallel itself would move the module to the GPU |
    | another wrap below the same test has no fix | unsafe | half a repair |
    | something in between depends on the order | no fix | the program could change |

Example:
    model = nn.DataParallel(model)  ->  model.to(device)
    model.to(device)                    model = nn.DataParallel(model)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.rules import PF102, messages
from placefix.rules.common import remedy
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.ordering.reorder import Reorder
from placefix.rules.ordering.wraps import Wraps, is_below_same_test

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report wraps by DataParallel before the placement of their module."""
    found = [
        (wrap, context.get(Reorder).place_before_wrap(wrap.wrap))
        for wrap in context.get(Wraps).misplaced("dp")
        if not (wrap.elsewhere or wrap.wrap.chained or context.get(Intents).of_statement(wrap.wrap.event.stmt))
    ]
    for wrap, repair in found:
        stays = next((w for w, other in found if not other.edits and is_below_same_test(w.wrap, wrap.wrap)), None)
        assumed = [premises.WRAPPER_MOVES_MODULE] if wrap.cpu_by_flag else []
        if stays is not None:
            row = context.source.row_name(context.source.line_of(stays.span.start))
            assumed.append(premises.OTHER_WRAP_STAYS(line=row))
        yield PF102.diagnostic(wrap.span, messages.PF102, **remedy(repair, messages.PF102_FIX, assumed))
