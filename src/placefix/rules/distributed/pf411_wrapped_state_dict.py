"""Report the state of a wrapper that is saved, and loaded into a module without it.

Why:
    The keys of `DataParallel(model).state_dict()` and of DistributedDataParallel begin with `module.`, because the wrapper has the model as
    its attribute `module`. Those of `torch.compile(model)` begin with `_orig_mod.`. `load_state_dict` of the model itself finds none
    of its keys: "Missing key(s) in state_dict". The state of the model does not fit the wrapper or the compiled model either.

Severity:
    An error. Reported if one line of the file saves the state, another one loads it from the same path under the same key, the
    wrapper is there on every path, and no string of the file is `"module."` or `"_orig_mod."`, as in code that renames the keys.

Fix safety:
    Unsafe: `model.module.state_dict()` and `model._orig_mod.state_dict()` are the state without the prefix, but other programs may
    load the checkpoint. There is no edit if a state without a prefix is loaded into a wrapper.

Example:
    model = nn.DataParallel(Net())
    torch.save(model.state_dict(), "net.pt")  # model.module.state_dict()
    Net().load_state_dict(torch.load("net.pt"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF411, messages
from placefix.rules.common import report
from placefix.rules.distributed.wrapped_checkpoints import WrappedCheckpoints

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report states that are loaded into a module with other keys."""
    if context.tree.framework:
        return
    for found in context.get(WrappedCheckpoints).found():
        bare = messages.PF411 if found.saved else messages.PF411_BARE
        template = messages.PF411_OTHER if found.saved and found.loaded else bare
        text = template.format(**found._asdict())
        yield report(PF411, found.finding, text, messages.PF411_FIX)
