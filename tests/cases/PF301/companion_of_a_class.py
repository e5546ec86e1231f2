# options: unsafe
# run: torch.manual_seed(0)
# run: batches = [(torch.ones(2, 3), torch.ones(2, 1))]
# run: print("%.4f %.4f" % (Trainer().fit(batches), Trainer().score(batches)))
# run: print("%.4f" % Finetuner(lambda: nn.Linear(3, 1)).fit(batches))
# run: print("%.4f" % Wrapper(nn.Linear(3, 1), Base.device).score(batches))
"""The module of the class is placed by its constructor; a method gets the batches and moves a part of each."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Base:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def __init__(self, build):
        self.model = self.made_by(build).to(self.device)

    def made_by(self, build):
        return build()


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = nn.Linear(3, 1).to(self.device)

    def fit(self, loader):
        total = 0
        for x, y in loader:  # want: PF301 unsafe, warning
            y = y.to(self.device)
            total += F.mse_loss(self.model(x), y).item()
        return total

    def score(self, loader):
        total = 0
        for x, y in loader:  # want: PF301 unsafe
            x = x.to(self.device)
            total += F.mse_loss(self.model(x), y).item()
        return total


class Finetuner(Base):
    def fit(self, loader):
        total = 0
        for x, y in loader:  # want: PF301 unsafe, warning
            y = y.to(self.device)
            total += F.mse_loss(self.model(x), y).item()
        return total


class Wrapper:
    def __init__(self, model, device):
        self.device = device
        self.model = model.to(device)

    def score(self, loader):
        total = 0
        for x, y in loader:  # want: PF301 unsafe, warning
            x = x.to(self.device)
            total += F.mse_loss(self.model(x), y).item()
        return total
