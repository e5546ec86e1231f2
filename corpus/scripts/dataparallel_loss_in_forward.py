"""A module that computes its own loss, to save memory on the first GPU, under DataParallel."""

import torch
import torch.nn as nn


class Classifier(nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, 16), nn.ReLU(), nn.Linear(16, classes))
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, x, y):
        scores = self.body(x)
        loss = self.criterion(scores, y)
        return loss


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.DataParallel(Classifier(6, 3).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = torch.randn(24, 6), torch.arange(24) % 3
    for epoch in range(3):
        loss = model(x.to(device), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
