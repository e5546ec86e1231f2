"""The simulated hardware and its driver, as data. Imports no torch."""

from __future__ import annotations

MAX_DEVICES = 8
NAME = "Simulated CUDA device (placefix)"
COMPUTE_CAPABILITY = (9, 0)
DEFAULT_MEMORY = 16 * 2**30  # bytes of a device
DRIVER = "570.86.15"
CUDA_VERSION, CUDA_VERSION_NUMBER = "12.8", 12080  # in torch.version, in the CUDA runtime


def device_uuid(index: int) -> str:
    """The UUID of a device, without the prefix `GPU-`."""
    return f"00000000-0000-0000-0000-{index:012d}"
