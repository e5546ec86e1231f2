"""Traces of modules: devices that ``torch.jit.trace`` records as constants, those of the tensors that `forward` makes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts.context import FileAnalysis
from placefix.facts.interpret.provenance import Provenance
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import called_name, dotted, keyword_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Span
    from placefix.facts.program.tree import Scope, Stmt

_GOES_ELSEWHERE = frozenset(("save", "to", "cuda", "cpu"))


class TracedDevices(FileAnalysis):
    """The traces of one file."""

    def kept(self) -> Iterator[tuple[Span, str]]:
        """Each trace of a module of the file that is saved or moved, and whose `forward` makes a tensor on a device; with the text that
        makes it."""
        context = self.context
        for call, stmt in context.index.called("trace"):
            if context.tree.qualname(call.func, stmt.scope) != "torch.jit.trace" or not call.args:
                continue
            classes = context.get(Provenance).module_classes(call.args[0], stmt.scope)
            made = next((text for cls in classes for text in self._made(cls)), "")
            if made and self._goes_elsewhere(call, stmt):
                yield context.span(call), made

    def _made(self, cls: Scope) -> Iterator[str]:
        """The calls in `forward` that make a tensor on a device which is not the CPU."""
        forward = cls.functions.get("forward")
        for node in forward.nodes if forward is not None else ():
            if not isinstance(node, ast.Call):
                continue
            name = self.context.tree.qualname(node.func, forward) if forward is not None else None
            device = keyword_value(node, "device")
            plain = isinstance(device, ast.Constant) and device.value in (None, "cpu")
            if torch_model.is_factory(name) and device is not None and not plain:
                yield f"{dotted(node.func)}(…, device={self.context.text(device)})"

    def _goes_elsewhere(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether the trace is saved or moved: at once, or by the name that it is assigned to."""
        name = assigned_text(stmt.node)
        for other, where in self.context.index.called(*_GOES_ELSEWHERE):
            func = other.func
            receiver = func.value if isinstance(func, ast.Attribute) else None
            if receiver is call or (receiver is not None and name and dotted(receiver) == name and where is not stmt):
                return True
            saves = called_name(other) == "save" and other.args
            if saves and (other.args[0] is call or (name and dotted(other.args[0]) == name)):
                return True
        return False
