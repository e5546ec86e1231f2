"""The kernels of SyncBatchNorm, which exist for CUDA only (aten/src/ATen/native/cuda/Normalization.cuh).

Each takes a tensor of shape (N, C, …) and computes per channel C.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from placefix.simulate.device_tags import device_of, host_alias, tag

if TYPE_CHECKING:
    from collections.abc import Callable


def _channels(tensor: Tensor) -> Tensor:
    """A tensor as (C, values of the channel)."""
    return tensor.transpose(0, 1).reshape(tensor.shape[1], -1)


def _per_channel(values: Tensor, like: Tensor) -> Tensor:
    """Values of shape (C,) that broadcast over (N, C, …)."""
    return values.reshape(1, -1, *[1] * (like.dim() - 2))


def _stats(input: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """batch_norm_stats: mean and inverse standard deviation."""
    values = _channels(input).float()
    return values.mean(1), (values.var(1, unbiased=False) + eps).rsqrt()


def _gather_stats(
    input: Tensor, mean: Tensor, invstd: Tensor, running_mean: Tensor | None, running_var: Tensor | None,
    momentum: float, eps: float, counts: Tensor,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """batch_norm_gather_stats_with_counts: the statistics of all ranks, (ranks, C), as one; updates the running ones."""
    weights = counts.reshape(-1, 1).to(mean.dtype)
    total = weights.sum()
    common = (mean * weights).sum(0) / total
    variances = invstd.pow(-2) - eps
    variance = ((variances + (mean - common) ** 2) * weights).sum(0) / total
    if running_mean is not None:
        running_mean.mul_(1 - momentum).add_(common, alpha=momentum)
    if running_var is not None:
        running_var.mul_(1 - momentum).add_(variance * total / (total - 1), alpha=momentum)
    return common, (variance + eps).rsqrt()


def _normalize(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, mean: Tensor, invstd: Tensor, eps: float
) -> Tensor:
    """batch_norm_elemt."""
    result = (input - _per_channel(mean, input)) * _per_channel(invstd, input)
    if weight is not None:
        result = result * _per_channel(weight, input)
    return (result if bias is None else result + _per_channel(bias, input)).to(input.dtype)


def _backward_reduce(
    grad_out: Tensor, input: Tensor, mean: Tensor, invstd: Tensor, weight: Tensor | None,
    input_g: bool, weight_g: bool, bias_g: bool,
) -> tuple[Tensor, Tensor, Tensor | None, Tensor | None]:  # fmt: skip
    """batch_norm_backward_reduce: the sums over a rank's part of the batch."""
    dy, xmu = _channels(grad_out).float(), _channels(input).float() - mean.reshape(-1, 1)
    sum_dy, sum_dy_xmu = dy.sum(1), (dy * xmu).sum(1)
    kind = grad_out.dtype if weight is None else weight.dtype
    return (
        sum_dy,
        sum_dy_xmu,
        (sum_dy_xmu * invstd).to(kind) if weight_g else None,
        sum_dy.to(kind) if bias_g else None,
    )


def _backward(
    grad_out: Tensor, input: Tensor, mean: Tensor, invstd: Tensor, weight: Tensor | None, sum_dy: Tensor,
    sum_dy_xmu: Tensor, count: Tensor,
) -> Tensor:  # fmt: skip
    """batch_norm_backward_elemt: the gradient of the input."""
    total = count.sum()
    centred = grad_out - _per_channel(sum_dy / total, input)
    share = _per_channel(invstd.pow(2) * sum_dy_xmu / total, input)
    scale = invstd if weight is None else invstd * weight
    return ((centred - (input - _per_channel(mean, input)) * share) * _per_channel(scale, input)).to(input.dtype)


def _on_device(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel for tensors of one device."""

    def run(first: Tensor, *arguments: Any) -> Any:
        """Run the kernel on CPU aliases, and label the results with the device of the first tensor."""
        index = device_of(first)
        given = [host_alias(a) if isinstance(a, Tensor) else a for a in arguments]
        with torch.no_grad():
            result = kernel(host_alias(first), *given)
        if isinstance(result, Tensor):
            return tag(result, index)
        return tuple(None if part is None else tag(part, index) for part in result)

    return run


def sync_batch_norm_kernels() -> dict[str, Callable[..., Any]]:
    """The kernels for the CUDA key, by operator."""
    kernels: dict[str, Callable[..., Any]] = {
        "batch_norm_stats": _stats,
        "batch_norm_gather_stats_with_counts": _gather_stats,
        "batch_norm_elemt": _normalize,
        "batch_norm_backward_reduce": _backward_reduce,
        "batch_norm_backward_elemt": _backward,
    }
    return {name: _on_device(kernel) for name, kernel in kernels.items()}
