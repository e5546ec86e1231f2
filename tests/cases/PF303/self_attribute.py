import torch
from torch import nn


class Tracker:
    def __init__(self, device):
        self.device = device
        self.priors = torch.linspace(0, 1, 4)
        self.net = nn.Linear(4, 2).to(device)
        self.priors.to(self.device)  # want: PF303

    def score(self):
        return self.net(self.priors).sum().item()


torch.manual_seed(0)
print(round(Tracker(torch.device("cuda" if torch.cuda.is_available() else "cpu")).score(), 4))
