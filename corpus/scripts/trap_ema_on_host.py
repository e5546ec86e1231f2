"""A host copy of the weights taken on purpose before the placement."""
import copy

import torch
from torch import nn


class HostEMA:
    """Exponential moving average kept on the host to save GPU memory."""

    def __init__(self, model, decay=0.9):
        self.model = copy.deepcopy(model).cpu()
        self.decay = decay

    def update(self, model):
        for ours, theirs in zip(self.model.parameters(), model.parameters()):
            ours.data.mul_(self.decay).add_(theirs.detach().cpu(), alpha=1 - self.decay)


def main():
    torch.manual_seed(145)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(6, 1)
    ema = HostEMA(model)
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    validation = torch.randn(10, 6)
    for step in range(3):
        x = torch.randn(8, 6).to(device)
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update(model)
        with torch.no_grad():
            print(step, round(loss.item(), 5), round(ema.model(validation).abs().mean().item(), 5))


if __name__ == "__main__":
    main()
