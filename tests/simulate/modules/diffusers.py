"""A stand-in for diffusers 0.42: a scheduler moves its tensors and the steps to the samples, and is no module; a model is one."""

from __future__ import annotations

import torch


class UNet2DModel(torch.nn.Module):
    """Samples of the same size; a single step is moved to them, several are not."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(channels, channels, 1)

    def forward(self, sample: torch.Tensor, timestep: torch.Tensor, *, return_dict: bool) -> tuple[torch.Tensor]:
        assert not return_dict
        if timestep.ndim == 0:
            timestep = timestep[None].to(sample.device)
        return (self.conv(sample) * timestep.view(-1, 1, 1, 1),)


class DDPMScheduler:
    """Adds noise to samples."""

    def __init__(self, num_train_timesteps: int) -> None:
        self.alphas_cumprod = torch.linspace(1, 0.1, num_train_timesteps)

    def add_noise(self, original_samples: torch.Tensor, noise: torch.Tensor, timesteps: torch.Tensor) -> torch.Tensor:
        self.alphas_cumprod = self.alphas_cumprod.to(original_samples.device)
        part = self.alphas_cumprod[timesteps.to(original_samples.device)].view(-1, 1, 1, 1)
        return part**0.5 * original_samples + (1 - part) ** 0.5 * noise
