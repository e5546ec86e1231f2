# A criterion that the constructor chooses by a condition: each of its values compares the output with the target.
# options: unsafe
# run: print(f"{Chosen('a')(outputs, True):.4f}", f"{Chosen('b')(outputs, False):.4f}", f"{Own('a')(outputs, True):.4f}")
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
outputs = torch.linspace(0.1, 0.9, 6).view(3, 2).to(device)


class Chosen(nn.Module):
    def __init__(self, kind):
        super().__init__()
        if kind == "a":
            self.loss = nn.BCEWithLogitsLoss()
        elif kind == "b":
            self.loss = nn.MSELoss()

    def forward(self, x, real):
        target = torch.ones(x.size(), device=x.device) * (1.0 if real else 0.0)  # want: PF304
        return self.loss(x, target)


class Own(nn.Module):
    """One of the values is a method, which may leave the target where it is: a warning."""

    def __init__(self, kind):
        super().__init__()
        if kind == "a":
            self.loss = nn.BCEWithLogitsLoss()
        else:
            self.loss = self.mean

    def mean(self, x, target):
        return -x.mean() if target is None else x.mean()

    def forward(self, x, real):
        target = torch.ones(x.size(), device=x.device) * (1.0 if real else 0.0)  # want: PF304 unsafe, warning
        return self.loss(x, target)
