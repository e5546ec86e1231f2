import torch
from torch import nn


class Right(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.device = device

    def forward(self, x):
        a = torch.zeros(x.size(0), 4, device=x.device)
        b = torch.ones(x.size(0), 4).to(x.device)
        c = torch.ones(x.size(0), 4).to(x)
        d = torch.rand(x.size(0), 4).type_as(x)
        e = torch.zeros_like(x) + x.new_ones(4)
        f = torch.full((4,), 2.0, device=self.device)
        g = torch.arange(4).to(device=x.device, dtype=x.dtype)
        h = torch.eye(4).cuda() if x.is_cuda else torch.eye(4).to(x.device)
        return self.fc(x) + a + b + c + d + e + f + g + x @ h
