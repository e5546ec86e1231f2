# A criterion of the module, a sum of two losses, and a name in forward.
# machines: 2
# run: main(torch.ones(4, 3), torch.ones(4, 2))
# fails: grad can be implicitly created only for scalar outputs
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.criterion = nn.MSELoss()

    def forward(self, x, y):
        out = self.fc(x)
        loss = self.criterion(out, y)
        penalty = out.pow(2).mean()
        return loss + 0.1 * penalty


def main(x, y):
    model = nn.DataParallel(Net().cuda())
    loss = model(x.cuda(), y.cuda())  # want: PF414
    loss.backward()
