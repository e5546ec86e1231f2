# A meter for the running average, fed with numbers.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Meter:
    def __init__(self):
        self.total = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.total += value * n
        self.count += n

    @property
    def average(self):
        return self.total / self.count


def train(model, loader, criterion, optimizer, device):
    losses = Meter()
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.update(loss.item(), x.size(0))
    return losses.average


def main():
    torch.manual_seed(22)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 6), torch.randn(96, 2)), batch_size=16, shuffle=True)
    model = nn.DataParallel(nn.Linear(6, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        print("epoch", epoch, train(model, loader, nn.MSELoss(), optimizer, device))


if __name__ == "__main__":
    main()
