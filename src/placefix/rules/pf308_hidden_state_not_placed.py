"""Make the first hidden state of a recurrent layer where its input lies.

Why:
    nn.RNN, nn.LSTM, nn.GRU and their cells refuse a state of another device: "Input and hidden tensors are
    not at the same device". torch.zeros makes it on the CPU.

Severity:
    An error: the layer raises on every device but the CPU. A warning where the file runs its own modules and places nothing, and where
    code that is not seen gets the state and may move it.

Fix safety:
    As for PF304: safe where every path from the creation hands the state to the layer together with something
    at hand (`x`), with `device=x.device`, or `.to(x.device)` for random states. A state that a helper like
    `init_hidden` makes goes where the weights of the layer lie, `next(self.rnn.parameters()).device`; that is
    unsafe, because code elsewhere may call the helper and move the state itself. So is a state that such a helper makes for code
    in other files, which hands it to `forward`; code of the file that does is followed (see PF302). Silent where a move, `new_zeros`
    or a device is there. Of a state in two parts both are safe to repair, or both unsafe: one part alone repairs nothing.

Example:
    h0 = torch.zeros(2, x.size(0), 64)  ->  h0 = torch.zeros(2, x.size(0), 64, device=x.device)
    out, _ = self.rnn(x, h0)                out, _ = self.rnn(x, h0)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF308
from placefix.rules.common import stray

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts


def check(facts: Facts) -> Iterator[Diagnostic]:
    seen = set()
    for found in (*facts.strays.creations(), *facts.initial_states()):
        if found.what == "hidden" and found.span not in seen:
            seen.add(found.span)
            where = (
                "wherever the module lies"
                if found.beside.startswith("next(")
                else f"the layer is used with `{found.beside}`"
            )
            text = f"`{found.name}` makes a hidden state on the CPU, {where}"
            yield stray(PF308, found, text, f"make it where `{found.beside}` lies")
