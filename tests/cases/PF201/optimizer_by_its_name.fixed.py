# options: unsafe
# run: d = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: Trainer(nn.Linear(3, 2), d).step(torch.ones(4, 3, device=d)); FromTable(d, "sgd").step(torch.ones(4, 3, device=d))
# before: clean: an optimizer of torch keeps the parameters
"""The class of the optimizer is an argument or an entry of a table, and a sub-class makes the model."""
import torch
import torch.nn as nn

OPTIMIZERS = dict([("sgd", torch.optim.SGD)])


class Trainer:
    def __init__(self, model, device, optimizer_fn=torch.optim.SGD):
        self.model = model
        self.model.to(device)
        self.optimizer = optimizer_fn(self.model.parameters(), lr=0.1)  # want: PF201 unsafe

    def step(self, x):
        self.model(x).sum().backward()
        self.optimizer.step()


class Base:
    def build(self):
        raise NotImplementedError()

    def __init__(self, device, name):
        self.model = self.build()
        self.model = self.model.to(device)
        self.optimizer = OPTIMIZERS[name](self.model.parameters(), lr=0.1)  # want: PF201 unsafe

    def step(self, x):
        self.model(x).sum().backward()
        self.optimizer.step()


class FromTable(Base):
    def build(self):
        return nn.Linear(3, 2)
