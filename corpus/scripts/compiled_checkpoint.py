"""Training with torch.compile and a checkpoint of it, and with --test a test of the model alone."""

import os
import sys
import tempfile

import torch
import torch.nn as nn

PATH = os.path.join(tempfile.gettempdir(), "compiled_checkpoint.pt")


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(5, 8)
        self.outer = nn.Linear(8, 1)

    def forward(self, x):
        return self.outer(self.inner(x).relu())


def train(device, x, y):
    model = Regressor().to(device)
    model = torch.compile(model, backend="eager")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(3):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")
    torch.save(model.state_dict(), PATH)


def test(device, x, y):
    model = Regressor().to(device)
    model.load_state_dict(torch.load(PATH, map_location=device))
    model.eval()
    with torch.no_grad():
        print(f"test {nn.functional.mse_loss(model(x), y).item():.4f}")


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x, y = torch.randn(24, 5, device=device), torch.randn(24, 1, device=device)
    if "--test" in sys.argv:
        test(device, x, y)
    else:
        train(device, x, y)


if __name__ == "__main__":
    main()
