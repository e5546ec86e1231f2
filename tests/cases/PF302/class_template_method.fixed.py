# A base class fixes the order of the methods: what `setup` has placed is placed in `train` of the derived class.
# run: Child().run(), Named().run()
import torch
from torch import nn


class Base:
    def run(self):
        self.setup()
        return self.train()

    def setup(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = nn.Linear(3, 2).to(self.device)

    def train(self):
        raise NotImplementedError


class Child(Base):
    def train(self):
        x = torch.ones(4, 3, device=self.device)  # want: PF302
        return self.model(x)


class Named(Base):
    def setup(self):
        super().setup()
        self.loss = nn.MSELoss()

    def train(self):
        x = torch.ones(4, 3).to(self.device)
        goal = torch.zeros(4, 2, device=self.device)  # want: PF302
        return self.loss(self.model(x), goal)
