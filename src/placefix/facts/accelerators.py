"""The accelerators whose names code may write out, and how each is named: data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import torch_api as api
from placefix.facts.naming import names_code_of, names_gpu_code

if TYPE_CHECKING:
    from collections.abc import Callable


class Accelerator(NamedTuple):
    """One kind of accelerator.

    name: its type of device; title: its name in messages; method: that moves a tensor or module to it, "" where there is none.
    available: the function, below torch, that tests for it; functions: the module of its functions. procedures: those of them that
    raise without it and give nothing; answers: those that raise and give something.
    plugin: the packages, one of which defines these in torch, () where torch has them; since: the first torch that has them.
    names: whether code of a name is meant for it.
    """

    name: str
    title: str
    method: str
    available: str
    functions: str
    procedures: frozenset[str]
    answers: frozenset[str]
    plugin: tuple[str, ...] = ()
    since: tuple[int, int] = (0, 0)
    names: Callable[[str], bool] = names_gpu_code


_OF_MPS = frozenset({"synchronize", "empty_cache", "set_per_process_memory_fraction"})
_ANSWERS_OF_MPS = frozenset(
    {"current_allocated_memory", "driver_allocated_memory", "recommended_max_memory", "get_rng_state"}
)
_COMMON = frozenset({"synchronize", "set_device"})
_COMMON_ANSWERS = frozenset(
    {"current_device", "get_device_name", "get_device_properties", "mem_get_info", "current_stream"}
)

CUDA = Accelerator(
    "cuda",
    "CUDA",
    "cuda",
    "cuda.is_available",
    "torch.cuda",
    api.CUDA_PROCEDURES,
    api.CUDA_QUESTIONS,
    names=names_gpu_code,
)
# MPS has no method; torch.xpu is there since 2.3 without Intel's package, Tensor.xpu longer.
OTHERS = (
    Accelerator("mps", "MPS", "", "backends.mps.is_available", "torch.mps", _OF_MPS, _ANSWERS_OF_MPS, names=partial(names_code_of, "mps")),
    Accelerator(
        "xpu", "XPU", "xpu", "xpu.is_available", "torch.xpu", _COMMON, _COMMON_ANSWERS,
        ("intel_extension_for_pytorch",), (2, 4), partial(names_code_of, "xpu"),
    ),
    Accelerator(
        "npu", "NPU", "npu", "npu.is_available", "torch.npu", _COMMON, _COMMON_ANSWERS, ("torch_npu",), names=partial(names_code_of, "npu")
    ),
    Accelerator(
        "hpu", "HPU", "hpu", "hpu.is_available", "torch.hpu", _COMMON, _COMMON_ANSWERS, ("habana_frameworks",), names=partial(names_code_of, "hpu")
    ),
)  # fmt: skip
ACCELERATORS = (CUDA, *OTHERS)
