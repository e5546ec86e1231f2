"""What a method does to the module that its receiver is a part of."""

from __future__ import annotations

from placefix import torch_model
from placefix.facts import torch_api as api

# They leave a layer or parameter what it is; those of containers and texts stand for what goes through the same loops.
_READS = (
    api.MODULE_NEUTRAL | frozenset(("step",)) | frozenset(name for kind in (str, list, dict, set) for name in dir(kind))
)
# What they give lies where the parameter lies, or needs it on the host.
_TAKES = torch_model.marked("likely", "tensor") | {"cpu", "numpy"}


def effect(attr: str) -> str:
    """What a method of a parameter or layer does to the module it belongs to."""
    if attr in api.MODULE_PARAMS:
        return "params"
    in_place = attr.endswith("_") and not attr.endswith("__")
    return "init" if in_place or attr in ("reset_parameters", "init_weights") else "read"


def effect_inside(attr: str) -> str:
    """What a method of something that may be a layer, a parameter or a container of such does to the module."""
    what = effect(attr)
    if what != "read" or attr in _READS or torch_model.is_answer(attr):
        return what
    return "taken" if attr in _TAKES else "opaque"
