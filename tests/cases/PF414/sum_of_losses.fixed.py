# The loss is a sum: so is that of the batch.
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


def main(x, y):
    model = nn.DataParallel(Net().cuda())
    loss = model(x.cuda(), y.cuda()).sum()  # want: PF414
    loss.backward()
    print("%.3f" % loss.item())
