"""The device is that of the settings that an object has: it is chosen, and no tensor's."""
# run: Trainer(SimpleNamespace(device=device)).step()
from types import SimpleNamespace

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Trainer:
    def __init__(self, args):
        self.args = args
        self.model = nn.Linear(3, 2).to(self.args.device)

    def step(self):
        noise = torch.randn(2, 3)  # want: PF302
        return self.model(noise)
