"""Parts of a batch that stay on the CPU, where the function moves another part of it.

The evidence is a run with assumptions (`facts.interpret.arrivals`): nothing is known of the loader, or of the argument, but that the
function moves a part of each item.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.interpret.arrivals import Arrivals, Assumptions, assumptions
from placefix.facts.interpret.flow import Flow
from placefix.rules.tensors.device_conflicts import Conflicts
from placefix.rules.tensors.tensor_moves import scatters_inputs, yields_moved
from placefix.rules.tensors.unmoved_batches import Batches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Span
    from placefix.facts.context import AnalysisContext
    from placefix.facts.finding import Finding

_RUNS = 2  # a function that only the first of them runs may show more


class Companion(NamedTuple):
    """A finding, and the device of the other operand in words (`Conflicts.against`)."""

    found: Finding
    against: str


class CompanionBatches:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context

    def forgotten(self) -> Iterator[Companion]:
        """Tensors that arrive with one that the function moves, and meet it, or the output of a module for it, unmoved."""
        supposed = None if yields_moved(self.context.source.text) else self._supposed()
        if supposed is None:
            return
        known = self._known
        for found in supposed.get(Batches).misplaced():
            if not any(pair in known for pair in found.met):
                yield Companion(found, supposed.get(Conflicts).against(found.met))

    def _supposed(self) -> AnalysisContext | None:
        """The context with the assumptions; None if the file shows nothing to assume."""
        assumed: Assumptions = {}
        supposed: AnalysisContext | None = None
        flow = self.context.get(Flow)
        scattered = scatters_inputs(self.context.source.text)
        for _ in range(_RUNS):
            more = assumptions(self.context, flow)
            if more.keys() <= assumed.keys():
                break
            assumed = {**more, **assumed}

            def run(context: AnalysisContext, assumed: Assumptions = assumed) -> Flow:
                """The run with the assumptions so far."""
                return Arrivals(context, assumed, scatters=scattered)

            supposed = self.context.replacing(Flow, run)
            flow = supposed.get(Flow)
        return supposed

    @property
    def _known(self) -> set[tuple[Span, Span]]:
        """The operations that fail without any assumption, each with the operand."""
        span = self.context.span
        events = self.context.get(Flow).index.of_kind("conflict")
        return {(span(event.node), span(event.arg_node or event.node)) for event in events}
