import torch
import torch.nn as nn


class Trainer:
    def __init__(self):
        torch.manual_seed(18)
        self.net = nn.Linear(6, 2)
        self.pick_device()
        self.net.to(self.device)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)  # want: PF201

    def pick_device(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


trainer = Trainer()
print(trainer.net(torch.ones(1, 6).to(trainer.device)).sum().item())
