"""Report optimizers that are built before FSDP replaces the parameters.

Why:
    `fully_shard(model)` replaces each parameter by its shard, a new object, and `FullyShardedDataParallel(model)` by one flat parameter
    for all. An optimizer that was built before has the old parameters, which get no gradients any more: it steps without an
    error, and nothing is trained.

Severity:
    An error: measured on torch 2.13 with two processes, no weight changes. Reported only if the same optimizer steps after the module is
    sharded. Not reported with `use_orig_params=True`, which keeps the parameters, nor if the file uses `param_groups` or `add_param_group`.

Fix safety:
    There is no fix. The optimizer belongs below the call, and with it everything that uses it: the scheduler, its loaded state.

Example:
    optimizer = torch.optim.AdamW(model.parameters())
    fully_shard(model)  # before the optimizer
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF108, messages
from placefix.rules.common import report
from placefix.rules.distributed.sharded_parameters import ShardedParameters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report optimizers of parameters that FSDP replaces."""
    if context.tree.framework:
        return
    for found in context.get(ShardedParameters).stale():
        text = messages.PF108.format(shard=f"`{found.shard}`", row=found.row)
        yield report(PF108, found.finding, text)._replace(note=messages.PF108_NOTE.format(row=found.row))
