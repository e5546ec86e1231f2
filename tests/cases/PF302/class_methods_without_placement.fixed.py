# A method that places nothing itself uses what the constructor, or the only method that sets it, has placed.
# run: Plain().step(), Parsed().step({"x": torch.ones(4, 3), "z": torch.ones(4, 3)}), Compound(True).step(torch.ones(4, 3))
# run: t = Later(); t.prepare(); t.step()
import torch
from torch import nn


class Plain:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.critic = nn.Linear(3, 1).to(self.device)

    def step(self):
        noise = torch.ones(4, 3, device=self.device)  # want: PF302
        return self.critic(noise)


class Parsed:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.critic = nn.Linear(3, 1)
        self.critic.to(self.device)
        self.bce = nn.BCEWithLogitsLoss()

    def parse(self, batch):
        return batch["x"].to(self.device), batch["z"].to(self.device)

    def step(self, batch):
        x, z = self.parse(batch)
        goal = torch.ones(x.shape[0], 1, device=self.device)  # want: PF302
        return self.bce(self.critic(x), goal) + z.sum()


class Compound:
    def __init__(self, wanted):
        if torch.cuda.is_available() and wanted:
            self.device = torch.device("cuda")
        else:
            self.device = torch.device("cpu")
        self.critic = nn.Linear(3, 1)
        self.critic.to(self.device)
        self.bce = nn.BCEWithLogitsLoss()

    def step(self, batch):
        x = batch.to(self.device)
        goal = torch.ones(x.shape[0], 1, device=self.device)  # want: PF302
        return self.bce(self.critic(x), goal)


class Later:
    def prepare(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = nn.Linear(3, 2).to(self.device)

    def step(self):
        x = torch.ones(4, 3, device=self.device)  # want: PF302
        return self.model(x)
