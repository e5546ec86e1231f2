# run: print(quantized(torch.ones(3)).int_repr().tolist(), origin(torch.ones(3)).item())
"""The scale of a quantization is read as a number, wherever the input lies."""
import torch


def origin(x):
    return torch.zeros(1).to(x.device)


def quantized(x, default=0.1):
    scale = torch.tensor([default])
    return torch.quantize_per_tensor(x, scale, torch.tensor([0]), torch.qint8)
