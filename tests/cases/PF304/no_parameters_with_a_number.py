"""A parameter whose default is a number is not taken for a tensor: a random number is compared with a share."""
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 3)

    def forward(self, x, h, share=0.5, *, keep=0.9):
        for t in range(x.size(1)):
            h = self.cell(x[:, t], h)
            if torch.rand(1) < share:
                h = h * 2
            h = h if torch.rand(1) > keep else -h
        return h


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = Decoder().to(device)
print(net(torch.ones(2, 4, 3).to(device), torch.zeros(2, 3).to(device)).shape)
