# options: unsafe
# Positions and lengths may stay on the CPU, a criterion may accept them there, no other input shows a device, and a buffer is no module.
import torch
from torch import nn


class Lengths(nn.Module):
    def __init__(self, encoder, loss, buffer):
        super().__init__()
        self.encoder = encoder
        self.loss = loss
        self.buffer = buffer

    def forward(self, x):
        out = self.encoder(x, torch.full((len(x),), 3))
        self.buffer.add(x, torch.zeros(len(x), 2))
        return self.loss(out, torch.zeros(len(x), 2))


class Alone(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def sample(self, n):
        return self.net(torch.zeros(n, 3), n)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
models = [Lengths(nn.Linear(3, 2), nn.MSELoss(), []).to(device), Alone(nn.Linear(3, 2)).to(device)]
