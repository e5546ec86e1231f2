# options: unsafe
# The constructor reads an attribute of its settings that is called like the list of modules.
import types

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(size, size) for size in settings.layers])  # want: PF306 unsafe

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Net(types.SimpleNamespace(layers=[2, 2])).to(device)
print(f"{net(torch.ones(1, 2).to(device)).sum().item():.4f}")
