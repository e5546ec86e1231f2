# The results of the GPUs are added up before `backward`, or the loss is no number for each GPU.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.criterion = nn.MSELoss(reduction="none")

    def forward(self, x, y):
        return self.criterion(self.fc(x), y)


def main(x, y):
    model = nn.DataParallel(Net().cuda())
    losses = model(x.cuda(), y.cuda())
    loss = losses.sum()
    loss.backward()
