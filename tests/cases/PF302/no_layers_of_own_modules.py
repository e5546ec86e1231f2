"""A layer of a module that the file does not define, or an item of a container, may move its inputs; a parameter has no mode."""
import torch
from torch import nn


class Mover(nn.Linear):
    def forward(self, x):
        return super().forward(x.to(self.weight.device))


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
layers = nn.Sequential(Mover(4, 2), nn.ReLU())
layers.to(device)
first = layers[0].eval()
print(first(torch.ones(2, 4)).sum().item() > -100)

net = nn.Linear(4, 2)
weight = net.weight.detach()
print((torch.ones(2, 4) @ weight.t()).shape)
