"""Kernels for sparse tensors on the simulated devices: embeddings with sparse gradients, and more.

A sparse tensor is made of two dense ones. On its way to the CPU it is built again over aliases of them; on
its way back all three are labelled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from placefix.simulate import device_checks, device_tags
from placefix.simulate.kernels import find_operator, label_parts
from placefix.simulate.native_functions import native_functions

if TYPE_CHECKING:
    from collections.abc import Callable

_PARTS = ("_indices", "_values")
# Computed by the sparse tensor itself, on any device.
_DIRECT = frozenset({"_indices", "_values", "indices", "values", "_nnz", "sparse_dim", "dense_dim", "is_coalesced",
                     "_coalesced_", "_dimI", "_dimV"})  # fmt: skip


def _host(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_host(v) for v in value]
    if not isinstance(value, Tensor) or device_tags.device_of(value) < 0:
        return value
    if value.layout is not torch.sparse_coo:
        return device_tags.host_alias(value)
    indices, values = (device_tags.host_alias(getattr(value, part)()) for part in _PARTS)
    return torch.ops.aten._sparse_coo_tensor_unsafe(indices, values, value.shape, is_coalesced=value.is_coalesced())


def _label(value: Any, index: int) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(_label(v, index) for v in value)
    if not isinstance(value, Tensor):
        return value
    return label_parts(value, index)


def _kernel(name: str, packet: Any, index_of: Callable[[Any], int]) -> Callable[..., Any]:
    schema = packet._schema
    written = [place for place, a in enumerate(schema.arguments) if a.alias_info is not None and a.alias_info.is_write]
    direct = torch._C.DispatchKey.SparseCPU

    def kernel(*arguments: Any, **options: Any) -> Any:
        """Run the operator on CPU aliases after the device check, and label the result."""
        if name in _DIRECT:
            return packet._op_dk(direct, *arguments, **options)
        operands = [(a.name, v) for a, v in zip(schema.arguments, arguments, strict=False) if isinstance(v, Tensor)]
        index = device_checks.check_iterator(operands) if operands else index_of(options.get("device"))
        if "device" in options:
            options["device"] = "cpu"
        result = packet(*map(_host, arguments), **{k: _host(v) for k, v in options.items()})
        if written and written[0] < len(arguments):
            target = arguments[written[0]]
            if target.layout is torch.sparse_coo:
                made = _label(result, index)
                target.sparse_resize_and_clear_(made.shape, made.sparse_dim(), made.dense_dim())
                target.data = made
            return target
        return _label(result, index)

    return kernel


def sparse_kernels(index_of: Callable[[Any], int]) -> dict[str, Callable[..., Any]]:
    """The kernels for the SparseCUDA key, by operator."""
    made = {}
    for name, operator in native_functions().items():
        packet = find_operator(name)
        if packet is None or "SparseCUDA" not in operator.kernels:
            continue
        if torch._C._dispatch_has_kernel_for_dispatch_key(packet.name(), "SparseCPU"):
            made[name] = _kernel(name, packet, index_of)
    return made
