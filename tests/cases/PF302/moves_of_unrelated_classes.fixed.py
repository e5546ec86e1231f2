# A class that is no relative moves its own attribute of the same name.
# run: One().run(); Other().to_cpu()
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class One:
    def __init__(self):
        self.net = nn.Linear(3, 2).to(device)

    def run(self):
        x = torch.zeros(2, 3, device=device)  # want: PF302
        return self.net(x)


class Other:
    def __init__(self):
        self.net = nn.Linear(3, 2)

    def to_cpu(self):
        self.net.cpu()
