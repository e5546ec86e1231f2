"""The modules of the containers are registered under other names, or moved by a replaced method."""
import torch
from torch import nn


class ByName(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = []
        for number in range(2):
            layer = nn.Linear(width, width)
            setattr(self, f"layer{number}", layer)
            self.layers.append(layer)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class ByKeyword(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = [nn.Linear(width, width) for _ in range(2)]
        self._register()

    def _register(self):
        for number, layer in enumerate(self.layers):
            self.add_module(name=f"layer{number}", module=layer)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class OfCaller(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.layers = layers
        for number, layer in enumerate(layers):
            self.add_module(f"layer{number}", layer)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Applied(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.convs = [nn.Linear(width, width)]

    def _apply(self, function):
        for conv in self.convs:
            conv._apply(function)
        return super()._apply(function)

    def forward(self, x):
        return self.convs[0](x)


class AppliedToAll(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.convs = [nn.Linear(width, width)]

    def _apply(self, function):
        for value in vars(self).values():
            for part in value if isinstance(value, list) else []:
                part._apply(function)
        return super()._apply(function)

    def forward(self, x):
        return self.convs[0](x)


class MovedAndFilled(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.convs = [nn.Linear(width, width)]

    def place(self, device):
        for number in range(len(self.convs)):
            self.convs[number] = self.convs[number].to(device)

    def forward(self, x):
        return self.convs[0](x)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.ones(1, 4, device=device)
moved = MovedAndFilled(4)
moved.place(device)
nets = [ByName(4), ByKeyword(4), OfCaller(nn.Linear(4, 4)), Applied(4), AppliedToAll(4), moved]
print([net.to(device)(x) for net in nets])
