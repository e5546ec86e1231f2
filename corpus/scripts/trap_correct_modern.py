"""Canonical already: construct, place, wrap, optimise, move every batch, the new AMP names."""
from __future__ import annotations

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def pick_device(prefer: str | None = None) -> torch.device:
    if prefer:
        return torch.device(prefer)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(model: nn.Module, loader: DataLoader, device: torch.device, epochs: int) -> list[float]:
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    scaler = torch.amp.GradScaler(device.type, enabled=device.type == "cuda")
    losses = []
    for _ in range(epochs):
        for batch in loader:
            x, y = (t.to(device, non_blocking=True) for t in batch)
            optimizer.zero_grad(set_to_none=True)
            with torch.autocast(device_type=device.type, enabled=device.type == "cuda"):
                loss = nn.functional.cross_entropy(model(x), y)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        losses.append(round(loss.item(), 4))
    return losses


def main() -> None:
    torch.manual_seed(147)
    device = pick_device()
    loader = DataLoader(TensorDataset(torch.randn(32, 8), torch.randint(0, 4, (32,))), batch_size=8)
    model = nn.Sequential(nn.Linear(8, 16), nn.SiLU(), nn.Linear(16, 4))
    model = model.to(device)
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    print(train(model, loader, device, epochs=2))


if __name__ == "__main__":
    main()
