# options: unsafe
"""The constructor asks its parameter, the methods what it is kept as: one device."""
# run: both = Trainer(torch.cuda.is_available()), Set(torch.cuda.is_available())
# run: print([(t.update(torch.ones(2, 3)).shape, t.predict(torch.ones(2, 3)).shape) for t in both])
import torch
from torch import nn


class Trainer:
    def __init__(self, use_cuda):
        self.use_cuda = use_cuda
        self.device = torch.device("cuda" if self.use_cuda else "cpu")
        self.model = nn.Linear(3, 4)
        # want: PF403 unsafe
        self.model.to(self.device)

    def update(self, units):
        units = units.view(-1, 3)
        # want: PF403 unsafe
        units = units.to(self.device)
        return self.model(units)

    def predict(self, units):
        units = units.view(-1, 3)
        # want: PF403 unsafe
        units = units.to(self.device)
        return self.model(units)


class Set:
    def __init__(self, use_cuda):
        self.use_cuda = use_cuda
        self.device = torch.device("cuda" if self.use_cuda else "cpu")
        use_cuda = use_cuda and torch.cuda.is_available()
        self.model = nn.Linear(3, 4)
        device = torch.device("cuda" if use_cuda else "cpu")
        # want: PF403
        self.model.to(device)

    def update(self, units):
        units = units.view(-1, 3)
        # want: PF403 unsafe
        units = units.to(self.device)
        return self.model(units)

    def predict(self, units):
        units = units.view(-1, 3)
        # want: PF403 unsafe
        units = units.to(self.device)
        return self.model(units)
