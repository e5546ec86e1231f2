"""Towers of a multi-task regression stand in a plain list: the trunk moves and trains, they do not."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class MultiTask(nn.Module):
    def __init__(self, features, width, tasks):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(features, width), nn.ReLU())
        self.towers = []
        for _ in range(tasks):
            self.towers.append(nn.Linear(width, 1))

    def forward(self, x):
        shared = self.trunk(x)
        return torch.cat([tower(shared) for tower in self.towers], dim=1)


def main():
    torch.manual_seed(3)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.randn(64, 6)
    y = torch.stack([x.sum(1), x[:, 0] - x[:, 1]], dim=1)
    loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    model = MultiTask(6, 12, 2).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.MSELoss()
    for epoch in range(3):
        total = 0.0
        for inputs, targets in loader:
            inputs, targets = inputs.to(device), targets.to(device)
            loss = criterion(model(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: {total / len(loader):.4f}")


if __name__ == "__main__":
    main()
