import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class AutomaticWeightedLoss(nn.Module):
    """One number for each loss: numbers of the CPU go with everything."""

    def __init__(self, count):
        super().__init__()
        self.weights = nn.Parameter(torch.ones(count))

    def forward(self, *losses):
        total = 0
        for number, loss in enumerate(losses):
            total = total + loss / self.weights[number] ** 2 + torch.log(1 + self.weights[number] ** 2)
        return total


class Weighted(nn.Module):
    def __init__(self):
        super().__init__()
        self.logs = nn.Parameter(torch.zeros(2))
        self.temperature = nn.Parameter(torch.tensor(1.0))

    def forward(self, first, second):
        return (first * self.logs[0].exp() + second * self.logs[1].exp()) / self.temperature


class Table(nn.Module):
    """Numbers of a table: an item of a loop may be two indices."""

    def __init__(self, count):
        super().__init__()
        self.table = nn.Parameter(torch.ones(count, 2))

    def forward(self, x):
        total = x * self.table[0, 1]
        for place in ((0, 0), (1, 1)):
            total = total + x * self.table[place]
        return total


torch.manual_seed(1)
model = nn.Linear(4, 2).to(device)
automatic = AutomaticWeightedLoss(2)
weighted = Weighted()
x = torch.randn(3, 4).to(device)
out = model(x)
loss = automatic(out.sum(), out.pow(2).mean()) + weighted(out.sum(), out.mean()) + Table(2)(out).sum()
loss.backward()
print(f"{loss.item():.4f}")
