# options: unsafe
# run: torch.manual_seed(0)
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print("%.4f" % fit([torch.ones(2, 3)], device, print))
"""Code that is not seen gets the module, and nothing of the file places it."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 1)

    def forward(self, x):
        return self.layer(x)


def fit(loader, device, describe):
    net = Net()  # want: PF112 unsafe, warning
    describe(net)
    total = 0
    for x in loader:
        x = x.to(device)
        total += net(x).sum().item()
    return total
