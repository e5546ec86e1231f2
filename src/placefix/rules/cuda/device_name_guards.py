"""Guards that test the name of a device, with other arms for other devices: ``if device == "cuda": x = x.cuda()``,
``elif device == "npu": …``. The values moved in the arm go to `device`; the arms stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts import premises, reasons
from placefix.facts.devices.torch_imports import TorchImports
from placefix.facts.program.conditions import device_asked
from placefix.facts.program.device_values import condition
from placefix.rules.cuda.device_choice import Choice

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Guard, Site

_IS_CUDA = ("Eq", ("constant", "'cuda'"))


def asked(context: AnalysisContext, guard: Guard) -> str:
    """The device that is CUDA by its name in the arm of a guard, and is not set there; an empty string where there is none."""
    if guard.test is None:
        return ""
    key = condition(guard.test, guard.positive)
    device = device_asked(key)
    if not device or (key[1], key[3]) != _IS_CUDA:
        return ""
    index, root = context.index, device.partition(".")[0]
    owner = guard.stmt.scope.lookup(root)
    binders = [*index.binding(owner, root)] if owner is not None else []
    writes = [w.stmt for w in index.writes.get(device, ())]
    return "" if any(guard.stmt in s.ancestors() for s in (*binders, *writes)) else device


def choice(context: AnalysisContext, site: Site, device: str) -> Choice:
    """The device for a site under ``device == "cuda"``: the current GPU, or the one with the number in its argument."""
    if site.extra is None:
        return Choice(device, (), (premises.NAME_IS_CUDA(device=device),))
    number, torch = context.text(site.extra), context.get(TorchImports).name_at(site.stmt)
    if torch is None or "\n" in number:
        return Choice(why_not=reasons.TORCH_NOT_NAMED)
    return Choice(f"{torch}.device({device}, {number})", (), (premises.GPU_NUMBER(number=number),), number=number)
