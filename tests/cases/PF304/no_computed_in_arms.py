# options: unsafe
# One arm moves the result, or computes it of another tensor.
import torch
from torch import nn


class Buckets(nn.Module):
    def __init__(self, form):
        super().__init__()
        self.form = form
        self.tokens = nn.Embedding(4, 3)
        self.times = nn.Embedding(4, 3)

    def moved(self, x):
        n, m = x.shape
        times = torch.ones(n, m)
        if self.form == "root":
            buckets = torch.sqrt(times).to(x.device)
        else:
            buckets = torch.log(times).to(x.device)
        return self.tokens(x) + self.times(buckets.long())

    def forward(self, x):
        n, m = x.shape
        times = torch.ones(n, m)
        if self.form == "root":
            buckets = times.sum().item() + x
        else:
            buckets = x
        return self.tokens(x) + self.times(buckets.long())


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Buckets("root").to(device)
