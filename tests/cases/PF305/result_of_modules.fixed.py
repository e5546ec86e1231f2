# options: unsafe
# machines: 1,2
# run: device = torch.device("cuda")
# run: for cls in (Derived, Composed, Repeated, Chosen, Stacked, Built):
# run:     print("%.3f" % float(cls().to(device)(torch.ones(2, 3, device=device)).sum()))
# The result of a module is assumed to be on its device: of another class, in a ModuleList, built by a function.
import torch
import torch.nn.functional as F
from torch import nn


def linear():
    layer = nn.Linear(3, 3)
    nn.init.constant_(layer.weight, 0.5)
    nn.init.constant_(layer.bias, 0.5)
    return layer


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.Sequential(nn.Conv1d(2, 2, 1), nn.Flatten(0))
        nn.init.constant_(self.norm[0].weight, 0.5)
        nn.init.constant_(self.norm[0].bias, 0.5)


class Derived(Base):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.full((6,), 2.0), persistent=False)  # want: PF305 unsafe

    def forward(self, x):
        return self.norm(x) * self.scale


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = linear()

    def forward(self, x):
        return F.relu(self.fc(x))


class Composed(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.register_buffer("scale", torch.full((3,), 2.0), persistent=False)  # want: PF305 unsafe, warning

    def forward(self, x):
        return self.encoder(x) * self.scale


class Repeated(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([linear() for _ in range(2)])
        self.register_buffer("scale", torch.full((3,), 2.0), persistent=False)  # want: PF305 unsafe, warning

    def forward(self, x):
        for layer in self.layers:
            x = F.relu(layer(x))
        return x * self.scale


class Chosen(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"first": linear(), "second": linear()})
        self.register_buffer("scale", torch.full((3,), 2.0), persistent=False)  # want: PF305 unsafe, warning

    def forward(self, x):
        return self.heads["first"](x) * self.scale


class Stacked(nn.Module):
    def __init__(self):
        super().__init__()
        layers = [linear(), nn.ReLU()]
        self.net = nn.Sequential(*layers)
        self.register_buffer("scale", torch.full((3,), 2.0), persistent=False)  # want: PF305 unsafe, warning

    def forward(self, x):
        return self.net(x) * self.scale


class Built(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = self.build()
        self.register_buffer("scale", torch.full((3,), 2.0), persistent=False)  # want: PF305 unsafe, warning

    def build(self):
        return nn.Sequential(linear(), nn.ReLU())

    def forward(self, x):
        return self.net(x) * self.scale
