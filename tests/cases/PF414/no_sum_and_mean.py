# The loss adds a mean and a sum: neither the mean nor the sum over the GPUs is that of the batch.
import torch
from torch import nn


class Penalised(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x, y):
        out = self.fc(x)
        return nn.functional.mse_loss(out, y) + out.pow(2).sum()


def main(x, y):
    model = nn.DataParallel(Penalised().cuda())
    loss = model(x.cuda(), y.cuda())  # want: PF414 report
    loss.backward()
