"""GPUs by a fixed number behind a test for CUDA alone: ``torch.device("cuda:2" if torch.cuda.is_available() else "cpu")``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import reasons
from placefix.facts.accelerators import CUDA
from placefix.facts.context import FileAnalysis
from placefix.facts.devices.device_selection import Devices
from placefix.facts.finding import Finding
from placefix.facts.program.device_values import device_of_word
from placefix.rules.cuda.gpu_requirements import Intents
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Iterator


class FixedIndices(FileAnalysis):
    """The fixed numbers of one file. A file that names several GPUs spreads its work on purpose."""

    def found(self) -> Iterator[tuple[Finding, int]]:
        """Each word for a GPU that a machine with CUDA need not have, with the number of the GPU."""
        indices = self.context.get(Refusals).indices
        if self.context.accelerator is not CUDA or len(indices) != 1 or 0 in indices:
            return
        for word in self._words():
            device = device_of_word(word.value)
            if device is not None and device.is_cuda and device.index:
                why_not = reasons.NAMES_GPU(index=device.index)
                yield Finding(self.context.span(word), f"`{self.context.text(word)}`", why_not=why_not), device.index

    def _words(self) -> Iterator[ast.Constant]:
        """The words for devices that a test for CUDA decides about."""
        tests = self.context.get(Devices).tests
        for node, stmt in self.context.index.conditionals:
            test = tests.read(node.test, stmt.scope)
            arm = node.orelse if test is not None and test.negated else node.body
            if isinstance(arm, ast.Call) and self.context.tree.qualname(arm.func, stmt.scope) == "torch.device":
                arm = arm.args[0] if len(arm.args) == 1 else arm
            if test is not None and test.available and isinstance(arm, ast.Constant):
                yield arm
        for site in self.context.get(Cuda).sites:
            guard, word = site.guard, site.literal
            if guard is None or guard.test is None or not guard.test.available or isinstance(guard.node, ast.IfExp):
                continue
            if guard.positive != guard.test.negated and isinstance(word, ast.Constant):
                if not self.context.get(Intents).required(site):
                    yield word
