"""How a tensor that a function makes on the CPU is written to be on a device."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.diagnostic import Replace
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis
from placefix.facts.devices.torch_imports import TorchImports
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import argument_values, keyword_value
from placefix.rules.tensors.module_runs import keeps_place

if TYPE_CHECKING:
    from placefix.facts.interpret.device_facts import Creation
    from placefix.facts.program.tree import Stmt


class CreationRepairs(FileAnalysis):
    """The repairs in one file."""

    def read_by_numpy(self, creation: Creation) -> str:
        """The name of a tensor that the function passes to numpy without a move; "" if it does not."""
        node = creation.stmt.node
        name = assigned_text(node)
        start, end = self.tree.extent(creation.scope)
        if not creation.stmt.in_loop():  # above the creation the name has another value
            start = self.context.source.span(node).end
        text = self.context.source.text[start:end] if name else ""
        if "numpy" not in text and "np." not in text:
            return ""
        own = rf"(?<![\w.]){re.escape(name)}"
        reads = rf"{own}(?:\.(?!cpu\b)\w+(?:\([^()]*\))?)*\.numpy\s*\(|\b(?:np|numpy)(?:\.\w+)+\(\s*{own}\s*[,)]"
        return name if re.search(reads, text) else ""

    def moved(self, node: ast.Call, stmt: Stmt, device: str) -> Replace:
        """``zeros(…, device=…)``, or ``.to(…)`` where that would draw other numbers or is not to be had."""
        name = self.tree.qualname(node.func, stmt.scope) or ""
        leaf = keyword_value(node, "requires_grad") is not None
        if torch_model.takes_device(name) and (leaf or not torch_model.is_random(name)):
            return self._with_argument(node, f"device={device}")
        source = self.context.source
        dtype = api.TENSOR_TYPES.get(name.removeprefix("torch."))
        torch = self.context.get(TorchImports).name_at(stmt)
        if dtype is not None and torch is not None and _is_comparison(node):  # the type takes no tensor of a device
            span = source.span(node)
            given = source.segment(source.span(node.args[0]))
            made = f"{torch}.as_tensor({given}, dtype={torch}.{dtype}, device={device})"
            return Replace(span, made, source.segment(span))
        span = source.span(self.chain(node, stmt))
        text = source.segment(span)
        return Replace(span, f"{text}.to({device})", text)

    def chain(self, node: ast.Call, stmt: Stmt) -> ast.expr:
        """``from_numpy(a).float()`` around ``from_numpy(a)``, if a statement assigns or returns that."""
        value = getattr(stmt.node, "value", None)
        part = value
        while isinstance(part, ast.Call) and part is not node:
            func = part.func
            if not isinstance(func, ast.Attribute) or not keeps_place(part):
                return node
            part = func.value
        return value if part is node and isinstance(value, ast.expr) else node

    def _with_argument(self, node: ast.Call, argument: str) -> Replace:
        source = self.context.source
        span = source.span(node)
        text = source.segment(span)
        last = max(source.span(n).end for n in argument_values(node)) - span.start
        rest = re.sub(r"#[^\r\n]*", "", text[last:])
        if rest.strip(" \t\r\n,\\") != ")":  # parentheses around the last argument
            last = len(text) - 1
        return Replace(span, f"{text[:last]}, {argument}{text[last:]}", text)


def _is_comparison(node: ast.Call) -> bool:
    """Whether the only argument of a call compares two values: ``torch.BoolTensor(x == 0)``."""
    return len(node.args) == 1 and not node.keywords and isinstance(node.args[0], ast.Compare)
