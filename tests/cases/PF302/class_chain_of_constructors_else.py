# A constructor settles nothing if a method places the model, moves it back or sets it again, or if the class overrides its builder.
import torch
from torch import nn


class Base:
    def __init__(self, model):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model


class PlacesLater(Base):
    def __init__(self):
        super().__init__(nn.Linear(3, 2))

    def place(self):
        self.model.to(self.device)

    def step(self):
        return self.model(torch.ones(4, 3).to(self.device))

    def offline(self):
        x = torch.ones(4, 3)
        return self.model(x)


class MovesBack:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.core = nn.Linear(3, 2).to(self.device)

    def offload(self):
        self.core.cpu()

    def check(self):
        x = torch.ones(4, 3)
        return self.core(x)


class SetsAgain:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = nn.Linear(3, 2).to(self.device)

    def load(self, path):
        self.net = torch.load(path, map_location="cpu")

    def check(self):
        x = torch.ones(4, 3)
        return self.net(x)


class BuildsAgain:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.build()
        self.head.to(self.device)

    def build(self):
        self.head = nn.Linear(3, 2)

    def reset(self):
        self.build()

    def check(self):
        x = torch.ones(4, 3)
        return self.head(x)
