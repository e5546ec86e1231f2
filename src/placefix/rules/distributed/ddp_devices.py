"""DistributedDataParallel wraps whose `device_ids` do not fit their module."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Replace
from placefix.facts import premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.context import FileAnalysis
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.ast_names import dotted, literal_int
from placefix.rules.ordering.wraps import Wraps, device_ids, only_device_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.interpret.values import Event


class DeviceIdMismatch(NamedTuple):
    """A wrap and the two GPUs that ought to be one. held: that of the module; given: that of `device_ids`."""

    finding: Finding
    held: int
    given: int


class DdpDevices(FileAnalysis):
    """PF105 for one file."""

    def several(self) -> Iterator[Finding]:
        """The wraps with more than one device id: the constructor raises, wherever the module is. One for each GPU of the machine is in
        doubt, because there may be one."""
        for wraps in self._wraps():
            ids = device_ids(wraps[0])
            if ids is None:
                continue
            found = Finding(self.context.span(ids), why_not=reasons.PROCESS_GPU_NOT_KNOWN())
            if isinstance(ids, (ast.List, ast.Tuple)):
                if len(ids.elts) > 1:
                    yield found
            elif self._counts_gpus(ids, wraps[0]):
                yield found._replace(doubt=premises.ONE_GPU_MAY_BE_VISIBLE)

    def _wraps(self) -> list[list[Event]]:
        """The DDP wraps, those at one place in the text together."""
        groups: dict[ast.expr, list[Event]] = {}
        for event in self.context.get(Flow).index.of_kind("wrap"):
            if event.what == api.DDP:
                groups.setdefault(event.node, []).append(event)
        return list(groups.values())

    def _counts_gpus(self, ids: ast.expr, wrap: Event) -> bool:
        """Whether an expression lists the numbers of all visible GPUs: ``list(range(torch.cuda.device_count()))``."""
        scope = wrap.stmt.scope
        if isinstance(ids, ast.Name):
            owner = scope.lookup(ids.id)
            value = self.context.index.only_value(owner, ids.id) if owner is not None else None
            return isinstance(value, ast.Call) and self._counts_gpus(value, wrap)
        if not isinstance(ids, ast.Call):
            return False
        if dotted(ids.func) in ("list", "tuple", "range"):
            return len(ids.args) == 1 and self._counts_gpus(ids.args[0], wrap)
        return self.context.tree.qualname(ids.func, scope) == "torch.cuda.device_count"

    def unplaced(self) -> Iterator[Finding]:
        """The wraps with a device id whose module is still on the CPU, and stays there: the constructor raises."""
        for wrap in self.context.get(Wraps).unplaced(api.DDP):
            event = wrap.event
            first, arg = only_device_id(event), event.arg_node
            if first is None or arg is None:
                continue
            root = event.obj.root()
            found = Finding(
                self.context.span(event.node),
                premises=root.premises,
                doubt=premises.CLASS_MAY_PLACE(cls=root.name) if root.premises else None,
            )
            number = self.context.text(first)
            if isinstance(arg, (ast.Name, ast.Attribute, ast.Call)) and dotted(first):
                span, code = self.context.span(arg), self.context.text(arg)
                yield found._replace(edits=(Replace(span, f"{code}.to({number})", code),))
            else:
                yield found._replace(why_not=reasons.PROCESS_GPU_NOT_KNOWN())

    def elsewhere(self) -> Iterator[DeviceIdMismatch]:
        """The wraps of a module on one GPU with the number of another as their device id: the forward raises."""
        for wraps in self._wraps():
            first = only_device_id(wraps[0])
            given = literal_int(first)
            held = {e.place.device.index if e.place and e.place.is_device and e.place.device else None for e in wraps}
            number = held.pop() if len(held) == 1 else None
            called = any(self.context.get(Flow).index.of_object("call", wrap.obj) for wrap in wraps)
            if first is None or given is None or number is None or number == given or not called:
                continue
            finding = Finding(self.context.span(first), why_not=reasons.HELD_ON_ANOTHER_GPU(held=number, first=given))
            yield DeviceIdMismatch(finding, number, given)
