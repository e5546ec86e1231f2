import torch
from torch import nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, vocab, width, length):
        super().__init__()
        self.tokens = nn.Embedding(vocab, width)
        self.positions = nn.Embedding(length, width)
        self.project = nn.Linear(width, width)

    def forward(self, ids):
        batch, length = ids.size()
        steps = torch.arange(length, device=ids.device)  # want: PF304
        x = self.tokens(ids) + self.positions(steps)
        causal = torch.triu(
            torch.ones(length, length, dtype=torch.bool, device=ids.device), diagonal=1
        )  # want: PF304
        scores = torch.matmul(x, x.transpose(1, 2)).masked_fill(causal, float("-inf"))
        return self.project(F.softmax(scores, dim=-1) @ x)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Attention(20, 8, 16).to(device)
ids = torch.randint(0, 20, (3, 6)).to(device)
print(f"{net(ids).sum().item():.4f}")
