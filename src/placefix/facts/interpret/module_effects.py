"""Effects of a method on the module that its receiver is a part of."""

from __future__ import annotations

from placefix import torch_model
from placefix.facts import torch_api as api

# They do not change a layer or parameter; those of containers and strings are here because the same loops see them.
_READS = (
    api.MODULE_NEUTRAL | frozenset(("step",)) | frozenset(name for kind in (str, list, dict, set) for name in dir(kind))
)
# Their result is on the device of the parameter, or needs it on the host.
_TAKES = torch_model.marked("likely", "tensor") | {"cpu", "numpy"}


def effect(attr: str) -> str:
    """The effect of a method of a parameter or layer on the module it belongs to: "params", "init" or "read"."""
    if attr in api.MODULE_PARAMS:
        return "params"
    in_place = attr.endswith("_") and not attr.endswith("__")
    return "init" if in_place or attr in ("reset_parameters", "init_weights") else "read"


def effect_inside(attr: str) -> str:
    """The effect on the module of a method of something that may be a layer, a parameter or a container of such."""
    what = effect(attr)
    if what != "read" or attr in _READS or torch_model.is_answer(attr):
        return what
    return "taken" if attr in _TAKES else "opaque"
