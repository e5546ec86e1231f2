"""The class places nothing, or only on the CPU; the value is of no graph, was taken to the CPU, or its device is asked."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class OnCpu:
    def __init__(self):
        self.net = nn.Linear(3, 2).to("cpu")

    def step(self, x):
        loss = self.net(x).sum()
        loss.backward()
        return loss.detach().numpy()


class Placed:
    def __init__(self):
        self.net = nn.Linear(3, 2).to(device)

    def rows(self, table):
        return table.numpy()

    def kept(self, x):
        self.total = self.net(x.to(device)).sum()
        self.total.backward()
        self.total = self.total.detach().cpu()

    def read(self):
        return self.total.detach().numpy()

    def asked(self, loss):
        if loss.is_cuda:
            loss = loss.cpu()
        return loss.detach().numpy()


def outside(loss):
    loss.backward()
    return loss.detach().numpy()


placed = Placed()
placed.kept(torch.ones(4, 3))
print(OnCpu().step(torch.ones(4, 3)), placed.rows(torch.ones(2)), placed.read(), placed.asked(torch.ones(2)), outside(nn.Linear(3, 2)(torch.ones(4, 3)).sum()))
