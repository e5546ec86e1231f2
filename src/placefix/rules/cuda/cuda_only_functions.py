"""Functions of torch.cuda that raise where there is no CUDA, and the guard that lets the program go on."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Insert, Replace
from placefix.facts import cuda_api, premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.accelerators import CUDA
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.cuda_dependence import CudaDependence
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.torch_imports import TorchImports
from placefix.facts.finding import Finding
from placefix.facts.interpret.provenance import TORCH, Provenance
from placefix.facts.naming import (
    mentions_counted_gpus,
    mentions_device_word,
    mentions_several_processes,
    names_gpu_code,
    names_tensorrt,
)
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import argument_values, called_name, dotted
from placefix.facts.program.ast_walk import children, walk
from placefix.facts.wording import unite
from placefix.rules.cuda.device_rewrite import DeviceRewrite
from placefix.rules.cuda.flag_conditions import asked_with_flag
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Edit, Span
    from placefix.facts.devices.cuda_uses import Site
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Premise, Reason

# The nodes of an expression for the number of a GPU; and words for a device.
_NUMBERS = (
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.UnaryOp,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
)
_KERNELS = tuple(f"{name}." for name in ("cupy", "pycuda", "triton", "numba", "cutlass")) + tuple(
    f"torch.cuda.{name}." for name in ("Stream", "stream", "Event", "CUDAGraph", "graph", "current_stream", "nvtx")
)
_SAYS = frozenset({"print", "log", "info", "debug", "warning", "write"})


class CudaOnly(FileAnalysis):
    """PF406 for one file."""

    cuda = requires(Cuda)

    def uses(self) -> Iterator[Finding]:
        """Every call that raises without CUDA and that nothing guards; none where the file is for CUDA anyway."""
        if self._needed():
            return
        for site, name in self.sites():
            if site.guard is None and not self.reason_to_keep(site):
                found = self._of(site, name)
                if found is not None:
                    yield found

    def sites(self) -> Iterator[tuple[Site, str]]:
        """Every call that raises without CUDA, guarded or not, with the function's last name."""
        accelerator = self.context.accelerator
        raising = accelerator.procedures | accelerator.answers
        for call, stmt in self.context.index.called(*sorted(raising)):
            if not isinstance(call.func, (ast.Attribute, ast.Name)):
                continue
            head, _, name = (self.tree.qualname(call.func, stmt.scope) or "").rpartition(".")
            if head == accelerator.functions and name in raising:
                yield self.cuda.site("call", call, stmt), name
        for call, stmt in self.context.index.called("pin_memory") if accelerator is CUDA else ():
            if self._pins(call, stmt):
                yield self.cuda.site("call", call, stmt), "pin_memory"
        for call, stmt in self.context.index.called("device") if accelerator is CUDA else ():
            if self._makes_current(call, stmt):
                yield self.cuda.site("call", call, stmt), "device"

    def _pins(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether a call is ``x.pin_memory()`` of a tensor, in code that no other test than one for CUDA decides about: whether memory
        is pinned is often a setting."""
        if not isinstance(call.func, ast.Attribute) or call.args or call.keywords:
            return False
        if stmt.scope.function_named(lambda name: "pin" in name) is not None:
            return False
        chosen = any(s is stmt and call in (n.body, n.orelse) for n, s in self.context.index.conditionals)
        if (chosen or any(isinstance(a.node, ast.If) for a in stmt.ancestors())) and self.cuda.guard(
            call, stmt
        ) is None:
            return False
        return self.context.get(Provenance).of(call.func.value, stmt.scope, "pin_memory") == TORCH

    def _makes_current(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether a statement is ``with torch.cuda.device(0):``, where the GPU has a number or the name of one. A block with the device of a
        tensor (``torch.cuda.device(x.device)``), or with streams and kernels inside, is for tensors on a GPU."""
        if not isinstance(stmt.node, (ast.With, ast.AsyncWith)) or not any(
            call is item.context_expr for item in stmt.node.items
        ):
            return False
        if len(call.args) != 1 or call.keywords or self.tree.qualname(call.func, stmt.scope) != "torch.cuda.device":
            return False
        parts = list(walk(call.args[0]))
        if any(not isinstance(p, _NUMBERS) for p in parts) or mentions_device_word(self.context.text(call.args[0])):
            return False
        inside = (n for part in stmt.node.body for n in ast.walk(part) if isinstance(n, (ast.Attribute, ast.Name)))
        return not any(f"{self.tree.qualname(n, stmt.scope)}.".startswith(_KERNELS) for n in inside)

    def reason_to_keep(self, site: Site) -> Reason | None:
        """Why a call is correct unchanged, and no finding; None if it is a finding."""
        if self._needed():
            return self.context.get(Refusals).of_file or reasons.NCCL_NEEDS_CUDA
        if self._meant(site.stmt):
            return reasons.MEANT_FOR_GPUS
        return self.context.get(Intents).of(site)

    def _needed(self) -> bool:
        """Whether the file cannot run without CUDA: it uses NCCL, or is refused as a whole."""
        text = self.tree.source.text
        return "nccl" in text or bool(self.context.get(Refusals).of_file)

    def _meant(self, stmt: Stmt) -> bool:
        """Whether the code around is for CUDA: under a test for a run on several GPUs, in a loop over the
        GPUs of the machine, or in a function named for them."""
        if (
            stmt.scope.function_named(names_gpu_code) is not None
            or stmt.scope.function_named(names_tensorrt) is not None
        ):
            return True
        if stmt.scope.cls is not None and names_tensorrt(stmt.scope.cls.name):
            return True
        return self.for_several(stmt)

    def for_several(self, stmt: Stmt) -> bool:
        """Whether a statement is for a run on several GPUs: under a test for one, or in a loop over the GPUs of the machine."""
        code = self.tree.source.code
        return any(
            (isinstance(a.node, ast.If) and mentions_several_processes(code(a.node.test)))
            or (isinstance(a.node, (ast.For, ast.AsyncFor)) and mentions_counted_gpus(code(a.node.iter)))
            for a in stmt.ancestors()
            if a is not stmt
        )

    def _of(self, site: Site, name: str) -> Finding | None:
        assert isinstance(site.node, ast.Call)
        accelerator = self.context.accelerator
        span, what = self.context.span(site.node.func), f"`{accelerator.functions}.{name}`"
        alone = isinstance(site.stmt.node, ast.Expr) and (
            site.stmt.node.value is site.node
            or (name in accelerator.answers and self._said(site.stmt.node.value, site))
        )
        reason = self.context.get(Refusals).of(site)
        if reason:
            return Finding(span, what, why_not=reason)
        if name == "device":
            return self._with_no_number(site, span, what)
        if name == "pin_memory":
            return self._not_pinned(site, span)
        if not alone and name == "current_device":
            why = reasons.GPU_NUMBER_USED
            return Finding(span, what, why_not=why) if not self._to_move(site) else None
        if not alone:
            return Finding(span, what, why_not=reasons.ANSWER_USED(accelerator=accelerator.title))
        if untestable := self.context.get(DeviceRewrite).untestable:
            return Finding(span, what, why_not=untestable)
        torch = self.context.get(TorchImports).name_at(site.stmt)
        if torch is None:
            return Finding(span, what, why_not=reasons.TORCH_NOT_NAMED)
        if not self._own_line(site.stmt):
            return Finding(span, what, why_not=reasons.SHARES_ITS_LINE)
        needed = self._needed_with(site.stmt)
        if needed is not None:
            row = self.context.source.row_name(self.context.source.line_of(self.context.span(needed).start))
            return Finding(span, what, why_not=reasons.STILL_NEEDS_CUDA(line=row))
        if self._measures_only(site.stmt):
            return Finding(span, what, why_not=reasons.MEASURES_GPU(function=site.stmt.scope.name))
        return self._guarded(site, name, torch)

    def _measures_only(self, stmt: Stmt) -> bool:
        """Whether the function of a statement keeps measurements of a GPU, which are 0 without one, and neither places anything nor has
        a device."""
        scope = stmt.scope
        if not scope.is_function or self.cuda.sites_of(scope) or any(True for _ in self.cuda.devices.candidates(stmt)):
            return False
        answers = cuda_api.MEASUREMENTS
        return any(
            where.scope is scope and not isinstance(where.node, ast.Expr)
            for call, where in self.context.index.called(*answers)
            if self.tree.qualname(call.func, scope) == f"{CUDA.functions}.{called_name(call)}"
        )

    def _needed_with(self, site: Stmt) -> ast.expr | None:
        """Another expression of the function that fails without CUDA, has no fix, and runs where `site` does: a guard would only change
        the error."""
        if self.context.accelerator is not CUDA or not site.scope.is_function:
            return None
        around = set(site.ancestors())
        for node, stmt in self.context.get(CudaDependence).causes(site.scope):
            tests = (a for a in stmt.ancestors() if a is not stmt and isinstance(a.node, (ast.If, ast.Try, ast.Match)))
            if around.issuperset(tests) and not self.for_several(stmt) and self.cuda.guard(node, stmt) is None:
                return node
        return None

    def _with_no_number(self, site: Site, span: Span, what: str) -> Finding:
        """The block is entered in any case: with a negative number `torch.cuda.device` does nothing."""
        assert isinstance(site.node, ast.Call)
        torch = self.context.get(TorchImports).name_at(site.stmt)
        if torch is None:
            return Finding(span, what, why_not=reasons.TORCH_NOT_NAMED)
        number, question = self.context.span(site.node.args[0]), f"{torch}.cuda.is_available()"
        text = self.context.source.segment(number)
        edit = Replace(number, f"{text} if {question} else -1", text)
        self.context.cuda_tests[edit] = site.stmt.scope
        return Finding(span, what, (edit,), device=question)

    def _not_pinned(self, site: Site, span: Span) -> Finding:
        """Without CUDA the tensor itself is used: a value that a statement assigns is pinned by another statement, for a name elsewhere
        there is a choice."""
        assert isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute)
        what = "`torch.Tensor.pin_memory`"
        torch = self.context.get(TorchImports).name_at(site.stmt)
        if torch is None:
            return Finding(span, what, why_not=reasons.TORCH_NOT_NAMED)
        question, source, whole = f"{torch}.cuda.is_available()", self.context.source, self.context.span(site.node)
        text, tensor = source.segment(whole), source.segment(self.context.span(site.node.func.value))
        target, statement = assigned_text(site.stmt.node), self.context.span(site.stmt)
        assigned = target and site.stmt.node.value is site.node and self._own_line(site.stmt)  # type: ignore[attr-defined]
        apart = assigned and "#" not in text.replace(tensor, "", 1)  # no comment is lost
        edits: tuple[Edit, ...]
        if assigned and tensor == target:
            margin, unit, newline = self._indents(statement)
            line = source.segment(statement)
            edits = (Replace(statement, f"if {question}:{newline}{margin}{unit}{line}", line),)
        elif apart:
            pins = Insert(statement, f"if {question}:\n    {target} = {target}.pin_memory()", "after")
            edits = (Replace(whole, tensor, text), pins)
        elif dotted(site.node.func.value):
            edits = (Replace(whole, f"({text} if {question} else {tensor})", text),)
        else:
            return Finding(span, what, why_not=reasons.ANSWER_USED(accelerator=self.context.accelerator.title))
        self.context.cuda_tests[edits[-1]] = site.stmt.scope
        return Finding(span, what, edits, device=question)

    def _indents(self, statement: Span) -> tuple[str, str, str]:
        """The margin of a statement, one more indent, and the end of a line."""
        line = self.context.source.line(self.context.source.line_of(statement.start))
        margin = line[: len(line) - len(line.lstrip())]
        return margin, self._unit(margin), self.context.source.newline

    def _to_move(self, site: Site) -> bool:
        """Whether the result is the destination of a move: then PF401 reports it."""
        moves = (
            c for c, s in self.context.index.calls if s is site.stmt and getattr(c.func, "attr", "") in ("cuda", "to")
        )
        return any(site.node in argument_values(call) for call in moves)

    def _said(self, expr: ast.expr, site: Site) -> bool:
        """Whether the statement only prints the answer, and others of the same kind: nothing that there is without CUDA, too."""
        if not isinstance(expr, ast.Call) or dotted(expr.func).rpartition(".")[2] not in _SAYS:
            return False
        parts: list[ast.AST] = [*expr.args, *expr.keywords]
        while parts:
            part = parts.pop()
            if isinstance(part, ast.Call):
                name = self.tree.qualname(part.func, site.stmt.scope) or ""
                if not name.startswith(f"{self.context.accelerator.functions}."):
                    return False
            elif isinstance(part, ast.Name):
                return False
            else:
                parts += children(part)
        return True

    def _own_line(self, stmt: Stmt) -> bool:
        """Whether no other statement is on the line; a semicolon at its end, as notebooks have it, is none."""
        text, span = self.context.source.text, self.context.span(stmt)
        before = text[max(text.rfind("\n", 0, span.start), text.rfind("\r", 0, span.start)) + 1 : span.start]
        behind = next(iter(text[span.end :].splitlines()), "").lstrip().removeprefix(";").lstrip()
        return not before.strip() and (not behind or behind.startswith("#"))

    def _guarded(self, site: Site, name: str, torch: str) -> Finding:
        span = self.context.span(site.stmt)
        text = self.context.source.segment(span)
        settings, question, new = self.context.settings, self.context.get(Devices).availability(site.stmt, torch), text
        premise: Premise | None = None
        since = api.ACCELERATOR_SINCE.get(name) if self.context.accelerator is CUDA else None
        if settings.device_idiom == "accelerator" and since is not None and settings.target_torch >= since[1]:
            assert isinstance(site.node, ast.Call)
            func = self.context.text(site.node.func)
            new = f"{torch}.accelerator.{since[0]}" + text.removeprefix(func)
            question, premise = f"{torch}.accelerator.is_available()", premises.OTHER_ACCELERATORS
        what = f"`{self.context.accelerator.functions}.{name}`"
        if new == text and (edit := self._with_flag(site.stmt, torch) or self._joined(site.stmt, question)) is not None:
            self.context.cuda_tests[edit] = site.stmt.scope
            return Finding(self.context.span(site.node), what, (edit,), unite(premise), device=question)
        margin, unit, newline = self._indents(span)
        guarded = f"if {question}:{newline}{margin}{unit}{new}"
        edit = Replace(span, guarded, text)
        self.context.cuda_tests[edit] = site.stmt.scope
        return Finding(self.context.span(site.node), what, (edit,), unite(premise), device=question)

    def _with_flag(self, stmt: Stmt, torch: str) -> Replace | None:
        """The edit that asks for the accelerator where the flag around a statement is set."""
        asked = f"{torch}.{self.context.accelerator.available}()"
        return asked_with_flag(self.context, stmt, self._call_statements, asked)

    @cached_property
    def _call_statements(self) -> set[Stmt]:
        """The statements that are nothing but a call that raises without CUDA."""
        return {site.stmt for site, _ in self.sites() if isinstance(site.stmt.node, ast.Expr)}

    def _joined(self, stmt: Stmt, question: str) -> Replace | None:
        """The edit that adds a question to the test of the ``if`` that runs nothing but `stmt`; None where there is no such ``if``, or
        its test has several lines."""
        owner = stmt.suite.owner
        if owner is None or not isinstance(owner.node, ast.If) or owner.node.orelse or len(owner.node.body) != 1:
            return None
        test = owner.node.test
        span = self.context.span(test)
        text = self.context.source.segment(span)
        if "\n" in text or "\r" in text or isinstance(test, (ast.NamedExpr, ast.Yield, ast.YieldFrom)):
            return None
        whole = isinstance(test, (ast.IfExp, ast.Lambda)) or (
            isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or)
        )
        return Replace(span, f"({text}) and {question}" if whole else f"{text} and {question}", text)

    @staticmethod
    def _unit(margin: str) -> str:
        return "\t" if margin.startswith("\t") else "  " if len(margin) % 4 == 2 else "    "
