"""A project's settings; what `cfg` says is known once its file has been read."""

from types import SimpleNamespace

import torch
from drive import device

__all__ = ["cfg", "chosen", "device", "load_settings"]

cfg = SimpleNamespace(CUDA=False)


def load_settings(path: str) -> None:
    """Reads no file: the settings say what the machine has."""
    cfg.CUDA = torch.cuda.is_available()


def chosen() -> str:
    """The device that the project uses."""
    return "cuda" if torch.cuda.is_available() else "cpu"
