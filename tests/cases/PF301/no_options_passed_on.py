"""Options that a function passes on are no batch."""
import torch
from torch import nn


def in_parts(model, data: torch.Tensor, device, size: int = 2, **options) -> torch.Tensor:
    model = model.to(device)
    parts = [model(data[start : start + size].to(device), **options) for start in range(0, len(data), size)]
    return torch.cat(parts)


def at_once(model, data: torch.Tensor, device, **options) -> torch.Tensor:
    model = model.to(device)
    return model(data.to(device), **options)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
print(in_parts(nn.Linear(3, 2), torch.ones(4, 3), device).shape, at_once(nn.Linear(3, 2), torch.ones(4, 3), device).shape)
