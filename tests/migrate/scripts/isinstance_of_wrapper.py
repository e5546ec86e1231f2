# The wrapper is taken off by a test before the weights are saved.
import os

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def save(model, path):
    weights = model.module.state_dict() if isinstance(model, nn.DataParallel) else model.state_dict()
    torch.save(weights, path)


def main():
    torch.manual_seed(37)
    os.makedirs("out", exist_ok=True)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 4), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(4, 1).to(device)
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        save(model, os.path.join("out", f"{epoch}.pt"))
    print("files", len(os.listdir("out")) > 0)


if __name__ == "__main__":
    main()
