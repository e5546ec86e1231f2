# Some values of a criterion accept a target on the CPU, or another statement replaces it; one operand is a length.
import torch
from torch import nn


class Lengths(nn.Module):
    def __init__(self, kind):
        super().__init__()
        if kind == "a":
            self.loss = nn.CTCLoss()
        else:
            self.loss = nn.CTCLoss(blank=1)

    def forward(self, x, targets):
        steps = torch.full((x.size(1),), x.size(0), dtype=torch.long)
        return self.loss(x, targets, steps, steps)


class Like(nn.Module):
    def __init__(self, kind):
        super().__init__()
        if kind == "a":
            self.loss = nn.BCEWithLogitsLoss()
        else:
            self.loss = nn.MSELoss()

    def forward(self, x):
        return self.loss(x, torch.ones_like(x)) + self.loss(x, torch.ones(x.size(), device=x.device))


class Given(nn.Module):
    def __init__(self, loss):
        super().__init__()
        self.loss = loss

    def forward(self, x):
        return self.loss(x, torch.ones(x.size()))
