"""An optimizer that makes its state in the constructor, as the one of that name did."""

from typing import Any

import torch


class Ranger(torch.optim.SGD):
    """Slow weights follow the fast ones."""

    def __init__(self, params: Any, lr: float) -> None:
        super().__init__(params, lr=lr)
        self.slow = [p.detach().clone() for group in self.param_groups for p in group["params"]]

    def step(self, closure: Any = None) -> None:
        """Half way back to the slow weights."""
        super().step(closure)
        for slow, fast in zip(self.slow, (p for group in self.param_groups for p in group["params"])):
            fast.data.add_(slow - fast.data, alpha=0.5)
