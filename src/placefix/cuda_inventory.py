"""`placefix inventory`: each use of CUDA in a file, with the fix of `apply` or the reason why it stays."""

from __future__ import annotations

import ast
import os
from typing import TYPE_CHECKING, NamedTuple

from placefix import engine, files
from placefix.diagnostic import Applicability, Delete, Insert, Remark, Replace, Severity, Span, Unwrap
from placefix.discover import Target
from placefix.facts import cuda_api as api
from placefix.facts import reasons
from placefix.facts.program.ast_names import argument_values
from placefix.facts.torch_api import TENSOR_TYPES
from placefix.facts.wording import text_of
from placefix.rules.cuda.cuda_only_functions import CudaOnly
from placefix.rules.cuda.intentional_uses import IntentionalUses
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.use_sites import Cuda
from placefix.rules.registry import context_of
from placefix.runner import decode_target
from placefix.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.diagnostic import Diagnostic, Edit
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.wording import Reason
    from placefix.runner import FileResult
    from placefix.settings import Settings
    from placefix.source import Source

# The classes of a use, from "rewritten automatically" to "left to a person".
MAPPED, UNSAFE, EQUIVALENT, CUDA_ONLY, PERSON = KINDS = ("mapped", "unsafe", "equivalent", "cuda-only", "person")
MEANINGS = {
    MAPPED: "`placefix apply` rewrites it",
    UNSAFE: "`placefix apply --unsafe-fixes` rewrites it, on a premise",
    EQUIVALENT: "it has an equivalent for every accelerator",
    CUDA_ONLY: "it exists for CUDA alone",
    PERSON: "a person has to decide",
}
_FORMS = {
    "cuda": ".cuda()",
    "to": '.to("cuda")',
    "argument": 'device="cuda"',
    "definition": 'device = "cuda"',
    "default": 'device = "cuda"',
}
_WORDS = (b"cuda", b"nccl", *(name.partition(".")[0].encode() for name in api.PACKAGES))


class CudaUsage(NamedTuple):
    """One use. name: how the use is spelled in general; kind: one of KINDS; row: 1-based; note: the reason, the premise or
    the equivalent, in one line; may be empty."""

    name: str
    kind: str
    row: int
    note: str = ""


class FileUsages(NamedTuple):
    """The uses of CUDA in one file in the order of its lines; `error`, one line, where it could not be read."""

    path: str
    usages: tuple[CudaUsage, ...] = ()
    error: str = ""


class _FoundUse(NamedTuple):
    name: str
    span: Span
    site: Site | None = None
    known: api.CudaApi | None = None


def usages_of_results(results: Iterable[FileResult]) -> Iterator[FileUsages]:
    """The uses of CUDA in each file, from the results of `check`."""
    for result in results:
        if result.error:
            yield FileUsages(result.path, error=result.error)
            continue
        try:
            source, target = result.source or _read(result), result.target
            assert isinstance(target, Target)
            found = find_usages(source, result.remaining, target.config.settings) if source is not None else ()
        except (files.FileError, SourceError, engine.ParseError) as error:
            yield FileUsages(result.path, error=str(error))
        except Exception as error:  # a bug of ours: the other files go on
            if os.environ.get("PLACEFIX_TRACEBACK"):
                raise
            yield FileUsages(result.path, error=engine.internal_error(error))
        else:
            yield FileUsages(result.path, found)


def _read(result: FileResult) -> Source | None:
    """The source of a file that triggers no rule but mentions CUDA; else None."""
    data = files.read(result.path)
    target = result.target
    assert isinstance(target, Target)
    return decode_target(target, data) if any(word in data for word in _WORDS) else None


def find_usages(source: Source, findings: Iterable[Diagnostic], settings: Settings) -> tuple[CudaUsage, ...]:
    """The uses of CUDA in one text; `findings` are the results of `check` for it."""
    said = [d for d in findings if d.code.startswith("PF4")]
    try:
        module = engine.parse(source)
    except engine.ParseError:
        # async=True: PF400 repairs the file first; the other rules read it afterwards
        return tuple(_usage_of_finding(d.rule.name, d, source) for d in said)
    context = context_of(source, module, settings)
    only = context.get(CudaOnly)
    keep_reasons = {context.span(s.node.func): why for s, _ in only.sites() if (why := only.reason_to_keep(s))}  # type: ignore[attr-defined]
    found: list[CudaUsage] = []
    spoken: set[int] = set()
    for use in _uses(context):
        finding = next((d for d in said if _reports_use(d, use, context)), None)
        if finding is not None and finding.severity is Severity.NOTE and use.known is not None:
            spoken.add(id(finding))  # the table knows more than that it stays
            finding = None
        if finding is not None:
            spoken.add(id(finding))
            found.append(_usage_of_finding(use.name, finding, source, use.span))
        elif use.known is not None:
            note = "; ".join(filter(None, (use.known.note, text_of(keep_reasons.get(use.span)))))
            found.append(CudaUsage(use.name, use.known.group, source.file_row(use.span.start), note))
        else:
            found.append(
                CudaUsage(use.name, PERSON, source.file_row(use.span.start), _reason_unrepaired(use, context).text)
            )
    found += [_usage_of_finding(d.rule.name, d, source) for d in said if id(d) not in spoken]
    context.release()
    return tuple(sorted(found, key=lambda usage: usage.row))


def _usage_of_finding(name: str, finding: Diagnostic, source: Source, span: Span | None = None) -> CudaUsage:
    row = source.file_row((span or finding.span).start)
    fix = finding.fix
    if fix is not None and fix.applicability is Applicability.SAFE:
        return CudaUsage(name, MAPPED, row)
    if fix is not None and fix.applicability is Applicability.UNSAFE:
        return CudaUsage(name, UNSAFE, row, fix.premise)
    return CudaUsage(
        name,
        PERSON,
        row,
        (finding.note or (fix.premise if fix is not None else "")).removeprefix("not fixed: ").removeprefix("kept: "),
    )


def _reason_unrepaired(use: _FoundUse, context: AnalysisContext) -> Reason:
    """Why no rule reports a use."""
    site = use.site
    if site is None:
        return reasons.NOT_KNOWN_WITHOUT_CUDA
    if why := context.get(IntentionalUses).reason_to_keep(site) or context.get(Refusals).of(site):
        return why
    if site.guard is not None:
        return reasons.TEST_DECIDES
    return reasons.NO_SELECTED_RULE


def _reports_use(finding: Diagnostic, use: _FoundUse, context: AnalysisContext) -> bool:
    guard = use.site.guard if use.site is not None else None
    edits = finding.fix.edits if finding.fix is not None else ()
    if any(_rewrites(edit, use.span) for edit in edits):
        return True
    if finding.code == "PF403":  # of a guard: about the moves it holds, all of them where it is refused
        return guard is not None and not edits and context.span(guard.node).start == finding.span.start
    return finding.span.overlaps(use.span)


def _rewrites(edit: Edit, span: Span) -> bool:
    """Whether an edit rewrites the code at `span`; moves, and inserts next to it, do not."""
    if isinstance(edit, Replace):
        return edit.span.overlaps(span)
    if isinstance(edit, Delete):
        return any(gone.overlaps(span) for gone in edit.statements)
    if isinstance(edit, Insert | Remark):
        return False
    if any(r.span.overlaps(span) for r in edit.replace):
        return True
    return (
        isinstance(edit, Unwrap)
        and edit.statement.overlaps(span)
        and not any(kept.overlaps(span) for kept in edit.keep)
    )


def _uses(context: AnalysisContext) -> list[_FoundUse]:
    """Every use of the file that ties it to CUDA, or may."""
    found: list[_FoundUse] = []
    for site in context.get(Cuda).sites:
        if site.is_definition and site.guard is not None:
            continue  # the choice that it should be
        name = _FORMS.get(site.form, "")
        if not name and site.literal is not None:
            name = context.tree.qualname(site.literal, site.stmt.scope) or "a type of torch.cuda by name"
        found.append(_FoundUse(name, _span_of_use(context, site), site))
    found += _names(context, [u.span for u in found])
    found += _imports(context)
    found += _backends(context)
    found += _indices(context)
    return found


def _backends(context: AnalysisContext) -> Iterator[_FoundUse]:
    for call, stmt in context.index.calls:
        if context.tree.qualname(call.func, stmt.scope) == "torch.distributed.init_process_group":
            for part in argument_values(call):
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and "nccl" in part.value:
                    yield _FoundUse('backend="nccl"', context.span(part), known=api.NCCL)


def _indices(context: AnalysisContext) -> Iterator[_FoundUse]:
    """``f"cuda:{rank}"``, ``"cuda:{}".format(rank)``, ``"cuda:%d" % rank`` and ``"cuda:" + str(rank)``."""
    if "cuda:" not in context.source.text:
        return
    for node in context.tree.root.nodes:
        match node:
            case ast.JoinedStr(values=[ast.Constant(value="cuda:"), *_]):
                use = 'f"cuda:{…}"'
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")) if text.startswith(
                "cuda:{"
            ):
                use = '"cuda:{}".format(…)'
            case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()) if text.startswith("cuda:%"):
                use = '"cuda:%d" % …'
            case ast.BinOp(left=ast.Constant(value="cuda:"), op=ast.Add()):
                use = '"cuda:" + …'
            case _:
                continue
        yield _FoundUse(use, context.span(node), known=api.BY_NUMBER)


def _span_of_use(context: AnalysisContext, site: Site) -> Span:
    """The very words of a use: of ``f(x).cuda()`` the last, so that a use inside it is not taken for it."""
    if site.literal is not None:
        return context.span(site.literal)
    span = context.span(site.node)
    if isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute):
        return Span(context.span(site.node.func.value).end, span.end)
    return span


def _names(context: AnalysisContext, taken: list[Span]) -> Iterator[_FoundUse]:
    """Names of torch.cuda with their rows of the table."""
    texts = context.index.texts.values()
    inner = {id(node.value) for pairs in texts for node, _ in pairs if isinstance(node, ast.Attribute)}
    for pairs in texts:
        for node, stmt in pairs:
            name = context.tree.qualname(node, stmt.scope) if id(node) not in inner else None
            if name is None or not name.startswith(("torch.cuda.", "torch.utils.cpp_extension.")):
                continue
            known = api.find(name)
            if known is None and not name.startswith("torch.cuda."):
                continue
            span = context.span(node)
            if known is None and name.rpartition(".")[2] in TENSOR_TYPES:
                known = api.TENSOR_TYPE
            if (known is None or known.group != "portable") and not any(span.overlaps(other) for other in taken):
                yield _FoundUse(name, span, known=known)


def _imports(context: AnalysisContext) -> Iterator[_FoundUse]:
    for stmt in context.tree.stmts.values():
        node = stmt.node
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            package = next((p for p in api.PACKAGES if name == p or name.startswith(p + ".")), None)
            if package is not None:
                yield _FoundUse(
                    f"import {package}",
                    context.span(stmt),
                    known=api.CudaApi(CUDA_ONLY, "", what=api.PACKAGES[package]),
                )
                break
