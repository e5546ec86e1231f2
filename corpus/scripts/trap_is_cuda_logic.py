"""Code that asks where a tensor is and follows it: that is device-agnostic already."""
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.query = nn.Linear(dim, dim)

    def forward(self, x):
        mask = torch.triu(torch.ones(x.size(0), x.size(0)), diagonal=1).bool()
        if x.is_cuda:
            mask = mask.cuda(x.get_device())
        scores = self.query(x) @ x.t()
        return scores.masked_fill(mask, -1e4).softmax(-1) @ x


def ones_like_on(t, n):
    device = (torch.device('cuda', t.get_device()) if t.is_cuda else torch.device('cpu'))
    return torch.ones(n, t.size(1), device=device)


torch.manual_seed(121)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
attention = Attention(6).to(device)
optimizer = torch.optim.SGD(attention.parameters(), lr=0.1)
for step in range(3):
    x = torch.randn(5, 6).to(device)
    loss = (attention(x) - ones_like_on(x, 5)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 5))
