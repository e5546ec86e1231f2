"""The device is that of the settings that an object has: it is chosen, and no tensor's."""
# run: Trainer(SimpleNamespace(device=device)).step(); test(SimpleNamespace(cfg=SimpleNamespace(device=device)))
from types import SimpleNamespace

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Trainer:
    def __init__(self, args):
        self.args = args
        self.model = nn.Linear(3, 2).to(self.args.device)

    def step(self):
        noise = torch.randn(2, 3).to(self.args.device)  # want: PF302
        return self.model(noise)


def test(runner):
    model = nn.Linear(3, 2)
    model.to(runner.cfg.device)
    noise = torch.randn(2, 3).to(runner.cfg.device)  # want: PF302
    return model(noise)
