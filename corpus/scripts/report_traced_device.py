"""Trains a classifier with a mask, and writes a trace of it for another machine."""

import io

import torch
from torch import nn


class MaskedNet(nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.body = nn.Linear(features, 8)
        self.head = nn.Linear(8, classes)

    def forward(self, x):
        hidden = torch.relu(self.body(x))
        keep = torch.ones(hidden.shape[0], 8, device=x.device)
        return self.head(hidden * keep)


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    images, labels = torch.randn(32, 4).to(device), torch.randint(0, 3, (32,)).to(device)
    model = MaskedNet(4, 3).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.4f}")
    traced = torch.jit.trace(model, images[:1])
    traced.save(io.BytesIO())


if __name__ == "__main__":
    main()
