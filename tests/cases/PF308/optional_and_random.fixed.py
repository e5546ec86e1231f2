import torch
from torch import nn


class Gru(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 6)

    def forward(self, x, h=None):
        if h is None:
            h = torch.randn(1, x.size(1), 6).to(x.device)  # want: PF308
        out, h = self.gru(x, h)
        return out, h


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Gru().to(device)
x = torch.randn(5, 2, 4).to(device)
out, h = net(x)
print(f"{net(x, h)[0].sum().item():.4f}")
