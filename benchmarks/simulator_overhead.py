"""What the simulator costs: a training step on the simulated device against the same step on the CPU.

    python benchmarks/simulator_overhead.py [ROUNDS]

Both are measured in CPU seconds of one process, in turns, on one thread; the figure is the ratio of the medians, and last
their geometric mean.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from typing import Any

from placefix.simulate import installation

installation.install(1)

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402, N812
from torch import nn  # noqa: E402


class Block(nn.Module):
    """A residual block."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.second = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.norms = nn.ModuleList([nn.BatchNorm2d(width), nn.BatchNorm2d(width)])

    def forward(self, x: Any) -> Any:
        """Add what two convolutions make of the input."""
        return F.relu(x + self.norms[1](self.second(F.relu(self.norms[0](self.first(x))))))


class Words(nn.Module):
    """A language model around a sequence model."""

    def __init__(self, core: nn.Module, width: int, out: int) -> None:
        super().__init__()
        self.embed, self.core, self.head = nn.Embedding(100, width), core, nn.Linear(out, 100)

    def forward(self, x: Any) -> Any:
        """Scores of the next word."""
        y = self.core(self.embed(x))
        return self.head(y[0] if isinstance(y, tuple) else y).transpose(1, 2)


def tasks() -> dict[str, tuple[Any, Any, Any]]:
    """The models, with inputs and targets."""
    mlp = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10))
    resnet = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), Block(16), Block(16), nn.MaxPool2d(2), nn.Conv2d(16, 32, 1), Block(32),
        Block(32), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10),
    )  # fmt: skip
    lstm = Words(nn.LSTM(64, 128, batch_first=True), 64, 128)
    layer = nn.TransformerEncoderLayer(128, 4, 256, batch_first=True)
    transformer = Words(nn.TransformerEncoder(layer, 2), 128, 128)
    words = torch.randint(100, (16, 50))
    return {
        "MLP, 3 layers of 256, batch 128": (mlp, torch.randn(128, 64), torch.randint(10, (128,))),
        "ResNet, 4 blocks, batch 16 of 32x32": (resnet, torch.randn(16, 3, 32, 32), torch.randint(10, (16,))),
        "LSTM of 128, batch 16, 50 steps": (lstm, words, words),
        "Transformer, 2 layers of 128, batch 16, 50 steps": (transformer, words, words),
    }


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}; a step of Adam with its defaults; median of {rounds}; one thread")
    print(f"{'model':<50} {'CPU ms':>8} {'simulated ms':>13} {'ratio':>6}")
    ratios = []
    for name, (model, inputs, targets) in tasks().items():
        import copy

        steps = {}
        for device in ("cpu", "cuda"):
            placed = copy.deepcopy(model).to(device)
            optimizer = torch.optim.Adam(placed.parameters())
            x, y = inputs.to(device), targets.to(device)

            def step(placed: Any = placed, optimizer: Any = optimizer, x: Any = x, y: Any = y) -> None:
                optimizer.zero_grad()
                F.cross_entropy(placed(x), y).backward()
                optimizer.step()

            steps[device] = step
        times: dict[str, list[float]] = {"cpu": [], "cuda": []}
        for number in range(rounds + 3):
            for device, step in steps.items():
                began = time.process_time()
                step()
                if number >= 3:
                    times[device].append((time.process_time() - began) * 1e3)
        cpu, cuda = (statistics.median(times[device]) for device in ("cpu", "cuda"))
        ratios.append(cuda / cpu)
        print(f"{name:<50} {cpu:>8.2f} {cuda:>13.2f} {cuda / cpu:>6.2f}")
    print(f"{'geometric mean':<50} {'':>8} {'':>13} {statistics.geometric_mean(ratios):>6.2f}")


if __name__ == "__main__":
    main()
