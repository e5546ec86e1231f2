"""Optimizers that are built before their modules are placed: how bad that is, and the repair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.diagnostic import Severity
from placefix.facts import reasons
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis, requires
from placefix.rules import messages
from placefix.rules.ordering.misordered import Repair
from placefix.rules.ordering.reorder import Reorder
from placefix.torch_model import modules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.values import Obj
    from placefix.rules.ordering.misordered import Optimizer


class Optimizers(FileAnalysis):
    """The optimizers of one file."""

    reorder = requires(Reorder)

    def early(self) -> Iterator[Optimizer]:
        """Optimizers built before one of their modules is placed."""
        if not self.context.tree.framework:
            yield from self.reorder.optimizers()

    def repair(self, found: Optimizer) -> Repair:
        """The smaller legal move, or why there is none."""
        if found.elsewhere:
            return Repair(
                why_not=reasons.PLACED_IN_FUNCTION_AT(
                    line=self.context.source.row_name(found.placements[0].node.lineno)
                )
            )
        if found.rebuilt:
            return Repair(why_not=reasons.NEVER_USED(line=self.context.source.row_name(found.rebuilt)))
        return self.reorder.optimizer_after_placement(found)

    def effect(self, found: Optimizer) -> tuple[Severity, str]:
        """The severity of the old order for this class of optimizer, and the sentence in the message."""
        obj: Obj = found.event.obj
        if found.others:
            some = (
                sorted(n.rpartition(".")[2] for n in {obj.name, *found.others} if modules.is_eager(n))
                if not found.state_moved
                else []
            )
            if some:
                template = messages.PF201_STATE if len(some) == 1 else messages.PF201_STATES
                return Severity.WARNING, template.format(names=" and ".join(some))
            return Severity.STYLE, messages.PF201_WORKS.format(name=messages.THE_OPTIMIZER)
        short = obj.name.rpartition(".")[2]
        if modules.is_eager(obj.name) and not found.state_moved:
            return Severity.ERROR, messages.PF201_FAILS.format(name=short)
        if obj.name == api.ZERO:
            return Severity.WARNING, messages.PF201_ZERO
        if found.event.what == "fused" and self.context.settings.target_torch < (2, 5):
            return Severity.WARNING, messages.PF201_FUSED.format(name=short)
        if not obj.proven:
            return Severity.WARNING, messages.PF201_NOT_KNOWN.format(name=short or messages.THE_OPTIMIZER)
        if short == "Dynamic" or not short:
            return Severity.WARNING, messages.PF201_SOME_FAIL
        if obj.name == api.OPTIMIZER:
            short = messages.THE_OPTIMIZER
        return Severity.STYLE, messages.PF201_WORKS.format(name=short)
