"""Make a layer in the constructor, not at each call.

Why:
    A layer that `forward` makes is another one at each call, with other random weights. It is not part of the module: it is on the CPU
    wherever the module was placed ("Expected all tensors to be on the same device", "Input type (torch.cuda.FloatTensor) and weight type
    (torch.FloatTensor) should be the same"), no optimizer trains it, and no checkpoint has it. Without a GPU nothing fails.

Severity:
    An error: on every machine the layer is not trained. A warning where nothing in the repository uses the class.

Fix safety:
    There is no fix. A layer that is made in `__init__` is trained and saved from then on, and its sizes have to be known there.

    Reported are layers of torch.nn with parameters that are called and then dropped. Layers that are kept, moved or read in another way are not
    reported.

Example:
    x = nn.BatchNorm2d(64)(self.conv(x))
    ->
    x = self.norm(self.conv(x))  # and self.norm = nn.BatchNorm2d(64) in __init__
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts import reasons
from placefix.rules import PF316, messages
from placefix.rules.common import not_fixed, report
from placefix.rules.tensors.layers_in_forward import made_anew

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report layers with parameters that are made at each call of a module."""
    for found in made_anew(context):
        yield report(PF316, found, messages.PF316.format(name=found.what))._replace(
            note=not_fixed(reasons.MAKE_IN_INIT)
        )
