# An attribute that the constructor leaves out, or sets to None, and one method alone sets to a tensor of the CPU.
# run: one = One(); one.setup(); one.run(); other = Other(); other.setup(); other.run()
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class One:
    def __init__(self):
        self.net = nn.Linear(3, 2).to(device)
        self.table = None

    def setup(self):
        self.table = torch.zeros(1, 3, device=device)  # want: PF302

    def run(self):
        return self.net(self.table)


class Other:
    def __init__(self):
        self.net = nn.Linear(3, 2).to(device)

    def setup(self):
        self.rows = torch.zeros(1, 3, device=device)  # want: PF302

    def run(self):
        return self.net(self.rows)
