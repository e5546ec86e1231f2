# -*- coding: latin-1 -*-
"""Resume from a checkpoint: the optimizer's state is restored before the model is placed."""
import io

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_model():
    return nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))


def first_run(buffer):
    model = make_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    loss = model(torch.randn(4, 6)).pow(2).mean()
    loss.backward()
    optimizer.step()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 1}, buffer)
    buffer.seek(0)


def resume(buffer):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    checkpoint = torch.load(buffer, map_location="cpu")

    model = make_model()
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    start_epoch = checkpoint["epoch"]
    model.to(device)  # déplacé trop tard

    loader = DataLoader(TensorDataset(torch.randn(24, 6), torch.randn(24, 1)), batch_size=6)
    for epoch in range(start_epoch, start_epoch + 2):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.5f}")


if __name__ == "__main__":
    torch.manual_seed(51)
    memory = io.BytesIO()
    first_run(memory)
    resume(memory)
