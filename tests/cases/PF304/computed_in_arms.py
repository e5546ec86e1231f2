# Each arm of a test computes another result of the tensor, or takes another tensor that arrives: the value behind the test is where both are.
# run: net = Buckets("root").to(device)
# run: net(torch.ones(4, 3, dtype=torch.long, device=device))
# run: Masks()(torch.ones(2, 4, device=device), None)
import torch
from torch import nn


class Buckets(nn.Module):
    def __init__(self, form):
        super().__init__()
        self.form = form
        self.tokens = nn.Embedding(4, 3)
        self.times = nn.Embedding(4, 3)

    def bucket(self, times):
        if self.form == "root":
            buckets = torch.sqrt(times).long()
        else:
            buckets = torch.log(times).long()
        return torch.clamp(buckets, min=0, max=3)

    def forward(self, x, times=None):
        n, m = x.shape
        if times is None:
            times = torch.zeros(n, m)  # want: PF304
        return self.tokens(x) + self.times(self.bucket(times))


class Masks(nn.Module):
    def forward(self, features, mask):
        if mask is None:
            mask = features.to(features.device)
        else:
            mask = mask.to(features.device)
        places = torch.arange(len(features)).view(-1, 1)  # want: PF304
        return torch.scatter(torch.ones_like(mask), 1, places, 0)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Buckets("root").to(device)
masks = Masks().to(device)
