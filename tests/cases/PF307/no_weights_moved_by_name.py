"""The object moves its attributes by their names, or through vars: which of them is not known."""
import torch
from torch import nn


class ByName:
    def __init__(self, names):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = nn.Linear(3, 2).to(self.device)
        self.criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0]))
        for name in names:
            getattr(self, name).to(self.device)

    def step(self, x, y):
        return self.criterion(self.net(x.to(self.device)), y.to(self.device))


class ByVars:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = nn.Linear(3, 2).to(self.device)
        self.criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0]))
        for part in vars(self).values():
            if isinstance(part, nn.Module):
                part.to(self.device)

    def step(self, x, y):
        return self.criterion(self.net(x.to(self.device)), y.to(self.device))


print(ByName(["criterion"]), ByVars())
