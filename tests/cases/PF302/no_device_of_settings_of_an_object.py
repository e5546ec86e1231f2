"""What is made on the device of the settings, or of a tensor that an object has."""
import torch
from torch import nn


class Trainer:
    def __init__(self, args, batch):
        self.args = args
        self.batch = batch
        self.model = nn.Linear(3, 2).to(self.args.device)
        self.other = nn.Linear(3, 2).to(self.batch.device)

    def step(self):
        noise = torch.randn(2, 3, device=self.args.device)
        return self.model(noise)

    def other_step(self):
        return self.other(torch.randn(2, 3))

    def moved(self):
        return self.model(torch.randn(2, 3).to(self.args.device))
