"""The edit that moves a tensor, and code that moves tensors by itself."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace, Span

if TYPE_CHECKING:
    from placefix.source import Source

# They scatter batches that stay on the CPU.
_SCATTERS = ("arallel", "FSDP")
# They yield batches that are on the device already.
_YIELDS_MOVED = ("ccelerat", "prefetch", ".prepare(")
_DDP = re.compile(r"DDP(?<!\wDDP)\b")


def scatters(text: str) -> bool:
    """Whether code may scatter batches, or get batches that are moved already."""
    return scatters_inputs(text) or yields_moved(text)


def scatters_inputs(text: str) -> bool:
    """Whether code may scatter the inputs of a model; its targets stay where they are."""
    return any(word in text for word in _SCATTERS) or _DDP.search(text) is not None


def yields_moved(text: str) -> bool:
    """Whether code may get batches that are on the device already."""
    return any(word in text for word in _YIELDS_MOVED)


def moved(source: Source, node: ast.expr, device: str) -> Replace:
    """``expression`` becomes ``expression.to(device)``, in parentheses where it needs them."""
    span = source.span(node)
    text = source.segment(span)
    call = device if device.endswith("()") and device.startswith(".") else f".to({device})"
    if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        return Replace(span, text + call, text)
    before, after = source.text[: span.start].rstrip(" "), source.text[span.end :].lstrip(" ")
    grouped = before.endswith("(") and after.startswith(")") and not re.search(r"[\w)\]]\s*\($", before[-40:])
    if grouped:  # the parentheses exist already
        span = Span(len(before) - 1, len(source.text) - len(after) + 1)
        text = source.segment(span)
        return Replace(span, text + call, text)
    return Replace(span, f"({text}){call}", text)
