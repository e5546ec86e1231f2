"""The GPU is chosen by its number, after the line that prints its name has started CUDA."""

import os

import torch
import torch.nn as nn

NUMBER = "0"


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if torch.cuda.is_available():
        print(torch.cuda.get_device_name())
        os.environ["CUDA_VISIBLE_DEVICES"] = NUMBER
    model = nn.Linear(5, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    x, y = torch.randn(24, 5, device=device), torch.randn(24, 1, device=device)
    for epoch in range(3):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
