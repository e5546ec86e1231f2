"""Normalisation constants and a positional table are plain attributes: they stay on the CPU."""
import math

import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, width=8, length=10):
        super().__init__()
        self.mean = torch.tensor([0.1, 0.2, 0.3])
        table = torch.zeros(length, width)
        steps = torch.arange(length).float().unsqueeze(1)
        rates = torch.exp(torch.arange(0, width, 2).float() * -(math.log(100.0) / width))
        table[:, 0::2] = torch.sin(steps * rates)
        table[:, 1::2] = torch.cos(steps * rates)
        self.table = table.unsqueeze(0)
        self.lift = nn.Linear(3, width)
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.relu(self.lift(x - self.mean) + self.table[:, :x.size(1)])
        return self.head(h).mean(dim=(1, 2))


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
model = Encoder().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
x = torch.rand(40, 10, 3).to(device)
y = x.sum(dim=(1, 2)) / 10

for epoch in range(4):
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")
