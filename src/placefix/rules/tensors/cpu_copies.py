"""Tensors on a device that are used with the copy of another tensor on the CPU: ``out.cpu() - y``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import premises, reasons
from placefix.facts.context import FileAnalysis
from placefix.facts.finding import Finding
from placefix.facts.interpret.arriving_values import doubt_of_results
from placefix.facts.interpret.flow import Flow
from placefix.facts.wording import unite
from placefix.rules.tensors.tensor_moves import moved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.values import Event


class CpuCopies(FileAnalysis):
    """Answers for one file."""

    def met(self) -> Iterator[Finding]:
        """The tensors on a device that meet a copy on the CPU, each with the fix that copies it too. `beside`: the line of the copy."""
        seen = set()
        for event in self.context.get(Flow).index.of_kind("copied"):
            if event.arg_node is None or event.arg_node in seen:
                continue
            seen.add(event.arg_node)
            yield self._finding(event, event.arg_node)

    def _finding(self, event: Event, node: ast.expr) -> Finding:
        """The finding for a tensor `node` that an operation uses with a copy."""
        span = self.context.span(node)
        copy = event.place.event if event.place is not None else None
        values = (event.obj, *event.args, *((copy.obj,) if copy is not None else ()))
        made = copy.node if copy is not None else node
        scalar = (premises.COPY_HAS_DIMENSION,) if any(not value.dims for value in event.args) else ()
        found = Finding(
            span,
            event.what,
            premises=unite(scalar, *(value.premises for value in values)),
            doubt=doubt_of_results(values) or (premises.COPY_MAY_BE_SCALAR if scalar else None),
            met=((self.context.span(event.node), span),),
            names=(self.context.text(node),),
            beside=self.context.source.row_name(made.lineno),
        )
        if isinstance(getattr(node, "ctx", None), ast.Store):  # x += y
            return found._replace(premises=(), why_not=reasons.CHANGED_IN_PLACE)
        return found._replace(edits=(moved(self.context.source, node, ".cpu()"),))
