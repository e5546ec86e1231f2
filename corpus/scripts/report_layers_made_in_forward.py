"""Layers are made inside forward: other ones at each call, on the CPU, which nobody trains."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, features=4):
        super().__init__()
        self.features = features
        self.conv = nn.Conv2d(1, features, 3)

    def forward(self, x):
        x = nn.BatchNorm2d(self.features)(self.conv(x))
        x = torch.relu(x).flatten(1)
        head = nn.Linear(x.size(1), 3)
        return head(x)


def main():
    torch.manual_seed(141)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = Net().to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(3):
        x = torch.randn(4, 1, 6, 6).to(device)
        y = torch.randint(0, 3, (4,)).to(device)
        loss = nn.functional.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, round(loss.item(), 5))


if __name__ == "__main__":
    main()
