"""A function of the file gets the layers, and leaves them where they are."""
import torch
from torch import nn


def initialised(layer):
    nn.init.zeros_(layer.bias)
    return layer


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(initialised(nn.Linear(3, 3)), nn.ReLU())

    def forward(self, x):
        return self.layers(x)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = Net()  # want: PF112
x = torch.ones(2, 3, device=device)
print(net(x).sum().item() > -100)
