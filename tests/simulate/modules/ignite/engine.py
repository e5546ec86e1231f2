"""As much of ignite's engines as the cases use: batches go to the device that is named, modules stay where they are."""

from __future__ import annotations

from typing import Any


class Engine:
    """Runs a function over batches."""

    def __init__(self, step: Any) -> None:
        self.step = step

    def run(self, batches: Any, max_epochs: int = 1) -> None:
        for _ in range(max_epochs):
            for batch in batches:
                print(self.step(batch))


def create_supervised_trainer(
    model: Any, optimizer: Any, loss: Any, device: Any = None, non_blocking: bool = False
) -> Engine:
    def step(batch: Any) -> float:
        x, y = (part if device is None else part.to(device, non_blocking=non_blocking) for part in batch)
        optimizer.zero_grad()
        result = loss(model(x), y)
        result.backward()
        optimizer.step()
        return float(result.item())

    return Engine(step)
