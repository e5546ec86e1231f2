# run: device = "cuda" if torch.cuda.is_available() else "cpu"
# run: x = torch.ones(3, 2, 4, device=device)
# run: print(Encoder(4).to(device)(x).sum().item(), Heads(4).to(device)(x).sum().item(), Pair(4).to(device)(x).sum().item())
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width, count=2):
        super().__init__()
        torch.manual_seed(0)
        self.norms = nn.ModuleList()
        self.attention = nn.ModuleList()
        for _ in range(count):
            norm = nn.LayerNorm(width)
            self.norms.append(norm)
            layer = nn.MultiheadAttention(width, 1)
            self.attention.append(layer)

    def forward(self, x):
        mask = ~torch.tril(
            torch.ones((x.shape[0], x.shape[0]), dtype=torch.bool, device=x.device)
        )  # want: PF304
        for i in range(len(self.attention)):
            q = self.norms[i](x)
            out, _ = self.attention[i](q, x, x, attn_mask=mask)
            x = q + out
        return x


class Heads(nn.Module):
    def __init__(self, width, count=2):
        super().__init__()
        torch.manual_seed(0)
        self.heads = nn.ModuleList([nn.Linear(width, width) for _ in range(count)])

    def forward(self, x):
        start = torch.zeros(x.size(0), 4, device=next(self.heads.parameters()).device)  # want: PF304
        total = x.sum()
        for i, head in enumerate(self.heads):
            total = total + head(start).sum() + i
        return total


class Pair(nn.Module):
    def __init__(self, width):
        super().__init__()
        torch.manual_seed(0)
        self.layers = nn.ModuleList([nn.Linear(width, width), nn.Linear(width, width)])

    def forward(self, x):
        bias = torch.zeros(4, device=x.device)  # want: PF304
        return self.layers[0](x) + self.layers[-1](bias)
