import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.width = width
        self.embed = nn.Embedding(vocab, width)
        self.lstm = nn.LSTM(width, width, num_layers=2, batch_first=True)
        self.out = nn.Linear(width, 3)

    def forward(self, ids):
        h0 = torch.zeros(2, ids.size(0), self.width)  # want: PF308
        c0 = torch.zeros(2, ids.size(0), self.width)  # want: PF308
        out, _ = self.lstm(self.embed(ids), (h0, c0))
        return self.out(out)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Tagger(11, 4).to(device)
ids = torch.randint(0, 11, (3, 5)).to(device)
print(f"{net(ids).sum().item():.4f}")
