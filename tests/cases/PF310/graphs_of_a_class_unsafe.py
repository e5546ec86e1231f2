# options: unsafe
# Numpy reads what a class differentiates or detaches, where another method places the modules or their input.
# given: from drive import device
import torch
from torch import nn


class Trainer:
    def __init__(self, device):
        self.device = device
        self.net = nn.Linear(3, 2)
        self.net.to(device)

    def forward(self, x):
        self.total = self.net(x).sum()

    def backward(self):
        torch.mean(self.total).backward()

    def errors(self):
        return float(self.total.data.numpy())  # want: PF310 unsafe, warning

    def step(self, loss):
        loss.backward()
        return float(loss.detach().numpy())  # want: PF310 unsafe, warning


# run: torch.manual_seed(0)
# run: trainer = Trainer(device)
# run: trainer.forward(torch.ones(4, 3).to(device))
# run: trainer.backward()
# run: print(trainer.errors(), trainer.step(trainer.net(torch.ones(4, 3).to(device)).sum()))
