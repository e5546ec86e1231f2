"""A stand-in for torchaudio: every file holds the same sound."""

from types import SimpleNamespace

import torch


def load(path: str) -> tuple[torch.Tensor, int]:
    """The samples, on the CPU, and their rate."""
    return torch.linspace(-1.0, 1.0, 16).reshape(1, 16), 16000


class _Spectrogram(torch.nn.Module):
    """A transform with a window, as torchaudio 2.5's."""

    def __init__(self, sample_rate: int = 16000) -> None:
        super().__init__()
        self.register_buffer("window", torch.hann_window(16))

    def forward(self, sound: torch.Tensor) -> torch.Tensor:
        return sound * self.window


class _AmplitudeToDB(torch.nn.Module):
    """A transform without tensors, as torchaudio 2.5's."""

    def forward(self, sound: torch.Tensor) -> torch.Tensor:
        return torch.log10(sound.abs().clamp(min=1e-10))


transforms = SimpleNamespace(MelSpectrogram=_Spectrogram, AmplitudeToDB=_AmplitudeToDB)
