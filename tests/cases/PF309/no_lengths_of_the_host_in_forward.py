import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence


class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 6, batch_first=True)

    def forward(self, x, lengths):
        lengths = lengths.cpu()
        return self.rnn(pack_padded_sequence(x, lengths, batch_first=True))[1][-1]


class Given(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 6, batch_first=True)

    def forward(self, x, lengths, mask):
        return self.rnn(pack_padded_sequence(x * mask, lengths, batch_first=True))[1][-1]


torch.manual_seed(2)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.randn(2, 5, 4).to(device)
lengths = torch.tensor([5, 3])
print(f"{Own().to(device)(x, lengths.to(device)).sum().item():.4f}")
print(f"{Given().to(device)(x, lengths, lengths.to(device).view(2, 1, 1)).sum().item():.4f}")
print(f"{Given().to(device)(x, lengths.tolist(), torch.ones(1).to(device)).sum().item():.4f}")
