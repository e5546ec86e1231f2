"""Make a tensor on the device of the module's input.

Why:
    Factories like torch.zeros make tensors on the CPU. Made in `forward`, or in a function that it
    calls, and added to the input, concatenated with it or used to mask it, they raise "Expected all
    tensors to be on the same device" as soon as the module runs anywhere else.

Severity:
    An error: the code fails on every device but the CPU. A warning

    - if nothing fails in the file itself: it runs its own modules and places nothing, or a private function makes the tensor only for a
      parameter that no call passes;
    - if a layer receives the tensor that may accept it on the CPU;
    - if all callers of a function pass it tensors that they have copied to the CPU;
    - if nothing that uses the class of a function places anything, or nothing in the repository uses the class.

Fix safety:
    Safe by default: `device=x.device` is added. Wherever the program ran to its end, both tensors were on one device, and nothing changes
    there.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | on every path to the end of the function, the tensor meets `x`, a weight or a result of them in an operation that refuses unlike devices | safe | a `for` loop is assumed to run once |
    | several tensors give that device | safe | in this order: one that the call reads (its dtype or size), the operand that it meets, `self.device`, a tensor or layer of the module |
    | the tensor is moved to the same device further down | safe | that move goes |
    | random numbers, and factories without `device` (`torch.from_numpy`) | safe, `.to(x.device)` | a device would draw other numbers |
    | a helper makes the tensor and receives nothing to take the device from | safe, `.to(x.device)` at the call | the caller has it |
    | another creation there meets it or `x`, and may be a number for all that is known (`torch.from_numpy(a)`) | safe, both in one fix; unsafe if some paths to the other do not pass the first, or numpy reads the other | with one of them repaired the function would fail all the same |
    | branches of a loop add it and other creations to one list, which `torch.stack` takes | unsafe, all in one fix | if only one of the branches ran, the list was on the CPU |
    | it meets `x` on some paths only | unsafe | on the others it may be wanted on the CPU |
    | other callers of a helper may want it elsewhere | unsafe | they are not seen |
    | a layer receives it that may not need it (masks of Transformers) | unsafe | the layer may take it from the CPU |
    | a part of the module receives it, and computes with it and a parameter or buffer | safe, `device=self.rotary.inv_freq.device` | the part refuses a tensor with a dimension from elsewhere |
    | an attribute that the constructor makes receives it with another tensor, and its class is not seen | unsafe | it may take it from the CPU; of its arguments only the first two tensors count, and none that may be lengths |
    | a module that the class keeps and whose name says so (`self.net`, `self.bert.embeddings`) receives it with an argument | unsafe | its class is not seen: it may take it from the CPU |
    | it meets the result of a callable that is not followed and gets tensors | unsafe | the callable may return a tensor of the CPU |
    | it meets an argument, or a part of one, of a name of which another method of the class reads the device, or the same method of another class | unsafe | the part may be on the CPU |
    | the file records a graph of the module (`symbolic_trace(net)`, `Tracer().trace(net)`) | unsafe | the graph gets a node for `x.device` |
    | 0-dim tensors and indices; `*_like` and `new_*` | not reported | they work |
    | a default device or tensor type is set; the module places its parts itself | not reported | the tensor may already be right |

Example:
    def forward(self, x):                  ->  def forward(self, x):
        steps = torch.arange(x.size(1))            steps = torch.arange(x.size(1), device=x.device)
        return x + self.time(steps)                return x + self.time(steps)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.facts.devices.captured_functions import CapturedFunctions
from placefix.rules import PF304, messages
from placefix.rules.common import report
from placefix.rules.tensors.module_tensors import ModuleTensors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report tensors that a module makes on the CPU and uses with its input or its weights."""
    created = [found for found in context.get(ModuleTensors).creations() if found.what == "created"]
    graphs = [context.span(function.node) for function in context.get(CapturedFunctions).traced] if created else []
    for found in created:
        recorded = any(span.start <= found.span.start < span.end for span in graphs)
        node = (premises.GRAPH_GETS_NODE(device=found.device),) if recorded else ()
        text = messages.PF304.format(name=found.name, beside=found.beside)
        fix = messages.PF304_FIX.format(beside=found.beside)
        yield report(PF304, found._replace(premises=(*found.premises, *node)), text, fix)
