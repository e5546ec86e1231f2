import torch
from torch import nn


class Align(nn.Module):
    """CTCLoss takes its targets from the CPU as well."""

    def __init__(self):
        super().__init__()
        self.loss = nn.CTCLoss()

    def forward(self, log_probs):
        steps, batch = log_probs.size(0), log_probs.size(1)
        target = torch.arange(1, 4).unsqueeze(0).repeat(batch, 1)
        return self.loss(log_probs, target, torch.full((batch,), steps), torch.full((batch,), 3))
