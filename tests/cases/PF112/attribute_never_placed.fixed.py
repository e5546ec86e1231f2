import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)


class Runner:
    def __init__(self):
        self.net = nn.Linear(3, 2).to(device)  # want: PF112

    def run(self, x):
        return self.net(x.to(device))


print(round(Runner().run(torch.ones(1, 3)).sum().item(), 4))
