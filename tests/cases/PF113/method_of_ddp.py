# A method of the module would run outside of DistributedDataParallel, which averages the gradients.
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)

    def loss(self, x):
        return self.fc(x).sum()


def train(device, x):
    model = DDP(Net().to(device))
    model.loss(x).backward()  # want: PF113 report
