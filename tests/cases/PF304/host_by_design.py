import torch
from torch import nn


class Lengths(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 4, batch_first=True)

    def forward(self, x):
        lengths = torch.full((x.size(0),), x.size(1), dtype=torch.long)
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
        out, _ = self.rnn(packed)
        widths = torch.arange(4).float().numpy()
        history = torch.zeros(3)
        history[0] = x.sum().item()
        return out, widths, history.tolist()
