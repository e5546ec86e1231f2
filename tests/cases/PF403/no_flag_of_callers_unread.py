"""Where no code would read a flag any more that callers set, its guards have no safe fix."""
# run: g = torch.cuda.is_available(); place = torch.device("cuda" if g else "cpu"); x = torch.ones(2, 3).to(place)
# run: print(Smooth(g)(x).item(), Trainer(g).step(torch.ones(2, 3)).shape, scaled(x, g).sum().item())
import torch
from torch import nn


class Smooth(nn.Module):
    def __init__(self, use_gpu):
        super().__init__()
        self.use_gpu = use_gpu

    def forward(self, x):
        scores = torch.relu(x)
        target = torch.zeros(scores.size())
        if self.use_gpu:  # want: PF403 unsafe
            target = target.cuda()
        return (scores - target).sum()


class Trainer:
    def __init__(self, use_cuda=True):
        self.use_cuda = use_cuda and torch.cuda.is_available()
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = nn.Linear(3, 1).to(self.device)

    def step(self, x):
        x = torch.relu(x)
        if self.use_cuda:  # want: PF403 unsafe
            x = x.cuda()
        return self.net(x)


def scaled(x, use_gpu):
    rows = torch.relu(x)
    noise = torch.ones(rows.shape)
    noise = noise.cuda() if use_gpu else noise  # want: PF403 unsafe
    return rows * noise
