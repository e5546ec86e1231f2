"""Move the batch to the device of the module it is fed to.

Why:
    A loader yields tensors on the CPU. A module or loss on another device refuses them:
    "Expected all tensors to be on the same device". DataParallel, and
    DistributedDataParallel with `device_ids`, move their inputs themselves; the targets
    need the move in any case, because the loss is computed outside the wrapper.

Severity:
    An error: the call raises on every machine where the module is on a device. A warning if the data set is not known, because it may
    yield tensors that are on a device, or if a module that is not seen gets it.

Fix safety:
    Safe by default: one line per name is inserted at the top of the loop, after the moves that are there.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | the loader yields CPU tensors, and nothing in the loop needs them on the CPU | safe | the call raises otherwise |
    | the batch is unpacked in the body (`x = batch["x"]`) | safe | the move is written where it is unpacked |
    | numpy or a list index needs the tensor on the CPU as well | safe | the move is written at the use |
    | a function receives a trained model and no device | safe | it gets `device = next(model.parameters()).device` |
    | the data set is not known | unsafe | it may yield tensors that are on a device |
    | a function receives something on a device, and some calls are not seen | unsafe | another call may pass something else |
    | nothing is known of the loader or the argument, but the function moves one of its parts; another part meets the moved one, or the result of a module | unsafe | it may arrive on the device |
    | another part of the batch is moved under a flag, and no device is in scope | unsafe | the move is written behind the other one; it may arrive on the device |
    | the function gets a device and does not read it | unsafe | the batch may arrive on the device |
    | so does one that moves something by its name, `batch_to_device(batch, device)`, and returns its argument | no fix | its parts are not known |
    | another method sets attributes by computed names (`setattr`) | unsafe | it may set the model |
    | one argument of a function is moved, and another one meets it after a module, or a placed module gets both and it is a tensor by its annotation | unsafe | it may arrive on the device |
    | a module that is not seen gets a part of the batch on a device in one call of a function, and another part unmoved in another call | unsafe; no fix where the type of the part is tested | the module may move its inputs |
    | the loader yields CPU tensors, and the module is placed, but made by code that is not seen | unsafe | it may move its inputs |
    | a function of another file leaves the batch on the CPU | no fix | reported where the function is called |
    | a part of a batch that is not moved, used with another part that is; an item of a loader that is one by its name alone, or whose items another function moves | unsafe | the batch may arrive on the device |
    | another method of the class moves the argument of that name, or the result of that call, and passes it to the same attribute; a loop moves a part and leaves the input of a model that another loop moves | unsafe | it may arrive on the device |
    | the batch is all arguments of a model, `model(**batch)` | unsafe, each item is moved | an item may be no tensor |
    | a helper, a collate function, `forward` or a wrapper moves the batch; the iterable is no known loader | not reported | it may be right |
    | a function or class that uses a framework which places things (accelerate, Lightning), or that such code calls | not reported | the framework moves the batches |

Example:
    for x, y in loader:    ->  for x, y in loader:
        loss = f(net(x), y)        x = x.to(device)
                                   y = y.to(device)
                                   loss = f(net(x), y)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts import reasons
from placefix.facts.interpret.flow import Flow
from placefix.rules import PF301, messages
from placefix.rules.common import misplaced, not_fixed, on_a_device, outside_frameworks, report
from placefix.rules.tensors.companion_batches import CompanionBatches
from placefix.rules.tensors.device_conflicts import Conflicts
from placefix.rules.tensors.ignored_devices import IgnoredDevices
from placefix.rules.tensors.part_rows import PartRows
from placefix.rules.tensors.sibling_tensors import SiblingTensors
from placefix.rules.tensors.unmoved_batches import Batches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report batches and tensors that meet a module or tensor on a device, also in code of other files."""
    return outside_frameworks(context, _reported)


def _reported(context: AnalysisContext) -> Iterator[Diagnostic]:
    known: set[tuple[Scope, str]] = set()
    for found in context.get(Batches).misplaced():
        known.update((context.function_at(found.span.start), name) for name in found.names)
        against = context.get(Conflicts).against(found.met)
        yield misplaced(PF301, found, messages.PF301, messages.PF301_FIX, against)
    for found, against in context.get(CompanionBatches).forgotten():
        known.update((context.function_at(found.span.start), name) for name in found.names)
        yield misplaced(PF301, found, messages.PF301, messages.PF301_FIX, against)
    rows = context.get(PartRows).left_behind
    fellows = {found.span for found in context.get(SiblingTensors).forgotten()} if rows else set()  # PF302 reports them
    for found in rows:
        if (context.function_at(found.span.start), found.name) not in known and found.span not in fellows:
            text = messages.PF301_PART.format(name=found.name, thing=found.what)
            yield report(PF301, found, text, messages.PF301_FIX)
    ignored = context.get(IgnoredDevices)
    for found in (*ignored.inputs(), *ignored.movers()):
        if (context.function_at(found.span.start), found.name) in known:
            continue
        text = messages.PF301_UNREAD.format(names=f"`{found.names[0]}`", is_are="is", device=found.device)
        yield report(PF301, found, text, messages.PF301_FIX)
    for beyond in context.get(Flow).beyond.values():
        against = on_a_device(beyond.what)
        text = messages.PF301_ELSEWHERE.format(against=against, file=beyond.file, row=beyond.row)
        yield PF301.diagnostic(context.span(beyond.call), text, note=not_fixed(reasons.LEFT_IN_ANOTHER_FILE))
