"""Both halves of a layer's state are proven to be needed: each fix is safe; so is that of a state of one part beside it."""
import torch
from torch import nn


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 5)
        self.gru = nn.GRU(5, 5)

    def forward(self, x):
        h = torch.zeros(1, x.size(1), 5)  # want: PF308
        c = torch.zeros(1, x.size(1), 5)  # want: PF308
        out, _ = self.lstm(x, (h, c))
        start = torch.zeros(1, x.size(1), 5)  # want: PF308
        out, _ = self.gru(out, start)
        return out


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(Both().to(device)(torch.randn(4, 6, 3).to(device)).shape)
