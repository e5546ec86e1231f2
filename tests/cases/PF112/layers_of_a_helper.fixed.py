# A function makes the layers of the class.
# run: call(torch.ones(2, 3))
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def block(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, outputs), nn.ReLU())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(block(3, 4), block(4, 2))

    def forward(self, x):
        return self.encoder(x)


def call(x):
    net = Net().to(device)  # want: PF112
    x = x.to(device)
    return net(x)
