import torch
from torch import nn


class Added(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = [nn.Linear(width, width) for _ in range(2)]
        for number, layer in enumerate(self.layers):
            self.add_module(f"layer{number}", layer)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Chained(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = [nn.Linear(width, width), nn.ReLU()]
        self.chain = nn.Sequential(*self.layers)

    def forward(self, x):
        return self.layers[0](x) + self.chain(x)


class Replaced(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = []
        self.layers.append(nn.Linear(width, width))
        self.layers = nn.ModuleList(self.layers)
        heads = [nn.Linear(width, 1)]
        self.names = heads
        self.heads = nn.ModuleList(heads)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x + self.heads[0](x) + self.names[0](x)


class Parts(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.layers = [self.first, nn.ReLU()]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Added(4).to(device)(torch.randn(2, 4).to(device)).shape)
