"""Register a tensor that a module keeps as a buffer.

Why:
    `module.to(device)` moves parameters and buffers. A tensor that `__init__` keeps as a plain attribute stays
    on the CPU, and `forward` fails where it meets the input: "Expected all tensors to be on the same device".
    DataParallel does not replicate it either.

Severity:
    An error: the code fails as soon as the module is on a device. A warning where the file runs its own modules and places nothing.
    Also a warning if the class is local to a function and no user of it places anything, or if nothing in the repository uses the class.

Fix safety:
    Unsafe: a buffer also follows `.double()` and `.half()`, and cannot become something that is no tensor. With `persistent=False` (torch 1.6)
    the keys of the state dict stay, so old checkpoints load.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | a method uses the tensor with its input or with weights, in an operation that refuses unlike devices; one assignment after `super().__init__()`, perhaps under a test, besides that of a recurrent layer's next state; a factory, operations or a method of the class make it, or a copy of a parameter | unsafe | see above |
    | `forward` uses it with a value of which the device is not seen, takes such a value to where the tensor is (`x.type_as(self.table)`), or returns it (a warning) | unsafe | see above |
    | the class moves it | not reported | it works |
    | a method moves it at one use and reads it unmoved at another one of the same call | no fix | the other use may need the same move |
    | 0-dim tensors and indices | not reported | they work |
    | it collects gradients (`requires_grad=True`) | none | an `nn.Parameter` is the repair, which optimizers of the module then get as well |

Example:
    self.mask = torch.tril(torch.ones(n, n))
    ->
    self.register_buffer("mask", torch.tril(torch.ones(n, n)), persistent=False)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF305, messages
from placefix.rules.common import report
from placefix.rules.tensors.plain_attributes import PlainAttributes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report tensors that a module keeps as a plain attribute and uses with its input or its weights."""
    for found in context.get(PlainAttributes).found():
        template = messages.PF305 if found.beside else messages.PF305_RETURNED
        text = template.format(name=found.name, beside=found.beside, method=found.what)
        yield report(PF305, found, text, messages.PF305_FIX.format(name=found.name))
