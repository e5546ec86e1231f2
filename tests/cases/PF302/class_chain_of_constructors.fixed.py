# A base class places the model that the class passes to its constructor, however that is called.
# run: Plain().step(), Old().step(), Direct().step(), Mixed().step(), Built().step(), Named().step()
import torch
from torch import nn


class Base:
    def __init__(self, model):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)
        self.loss = nn.MSELoss()


class Plain(Base):
    def __init__(self):
        super().__init__(nn.Linear(3, 2))

    def step(self):
        goal = torch.zeros(4, 2, device=self.device)  # want: PF302
        return self.loss(self.model(torch.ones(4, 3).to(self.device)), goal)


class Old(Base):
    def __init__(self):
        super(Old, self).__init__(nn.Linear(3, 2))

    def step(self):
        goal = torch.zeros(4, 2, device=self.device)  # want: PF302
        return self.loss(self.model(torch.ones(4, 3).to(self.device)), goal)


class Direct(Base):
    def __init__(self):
        Base.__init__(self, nn.Linear(3, 2))

    def step(self):
        goal = torch.zeros(4, 2, device=self.device)  # want: PF302
        return self.loss(self.model(torch.ones(4, 3).to(self.device)), goal)


class Placing:
    def choose(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def build(self):
        self.critic = nn.Linear(3, 1)
        self.critic.to(self.device)


class Mixed(Placing):
    def __init__(self):
        self.choose()
        self.build()

    def step(self):
        noise = torch.ones(4, 3, device=self.device)  # want: PF302
        return self.critic(noise)


class Building:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = self.build().to(self.device)

    def build(self):
        raise NotImplementedError


class Built(Building):
    def build(self):
        return nn.Linear(3, 2)

    def step(self):
        x = torch.ones(4, 3, device=self.device)  # want: PF302
        return self.net(x)


class Named:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        setattr(self, "net", nn.Linear(3, 2).to(self.device))

    def step(self):
        x = torch.ones(4, 3, device=self.device)  # want: PF302
        return self.net(x)
