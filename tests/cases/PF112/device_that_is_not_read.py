# options: unsafe
# run: torch.manual_seed(0)
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: x = torch.ones(2, 3).to(device)
# run: print("%.4f %.4f" % (decoder(3, device)(x).sum().item(), encoder(3, device)(x).sum().item()))
"""A builder gets a device and does not read it."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layer = nn.Linear(size, 1)

    def forward(self, x):
        return self.layer(x)


def encoder(size, device):
    net = Net(size)
    net.to(device)
    return net


def decoder(size, device):
    net = Net(size)  # want: PF112 unsafe, warning
    net.eval()
    return net
