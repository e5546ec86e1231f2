# Another method, the method itself, a parameter or code outside the class may give the attribute another place.
# run: a = Moving(); a.setup(); a.move(); a.run(); b = Given(); b.setup(torch.zeros(1, 3).to(device)); b.run()
# run: c = Twice(); c.setup(); c.run(); use()
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Moving:
    def __init__(self):
        self.net = nn.Linear(3, 2).to(device)
        self.table = None

    def setup(self):
        self.table = torch.zeros(1, 3)

    def move(self):
        self.table = self.table.to(device)

    def run(self):
        return self.net(self.table)


class Given:
    def __init__(self):
        self.net = nn.Linear(3, 2).to(device)
        self.table = None

    def setup(self, table=None):
        self.table = torch.zeros(1, 3) if table is None else table

    def run(self):
        return self.net(self.table)


class Twice:
    def __init__(self):
        self.net = nn.Linear(3, 2).to(device)
        self.table = None

    def setup(self):
        self.table = torch.zeros(1, 3)
        self.table = self.table.to(device)

    def run(self):
        return self.net(self.table)


class Outside:
    def __init__(self):
        self.net = nn.Linear(3, 2).to(device)
        self.rows = None

    def setup(self):
        self.rows = torch.zeros(1, 3)

    def run(self):
        return self.net(self.rows)


def use():
    one = Outside()
    one.setup()
    one.rows = one.rows.to(device)
    return one.run()
