"""Devices that are put together out of a number which the file gives: ``torch.device(f"cuda:{args.gpu}")``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.diagnostic import Replace, Span
from placefix.facts import premises
from placefix.facts.accelerators import CUDA
from placefix.facts.context import FileAnalysis
from placefix.facts.devices.cuda_uses import Site
from placefix.facts.devices.torch_imports import TorchImports
from placefix.facts.finding import Finding
from placefix.facts.naming import last, mentions_several_processes
from placefix.facts.program.ast_names import called_name, dotted, keyword_value
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.device_values import number_in
from placefix.facts.program.statement_forms import is_main_guard
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.single_gpu import OneGpu
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.tree import Stmt


class NumberedDevices(FileAnalysis):
    """The devices of one file whose number is a name or an option that is known to be a number."""

    def found(self) -> Iterator[Finding]:
        """Each such device that no condition decides about: it needs a GPU in every run. The fix of a word has the CPU in its place."""
        if self.context.accelerator is not CUDA or '"cuda' not in self.context.source.text.replace("'", '"'):
            return
        for call, stmt in self.context.index.calls:
            device = self._device(call, stmt)
            number = number_in(device) if device is not None else None
            gpu = dotted(number) if number is not None else ""
            if device is None or not self._is_number(gpu, stmt) or self._is_decided(call, stmt):
                continue
            what = f"`{self.context.text(device)}`"
            why_not = self.context.get(Refusals).of(Site("argument", call, stmt, device))
            torch = self.context.get(TorchImports).name_at(stmt)
            if why_not or torch is None:
                yield Finding(self.context.span(device), what, why_not=why_not)
                continue
            span, word = self.context.span(device), self.context.text(device)
            if device is call:  # torch.device("cuda", n)
                span = Span(self.context.span(call.args[0]).start, self.context.span(call.args[1]).end)
                word = f'f"cuda:{{{gpu}}}"'
            choice = f'{word} if {torch}.cuda.is_available() else "cpu"'
            edit = Replace(span, choice, self.context.source.segment(span))
            premise = premises.CPU_FOR_NUMBERED_GPU(index=f"{{{gpu}}}")
            yield Finding(self.context.span(device), what, (edit,), (premise,), device=choice)

    def _device(self, call: ast.Call, stmt: Stmt) -> ast.expr | None:
        """The expression of a numbered device in a call that needs a device; None without one."""
        name = self.context.tree.qualname(call.func, stmt.scope)
        if name == "torch.device":
            return call if len(call.args) == 2 else call.args[0] if call.args else None
        if called_name(call) == "to" and isinstance(call.func, ast.Attribute) and call.args:
            return call.args[0]
        if not torch_model.is_factory(name):
            return None
        return keyword_value(call, "device")

    def _is_number(self, gpu: str, stmt: Stmt) -> bool:
        """Whether a name is that of a number, and not that of a process."""
        owner = stmt.scope.lookup(gpu.partition(".")[0]) if gpu else None
        if owner is None or mentions_several_processes(last(gpu)):
            return False
        return self.context.get(OneGpu).is_number(gpu, owner, follow_callers=True)

    def _is_decided(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether a condition decides if the device is used, or the code around needs a GPU by its purpose."""
        if any(isinstance(part, (ast.IfExp, ast.BoolOp)) for part in walk(stmt.node)):
            return True
        if any(isinstance(owner.node, (ast.If, ast.Try)) and not is_main_guard(owner) for owner in stmt.ancestors()):
            return True
        site = self.context.get(Cuda).site("argument", call, stmt)
        return site.guard is not None or self.context.get(Intents).required(site)
