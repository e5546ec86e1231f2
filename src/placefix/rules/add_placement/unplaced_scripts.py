"""Scripts that place nothing at all: where their modules can be placed.

`Unplaced` finds the script and writes the first step, a device and the placement of the modules; the other rules place the
other values, and `unproven_placement` checks the result.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Insert
from placefix.facts import reasons
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.execution import Execution
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.facts.naming import mentions_device, mentions_gpu_option
from placefix.facts.program.assignments import leaf_targets, only_target
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.tree import dominates
from placefix.rules.tensors.tensor_moves import moved
from placefix.rules.tensors.unplaced_modules import UnplacedModules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Edit
    from placefix.facts.interpret.values import Event
    from placefix.facts.program.tree import Scope, Stmt

# Code with one of these has decided about devices, or lets others run it: in other processes, on compiled graphs,
# or with placement by a framework.
_ELSEWHERE = (
    "torch.distributed.", "torch.multiprocessing.", "torch.jit.", "torch.onnx.", "torch.fx.", "torch.quantization.", "torch.ao.", "torch.func.",
    "torch.set_default_", "torch.autograd.Function", "torch.utils.checkpoint", "transformers.Trainer", "transformers.TrainingArguments",
)  # fmt: skip
_GROWS = frozenset(
    ("add_module", "register_module", "register_parameter", "register_buffer", "append", "extend", "insert")
)


class Unplaced(FileAnalysis):
    """Answers for one file."""

    flow = requires(Flow)

    def script(self) -> Finding | None:
        """The script, where it is one that trains and that places and decides nothing."""
        if self.context.tree.framework or self._decides() or not self.context.get(Execution).is_script:
            return None
        made = list(self._modules())
        first = next((s for s in self.context.tree.root.body.stmts), None)
        if not made:
            if first is None or not self.flow.index.of_kind("optimizer"):
                return None
            step = self.flow.index.of_kind("optimizer")[0]
            return Finding(self.context.span(step.node), why_not=reasons.OPTIMIZES_NO_OWN_MODULE)
        return self._placed(made)

    def _decides(self) -> bool:
        """Whether the file mentions devices, or lets other code run it."""
        if any(mentions_device(text) for text in self.index.texts):
            return True
        if self.flow.index.of_kind("place") or self.flow.index.of_kind("wrap"):
            return True
        for node in self.context.tree.root.nodes:
            if isinstance(node, ast.keyword) and node.arg is not None and mentions_device(node.arg):
                return True
            if isinstance(node, ast.arg) and mentions_device(node.arg):
                return True
            if isinstance(node, ast.Attribute) and node.attr in ("to", "cuda", "cpu", "xpu"):
                return True
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and len(node.value) < 80
                and mentions_gpu_option(node.value)
            ):
                return True
        return any(
            (self.context.tree.qualname(node, stmt.scope) or "").startswith(_ELSEWHERE)
            for pairs in self.index.texts.values()
            for node, stmt in pairs[:1]
        )

    def _modules(self) -> Iterator[Event]:
        """The modules with parameters that the script makes for itself: no parts of others."""
        seen: set[ast.expr] = set()
        for event in self.flow.events:
            obj = event.obj
            if event.kind != "module" or obj.base is not None or obj in self.flow.held or event.node in seen:
                continue
            owner: Scope | None = event.stmt.scope
            while owner is not None and not (owner.is_class and self.flow.class_info(owner).is_module):
                owner = owner.parent
            if (
                owner is None
                and not self._is_part(event)
                and (obj.loss or self.context.get(UnplacedModules).has_parameters(obj))
            ):
                seen.add(event.node)
                if not obj.loss:
                    yield event

    @staticmethod
    def _is_part(event: Event) -> bool:
        """``model.fc = nn.Linear(…)``: it goes with the whole."""
        node = event.stmt.node
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        while isinstance(target, ast.Subscript):
            return True
        text = dotted(target) if target is not None else ""
        return text.count(".") > 1 or ("." in text and not text.startswith("self."))

    def _placed(self, made: list[Event]) -> Finding:
        names: list[str] = []
        placements: list[
            tuple[Stmt, ast.expr | None, str]
        ] = []  # the statement; the call to extend, or None to insert behind it
        span = self.context.span(made[0].node)
        for event in made:
            name = self._name(event)
            if not name:
                return Finding(self.context.span(event.node), why_not=reasons.MODULE_NOT_MADE_ALONE)
            names.append(name)
            last = self._last_part(name, event.stmt)
            if last is None:
                return Finding(span, why_not=reasons.PARTS_SET_LATER(module=name), names=tuple(names))
            placements.append((last, event.node if last is event.stmt else None, name))
        found = self.context.get(Devices).for_script([stmt for stmt, _, _ in placements])
        if found is None:
            return Finding(
                span,
                why_not=reasons.NO_LINE_FOR_SCRIPT_DEVICE,
                names=tuple(names),
            )
        device, edits = found
        steps: list[Edit] = list(edits)
        for stmt, call, name in placements:
            if call is not None:
                steps.append(moved(self.context.source, call, device))
            else:
                steps.append(Insert(self.context.span(stmt), f"{name} = {name}.to({device})", "after"))
        return Finding(span, edits=tuple(steps), names=tuple(names))

    @staticmethod
    def _name(event: Event) -> str:
        """The name that the module is bound to by the statement that makes it, alone or as one of several; "" if none."""
        target = only_target(event.stmt.node)
        pairs = leaf_targets(target, event.stmt.node.value) if target is not None else ()  # type: ignore[attr-defined]
        return next((dotted(one) for one, given in pairs if given is event.node), "")

    def _last_part(self, name: str, made: Stmt) -> Stmt | None:
        """The last statement that gives the module another part; the one that makes it if none does; None if such a
        statement is in another suite, or after the module's first use."""
        last = made
        for stmt in self.context.tree.stmts.values():
            if stmt is made or not self._adds_part(stmt, name):
                continue
            if stmt.suite is not made.suite or stmt.index < made.index:
                return None
            if stmt.index > last.index:
                last = stmt
        if last is made:
            return made
        for event in self.flow.events:
            if (
                event.kind in ("optimizer", "call")
                and event.stmt.scope is made.scope
                and not dominates(last, event.stmt)
            ):
                return None
        return last

    def _adds_part(self, stmt: Stmt, name: str) -> bool:
        node = stmt.node
        targets: list[ast.expr] = node.targets if isinstance(node, ast.Assign) else []
        for target in targets:
            inner = target
            while isinstance(inner, ast.Subscript):
                inner = inner.value
            text = dotted(inner)
            if text.startswith(name + ".") and not text.endswith((".requires_grad", ".data", ".training")):
                return True
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _GROWS:
            return dotted(call.func.value).startswith(name) and dotted(call.func.value)[len(name) : len(name) + 1] in (
                "",
                ".",
            )
        return False
