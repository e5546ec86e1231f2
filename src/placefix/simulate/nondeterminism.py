"""The CUDA kernels without a deterministic implementation, which raise under torch.use_deterministic_algorithms."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import torch


class Alert(NamedTuple):
    """The name that a kernel has in its message, and when it alerts."""

    name: str
    condition: str = ""  # Python source over the kernel's arguments, which end with _ if they are positional


# From torch's tests (test_nondeterministic_alert_* in test/test_torch.py) and, for the conditions, from its CUDA sources.
# The key is an operator with all its overloads, or one overload.
ALERTS = {
    "avg_pool3d_backward": Alert("avg_pool3d_backward_cuda"),
    "_adaptive_avg_pool2d_backward": Alert("adaptive_avg_pool2d_backward_cuda"),
    "_adaptive_avg_pool3d_backward": Alert("adaptive_avg_pool3d_backward_cuda"),
    "adaptive_max_pool2d_backward": Alert("adaptive_max_pool2d_backward_cuda"),
    "fractional_max_pool2d_backward": Alert("fractional_max_pool2d_backward_cuda"),
    "fractional_max_pool3d_backward": Alert("fractional_max_pool3d_backward_cuda"),
    "max_unpool2d": Alert("max_unpooling2d_forward_out"),
    "max_unpool3d": Alert("max_unpooling3d_forward_out"),
    "upsample_linear1d_backward": Alert("upsample_linear1d_backward_out_cuda"),
    "upsample_bilinear2d_backward": Alert("upsample_bilinear2d_backward_out_cuda"),
    "upsample_bicubic2d_backward": Alert("upsample_bicubic2d_backward_out_cuda"),
    "upsample_trilinear3d_backward": Alert("upsample_trilinear3d_backward_out_cuda"),
    "reflection_pad1d_backward": Alert("reflection_pad1d_backward_out_cuda"),
    "reflection_pad2d_backward": Alert("reflection_pad2d_backward_cuda"),
    "reflection_pad3d_backward": Alert("reflection_pad3d_backward_out_cuda"),
    "nll_loss2d_forward": Alert("nll_loss2d_forward_out_cuda_template", "reduction_ != 0"),
    "_ctc_loss_backward": Alert("ctc_loss_backward_gpu"),
    "put_": Alert("put_"),
    "histc": Alert("_histc_cuda with floating point input", "self_.is_floating_point()"),
    "bincount": Alert("_bincount_cuda", "weights_ is not None"),
    "grid_sampler_2d_backward": Alert("grid_sampler_2d_backward_cuda"),
    "grid_sampler_3d_backward": Alert("grid_sampler_3d_backward_cuda"),
    "median.dim_values": Alert("median CUDA with indices output"),
}


def alert_of(operator: str) -> Alert | None:
    """The alert of an operator, such as `median.dim_values`."""
    return ALERTS.get(operator) or ALERTS.get(operator.partition(".")[0])


def alert(name: str) -> None:
    """at::Context::alertNotDeterministic: raises RuntimeError, or warns, if the script wants deterministic algorithms."""
    if not torch.are_deterministic_algorithms_enabled():
        return
    start = f"{name} does not have a deterministic implementation, but you set 'torch.use_deterministic_algorithms(True"
    if torch.is_deterministic_algorithms_warn_only_enabled():
        warnings.warn(f"{start}, warn_only=True)'.", UserWarning, stacklevel=2)
        return
    raise RuntimeError(
        f"{start})'. You can turn off determinism just for this operation, or you can use the 'warn_only=True' option, "
        "if that's acceptable for your application."
    )
