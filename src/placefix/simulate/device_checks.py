"""Which devices the operands of an operator may be on, in torch's own words.

A CUDA kernel has three kinds of device tests, each with its message. torchgen writes the first from
native_functions.yaml (`device_check`): every tensor on the device of the first. The second is that of
TensorIterator, in the meta functions of structured operators: those are called, so the message is torch's.
The third kind is written by hand in kernels that are not in a CPU build; it is repeated here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from placefix.simulate.device_tags import device_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from placefix.simulate.native_functions import NativeFunction

Named = list[tuple[str, Tensor]]


#: Called with each error about devices when it is raised, also if the script catches it.
on_error: list[Any] = []


def note_error(error: BaseException) -> None:
    """Tell the observers in `on_error` about an error that is about to be raised."""
    for observer in on_error:
        observer(error)


def describe_device(index: int) -> str:
    """How torch writes a device."""
    return "cpu" if index < 0 else f"cuda:{index}"


def _common(operands: Named) -> int:
    """The first device that is not the CPU: TensorIterator's choice of the common one."""
    return next((device for _, tensor in operands if (device := device_of(tensor)) >= 0), -1)


# The text changed between the versions: 2.6 has the first one, 2.9 and 2.13 the second.
_OLD_TEXT = tuple(int(part) for part in torch.__version__.split(".")[:2]) < (2, 8)


def device_mismatch_error(name: str, device: int, common: int, method: str) -> str:
    """The message of c10::impl::common_device_check_failure about the argument of this name."""
    start = "Expected all tensors to be on the same device, but "
    if _OLD_TEXT:
        return (
            f"{start}found at least two devices, {describe_device(common)} and {describe_device(device)}! "
            f"(when checking argument for argument {name} in method {method})"
        )
    return (
        f"{start}got {name} is on {describe_device(device)}, different from other tensors on {describe_device(common)} "
        f"(when checking argument in method {method})"
    )


def check_same_device(operator: NativeFunction, operands: Named) -> int:
    """The test that torchgen generates (c10::impl::check_and_update_common_device)."""
    common = device_of(operands[0][1])
    for name, tensor in operands:
        if (device := device_of(tensor)) != common:
            raise RuntimeError(device_mismatch_error(name, device, common, operator.method))
    return common


def check_iterator(operands: Named) -> int:
    """The test of TensorIterator: scalars on the CPU may join (TensorIteratorBase::compute_types)."""
    common = _common(operands)
    for _, tensor in operands:
        device = device_of(tensor)
        if device != common and not (device < 0 and tensor.dim() == 0):
            raise RuntimeError(
                "Expected all tensors to be on the same device, but found at least two devices, "
                f"{describe_device(common)} and {describe_device(device)}!"
            )
    return common


# The result of a structured operator's device test depends on nothing but the combination of devices.
_verdicts: set[tuple[str, tuple[tuple[int, bool], ...]]] = set()


def check_structured(operator: NativeFunction, run: Callable[[], Any], operands: Named) -> int:
    """Call the meta function, which is the first half of the CUDA kernel; it raises torch's error for devices that do not match."""
    key = (operator.name, tuple((device_of(tensor), tensor.dim() == 0) for _, tensor in operands))
    if key not in _verdicts:
        run()
        _verdicts.add(key)
    return _common(operands)


def _masked_fill(operands: Named) -> int:
    (_, self), (_, mask) = operands[:2]
    here, there = device_of(self), device_of(mask)
    if len(operands) == 3 and here < 0:  # masked_fill_.Tensor: the value may be anywhere
        raise RuntimeError("masked_fill_: Expected inputs to be on same device")
    if here != there:
        raise RuntimeError(
            f"expected self and mask to be on the same device, but got mask on {describe_device(there)} "
            f"and self on {describe_device(here)}"
        )
    return here


def _indices(self: Tensor, indices: Sequence[tuple[str, Tensor]]) -> None:
    """at::native::make_info: an index may be on the CPU or where the indexed tensor is."""
    here = device_of(self)
    for _, index in indices:
        if device_of(index) not in (-1, here):
            raise RuntimeError(
                f"indices should be either on cpu or on the same device as the indexed tensor ({describe_device(here)})"
            )


def _index(operands: Named) -> int:
    _indices(operands[0][1], operands[1:])
    return device_of(operands[0][1])


def _index_out(operands: Named) -> int:
    _indices(operands[1][1], operands[2:])
    return check_iterator(operands[:2])


def _index_put(operands: Named) -> int:
    self, values = operands[0], operands[-1]
    _indices(self[1], operands[1:-1])
    check_iterator([self, values])
    return device_of(self[1])


def _first(operands: Named) -> int:
    """Other operands are copied to where they are needed, or read as numbers."""
    return device_of(operands[0][1])


def check_convolution(operands: Named) -> None:
    """check_input_same_type_as_parameters, for an input on a device: that is cuDNN's case, which is not here."""
    (_, input), *others = operands
    if device_of(input) < 0 or not torch.backends.cudnn.enabled:
        return
    for (_, tensor), word in zip(others, ("weight", "bias"), strict=False):
        if tensor.type() != input.type():
            raise RuntimeError(f"Input type ({input.type()}) and {word} type ({tensor.type()}) should be the same")


HAND_WRITTEN: dict[str, Callable[[Named], int]] = {
    "masked_fill_.Scalar": _masked_fill,
    "masked_fill_.Tensor": _masked_fill,
    "index.Tensor": _index,
    "index.Tensor_out": _index_out,
    "_index_put_impl_": _index_put,
    "fill_.Tensor": _first,
    "bernoulli_.Tensor": _first,
    "is_set_to": _first,
}
