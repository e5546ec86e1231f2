"""Make the first hidden state of a recurrent layer on the device of its input.

Why:
    nn.RNN, nn.LSTM, nn.GRU and their cells refuse a state of another device: "Input and hidden tensors are
    not at the same device". torch.zeros makes it on the CPU.

Severity:
    An error: the layer raises on every device but the CPU. A warning if the file runs its own modules and places nothing, or if code
    that is not seen receives the state and may move it.

Fix safety:
    Safe by default, as for PF304: `device=x.device` is added, or `.to(x.device)` for random states.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | every path from the creation gives the state to the layer together with `x` | safe | the layer raises otherwise |
    | a helper like `init_hidden` makes the state: `next(self.rnn.parameters()).device` | unsafe | other code may call the helper and move the state itself |
    | the same, for code in other files that gives it to `forward` | unsafe | that code is not followed; code of the file is |
    | the two states of an LSTM | one fix | one alone repairs nothing: it is safe if both parts are, and there is none if one part has none |
    | a move, `new_zeros` or a device is there | not reported | it works |

Example:
    h0 = torch.zeros(2, x.size(0), 64)  ->  h0 = torch.zeros(2, x.size(0), 64, device=x.device)
    out, _ = self.rnn(x, h0)                out, _ = self.rnn(x, h0)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF308, messages
from placefix.rules.common import report
from placefix.rules.tensors.hidden_states import initial_states
from placefix.rules.tensors.module_tensors import ModuleTensors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report initial states of recurrent layers that are made on the CPU."""
    seen = set()
    for found in (*context.get(ModuleTensors).creations(), *initial_states(context)):
        if found.what == "hidden" and found.span not in seen:
            seen.add(found.span)
            template = messages.PF308_ANYWHERE if found.beside.startswith("next(") else messages.PF308
            text = template.format(name=found.name, beside=found.beside)
            yield report(PF308, found, text, messages.PF308_FIX.format(beside=found.beside))
