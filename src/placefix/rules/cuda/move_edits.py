"""The edits of a move: ``x.cuda()`` -> ``x.to(device)``, "cuda" -> ``device``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.diagnostic import Replace, Span

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site

# Arguments of a factory that affect neither the device nor whether the result is a leaf.
_KEEPS_PLACE = frozenset(("dtype", "layout", "size", "fill_value"))


class MoveEdits:
    """The edits of the moves of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.accelerator = context.accelerator

    def site_edits(self, site: Site, device: str) -> tuple[Replace, ...]:
        """The edits that make a move of either spelling go to `device`."""
        if site.form == "cuda":
            return self.call_edits(site, device)
        assert site.literal is not None
        made = self._made_there(site, device)
        return made or (Replace(self.context.span(site.literal), device, self.context.text(site.literal)),)

    def _made_there(self, site: Site, device: str) -> tuple[Replace, ...]:
        """``torch.zeros(n).cuda()`` -> ``torch.zeros(n, device=device)``: a tensor with the same values on any device is made
        on its destination. Empty for any other move."""
        move, text = site.node, self.context.source.text
        if not isinstance(move, ast.Call) or not isinstance(move.func, ast.Attribute):
            return ()
        made = move.func.value
        given = [*move.args, *(k.value for k in move.keywords)]
        if not isinstance(made, ast.Call) or given not in ([], [site.literal]) or not made.args:
            return ()
        name = self.context.tree.qualname(made.func, site.stmt.scope) or ""
        several = name == "torch.arange" and len(made.args) > 1  # steps are added up in another way on a GPU
        if not torch_model.is_same_anywhere(name) or several or any(k.arg not in _KEEPS_PLACE for k in made.keywords):
            return ()
        end, last = self.context.span(made).end, self.context.span(move).end
        inner = self.context.text(made)
        plain = text[end:last].startswith((f".{self.accelerator.method}(", ".to(")) and not any(
            c in text[end:last] for c in "\r\n#"
        )
        if not plain or any(c in inner for c in "\r\n") or inner[:-1].rstrip().endswith(","):
            return ()
        return (Replace(Span(end - 1, last), f", device={device})", text[end - 1 : last]),)

    def call_edits(self, site: Site, device: str) -> tuple[Replace, ...]:
        """``.cuda(…)`` -> ``.to(device, …)``; the rest of the call is not changed."""
        call = site.node
        assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        text = self.context.source.text
        end = self.context.span(call.func).end
        method = self.accelerator.method
        start = end - len(method)
        made = self._made_there(site, device)
        if made:
            return made
        given = (
            call.args[0] if call.args else next((k for k in call.keywords if k.arg in ("device", "device_id")), None)
        )
        if given is not None:
            value = given.value if isinstance(given, ast.keyword) else given
            edits = [Replace(Span(start, end), "to", method)]
            if self.context.text(value) != device:
                edits.append(Replace(self.context.span(value), device, self.context.text(value)))
            return tuple(edits)
        paren = _open(text, end)
        to = (Replace(Span(start, paren + 1), "to(", f"{method}("),)
        if paren != end:
            to = Replace(Span(start, end), "to", method), Replace(Span(paren, paren + 1), "(", "(")  # type: ignore[assignment]
        return (*to[:-1], *first_argument(self.context, call, device, to[-1]))


def first_argument(context: AnalysisContext, call: ast.Call, argument: str, opening: Replace) -> tuple[Replace, ...]:
    """The edits that put a new first argument behind the parenthesis that `opening` writes; on a separate
    line if the arguments have separate lines."""
    text = context.source.text
    given = [*call.args, *(k.value for k in call.keywords)]
    if not given:
        return (Replace(opening.span, opening.text + argument, opening.expect),)
    first = min(
        [context.span(a).start for a in call.args] + [context.source.span(k).start for k in call.keywords],
    )
    line = context.source.line_starts[context.source.line_of(first) - 1]
    margin = text[line:first]
    if line > opening.span.end and not margin.strip():
        own = (opening,) if opening.text != opening.expect else ()
        return (*own, Replace(Span(first, first), f"{argument},{context.source.newline}{margin}", ""))
    separator = "," if text[opening.span.end : opening.span.end + 1] in "\r\n" else ", "
    return (Replace(opening.span, opening.text + argument + separator, opening.expect),)


def _open(text: str, offset: int) -> int:
    """The offset of the ``(`` that follows, over white space, comments and continuations."""
    comment = False
    while comment or text[offset] != "(":
        comment = text[offset] not in "\r\n" and (comment or text[offset] == "#")
        offset += 1
    return offset
