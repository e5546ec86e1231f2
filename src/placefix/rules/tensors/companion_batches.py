"""Parts of a batch that stay on the CPU, where the function moves another part of it.

The evidence is a run with assumptions (`facts.interpret.arrivals`): nothing is known of the loader, or of the argument, but that the
function moves a part of each item.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import premises
from placefix.facts.context import FileAnalysis
from placefix.facts.finding import Finding
from placefix.facts.interpret.arrivals import Arrivals
from placefix.facts.interpret.arriving_values import assumptions, fed_alike, is_of_method
from placefix.facts.interpret.flow import Flow
from placefix.facts.naming import last, names_called_module
from placefix.facts.program.ast_names import dotted, last_name
from placefix.facts.wording import unite
from placefix.rules.tensors.device_conflicts import Conflicts
from placefix.rules.tensors.script_tensors import HostTensors
from placefix.rules.tensors.sibling_evidence import READ_BARE
from placefix.rules.tensors.tensor_moves import moved, scatters_inputs, yields_moved
from placefix.rules.tensors.unmoved_batches import Batches
from placefix.rules.tensors.unplaced_modules import UnplacedModules
from placefix.rules.tensors.unread_devices import UnreadDevices

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.diagnostic import Span
    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.arriving_values import Assumptions, CallWords, FedAlike
    from placefix.facts.interpret.values import Event, EventKind
    from placefix.facts.program.device_values import Device

_MAKES: tuple[EventKind, ...] = ("module", "copy")
_RUNS = 2  # a function that only the first of them runs may show more


class Companion(NamedTuple):
    """A finding, and the device of the other operand in words (`Conflicts.against`)."""

    found: Finding
    against: str


class CompanionBatches(FileAnalysis):
    """Answers for one file."""

    def forgotten(self) -> Iterator[Companion]:
        """Tensors that arrive with one that the function moves, and meet it, or the output of a module for it, unmoved."""
        supposed = None if self.context.get(yields_moved) else self._supposed
        if supposed is None:
            return
        yield from self._unknown(supposed.get(Batches).misplaced(), supposed)

    def made_beside(self) -> Iterator[Companion]:
        """Tensors that the file makes on the CPU, and that meet the output of a module that is not seen, or a value that arrives with one
        that is moved."""
        if self.context.get(yields_moved) or not self._moves_something or not self._may_leave_tensors:
            return
        supposed = self.run
        yield from self._unknown(supposed.get(HostTensors).misplaced(), supposed)

    def unplaced(self) -> Iterator[Finding]:
        """Modules that the file makes and never places, and that get tensors of a device, if code that is not seen leaves them where they are."""
        if self.context.get(yields_moved) or all(device.is_of_tensor for device in self._devices):
            return
        if not self._calls_unplaced or (self._supposed is None and not self._makes_unplaced):
            return
        supposed = self.run
        known = {found.span for found in self.context.get(UnplacedModules).modules()}
        for found in supposed.get(UnplacedModules).modules():
            if found.span not in known:
                of_code = found.doubt is premises.UNKNOWN_CODE_MAY_PLACE
                assumed = premises.LEFT_BY_UNKNOWN_CODE if of_code else premises.ELEMENT_IS_TENSOR
                doubt = found.doubt or premises.ARGUMENTS_NOT_SEEN
                yield found._replace(premises=unite(found.premises, assumed), doubt=doubt)

    def _unknown(self, findings: Iterable[Finding], supposed: AnalysisContext) -> Iterator[Companion]:
        """Those findings of a run with assumptions that the run without them has not."""
        known = self._known
        flow = supposed.get(Flow)
        leaves_out = isinstance(flow, Arrivals) and flow.leaves_out
        for found in findings:
            if any(pair in known for pair in found.met):
                continue
            against = supposed.get(Conflicts).against(found.met)
            assumed = unite(found.premises, premises.SETS_OTHERS if leaves_out else ())
            doubt = found.doubt or (premises.DEVICE_NOT_SEEN if leaves_out else None)
            yield Companion(found._replace(premises=assumed, doubt=doubt), against)

    @property
    def _calls_unplaced(self) -> bool:
        """Whether a module is called that no line places."""
        index = self.context.get(Flow).index
        return any(event.obj.root() not in index.placed for event in index.of_kind("call"))

    @property
    def _makes_unplaced(self) -> bool:
        """Whether the file may make a module that no line places, in code that the run without assumptions runs or in other."""
        flow = self.context.get(Flow)
        made = (event.obj.root() for kind in _MAKES for event in flow.index.of_kind(kind))
        unread = self.context.get(UnreadDevices).functions
        return bool(flow.brought or unread) or any(root not in flow.index.placed for root in made)

    @property
    def _may_leave_tensors(self) -> bool:
        """Whether the file may make tensors on the CPU that a run with assumptions finds: such a run runs more of its code, or takes
        something that it calls for a module."""
        if self._supposed is not None or self.context.get(UnreadDevices).functions:
            return True
        flow = self.context.get(Flow)
        return flow.makes_on_host and (bool(flow.index.of_kind("call")) or self._calls_by_name)

    @property
    def _calls_by_name(self) -> bool:
        """Whether the file calls something that is a module by its name, or sets attributes by names that it computes (`Arrivals`)."""
        owners = (call.func for call, _ in self.context.index.calls)
        names = {last_name(part) for func in owners for part in (func, getattr(func, "value", func))}
        return any(map(names_called_module, names)) or "setattr" in self.context.source.text

    @property
    def _moves_something(self) -> bool:
        """Whether something of the file is moved to a device, or made there."""
        return bool(self._devices)

    @cached_property
    def _devices(self) -> list[Device]:
        """The devices that something of the file is moved to, or made on."""
        index = self.context.get(Flow).index
        moved_to = [event.place for event in index.of_kind("place")]
        made_on = [event.obj.place for event in index.of_kind("factory")]
        places = (place for place in (*moved_to, *made_on) if place is not None and place.is_off_cpu)
        return [place.device for place in places if place.device is not None]

    def read_by_numpy(self) -> Iterator[Finding]:
        """Tensors computed from the results of modules that are not seen, and get tensors on a device, which numpy reads without a copy.
        A result itself may be an array, or on the CPU."""
        text = self.context.source.text
        if not READ_BARE.search(text):
            return
        supposed = self.run
        flow = supposed.get(Flow)
        assert isinstance(flow, Arrivals)
        results = {event.node for event in flow.index.of_kind("call")}
        for event in flow.reads:
            node = event.arg_node
            device = event.place.device if event.place is not None else None
            if (
                event.what != "numpy"
                or node is None
                or device is None
                or device.is_of_tensor
                or _may_be_array(event, results)
            ):
                continue
            yield Finding(
                self.context.span(node),
                edits=(moved(self.context.source, node, ".cpu()"),),
                premises=unite(*event.obj.premises),
                doubt=premises.NOTHING_FAILS_ON_CPU,
                device="cpu",
                names=(self.context.text(node),),
            )

    @cached_property
    def _supposed(self) -> AnalysisContext | None:
        """The context with the assumptions; None if the file shows nothing to assume."""
        assumed: Assumptions = {}
        fed: dict[CallWords, FedAlike] = {}
        supposed: AnalysisContext | None = None
        flow = self.context.get(Flow)
        for _ in range(_RUNS):
            more, calls = assumptions(self.context, flow), fed_alike(self.context, flow)
            if more.keys() <= assumed.keys() and (not assumed or calls.keys() <= fed.keys()):
                break
            assumed, fed = {**more, **assumed}, {**calls, **fed}
            supposed = self._with(assumed, fed)
            flow = supposed.get(Flow)
        return supposed

    @cached_property
    def run(self) -> AnalysisContext:
        """The context of a run with the assumptions, if there are any."""
        return self._supposed or self._with({}, {})

    def _with(self, assumed: Assumptions, fed: dict[CallWords, FedAlike]) -> AnalysisContext:
        """The context of a run with assumptions."""
        scattered = self.context.get(scatters_inputs)
        unread = frozenset(self.context.get(UnreadDevices).functions)

        def run(context: AnalysisContext) -> Flow:
            """The run."""
            return Arrivals(context, assumed, scatters=scattered, unread=unread, fed=fed)

        return self.context.replacing(Flow, run)

    @property
    def _known(self) -> set[tuple[Span, Span]]:
        """The operations that fail without any assumption, each with the operand."""
        span = self.context.span
        events = self.context.get(Flow).index.of_kind("conflict")
        return {(span(event.node), span(event.arg_node or event.node)) for event in events}


def _may_be_array(event: Event, results: set[ast.expr]) -> bool:
    """Whether numpy may read an array: the very result of a module that is not seen. A method of tensors reads none, and a module
    returns tensors, by its name."""
    call, func = event.obj.origin, event.node.func if isinstance(event.node, ast.Call) else None
    if not isinstance(call, ast.Call):
        return False
    method = isinstance(func, ast.Attribute) and func.attr == "numpy"
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if owner is not None and is_of_method(event.obj) and names_called_module(last(dotted(owner))):
        return not method
    return call in results and not (method and names_called_module(last(dotted(call.func))))
