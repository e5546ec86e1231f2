# forward returns the loss: with two GPUs there are two.
# machines: 2
# run: main(torch.ones(4, 3), torch.tensor([0, 1, 0, 1]))
# fails: grad can be implicitly created only for scalar outputs
# numbers: the mean of two means
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x, y):
        return F.cross_entropy(self.fc(x), y)


def main(x, y):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.DataParallel(Net().to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        loss = model(x.to(device), y.to(device))  # want: PF414
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())
