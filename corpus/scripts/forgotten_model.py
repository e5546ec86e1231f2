"""Regression: the batches are moved, the network is not."""
import torch
from torch import nn

torch.manual_seed(1)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(2, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.hidden(x)))


def main():
    data = torch.rand(64, 2)
    wanted = data.prod(dim=1, keepdim=True)
    model = Regressor()
    scaler = nn.Sigmoid()  # nothing in it lies anywhere
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for step in range(20):
        rows = torch.randperm(64)[:16]
        x = data[rows].to(DEVICE)
        y = wanted[rows].to(DEVICE)
        loss = nn.functional.mse_loss(scaler(model(x)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss", round(loss.item(), 5))


if __name__ == "__main__":
    main()
