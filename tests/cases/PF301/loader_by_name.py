# The function gets the loader, and nothing shows the place of its items but the name, or a loop of another function that moves them.
# options: unsafe
# run: d = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: rows = [(torch.ones(2, 3), torch.zeros(2, 1))]
# run: torch.manual_seed(0)
# run: print(score(nn.Linear(3, 1), rows, d))
# run: trainer = Trainer(nn.Linear(3, 1), d)
# run: trainer.fit(rows); print(trainer.validate(rows))
# run: pair = Pair(Named(), d); pair.fit([{"x": torch.ones(2, 3)}]); print(pair.rate([{"x": torch.ones(2, 3)}]))
import torch
import torch.nn.functional as F
from torch import nn


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 1)

    def forward(self, x):
        return self.layer(x)


def score(model, loader, device):
    model.to(device)
    model.eval()
    total = 0
    for x, y in loader:  # want: PF301 unsafe, warning
        out = model(x.to(device))
        total += F.mse_loss(out, y).numel()
    return total


class Trainer:
    def __init__(self, model, device):
        self.device = device
        self.model = model.to(device)

    def fit(self, data):
        for x, y in data:
            x = x.to(self.device)
            y = y.to(self.device)
            F.mse_loss(self.model(x), y).backward()

    def validate(self, data):
        shapes = []
        for step, (x, y) in enumerate(data):  # want: PF301 unsafe, warning
            shapes.append(F.mse_loss(self.model(x), y).shape)
        return shapes


class Pair:
    def __init__(self, model, device):
        self.device = device
        self.model = model.to(device)

    def fit(self, loader):
        for batch in loader:
            batch = {k: v.to(self.device) for k, v in batch.items()}
            self.model(**batch)

    def rate(self, loader):
        return self.each(loader)

    def each(self, loader):
        shapes = []
        for batch in loader:
            shapes.append(self.model(batch["x"]).shape)  # want: PF301 unsafe, warning
        return shapes
