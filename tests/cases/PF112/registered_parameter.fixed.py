# The parameters of a class are registered under their names; the trainer moves the items of its batches and other attributes.
# run: d = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(scaled(d))
# run: trainer = Trainer([{"x": torch.ones(2, 3), "mask": torch.ones(2, 3)}], d)
# run: trainer.fit(); trainer.score([Graph(torch.ones(2, 3), torch.ones(2))])
from collections import namedtuple

import torch
from torch import nn

Graph = namedtuple("Graph", "x y")


class Scale(nn.Module):
    def __init__(self, size, bias=False):
        super().__init__()
        self.register_parameter("scale", nn.Parameter(torch.ones(size)))
        self.register_parameter("bias", nn.Parameter(torch.zeros(1)) if bias else None)

    def forward(self, x):
        x = x * self.scale
        return x.sum(-1)


def scaled(device):
    model = Scale(3).to(device)  # want: PF112
    return model(torch.ones(2, 3, device=device)).sum().item()


class Trainer:
    def __init__(self, loader, device):
        self.device = device
        self.loader = loader
        self.model = nn.Linear(3, 1).to(self.device)  # want: PF112

    def fit(self):
        start = torch.zeros(2, 3, device=self.device)
        print(self.model(start).shape)
        for batch in self.loader:
            batch = {k: v.to(self.device) for k, v in batch.items()}
            print((batch["x"] * batch["mask"]).sum().item())

    def score(self, graphs):
        for data in graphs:
            y = data.y.to(self.device)
            print(y.sum().item())
