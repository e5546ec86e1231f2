import torch
from torch import nn


class Outside(nn.Module):
    """Who calls init_hidden moves what it returns."""

    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 4)

    def init_hidden(self, batch):
        return torch.zeros(1, batch, 4)

    def forward(self, x, h):
        return self.gru(x, h)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = Outside().to(device)
h = net.init_hidden(2).to(device)
out, h = net(torch.randn(3, 2, 4, device=device), h)
print(out.shape)
