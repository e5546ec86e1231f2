"""Transforms that pass on what they get, and one that makes tensors."""

from typing import Any

import numpy
import torch


class _Pass:
    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.arguments = arguments

    def __call__(self, value: Any) -> Any:
        return value


RandomCrop = Normalize = Resize = _Pass


class ToTensor(_Pass):
    """Channels first, from 0 to 1."""

    def __call__(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return value
        return torch.as_tensor(numpy.array(value)).permute(2, 0, 1).float() / 255


class Compose(_Pass):
    """One after another."""

    def __call__(self, value: Any) -> Any:
        for step in self.arguments[0]:
            value = step(value)
        return value
