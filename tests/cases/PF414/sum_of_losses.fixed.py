# The loss is a sum: so is that of the batch. One that adds a mean and a sum is not fixed.
# machines: 2
# run: main(torch.ones(4, 3), torch.ones(4, 2))
# fails: grad can be implicitly created only for scalar outputs
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.criterion = nn.MSELoss(reduction="sum")

    def forward(self, x, y):
        return self.criterion(self.fc(x), y)


class Penalised(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x, y):
        out = self.fc(x)
        return nn.functional.mse_loss(out, y) + out.pow(2).sum()


def main(x, y):
    model = nn.DataParallel(Net().cuda())
    loss = model(x.cuda(), y.cuda()).sum()  # want: PF414
    loss.backward()
    print("%.3f" % loss.item())


def penalised(x, y):
    model = nn.DataParallel(Penalised().cuda())
    loss = model(x.cuda(), y.cuda())  # want: PF414 report
    loss.backward()
