"""Kernels written by hand: factories, copies, storage, dropout, recurrent layers, attention.

A composite operator has one kernel as a whole only if its composition depends on the device: the composition would need kernels
that a CPU build does not have, or give other last bits than on the CPU.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from placefix.simulate import cuda_memory, device_checks, device_tags
from placefix.simulate.device_tags import device_of, host_alias, tag
from placefix.simulate.generators import drawing_from, host_generator
from placefix.simulate.kernels import find_operator
from placefix.simulate.native_functions import native_functions

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.simulate.torch_c_bindings import SimulatedMachine

_aten = torch.ops.aten
_KEY = torch._C.DispatchKey


def handwritten_kernels(
    machine: SimulatedMachine, generated: dict[str, Callable[..., Any]]
) -> dict[str, Callable[..., Any]]:
    """The kernels for the CUDA key, by operator. generated: the kernels that some of them call."""
    return {
        **_factories(machine),
        **_storage_kernels(),
        **_synchronizing_kernels(machine),
        "native_dropout": _dropout_pair,
        "_fused_dropout": _fused_dropout,
        "record_stream": _record_stream,
        "_fused_sdp_choice": _choose_attention,
        # Nested tensors are not modelled: an encoder takes the slow path, which computes the same except at the padded places.
        "_nested_tensor_from_mask_left_aligned": lambda t, mask: False,
        "linalg_lstsq.out": _least_squares(generated["linalg_lstsq.out"]),
        "_use_cudnn_ctc_loss": lambda *a, **k: False,
        "_use_cudnn_ctc_loss.Tensor": lambda *a, **k: False,
        "_use_miopen_ctc_loss": lambda *a, **k: False,
        "_use_miopen_ctc_loss.Tensor": lambda *a, **k: False,
        **_on_one_device("_thnn_fused_lstm_cell", _lstm_cell),
        **_on_one_device("_thnn_fused_lstm_cell_backward_impl", _lstm_cell_backward),
        **_on_one_device("_thnn_fused_gru_cell", _gru_cell),
        **_on_one_device("_thnn_fused_gru_cell_backward", _gru_cell_backward),
    }


def _factories(machine: SimulatedMachine) -> dict[str, Callable[..., Any]]:
    """The kernels that make a tensor on a device: made on the CPU, and tagged."""
    empty = _aten.empty.memory_format._op
    empty_strided = _aten.empty_strided.default._op

    def request(device: Any, size: Any, dtype: Any, pin_memory: Any) -> int:
        """The index of the device; raises torch's error for a tensor that it cannot hold."""
        index = machine.index(device)
        if pin_memory:
            raise RuntimeError("Only dense CPU tensors can be pinned")
        if machine.memory.is_limited:
            machine.memory.request(index, math.prod(size) * (dtype or torch.get_default_dtype()).itemsize)
        return index

    def new(size: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = None,
            memory_format: Any = None) -> Tensor:  # fmt: skip
        """aten::empty.memory_format on a device."""
        index = request(device, size, dtype, pin_memory)
        try:
            made = empty(size, dtype=dtype, layout=layout, device="cpu", memory_format=memory_format)
        except RuntimeError as error:
            raise cuda_memory.out_of_memory_error(error, index) from None
        return tag(made, index)

    def new_strided(size: Any, stride: Any, *, dtype: Any = None, layout: Any = None, device: Any = None,
                    pin_memory: Any = None) -> Tensor:  # fmt: skip
        """aten::empty_strided on a device."""
        index = request(device, size, dtype, pin_memory)
        try:
            made = empty_strided(size, stride, dtype=dtype, layout=layout, device="cpu")
        except RuntimeError as error:
            raise cuda_memory.out_of_memory_error(error, index) from None
        return tag(made, index)

    def triangle(operator: Any) -> Callable[..., Tensor]:
        """The kernel of tril_indices or triu_indices."""

        def made(row: int, col: int, offset: int = 0, *, dtype: Any = torch.long, layout: Any = None,
                 device: Any = None, pin_memory: Any = None) -> Tensor:  # fmt: skip
            """The indices, made on the CPU and tagged."""
            index = machine.index(device)
            return tag(operator(row, col, offset, dtype=dtype, layout=layout, device="cpu"), index)

        return made

    def zeros(size: Any, *, device: Any = None, **options: Any) -> Tensor:
        """aten::_efficientzerotensor on a device."""
        # A tensor without memory; a dispatch key (ZeroTensor) decides about operations on it.
        index = machine.index(device)
        return tag(_aten._efficientzerotensor(size, device="cpu", **options), index)

    return {
        "empty.memory_format": new,
        "empty_strided": new_strided,
        "tril_indices": triangle(_aten.tril_indices.default._op),
        "triu_indices": triangle(_aten.triu_indices.default._op),
        "_efficientzerotensor": zeros,
    }


def _storage_kernels() -> dict[str, Callable[..., Any]]:
    """The kernels of operators that change the storage or the sizes of their tensor.

    These change which memory a tensor views, so they get the tensor itself, relabelled as a CPU tensor.
    """

    def on_host(operator: Any) -> Callable[..., Tensor]:
        """The kernel of one of them."""
        raw = operator._op

        def kernel(self: Tensor, *arguments: Any, **options: Any) -> Tensor:
            """Run the operator on the relabelled tensor, then restore its label."""
            index = device_of(self)
            arguments = tuple(host_alias(a) if isinstance(a, Tensor) else a for a in arguments)
            try:
                raw(device_tags.to_host(self), *arguments, **options)
            finally:
                tag(self, index)
            return self

        return kernel

    return {
        "resize_": on_host(_aten.resize_.default),
        "set_": on_host(_aten.set_.default),
        "set_.source_Storage": on_host(_aten.set_.source_Storage),
        "set_.source_Storage_storage_offset": on_host(_aten.set_.source_Storage_storage_offset),
        "set_.source_Tensor": on_host(_aten.set_.source_Tensor),
    }


def _synchronizing_kernels(machine: SimulatedMachine) -> dict[str, Callable[..., Any]]:
    """The kernels that wait for the device."""

    def copy(self: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor:
        """copy_ between any two devices."""
        if device_of(self) < 0:
            if non_blocking and self.is_pinned():
                machine.copies.begin(self, source)
                return self
            if machine.sync_debug_mode:
                machine.note_synchronization()
        machine.copies.finish()  # also before a copy to a device, which follows in the order of the stream
        host_alias(self).copy_(host_alias(source))
        return self

    def item(self: Tensor) -> Any:
        """_local_scalar_dense."""
        machine.note_synchronization()
        machine.copies.finish()
        return host_alias(self).item()

    return {"copy_": copy, "_local_scalar_dense": item}


def _least_squares(generated: Callable[..., Any]) -> Callable[..., Any]:
    """linalg_lstsq.out, for which CUDA has one driver."""

    def kernel(*arguments: Any, driver: str | None = None, **options: Any) -> Any:
        """Run the generated kernel after the test of the driver."""
        if driver not in (None, "gels"):
            raise RuntimeError("torch.linalg.lstsq: `driver` other than `gels` is not supported on CUDA")
        return generated(*arguments, driver=driver, **options)

    return kernel


def _dropout_pair(input: Tensor, p: float, train: bool | None = None) -> tuple[Tensor, Tensor]:
    """native_dropout: the result and the mask of the kept elements."""
    index = device_of(input)
    plain = host_alias(input)
    if train is False:
        return tag(plain.clone(), index), tag(torch.ones_like(plain, dtype=torch.bool, device="cpu"), index)
    mask = torch.empty_like(plain, device="cpu").bernoulli_(1 - p, generator=host_generator(index, None))
    scale = 0.0 if p == 1 else 1 / (1 - p)
    return tag(plain * mask * scale, index), tag(mask.bool(), index)


def _fused_dropout(self: Tensor, p: float, generator: Any = None) -> tuple[Tensor, Tensor]:
    """_fused_dropout, which takes the probability to keep."""
    # p is the probability to keep, here.
    index = device_of(self)
    plain = host_alias(self)
    mask = torch.empty_like(plain, device="cpu").bernoulli_(p, generator=host_generator(index, generator))
    return tag(plain * mask / p, index), tag(mask.to(torch.uint8), index)


def _record_stream(self: Tensor, stream: Any) -> None:
    """Tensor.record_stream: nothing, for every call is done when it returns."""


def _choose_attention(query: Tensor, key: Tensor, value: Tensor, *arguments: Any, **options: Any) -> int:
    """_fused_sdp_choice: the mathematical kernel (SDPBackend.MATH)."""
    return 0


def _lstm_cell(gates: Tensor, hidden: Tensor, cx: Tensor, input_bias: Any = None, hidden_bias: Any = None) -> Any:
    """_thnn_fused_lstm_cell: the new state, the new cell and the gates, which the derivative needs."""
    index = device_of(gates)
    total = host_alias(gates) + host_alias(hidden)
    if input_bias is not None:
        total = total + host_alias(input_bias) + host_alias(hidden_bias)
    i, f, g, o = total.chunk(4, 1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    cy = f * host_alias(cx) + i * g
    workspace = torch.cat([i, f, g, o], 1)
    return tag(o * cy.tanh(), index), tag(cy, index), tag(workspace, index)


def _lstm_cell_backward(grad_hy: Any, grad_cy: Any, cx: Tensor, cy: Tensor, workspace: Tensor, has_bias: bool) -> Any:
    """_thnn_fused_lstm_cell_backward_impl: the gradients of gates, cell and bias."""
    index = device_of(cx)
    if grad_hy is None and grad_cy is None:
        return None, None, None
    i, f, g, o = host_alias(workspace).chunk(4, 1)
    top = host_alias(cy).tanh()
    dh = torch.zeros_like(top) if grad_hy is None else host_alias(grad_hy)
    dc = torch.zeros_like(top) if grad_cy is None else host_alias(grad_cy)
    dc = dh * o * (1 - top * top) + dc
    parts = (dc * g * i * (1 - i), dc * host_alias(cx) * f * (1 - f), dc * i * (1 - g * g), dh * top * o * (1 - o))
    gates = torch.cat(parts, 1)
    bias = tag(gates.sum(0), index) if has_bias else None
    return tag(gates, index), tag(dc * f, index), bias


def _gru_cell(gates: Tensor, hidden: Tensor, hx: Tensor, input_bias: Any = None, hidden_bias: Any = None) -> Any:
    """_thnn_fused_gru_cell: the new state and the values that the derivative needs."""
    index = device_of(gates)
    left, right, before = host_alias(gates), host_alias(hidden), host_alias(hx)
    if input_bias is not None:
        left, right = left + host_alias(input_bias), right + host_alias(hidden_bias)
    (ir, iz, inn), (hr, hz, hn) = left.chunk(3, 1), right.chunk(3, 1)
    r, z = (ir + hr).sigmoid(), (iz + hz).sigmoid()
    n = (inn + r * hn).tanh()
    hy = n + z * (before - n)
    return tag(hy, index), tag(torch.cat([r, z, n, before, hn], 1), index)


def _gru_cell_backward(grad: Tensor, workspace: Tensor, has_bias: bool) -> Any:
    """_thnn_fused_gru_cell_backward: the gradients of both gates, of the state and of the biases."""
    index = device_of(grad)
    r, z, n, before, hn = host_alias(workspace).chunk(5, 1)
    dh = host_alias(grad)
    dn = dh * (1 - z) * (1 - n * n)
    dz = dh * (before - n) * z * (1 - z)
    dr = dn * hn * r * (1 - r)
    left, right = torch.cat([dr, dz, dn], 1), torch.cat([dr, dz, dn * r], 1)
    biases = (tag(left.sum(0), index), tag(right.sum(0), index)) if has_bias else (None, None)
    return tag(left, index), tag(right, index), tag(dh * z, index), *biases


def _on_one_device(name: str, kernel: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """The kernel behind the test that torchgen writes in front of it, by the operator's name."""
    operator, names = native_functions()[name], [a.name for a in find_operator(name)._schema.arguments]  # type: ignore[union-attr]

    def tested(*arguments: Any, **options: Any) -> Any:
        """Run the kernel after the device check of the operator."""
        given = (*zip(names, arguments, strict=False), *options.items())
        device_checks.check_same_device(operator, [(n, value) for n, value in given if isinstance(value, Tensor)])
        return kernel(*arguments, **options)

    return {name: tested}


# Composed operators, taken over above autograd.


class _CpuFunction(torch.autograd.Function):
    """Run a differentiable operator on the CPU as a whole, and its derivative as a whole."""

    @staticmethod
    def forward(ctx: Any, run: Any, *tensors: Tensor) -> Any:
        """Run on CPU aliases, and keep the graph for `backward`."""
        index = device_of(tensors[0])
        with torch.enable_grad():
            inputs = [host_alias(t.detach()).requires_grad_(t.requires_grad) for t in tensors]
            results = run(*inputs)
        ctx.graph = inputs, results, index
        # Only so that a change in place before the derivative is taken raises, as it must.
        ctx.save_for_backward(*tensors)
        return tuple(tag(result.detach(), index) for result in results)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The gradients, from the graph that `forward` kept."""
        _ = ctx.saved_tensors
        inputs, results, index = ctx.graph
        wanted = [tensor for tensor in inputs if tensor.requires_grad]
        given = [host_alias(grad).contiguous() for grad in grads]
        found = iter(torch.autograd.grad(results, wanted, given, retain_graph=True, allow_unused=True))
        answer: list[Any] = [None]
        for tensor in inputs:
            grad = next(found) if tensor.requires_grad else None
            answer.append(None if grad is None else tag(grad, index))
        return tuple(answer)


def _recurrent(name: str) -> Callable[..., Any]:
    """lstm, gru, rnn_tanh and rnn_relu, for padded sequences (.input) and packed ones (.data)."""
    operator: Any = find_operator(name)
    raw = operator._op
    packed = name.endswith(".data")
    lstm = name.startswith("lstm")

    def kernel(input: Tensor, *given: Any) -> Any:
        """Run a recurrent layer as a whole if all its tensors are on one device."""
        arguments = list(given)
        place = 1 if packed else 0
        states = arguments[place] if lstm else [arguments[place]]
        weights = arguments[place + 1]
        tensors = [input, *states, *weights]
        index = device_of(input)
        if any(device_of(tensor) != index for tensor in tensors) or index < 0:
            return operator._op_dk(_KEY.CompositeImplicitAutograd, input, *arguments)
        if packed and device_of(arguments[0]) >= 0:
            return operator._op_dk(_KEY.CompositeImplicitAutograd, input, *arguments)
        if torch.is_autocast_enabled("cuda"):
            dtype = torch.get_autocast_dtype("cuda")
            tensors = [t.to(dtype) if t.is_floating_point() else t for t in tensors]
        count, rest = len(states), arguments[place + 2 :]

        def run(plain: Tensor, *others: Tensor) -> Any:
            """The layer on plain tensors: input, states, weights."""
            state = list(others[:count]) if lstm else others[0]
            before = [arguments[0]] if packed else []
            return raw(plain, *before, state, list(others[count:]), *rest)

        with drawing_from(index):
            return _CpuFunction.apply(run, *tensors)

    return kernel


def _dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Dropout as on the CPU; a CUDA build calls native_dropout, which draws and rounds differently."""
    if p < 0 or p > 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p}")
    if p == 0 or not train or input.numel() == 0:
        return input
    if p == 1:
        return input.mul(torch.zeros((), dtype=input.dtype, device=input.device))
    noise = torch.empty_like(input).bernoulli_(1 - p)
    noise.div_(1 - p)
    return input * noise


def _attention(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, *, scale: float | None = None, enable_gqa: bool = False,
) -> Tensor:  # fmt: skip
    """scaled_dot_product_attention, by the kernel that would be taken on the CPU."""
    devices = {device_of(t) for t in (query, key, value, attn_mask) if t is not None}
    if len({device_of(t) for t in (query, key, value)}) > 1:
        raise RuntimeError(
            "Expected query, key, and value to have the same device type, but got query.device: "
            f"{query.device} key.device: {key.device} and value.device: {value.device} instead."
        )
    if attn_mask is not None and len(devices) == 1:
        choice = torch._fused_sdp_choice(
            host_alias(query),
            host_alias(key),
            host_alias(value),
            host_alias(attn_mask),
            dropout_p,
            is_causal,
            scale=scale,
            enable_gqa=enable_gqa,
        )
    elif attn_mask is None:
        choice = torch._fused_sdp_choice(
            host_alias(query),
            host_alias(key),
            host_alias(value),
            None,
            dropout_p,
            is_causal,
            scale=scale,
            enable_gqa=enable_gqa,
        )
    else:
        choice = 0
    _check_attention_backends(query, attn_mask)
    if choice == 1:  # SDPBackend.FLASH_ATTENTION
        mask = attn_mask
        if mask is not None and mask.dtype == torch.bool:
            mask = torch.zeros_like(mask, dtype=query.dtype).masked_fill_(~mask, -math.inf)
        flash = _aten._scaled_dot_product_flash_attention_for_cpu
        return flash(query, key, value, dropout_p, is_causal, attn_mask=mask, scale=scale)[0]
    return _aten._scaled_dot_product_attention_math(
        query, key, value, attn_mask, dropout_p, is_causal, None, scale=scale, enable_gqa=enable_gqa
    )[0]


def _check_attention_backends(query: Tensor, mask: Tensor | None) -> None:
    """Raise torch's error if the script has disabled every kernel that takes such operands (sdp_utils.cpp, select_sdp_backend).

    Only the types and the mask are tested: the other conditions depend on the GPU.
    """
    backends = torch.backends.cuda
    if backends.math_sdp_enabled():
        return
    is_low_precision = query.dtype in (torch.float16, torch.bfloat16)
    is_possible = (
        (backends.flash_sdp_enabled() and is_low_precision and mask is None)
        or (backends.cudnn_sdp_enabled() and is_low_precision)
        or (backends.mem_efficient_sdp_enabled() and (is_low_precision or query.dtype == torch.float32))
    )
    if not is_possible:
        raise RuntimeError("No available kernel. Aborting execution.")


def composed_kernels() -> dict[str, Callable[..., Any]]:
    """The composite operators with a kernel as a whole, by name."""
    names = [f"{kind}.{form}" for kind in ("lstm", "gru", "rnn_tanh", "rnn_relu") for form in ("input", "data")]
    return {
        **{name: _recurrent(name) for name in names},
        "dropout": _dropout,
        "scaled_dot_product_attention": _attention,
    }
