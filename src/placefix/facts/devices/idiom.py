"""How a new device finds the device of a machine: CUDA or the CPU, or by torch.accelerator."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts import premises, reasons
from placefix.facts.accelerators import CUDA
from placefix.facts.devices.cuda_uses import CudaUses
from placefix.facts.program.tree import dominates

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Premise, Reason

# torch.accelerator exists since the first, current_accelerator takes check_available since the second.
_SINCE, _CHECKS_SINCE = (2, 6), (2, 7)
# Code with one of these may run without CUDA: it tests for CUDA, names another device, or goes on after an error. A device that this module
# defines is none of these.
_DEFINED = (r"check_available=True\) or torch", r"accelerator\.is_available\(\) else torch")
_OTHER_DEVICE = (
    rf"""{"".join(rf"(?<!{made}.device.)" for made in _DEFINED)}(?<!map_location=)["'](?:cpu|mps|xpu|npu|hpu)\b"""
)
_RUNS_WITHOUT = rf"\b(?:is_available(?<!accelerator\.is_available)|device_count|is_cuda|no_cuda|use_cuda|suppress|torch_npu|torch_xla|torch_directml|habana_frameworks)\b|{_OTHER_DEVICE}"
_MAY_RUN_WITHOUT = re.compile(_RUNS_WITHOUT)
# Types that only CUDA devices have.
_NEEDS_FLOAT64 = re.compile(r"\b(?:float64|double|DoubleTensor|complex128|cdouble)\b")


class Idiom:
    """The answers for one file, by the setting `device_idiom`."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        # torch.accelerator takes the place of CUDA alone
        self.name = context.settings.device_idiom if context.accelerator is CUDA else "cuda"
        self._target = context.settings.target_torch

    def device(self, torch: str, stmts: Iterable[Stmt]) -> str:
        """The device of a machine as code, for a definition that serves `stmts`. torch: how torch is named there.

        Without an accelerator, current_accelerator gives None, and `.to(None)` moves nothing without an error: hence the second operand.
        """
        cpu = f'{torch}.device("cpu")'
        if not self.is_accelerators(stmts):
            accelerator = self.context.accelerator
            return f'{torch}.device("{accelerator.name}" if {torch}.{accelerator.available}() else "cpu")'
        if self._target < _CHECKS_SINCE:
            return f"{torch}.accelerator.current_accelerator() if {torch}.accelerator.is_available() else {cpu}"
        return f"{torch}.accelerator.current_accelerator(check_available=True) or {cpu}"

    def is_accelerators(self, stmts: Iterable[Stmt]) -> bool:
        """Whether a definition that serves `stmts` uses torch.accelerator."""
        if self.name == "auto":
            return self._target >= _SINCE and self.never_ran_without_cuda(stmts)
        return self.name == "accelerator" and self._target >= _CHECKS_SINCE

    @property
    def premise(self) -> Premise | None:
        """Why a definition by torch.accelerator is unsafe; None where the code is known to run with CUDA only, or where none is used."""
        if self.name == "accelerator" and self._target >= _CHECKS_SINCE:
            return premises.OTHER_ACCELERATORS
        return None

    def hint(self, stmts: Iterable[Stmt]) -> Reason | None:
        """Which target-torch makes a definition for `stmts` use torch.accelerator; None where that depends on more, or is so already."""
        if self.name != "auto" or self._target >= _SINCE or not self.never_ran_without_cuda(stmts):
            return None
        needed, target = (".".join(map(str, version)) for version in (_SINCE, self._target))
        return reasons.ACCELERATOR_SINCE(needed=needed, target=target)

    def never_ran_without_cuda(self, stmts: Iterable[Stmt]) -> bool:
        """Whether each of `stmts` is, or comes after, a use of CUDA that raises without it, in a file, and in files that run with it, that
        never query CUDA and name no other device."""
        return self._only_on_cuda and all(self._raised(stmt) for stmt in stmts)

    def _raised(self, stmt: Stmt) -> bool:
        """Whether a statement is a use of CUDA, or one comes before it on every path."""
        uses = [site.stmt for site in self.context.get(CudaUses).sites if site.stmt.scope is stmt.scope]
        return any(use is stmt or dominates(use, stmt) for use in uses)

    @cached_property
    def _only_on_cuda(self) -> bool:
        """Whether each use of CUDA in the file raises without it, and nothing in reach runs in another way there."""
        context = self.context
        uses, text = context.get(CudaUses), context.source.text
        return (
            bool(uses.sites)
            and all(s.guard is None and not s.index and s.extra is None and not uses.is_right(s) for s in uses.sites)
            and not _MAY_RUN_WITHOUT.search(text)
            and not _NEEDS_FLOAT64.search(text)
            and not (context.home is not None and context.home.sharing(_RUNS_WITHOUT))
        )
