"""A tensor is asked for the number of its GPU where a device is needed: its device is one on every machine."""
import torch
from torch import nn


class Mask(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layer = nn.Linear(n, n)
        self.rows = torch.eye(n)

    def forward(self, x):
        device = x.device  # want: PF402
        steps = torch.arange(x.shape[1], device=device)
        rows = self.rows.to(device)
        first = torch.zeros(1, x.shape[1]).to(x.device)  # want: PF402
        weight = torch.ones(x.shape[1], device=self.layer.weight.device)  # want: PF402
        return self.layer(x) @ rows + steps + first * weight


def gradient(x):
    kernel = torch.tensor([1.0, 0.0, -1.0]).to(x.device, non_blocking=True)  # want: PF402
    return (x * kernel).sum()


# run: net = Mask(3).to("cuda" if torch.cuda.is_available() else "cpu")
# run: print(gradient(net(torch.ones(2, 3, device=net.layer.weight.device))).item() == 0.5)
