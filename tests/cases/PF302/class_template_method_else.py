# A base class that places the model after it has called the method of the derived class, or that runs without a model.
import torch
from torch import nn


class Base:
    def run(self):
        self.build()
        self.check()
        self.model.to("cuda" if torch.cuda.is_available() else "cpu")
        self.train()

    def build(self):
        self.model = nn.Linear(3, 2)

    def check(self):
        pass

    def train(self):
        pass


class Child(Base):
    def check(self):
        x = torch.ones(4, 3)
        return self.model(x)


class Given:
    def run(self, model):
        self.train(model)

    def train(self, model):
        raise NotImplementedError


class OnCpu(Given):
    def train(self, model):
        x = torch.ones(4, 3)
        return model(x)
