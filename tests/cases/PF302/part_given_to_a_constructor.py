# A module that the constructor of another one keeps as an attribute lies where that one lies.
# run: encode(); decode()
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Pair(nn.Module):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder

    def forward(self, x):
        return self.decoder(self.encoder(x))


def encode():
    net = Pair(nn.Linear(3, 2), nn.Linear(2, 3)).to(device)
    x = torch.zeros(2, 3)  # want: PF302
    return net.encoder(x)


def decode():
    net = Pair(encoder=nn.Linear(3, 2), decoder=nn.Linear(2, 3))
    net.to(device)
    x = torch.zeros(2, 2)  # want: PF302
    return net.decoder(x)
