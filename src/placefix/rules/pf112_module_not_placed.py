"""Place a module that is called with tensors of a device.

Why:
    A module's parameters are made on the CPU. Called with tensors of a device it raises "Expected
    all tensors to be on the same device"; the inputs were moved, and the module was forgotten. So does
    a part that a module gets after it was placed, as a new head, and a copy (a target network, a moving
    average) that was made before the placement and then follows the placed module's parameters.

Severity:
    An error: the call raises. A warning where something else may place the module: code that is not known gets it, or its class
    has a base that is not known.

Fix safety:
    Safe when the module is made by one assignment, every call of it gets a tensor that the script
    moved, or a loop computes with its parameters together with a placed module's, and no code that
    is not known gets hold of it: `.to(device)` is appended to the construction, which changes
    nothing on the CPU. Nothing is reported for modules without parameters, those whose only
    parameters may be numbers, other parts of modules, modules in containers, modules that move
    themselves or their inputs, and those that are placed anywhere in the file.

Example:
    net = Net()           ->  net = Net().to(device)
    y = net(x.to(device))     y = net(x.to(device))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF112
from placefix.rules.common import misplaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts import Facts

_AVERAGED = "its parameters are computed with together with those of a module on a device"


def check(facts: Facts) -> Iterator[Diagnostic]:
    if facts.framework:
        return
    for found in facts.stays.modules():
        how = _AVERAGED if found.what == "average" else "is called with tensors of a device"
        yield misplaced(PF112, found, f"the module is never placed, and {how}", "place the module")
    for found in facts.stays.parts():
        yield misplaced(
            PF112,
            found,
            "the new part is left on the CPU: the module it belongs to was placed before",
            "place the new part",
        )
