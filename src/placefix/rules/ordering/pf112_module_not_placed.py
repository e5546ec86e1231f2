"""Place a module that is called with tensors of a device.

Why:
    A module's parameters are made on the CPU. Called with tensors of a device it raises "Expected
    all tensors to be on the same device": the inputs were moved, and the module was forgotten. Two others
    raise the same error: a part that is added to a placed module, such as a new head, and a copy (a target
    network, a moving average) that is made before the placement and updated from the placed module.

Severity:
    An error: the call raises. A warning if something else may place the module: unknown code receives it, or its class
    has an unknown base.

Fix safety:
    Safe by default: `.to(device)` is appended to the construction. On the CPU this changes nothing.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | one assignment makes the module, and each call of it gets a tensor that the script moved | safe | a call raises otherwise |
    | a loop computes with its parameters and those of a placed module together | safe | the operation raises otherwise |
    | some calls may pass tensors on the CPU, or unknown code receives the module | unsafe | these may need it on the CPU |
    | the function gets a device and does not read it | unsafe | a caller may place the module |
    | one arm of a test places the module of an attribute and another one makes it; or the lines beside place the modules that the same table of makers gives | unsafe | a caller may place the module |
    | the module gets a value that the function moves, and nothing shows that it is a tensor | unsafe | it may be something else |
    | code that is not seen makes it, as it made another one that is placed: an object of the same class, a result of the same call, an entry of a registry for the same key | unsafe | it may be made on the device |
    | the tensors are on a GPU of a fixed number | unsafe | the device in scope may be another one |
    | its weights are set after it is made; it is not made by its own statement; no device is in scope | no fix | nothing shows where the placement belongs |
    | no parameters; parameters that may be numbers; a part of another module; an item of a container | not reported | it may work, or is placed with its owner |
    | the module moves itself or its inputs, or is placed anywhere in the file | not reported | it is placed |

Example:
    net = Net()           ->  net = Net().to(device)
    y = net(x.to(device))     y = net(x.to(device))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF112, messages
from placefix.rules.common import misplaced, report
from placefix.rules.ordering.attribute_modules import AttributeModules
from placefix.rules.tensors.companion_batches import CompanionBatches
from placefix.rules.tensors.ignored_devices import IgnoredDevices
from placefix.rules.tensors.unplaced_modules import UnplacedModules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report modules, averages and parts of modules that stay on the CPU and get input from a device."""
    if context.tree.framework:
        return
    for found in context.get(UnplacedModules).modules():
        template = messages.PF112_AVERAGE if found.what == "average" else messages.PF112
        yield misplaced(PF112, found, template, messages.PF112_FIX)
    for found in (*context.get(UnplacedModules).twins(), *context.get(CompanionBatches).unplaced()):
        yield misplaced(PF112, found, messages.PF112, messages.PF112_FIX)
    for found in context.get(IgnoredDevices).modules():
        text = messages.PF112_UNREAD.format(names=f"`{found.names[0]}`", device=found.device)
        yield report(PF112, found, text, messages.PF112_FIX)
    for found in context.get(AttributeModules).forgotten():
        text = messages.PF112_BESIDE.format(names=f"`{found.names[0]}`", other=found.beside)
        yield report(PF112, found, text, messages.PF112_FIX)
    for found in context.get(UnplacedModules).parts():
        yield misplaced(PF112, found, messages.PF112_PART, messages.PF112_PART_FIX)
