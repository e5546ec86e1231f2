# options: target-torch=2.4
"""A type that an annotation names changes with the objects."""
import torch
from torch.amp import autocast  # want: PF404


class Engine:
    def __init__(self):
        self.scaler: torch.amp.GradScaler | None = None  # want: PF404

    def run(self):
        self.scaler = torch.amp.GradScaler("cuda", enabled=False)  # want: PF404
        return self.scaler


def scaled(x, scaler: torch.amp.GradScaler, context: autocast) -> torch.Tensor:  # want: PF404
    with context:
        return scaler.scale(x)


print(scaled(torch.ones(1), Engine().run(), autocast("cuda", enabled=False)))
