# options: unsafe
"""The constructor asks its parameter, the methods what it is kept as: one device."""
# run: both = Trainer(torch.cuda.is_available()), Set(torch.cuda.is_available())
# run: print([(t.update(torch.ones(2, 3)).shape, t.predict(torch.ones(2, 3)).shape) for t in both])
import torch
from torch import nn


class Trainer:
    def __init__(self, use_cuda):
        self.use_cuda = use_cuda
        self.model = nn.Linear(3, 4)
        if use_cuda:  # want: PF403 unsafe
            self.model.cuda()
        else:
            self.model.cpu()

    def update(self, units):
        units = units.view(-1, 3)
        if self.use_cuda:  # want: PF403 unsafe
            units = units.cuda()
        return self.model(units)

    def predict(self, units):
        units = units.view(-1, 3)
        if self.use_cuda:  # want: PF403 unsafe
            units = units.cuda()
        return self.model(units)


class Set:
    def __init__(self, use_cuda):
        self.use_cuda = use_cuda
        use_cuda = use_cuda and torch.cuda.is_available()
        self.model = nn.Linear(3, 4)
        if use_cuda:  # want: PF403
            self.model.cuda()

    def update(self, units):
        units = units.view(-1, 3)
        if self.use_cuda:  # want: PF403 unsafe
            units = units.cuda()
        return self.model(units)

    def predict(self, units):
        units = units.view(-1, 3)
        if self.use_cuda:  # want: PF403 unsafe
            units = units.cuda()
        return self.model(units)
