"""A network that places itself in its constructor, under wrappers."""
import torch
from torch import nn


class SelfPlaced(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.device = device
        self.layers = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2))
        self.to(device)

    def forward(self, x):
        return self.layers(x)


class LayerPlaced(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.inner = nn.Linear(6, 8).to(device)
        self.outer = nn.Linear(8, 2).to(device)

    def forward(self, x):
        return self.outer(torch.relu(self.inner(x)))


def main():
    torch.manual_seed(135)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.randn(10, 6).to(device)
    y = torch.randint(0, 2, (10,)).to(device)
    for kind in (SelfPlaced, LayerPlaced):
        model = nn.DataParallel(kind(device))
        optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
        for _ in range(3):
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(kind.__name__, round(loss.item(), 5))


if __name__ == "__main__":
    main()
