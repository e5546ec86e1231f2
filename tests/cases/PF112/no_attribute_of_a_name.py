# Something unknown that is placed may be the attribute: it has its name.
import torch
from torch import nn


class Trainer:
    def __init__(self, device):
        self.device = device
        self.model = nn.Linear(3, 1)

    def fit(self):
        return self.model(torch.zeros(2, 3, device=self.device))


def place(trainer, device):
    trainer.owner.model.to(device)
