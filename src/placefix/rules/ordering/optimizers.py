"""Optimizers that are built before their modules are placed: how bad that is, and the repair."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Severity
from placefix.facts import torch_api as api
from placefix.rules.ordering.reorder import Reorder
from placefix.rules.ordering.repairs import Repair
from placefix.torch_model import modules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import Obj
    from placefix.rules.ordering.repairs import Optimizer


class Optimizers:
    """The optimizers of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context

    @cached_property
    def reorder(self) -> Reorder:
        return self.context.get(Reorder)

    def early(self) -> Iterator[Optimizer]:
        """Optimizers built before one of their modules is placed."""
        if not self.context.tree.framework:
            yield from self.reorder.optimizers()

    def repair(self, found: Optimizer) -> Repair:
        """The smaller legal move, or why there is none."""
        if found.elsewhere:
            return Repair(
                why_not=f"the module is placed in another function ({self.context.source.row_name(found.placements[0].node.lineno)})"
            )
        if found.rebuilt:
            return Repair(
                why_not=f"this optimizer is never used: {self.context.source.row_name(found.rebuilt)} builds it again first"
            )
        return self.reorder.optimizer_after_placement(found)

    def effect(self, found: Optimizer) -> tuple[Severity, str]:
        """How bad the old order is for this class of optimizer, and the sentence that says so."""
        obj: Obj = found.event.obj
        if found.others:
            some = (
                sorted(n.rpartition(".")[2] for n in {obj.name, *found.others} if modules.is_eager(n))
                if not found.state_moved
                else []
            )
            if some:
                what = (
                    "makes its state when it is built, and its first step fails"
                    if len(some) == 1
                    else "make their state when they are built, and their first step fails"
                )
                return (
                    Severity.WARNING,
                    f"the optimizer is built before the module is placed; {' and '.join(some)} {what}",
                )
            return (
                Severity.STYLE,
                "the optimizer is built before the module is placed; this works on CPU, CUDA, MPS and XPU",
            )
        short = obj.name.rpartition(".")[2]
        if modules.is_eager(obj.name) and not found.state_moved:
            return (
                Severity.ERROR,
                f"{short} makes its state when it is built: before the placement that is on the CPU, and the first step fails",
            )
        if obj.name == api.ZERO:
            return (
                Severity.WARNING,
                "ZeroRedundancyOptimizer stores the device of its parameters when it is built, and the module is placed later",
            )
        if found.event.what == "fused" and self.context.settings.target_torch < (2, 5):
            return (
                Severity.WARNING,
                f"{short}(fused=True) checks the device of its parameters when it is built (before torch 2.5), and the module is placed later",
            )
        if not obj.proven:
            return (
                Severity.WARNING,
                f"{short or 'the optimizer'} is built before the module is placed; it is not known what its constructor stores of the parameters",
            )
        if short == "Dynamic" or not short:
            return (
                Severity.WARNING,
                "the optimizer is built before the module is placed; some classes (Adagrad) then fail at the first step",
            )
        if obj.name == api.OPTIMIZER:
            short = "the optimizer"
        return Severity.STYLE, f"{short} is built before the module is placed; this works on CPU, CUDA, MPS and XPU"
