"""Values that meet a tensor of the function go to its device, and no device is made of a flag."""
# run: loss = Loss(torch.cuda.is_available())
# run: from types import SimpleNamespace
# run: args = SimpleNamespace(use_gpu=torch.cuda.is_available())
# run: place = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(loss(torch.ones(2, 3).to(place), torch.tensor([0, 2])).item(), scaled(torch.ones(3).to(place), args).sum().item())
import torch
from torch import nn


class Loss(nn.Module):
    def __init__(self, use_gpu):
        super().__init__()
        self.use_gpu = use_gpu
        self.logsoftmax = nn.LogSoftmax(dim=1)

    def forward(self, inputs, targets):
        log_probs = self.logsoftmax(inputs)
        zeros = torch.zeros(log_probs.size())
        targets = zeros.scatter_(1, targets.unsqueeze(1).cpu(), 1)
        # want: PF403
        targets = targets.to(log_probs.device)
        targets = 0.9 * targets + 0.1
        return (-targets * log_probs).mean(0).sum()

    def extra_repr(self):
        return f"use_gpu={self.use_gpu}"


def scaled(x, args):
    rows = torch.relu(x)
    noise = torch.ones(rows.shape)
    noise = noise.to(rows.device)  # want: PF403
    return rows * noise
