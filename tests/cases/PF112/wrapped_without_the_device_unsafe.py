# options: unsafe
# A function gets a device, does not read it, and wraps the module that it makes: only what has parameters is wrapped.
# given: def build():
# given:     return torch.nn.Linear(3, 2)
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(loaded(device)(torch.ones(4, 3, device=device)).shape)
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = build()

    def forward(self, x):
        return self.layer(x)


def loaded(device="cuda"):
    net = Net()  # want: PF112 unsafe, warning
    net = nn.DataParallel(net).eval()
    return net
