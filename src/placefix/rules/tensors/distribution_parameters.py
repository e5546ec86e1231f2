"""Distributions that are made from tensors on the CPU and used with tensors on a device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import premises, reasons
from placefix.facts.devices.device_selection import device_text
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.rules.tensors.tensor_moves import moved

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Stmt


def priors(context: AnalysisContext) -> Iterator[Finding]:
    """Each of them once, with its tensors moved where it is made."""
    seen = set()
    for event in context.get(Flow).events:
        one, device = event.obj, event.place.device if event.place is not None else None
        if event.kind != "prior" or one.origin in seen or device is None or device.is_of_tensor:
            continue
        if any(not torch_model.is_factory(root.name) for part in one.items or () for root in part.roots - {part}):
            continue
        seen.add(one.origin)
        given: tuple[tuple[ast.expr, ...], Stmt] = one.value  # type: ignore[assignment]
        nodes, stmt = given
        names = tuple(context.text(node) for node in nodes)
        span = context.span(nodes[0])
        text = device_text(context, stmt)
        if not text:
            yield Finding(span, "prior", why_not=reasons.NO_DEVICE_AT_DISTRIBUTION, names=names)
            continue
        premise = premises.DISTRIBUTION_WANTED_ON_DEVICE
        edits = tuple(moved(context.source, node, text) for node in nodes)
        yield Finding(span, "prior", edits, premises=(premise,), device=text, names=names)
