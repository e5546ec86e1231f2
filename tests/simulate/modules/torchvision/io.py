"""Reads no images: every file holds the same one."""

import torch


def read_image(path: str) -> torch.Tensor:
    """An image of bytes, on the CPU."""
    return torch.arange(3 * 8 * 8, dtype=torch.uint8).reshape(3, 8, 8)
