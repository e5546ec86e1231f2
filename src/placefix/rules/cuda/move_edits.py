"""The edits of a move: ``x.cuda()`` -> ``x.to(device)``, "cuda" -> ``device``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace, Span
from placefix.facts.context import FileAnalysis
from placefix.facts.program.ast_names import argument_value, argument_values
from placefix.rules.cuda.tensor_creation import TensorCreation, only_moves

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site


class MoveEdits(FileAnalysis):
    """The edits of the moves of one file."""

    def site_edits(self, site: Site, device: str) -> tuple[Replace, ...]:
        """The edits that make a move of either spelling go to `device`."""
        if site.form == "cuda":
            return self.call_edits(site, device)
        assert site.literal is not None
        made = self._made_there(site, device)
        return made or (Replace(self.context.span(site.literal), device, self.context.text(site.literal)),)

    def _made_there(self, site: Site, device: str) -> tuple[Replace, ...]:
        """``torch.zeros(n).cuda()`` -> ``torch.zeros(n, device=device)``: a tensor with the same values on any device is created
        on its destination. Empty for any other move."""
        move = site.node
        if not isinstance(move, ast.Call) or not only_moves(site):
            return ()
        return self.context.get(TensorCreation).moved(move, site.stmt, device)

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
        value = argument_value(call, 0, "device", "device_id")
        if value is not None:
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
    given = argument_values(call)
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
