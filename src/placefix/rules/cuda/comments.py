"""Comments on a use of CUDA: phrases about the GPU, which are reworded, reasons for CUDA, and ``# type: ignore``."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.diagnostic import Remark, Span
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Stmt

# ``# move to GPU``, ``# dispatch data to the GPU``: a phrase of a few words that ends with the destination. Longer comments ("if there
# is one", "GPU memory", a sentence) are not changed.
_PHRASE = re.compile(
    r"#+\s*(?:[\w'/-]+,?\s+){0,6}(?:to|onto|on)\s+(?P<where>(?P<the>the\s+)?(?:gpu|cuda)(?:\s+device)?)\s*[.:!]?\s*",
    re.IGNORECASE,
)

# A comment with a requirement of CUDA, or a reason for it: no code, and no mention of the CPU.
_REASON = re.compile(
    r"(?!.*(?:[.=(\[]\w|\bcpu\b|\bif\b|\?))"
    r"(?=.*\b(?:use|only|must|needs?|needed|requires?|required|has to|have to|because|since)\b).*\b(?:cuda|gpus?)\b.*",
    re.IGNORECASE,
)

# What type checkers report of ``torch.cuda.FloatTensor(…)``: no such attribute, or a function without types.
_UNTYPED = re.compile(
    r"#\s*type:\s*ignore(?:\[\s*(?:(?:attr-defined|no-untyped-call|operator|misc)\b[\s,]*)+\])?(?![\w\[])\s*(?=#|$)",
    re.IGNORECASE,
)
_TYPED = (ast.Name, ast.Constant, ast.List, ast.Tuple, ast.expr_context, ast.UnaryOp, ast.unaryop)


def reworded(context: AnalysisContext, stmt: Stmt) -> tuple[Remark, ...]:
    """The edits of the comments directly above a statement and behind its last line that name the GPU as the destination."""
    source = context.source
    span = context.span(stmt)
    first = source.line_of(span.start)
    found = []
    if first > 1 and source.line(first - 1).lstrip().startswith("#"):
        start = source.line_starts[first - 2]
        above = source.line(first - 1)
        alone = first == 2 or not source.line(first - 2).lstrip().startswith("#")  # not the end of a longer text
        if alone and _margin(above) == _margin(source.line(first)):
            found.append(Span(start + len(_margin(above)), start + len(above.rstrip())))
    trailing = _trailing(context, stmt)
    if trailing is not None:
        found.append(trailing)
    remarks = []
    for comment in found:
        match = _PHRASE.fullmatch(source.segment(comment))
        if match is not None and not source.keeps(*comment):
            where = Span(comment.start + match.start("where"), comment.start + match.end("where"))
            said = source.segment(where)
            remarks.append(Remark(where, f"{match['the'] or ''}device", said))
    return tuple(remarks)


def reason(context: AnalysisContext, stmt: Stmt) -> str:
    """The reason for CUDA in the comment behind a statement; "" if there is none, or it only names the destination of a move."""
    span = _trailing(context, stmt)
    said = context.source.segment(span) if span is not None else ""
    return said.lstrip("# \t") if said and _REASON.fullmatch(said) and not _PHRASE.fullmatch(said) else ""


def unignored(context: AnalysisContext, call: ast.Call, stmt: Stmt) -> tuple[Remark, ...]:
    """The edit that removes ``# type: ignore`` behind a statement in which a call of a type of CUDA, which goes, is all that has no types;
    empty where there may be another reason for the comment."""
    span = _trailing(context, stmt)
    match = _UNTYPED.match(context.source.segment(span)) if span is not None else None
    if span is None or match is None or not _binds_once(stmt) or context.source.keeps(*span):
        return ()
    value: ast.expr | None = getattr(stmt.node, "value", None)
    while value is not call and isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if value.args or value.keywords or not torch_model.is_tensor_method(value.func.attr):
            return ()
        value = value.func.value
    if value is not call or call.keywords:
        return ()
    if not all(isinstance(part, _TYPED) for argument in call.args for part in walk(argument)):
        return ()
    line = context.source.text.rfind("\n", 0, span.start) + 1
    code = context.source.text[line : span.start]
    gone = Span(
        line + len(code.rstrip()) if match.end() == span.end - span.start else span.start, span.start + match.end()
    )
    return (Remark(gone, "", context.source.segment(gone)),)


def _binds_once(stmt: Stmt) -> bool:
    """Whether a statement returns its value, or gives a name all its values in the scope: no other type is declared for it."""
    if isinstance(stmt.node, ast.Return):
        return True
    target = stmt.node.targets[0] if isinstance(stmt.node, ast.Assign) and len(stmt.node.targets) == 1 else None
    return (
        isinstance(target, ast.Name)
        and not stmt.scope.declares(target.id)
        and all(b is stmt.node or isinstance(b, ast.AugAssign) for b in stmt.scope.bindings.get(target.id, ()))
    )


def _trailing(context: AnalysisContext, stmt: Stmt) -> Span | None:
    """The comment behind the last line of a statement that is no block."""
    if stmt.suites:
        return None
    source, end = context.source, context.span(stmt).end
    last = source.line_of(end)
    behind = source.text[end : source.line_starts[last - 1] + len(source.line(last).rstrip())]
    mark = len(behind) - len(behind.lstrip())
    return Span(end + mark, end + len(behind)) if behind[mark : mark + 1] == "#" else None


def _margin(line: str) -> str:
    return re.match(r"[ \t]*", line)[0]  # type: ignore[index]
